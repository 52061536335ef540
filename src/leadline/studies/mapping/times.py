"""Times of neighbours' exchanges, in order and mapped, who was measured, and on which hosts."""

from __future__ import annotations

import math
from collections.abc import Callable

from leadline.compare.circumstances import EXCEEDED_SHARE, LINK_BOUND_SHARE
from leadline.record.run import GridPlacement, Run
from leadline.studies.estimates import Quantity
from leadline.studies.mapping.stages import ALONE, NEIGHBOURS, PAIR, PES, UNCONGESTED, USUAL
from leadline.studies.results import Measurand, Results, UnmeasuredError
from leadline.studies.stage import mapped
from leadline.units import format_bit_rate

Time = Callable[[Results, str, str, int], Quantity]
"""Of a variant, a pattern and a size."""


def libraries(results: Results) -> list[str]:
    """Those that were measured, in the order of the runs; a mapped variant is no library."""
    found = [c.variant for run in results.runs.values() for c in run.configurations]
    of_maps = {mapped(variant) for variant in found}
    return [variant for variant in dict.fromkeys(found) if variant not in of_maps]


def library(results: Results) -> str:
    """The first that was measured; UnmeasuredError where none was."""
    found = libraries(results)
    return found[0] if found else results.library(USUAL[0])


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
    """How each pattern's ranks are laid; of the first mapped variant, since all are laid alike."""
    run = results.runs.get(NEIGHBOURS)
    laid = (one.placement for one in run.configurations if one.placement) if run else ()
    return next(iter(laid), ())


def rate(found: Quantity, sent_bytes: int) -> Quantity:
    """The rate, bytes/s, of so many bytes in that time."""
    return Quantity(found.run, math.log(sent_bytes) - found.logs, found.crowded)


def bound_by_links(found: Quantity, what: str) -> Quantity:
    """`found`, where a link was shown to be its limit or each PE had a core; else UnmeasuredError.

    Of so many PEs on a few cores nothing else says that it was the network that was measured.
    """
    if not found.crowded:
        return found
    share = found.link_share
    seen = "it isn't known how much" if share is None else f"it was {100 * share:.0f} %"
    raise UnmeasuredError(
        f"{what} with a core for each PE, or with a link that carries {100 * LINK_BOUND_SHARE:.0f} "
        f"to {100 * EXCEEDED_SHARE:.0f} % of its rate; {seen}; quieten the machine, or take hosts "
        "with slower links"
    )


def hosts_in_words(run: Run) -> str:
    """What PEs were on and joined by, e.g. "4 hosts of 4 PEs, joined by 20Mbit"."""
    hosts = max((len(one.hosts) for one in run.configurations), default=0)
    if not hosts:
        return "one host"
    each = -(-PES // hosts)
    pes = f"{each} PEs" if each * hosts == PES else f"{each} PEs at most"
    link = run.provenance.link
    return f"{hosts} hosts of {pes}" + (
        f", links of {format_bit_rate(link.rate_bits_per_s / 8)}" if link else ""
    )
