"""What the study measures: neighbours on a grid of ranks, on hosts whose links are the limit.

The paper's torus is four hosts at a switch here, each with a link of its own that four ranks
share. Ranks in their order and mapped are measured by the same processes, in turn.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from leadline.compare.circumstances import EXCEEDED_SHARE, LINK_BOUND_SHARE
from leadline.measure.spec import Request
from leadline.papers.estimates import Quantity
from leadline.papers.results import Measurand, Results, UnmeasuredError
from leadline.papers.study import Stage, StageNetwork, mapped
from leadline.record.run import GridPlacement, Run
from leadline.units import format_bit_rate

FULL_S, QUICK_S = 540.0, 105.0
"""Default budgets."""
LINK = "20Mbit"
"""So slow that it, and not the few cores that all hosts share, is the limit."""
HOSTS, PES, ALONE = 4, 16, 2
ON_HOSTS = range(2, PES // 2 + 1)
"""How many hosts may be named: of one PE each there is nothing to map."""
SIZES, QUICK_SIZES = (4096, 16_384, 65_536), (32_768,)
PATIENCE_S = 60.0

NEIGHBOURS, UNCONGESTED = "neighbours", "uncongested"
"""Stages: of all PEs, and of one pair with the links for itself."""
PAIR, HALO = "pair", "halo:4x4"
OPEN, PERIODIC, TWO_STEPS = "cyclic:8x2:open", "cyclic:8x2", "cyclic_two_step:8x2"
"""As on the paper's 8x4x1 PEs, along the first axis."""
METRIC = "hops"
"""What is made small by mapping, as the paper did."""
USUAL = ("mpich",)
"""Unless others are named: the paper had one library."""


def stages(budget_s: float, quick: bool, cores: int) -> tuple[Stage, ...]:
    """The campaigns that take about `budget_s` seconds together; `cores` change nothing."""
    sizes = QUICK_SIZES if quick else SIZES
    share = 0.15 if quick else 0.08
    patterns = (PAIR, OPEN, PERIODIC, TWO_STEPS, HALO)
    return (
        _stage(UNCONGESTED, (PAIR,), sizes, ALONE, share * budget_s),
        _stage(NEIGHBOURS, patterns, sizes, PES, (1 - share) * budget_s),
    )


def _stage(
    name: str, patterns: tuple[str, ...], sizes: tuple[int, ...], pes: int, budget_s: float
) -> Stage:
    """With the network of as many hosts as PEs have, at most HOSTS."""
    request = Request(
        patterns=patterns, sizes=sizes, ranks=(pes,), budget_s=budget_s, patience_s=PATIENCE_S
    )
    network = StageNetwork(f"map{pes}n", LINK, min(pes, HOSTS), watched=True)
    return Stage(name, request, network=network, map=METRIC if pes > ALONE else "")


# -- times -----------------------------------------------------------------------------------------


Time = Callable[[Results, str, str, int], Quantity]
"""Time of a variant, a pattern and a size."""


def libraries(results: Results) -> list[str]:
    """Libraries that were measured, in the order of the runs; a mapped variant is none."""
    measured = [c.variant for run in results.runs.values() for c in run.configurations]
    of_maps = {mapped(variant) for variant in measured}
    return [variant for variant in dict.fromkeys(measured) if variant not in of_maps]


def library(results: Results) -> str:
    """The first that was measured; UnmeasuredError where none was."""
    measured = libraries(results)
    return measured[0] if measured else results.library(USUAL[0])


def sizes(results: Results) -> list[int]:
    """Sizes of messages that were to be measured, rising."""
    return sorted({cell.size_bytes for run in results.runs.values() for cell in run.cells})


def in_order(results: Results, variant: str, pattern: str, size_bytes: int) -> Quantity:
    """An exchange's time where ranks lie in their order."""
    return results.time(Measurand(NEIGHBOURS, variant, PES, pattern, size_bytes))


def reordered(results: Results, variant: str, pattern: str, size_bytes: int) -> Quantity:
    """An exchange's time where ranks are mapped."""
    return results.time(Measurand(NEIGHBOURS, mapped(variant), PES, pattern, size_bytes))


def uncongested(results: Results, variant: str, size_bytes: int) -> Quantity:
    """An exchange of one pair, with the links for itself."""
    return results.time(Measurand(UNCONGESTED, variant, ALONE, PAIR, size_bytes))


def placements(results: Results) -> tuple[GridPlacement, ...]:
    """Placements of each pattern's ranks, by the first mapped variant: all place them alike."""
    run = results.runs.get(NEIGHBOURS)
    placements = (
        (configuration.placement for configuration in run.configurations if configuration.placement)
        if run
        else ()
    )
    return next(iter(placements), ())


def rate(quantity: Quantity, sent_bytes: int) -> Quantity:
    """The rate, bytes/s, of so many bytes in that time."""
    return Quantity(quantity.run, math.log(sent_bytes) - quantity.logs, quantity.crowded)


def bound_by_links(quantity: Quantity, what: str) -> Quantity:
    """`quantity`, if a link was shown to be its limit or each PE had a core; else UnmeasuredError.

    Of so many PEs on a few cores nothing else says that it was the network that was measured.
    """
    if not quantity.crowded:
        return quantity
    share = quantity.link_share
    seen = "it isn't known how much" if share is None else f"it was {100 * share:.0f} %"
    raise UnmeasuredError(
        f"{what} with a core for each PE, or with a link that carries {100 * LINK_BOUND_SHARE:.0f} "
        f"to {100 * EXCEEDED_SHARE:.0f} % of its rate; {seen}; quieten the machine, or take hosts "
        "with slower links"
    )


def hosts_in_words(run: Run) -> str:
    """What PEs were on and joined by, e.g. "4 hosts of 4 PEs, joined by 20Mbit"."""
    hosts = max((len(configuration.hosts) for configuration in run.configurations), default=0)
    if not hosts:
        return "one host"
    each = -(-PES // hosts)
    pes = f"{each} PEs" if each * hosts == PES else f"{each} PEs at most"
    link = run.provenance.link
    return f"{hosts} hosts of {pes}" + (
        f", links of {format_bit_rate(link.rate_bits_per_s / 8)}" if link else ""
    )
