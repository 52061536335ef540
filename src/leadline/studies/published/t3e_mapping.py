"""M. Müller and M. M. Resch, "PE mapping and the contention problem on the T3E", 1998.

A Cray T3E-900 in Stuttgart: PEs on a torus of three axes, of which MPI_Cart_create without
reordering takes no notice; with it ranks are sorted over the axes. Its three tables, and what the
text says of its figures, which are drawings. Its MB are taken for 10^6 bytes, its exchanges of
"4MB", a hundred at a time, for 4 * 10^6.
"""

from __future__ import annotations

from dataclasses import dataclass

SOURCE = (
    'M. Müller, M. M. Resch, "PE mapping and the contention problem on the T3E", University of '
    "Stuttgart, 1998"
)
MACHINE = "Cray T3E-900"
MOST_PES = 256
"""Of which a partition is mentioned; how many the machine had isn't."""
REPETITIONS = 100
EXCHANGED_BYTES = 4_000_000
"""Tables 2 and 3."""


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
    words: str


TABLE_1 = (
    GridHops("2x2x2", 1.3, 1.3),
    GridHops("3x3x3", 2.5, 1.8),
    GridHops("4x4x1", 2.0, 1.0),
    GridHops("4x4x4", 2.8, 1.8),
    GridHops("8x4x1", 2.2, 1.0),
    GridHops("8x4x2", 1.5, 1.0),
)
OPEN = Exchange("non-periodic", 8.2, 5.9)
PERIODIC = Exchange("periodic", 8.7, 6.8)
TWO_STEPS = Exchange("periodic, in two steps", 9.2, 5.4)
EXCHANGES = (OPEN, PERIODIC, TWO_STEPS)
"""Tables 2 and 3; what table 3 calls standard is table 2's periodic one."""
PAIR_ALONE = PeRate("pair of 2 PEs", 200e6, None, "about 200")
HALO = PeRate("halo of 8x4x4 PEs", 124e6, 154e6, "124 and 154")
RATES = (PAIR_ALONE, HALO)
LEAST_LOSS = 2.0
"""64 PEs in pairs have "less than half of the uncongested value" each."""
LEAST_GAIN, MOST_GAIN = 1.02, 1.40
"""Of a halo by reordering: "between 2 and 40 percent better" above 8 PEs."""
