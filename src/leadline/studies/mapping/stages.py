"""What the study measures: neighbours on a grid of ranks, on hosts whose links are the limit.

The paper's torus is four hosts at a switch here, each with a link of its own that four ranks
share. Ranks in their order and mapped are measured by the same processes, in turn.
"""

from __future__ import annotations

from leadline.measure.spec import Order
from leadline.studies.stage import Stage, StageNetwork

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
    order = Order(
        patterns=patterns, sizes=sizes, ranks=(pes,), budget_s=budget_s, patience_s=PATIENCE_S
    )
    network = StageNetwork(f"map{pes}n", LINK, min(pes, HOSTS), watched=True)
    return Stage(name, order, network=network, map=METRIC if pes > ALONE else "")
