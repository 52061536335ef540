"""The paper's tables and the rates that its text says, as its study takes them."""

from __future__ import annotations

from dataclasses import dataclass

from leadline.papers.catalogue import figure_of, printed
from leadline.papers.t3e_mapping import KEY

MACHINE = "Cray T3E-900"
EXCHANGED_BYTES = 4_000_000
"""Tables 2 and 3: 4 MB, a mega taken for 10^6, as of its rates."""
GRIDS = ("2x2x2", "3x3x3", "4x4x1", "4x4x4", "8x4x1", "8x4x2")
"""Grids of table 1."""


@dataclass(frozen=True, slots=True)
class GridHops:
    """A row of table 1: what messages travel on average between neighbours of an open grid."""

    grid: str
    without: float
    """With ranks in the order of their PEs."""
    reordered: float


@dataclass(frozen=True, slots=True)
class Exchange:
    """A row of tables 2 and 3: both neighbours along x of 8x4x1 PEs exchange, 100 times."""

    what: str
    without_s: float
    """Accumulated; with ranks in the order of their PEs."""
    reordered_s: float


@dataclass(frozen=True, slots=True)
class PeRate:
    """What one PE sends while all do the same, as the text says it of a figure."""

    what: str
    without_bytes_per_s: float
    reordered_bytes_per_s: float | None
    """None: the text doesn't say."""


def _both(name: str) -> tuple[float, float]:
    return printed(KEY, name, "without"), printed(KEY, name, "reordered")


TABLE_1 = tuple(GridHops(grid, *_both(f"table1.{grid}")) for grid in GRIDS)
OPEN = Exchange("non-periodic", *_both("table2.open"))
PERIODIC = Exchange("periodic", *_both("table2.periodic"))
TWO_STEPS = Exchange("periodic, in two steps", *_both("table3.two-steps"))
EXCHANGES = (OPEN, PERIODIC, TWO_STEPS)
"""Tables 2 and 3; what table 3 calls standard is table 2's periodic one."""
PAIR_ALONE = PeRate("pair of 2 PEs", printed(KEY, "pair.2.bandwidth"), None)
HALO = PeRate("halo of 8x4x4 PEs", *_both("halo.8x4x4"))
RATES = (PAIR_ALONE, HALO)
MOST_PES = figure_of(f"{KEY}.partition.part").ranks
"""PEs of the partition that is mentioned; the size of the machine isn't."""
REPETITIONS = int(printed(KEY, "repetitions"))
LEAST_LOSS = 1 / printed(KEY, "pair.64.share")
"""64 PEs in pairs have "less than half of the uncongested value" each."""
LEAST_GAIN, MOST_GAIN = 1 + printed(KEY, "halo.gain.least"), 1 + printed(KEY, "halo.gain.most")
"""A halo's gain by reordering: "between 2 and 40 percent better" above 8 PEs."""
