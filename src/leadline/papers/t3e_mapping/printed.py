"""M. Müller and M. M. Resch, "PE mapping and the contention problem on the T3E", 1998.

A Cray T3E-900 in Stuttgart: PEs on a torus of three axes, of which MPI_Cart_create without
reordering takes no notice; with it ranks are sorted over the axes. Its three tables, and what the
text says of its figures, which are drawings. Its MB are taken for 10^6 bytes, its exchanges of
"4MB", a hundred at a time, for 4 * 10^6.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from leadline.papers.published import NOT_RECOVERABLE, Contradiction, PublishedFigure

KEY = "t3e-mapping"
TITLE = "PE mapping and the contention problem on the T3E"
SOURCE = f'M. Müller, M. M. Resch, "{TITLE}", University of Stuttgart, 1998'
MACHINE = "Cray T3E-900"
EXCHANGED_BYTES = 4_000_000
"""Tables 2 and 3: 4 MB, a mega taken for 10^6, as of its rates."""

# -- as printed ------------------------------------------------------------------------------------

_CRAY, _OWN = "Cray MPI", "own mapping"
_ORDERS = {"without": _CRAY, "reordered": _OWN}
_figure = partial(PublishedFigure, system="Cray T3E-900 (Stuttgart)")
_HOPS = {
    "2x2x2": (1.3, 1.3),
    "3x3x3": (2.5, 1.8),
    "4x4x1": (2, 1),
    "4x4x4": (2.8, 1.8),
    "8x4x1": (2.2, 1),
    "8x4x2": (1.5, 1),
}
"""Table 1: without reordering and with."""
_TWO_SIDED = {
    ("table2.open", "x-direction two-sided exchange, non-periodic 8x4x1"): (8.2, 5.9),
    ("table2.periodic", "x-direction two-sided exchange, periodic 8x4x1"): (8.7, 6.8),
    ("table3.standard", "two-sided exchange, standard scheme, 8x4x1 (periodic)"): (8.7, 6.8),
    (
        "table3.two-steps",
        "two-sided exchange, new (two-step decoupled) scheme, 8x4x1 (periodic)",
    ): (9.2, 5.4),
}
"""Tables 2 and 3: s, without reordering and with."""
_APPLICATION = "3-d cartesian application benchmark"


def _table_1() -> Iterator[PublishedFigure]:
    for grid, printed in _HOPS.items():
        for (name, library), hops in zip(_ORDERS.items(), printed, strict=True):
            yield _figure(
                id=f"{KEY}.table1.{grid}.{name}",
                library=library,
                operation=f"MPI_Cart_create {grid}",
                procs=str(math.prod(map(int, grid.split("x")))),
                quantity="hops",
                value=hops,
                unit="hops",
                condition=f"{'without' if name == 'without' else 'with'} reordering, average",
                where="Table 1",
            )


def _tables_2_and_3() -> Iterator[PublishedFigure]:
    for (table, operation), printed in _TWO_SIDED.items():
        for (name, library), time_s in zip(_ORDERS.items(), printed, strict=True):
            yield _figure(
                id=f"{KEY}.{table}.{name}",
                library=library,
                operation=operation,
                procs="32",
                bytes="4 MB",
                quantity="time",
                value=time_s,
                unit="s",
                condition=f"{'without' if name == 'without' else 'with'} reordering; sum of 100 "
                "repetitions",
                where=f"Table {table[5]}",
            )


def _end(name: str, quantity: str, said: tuple[float, str, str], procs: str) -> PublishedFigure:
    """Of a range that section 3.2.2 gives; `said`: value, unit, condition."""
    value, unit, condition = said
    return _figure(
        id=f"{KEY}.{name}",
        library=_OWN,
        operation=_APPLICATION if procs else "hop count range",
        procs=procs,
        quantity=quantity,
        value=value,
        unit=unit,
        condition=condition,
        where="s3.2.2",
    )


def _drawn(number: int, what: str) -> PublishedFigure:
    return _figure(
        id=f"{KEY}.figure{number}",
        quantity=NOT_RECOVERABLE,
        value=None,
        condition="figure only",
        where=f"Fig {number} {what}",
    )


_PAIRS: tuple[PublishedFigure, ...] = (
    _figure(
        id=f"{KEY}.pair.2.bandwidth",
        library=_CRAY,
        operation="pair exchange Isend/Irecv/Waitall",
        procs="2",
        quantity="bandwidth",
        value=200,
        unit="MB/s",
        condition='maximum, "about"; counts data sent by one PE only (bidirectional exchange)',
        where="s3.1.2 text",
    ),
    _figure(
        id=f"{KEY}.link.bandwidth",
        library="MPI",
        operation="one link",
        procs="2",
        quantity="bandwidth",
        value=300,
        unit="MB/s",
        condition='"about"; MPI rate of one T3E-900 link',
        where="s3.1.2 text",
    ),
    _figure(
        id=f"{KEY}.pair.64.share",
        library=_CRAY,
        operation="pair exchange",
        procs="64",
        bytes="large",
        quantity="ratio",
        value=0.5,
        unit="x",
        condition="large-message bandwidth drops to less than half of uncongested value",
        where="s3.1.2 text / Fig 4",
    ),
    _figure(
        id=f"{KEY}.pair.contention-from",
        library=_CRAY,
        operation="pair exchange",
        procs=">2",
        bytes="10000",
        quantity="config",
        value=10000,
        unit="bytes",
        condition='contention visible above "10.000 bytes" (European separator)',
        where="s3.1.2 text",
    ),
)
_CYCLES: tuple[PublishedFigure, ...] = (
    _figure(
        id=f"{KEY}.one-communication",
        library=_CRAY,
        operation="one communication, 4 MB x 100",
        procs="2",
        bytes="4 MB",
        quantity="time",
        value=2.7,
        unit="s",
        condition="expected, without setting MPI_BUFFER_MAX",
        where="s3.1.3 text",
    ),
    _figure(
        id=f"{KEY}.two-cycles",
        library="model",
        operation="two communication cycles",
        procs="32",
        bytes="4 MB",
        quantity="time",
        value=5.4,
        unit="s",
        condition="expected ideal = 2 x 2.7",
        where="s3.1.3 text",
    ),
    _figure(
        id=f"{KEY}.cycles-used",
        library=_CRAY,
        operation="communication cycles used",
        procs="32",
        bytes="4 MB",
        quantity="ratio",
        value=3,
        unit="cycles",
        condition='"more than 3" (8.7/2.7 = 3.22)',
        where="s3.1.3 text",
    ),
)
_HALOS: tuple[PublishedFigure, ...] = (
    _figure(
        id=f"{KEY}.halo.peak",
        library="MPI",
        operation=_APPLICATION,
        quantity="bandwidth",
        value=600,
        unit="MB/s",
        condition="theoretical peak, two simultaneous sends",
        where="s3.2.1",
    ),
    _figure(
        id=f"{KEY}.halo.most",
        library=_CRAY,
        operation=_APPLICATION,
        quantity="bandwidth",
        value=200,
        unit="MB/s",
        condition="observed always below",
        where="s3.2.2 / Fig 6",
    ),
    _figure(
        id=f"{KEY}.halo.8x4x4.without",
        library=_CRAY,
        operation=f"{_APPLICATION} 8x4x4",
        procs="128",
        bytes="large",
        quantity="bandwidth",
        value=124,
        unit="MB/s",
        condition="without reordering",
        where="s3.2.2 / Fig 6",
    ),
    _figure(
        id=f"{KEY}.halo.8x4x4.reordered",
        library=_OWN,
        operation=f"{_APPLICATION} 8x4x4",
        procs="128",
        bytes="large",
        quantity="bandwidth",
        value=154,
        unit="MB/s",
        condition='with reordering ("drops only to"); process count not restated',
        where="s3.2.2 / Fig 7",
    ),
    _end("halo.gain.least", "ratio", (2, "%", "lower end of gain over unoptimised mapping"), ">8"),
    _end("halo.gain.most", "ratio", (40, "%", "upper end of gain"), ">8"),
    _end("hops.least", "hops", (1, "hops", "lower end, range quoted in text"), ""),
    _end("hops.most", "hops", (1.8, "hops", "upper end"), ""),
)
_SETTINGS: tuple[PublishedFigure, ...] = (
    _figure(
        id=f"{KEY}.partition.part",
        library=_OWN,
        operation="8x8x4",
        procs="256",
        quantity="config",
        value=128,
        unit="PEs",
        condition="partition practically split into two parts of 128",
        where="s3.2.2",
    ),
    _figure(
        id=f"{KEY}.permutations",
        library=_OWN,
        operation="permutations of (x,y,z) tried",
        quantity="config",
        value=6,
        unit="count",
        where="s2",
    ),
    _figure(
        id=f"{KEY}.repetitions",
        library="both",
        operation="repetitions",
        quantity="config",
        value=100,
        unit="count",
        condition="accumulated times given",
        where="s3.1.3",
    ),
)
FIGURES: tuple[PublishedFigure, ...] = (
    *_table_1(),
    *_PAIRS,
    *_tables_2_and_3(),
    *_CYCLES,
    *_HALOS,
    *_SETTINGS,
    _drawn(1, "mappings"),
    _drawn(4, "pair bandwidth vs size and PEs, MPI_Cart_create"),
    _drawn(5, "same, optimised mapping"),
    _drawn(6, "application bandwidth, no reordering"),
    _drawn(7, "application bandwidth, reordering"),
)
CONTRADICTIONS = (
    Contradiction(
        (f"{KEY}.one-communication", f"{KEY}.link.bandwidth", f"{KEY}.pair.2.bandwidth"),
        "a link has about 300 MB/s for MPI, two PEs that exchange 200 each",
        "one communication of 4 MB a hundred times in 2.7 s is 148 MB/s",
        "the 2.7 s are of a library that copies what it sends, the others of one that doesn't",
    ),
    Contradiction(
        (f"{KEY}.halo.most", f"{KEY}.halo.8x4x4.without"),
        "the observed bandwidth is always below 200 MB/s",
        'it "decreased from 200MB/s to 124MB/s"',
        "200 is a limit that it comes close to",
    ),
    Contradiction(
        (f"{KEY}.table1.3x3x3.reordered", f"{KEY}.table1.4x4x4.reordered"),
        "ranks are sorted by coordinates, in the best of 6 orders: 1.8 hops",
        "on a torus numbered so that all other cells are right that rule gives 2.6 and 1.4",
        "the shape of the partitions that these two had isn't printed",
    ),
    Contradiction(
        (f"{KEY}.table3.two-steps.without", f"{KEY}.table3.standard.without"),
        "decoupling should make the library's own order faster",
        "it takes 9.2 s instead of 8.7",
        "as printed; the authors suspect, and don't know, why",
    ),
    Contradiction(
        (f"{KEY}.table2.periodic.without", f"{KEY}.table2.open.without"),
        "a torus should show no difference between rows that are rings and rows that aren't",
        "8.7 against 8.2 s, sorted 6.8 against 5.9",
        "as printed; the difference is the paper's point",
    ),
)

# -- as studies take them --------------------------------------------------------------------------


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


_PRINTED = {f.id.removeprefix(f"{KEY}."): f.si for f in FIGURES if f.value is not None}


def _both(name: str) -> tuple[float, float]:
    return _PRINTED[f"{name}.without"], _PRINTED[f"{name}.reordered"]


TABLE_1 = tuple(GridHops(grid, *_both(f"table1.{grid}")) for grid in _HOPS)
OPEN = Exchange("non-periodic", *_both("table2.open"))
PERIODIC = Exchange("periodic", *_both("table2.periodic"))
TWO_STEPS = Exchange("periodic, in two steps", *_both("table3.two-steps"))
EXCHANGES = (OPEN, PERIODIC, TWO_STEPS)
"""Tables 2 and 3; what table 3 calls standard is table 2's periodic one."""
PAIR_ALONE = PeRate("pair of 2 PEs", _PRINTED["pair.2.bandwidth"], None, "about 200")
HALO = PeRate("halo of 8x4x4 PEs", *_both("halo.8x4x4"), "124 and 154")
RATES = (PAIR_ALONE, HALO)
MOST_PES = next(f.ranks for f in FIGURES if f.id == f"{KEY}.partition.part")
"""Of which a partition is mentioned; how many the machine had isn't."""
REPETITIONS = int(_PRINTED["repetitions"])
LEAST_LOSS = 1 / _PRINTED["pair.64.share"]
"""64 PEs in pairs have "less than half of the uncongested value" each."""
LEAST_GAIN, MOST_GAIN = 1 + _PRINTED["halo.gain.least"], 1 + _PRINTED["halo.gain.most"]
"""Of a halo by reordering: "between 2 and 40 percent better" above 8 PEs."""
