"""The paper's tables, what its text says of its figures, and figures 4 to 7, ours beside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

from leadline.compare.circumstances import LINK_BOUND_SHARE
from leadline.papers.estimates import Quantity, estimate
from leadline.papers.layout import (
    Column,
    StudyCurve,
    StudyFigure,
    StudyPoint,
    StudyTable,
    TableEntry,
    TableRow,
    measured,
    published,
)
from leadline.papers.results import Results, UnmeasuredError
from leadline.papers.t3e_mapping import printed as t3e_mapping
from leadline.papers.t3e_mapping.printed import EXCHANGES, MACHINE, REPETITIONS, TABLE_1
from leadline.papers.t3e_mapping.stages import (
    ALONE,
    HALO,
    NEIGHBOURS,
    OPEN,
    PAIR,
    PERIODIC,
    PES,
    TWO_STEPS,
    hosts_in_words,
    in_order,
    libraries,
    placements,
    rate,
    reordered,
    sizes,
    uncongested,
)
from leadline.papers.units import Unit
from leadline.statistics.estimate import Estimate


@dataclass(frozen=True, slots=True)
class ComputedHops:
    """A row of table 1 computed: on the first PEs of an 8x8x8 torus in the T3E's numbering."""

    grid: str
    without: float
    by_sort: float
    """By the rule that the paper states."""
    mapped: float
    """By the best of all methods."""


COMPUTED = (
    ComputedHops("2x2x2", 4 / 3, 4 / 3, 4 / 3),
    ComputedHops("3x3x3", 137 / 54, 141 / 54, 84 / 54),
    ComputedHops("4x4x1", 2.0, 1.0, 1.0),
    ComputedHops("4x4x4", 400 / 144, 208 / 144, 160 / 144),
    ComputedHops("8x4x1", 112 / 52, 1.0, 1.0),
    ComputedHops("8x4x2", 200 / 136, 1.0, 1.0),
)
"""What `leadline map` computes; a test holds them to it."""
HOP_COLUMNS = ("without\nreordering", "sorted, as\nthe paper does", "mapped, as\nleadline does")


def hops(results: Results) -> StudyTable:
    """A row a grid of the paper's, as printed and as computed, then a row a pattern."""
    run = results.runs.get(NEIGHBOURS)
    note = (
        (f"Here: {hosts_in_words(run)}; two hops from host to host, none inside.",) if run else ()
    )
    rows = []
    lack = TableEntry(None, why=f"{MACHINE}: the paper has this for no other way to reorder")
    for printed, computed in zip(TABLE_1, COMPUTED, strict=True):
        grid = f"{printed.grid} grid"
        theirs = (*published(printed.without, printed.reordered), lack)
        rows.append(TableRow((MACHINE, grid), theirs))
        entries = _exact(computed.without, computed.by_sort, computed.mapped)
        rows.append(TableRow(("computed", grid), entries))
    lack = TableEntry(None, why="here: ranks on hosts at one switch are mapped, not sorted")
    for placement in placements(results):  # of the first mapped variant: all place ranks alike
        before, after = _exact(placement.before, placement.after)
        rows.append(TableRow(("here", placement.pattern), (before, lack, after)))
    return StudyTable(
        1,
        "Average number of hops that a message travels",
        ("System", "Neighbours of"),
        tuple(Column(title, Unit.HOPS) for title in HOP_COLUMNS),
        tuple(rows),
        (
            "Computed: on torus:8x8x8, t3e:N for N PEs, by `leadline map` and, sorted, with "
            "`--method sort`. The paper's 1.8 is not what its rule comes to there.",
            *note,
        ),
    )


def _exact(*values: float) -> tuple[TableEntry, ...]:
    return tuple(TableEntry(Estimate(value)) for value in values)


# -- tables 2 to 4 ---------------------------------------------------------------------------------


ORDERS = ("without\nreordering", "with\nreordering")
SENT = {PAIR: 1, HALO: 4}
"""Messages that a PE with all neighbours sends."""
NOT_REORDERED = TableEntry(None, why="two PEs on a host each: nothing to reorder")
EXCHANGED = dict(zip((OPEN, PERIODIC, TWO_STEPS), EXCHANGES, strict=True))


def tables(results: Results) -> tuple[StudyTable, ...]:
    """Hops as in table 1, exchanges as in 2 and 3, the text's rates, and what links carried."""
    return hops(results), _exchanges(results), _rates(results), _use(results)


def _columns(unit: Unit) -> tuple[Column, ...]:
    return tuple(Column(title, unit) for title in ORDERS)


# -- times -----------------------------------------------------------------------------------------


def _exchanges(results: Results) -> StudyTable:
    papers = (
        TableRow(
            (MACHINE, row.what, f"{t3e_mapping.EXCHANGED_BYTES:,}"),
            published(row.without_s / REPETITIONS, row.reordered_s / REPETITIONS),
        )
        for row in EXCHANGES
    )
    ours = (
        TableRow(
            (variant, exchange.what, f"{size:,}"),
            tuple(
                measured(partial(time, results, variant, pattern, size))
                for time in (in_order, reordered)
            ),
        )
        for variant in libraries(results)
        for pattern, exchange in EXCHANGED.items()
        for size in sizes(results)
    )
    run = results.runs.get(NEIGHBOURS)
    ours_in_words = f"; here one on 8x2, {hosts_in_words(run)}" if run else ""
    return StudyTable(
        2,
        "An exchange with both neighbours along the first axis (tables 2 and 3)",
        ("System", "Exchange", "Size (B)"),
        _columns(Unit.MILLISECONDS),
        (*papers, *ours),
        (
            f"The paper's times are those of {REPETITIONS} exchanges over {REPETITIONS}, on 8x4x1 "
            f"PEs{ours_in_words}: compare the two columns, not the systems.",
        ),
    )


# -- rates -----------------------------------------------------------------------------------------


def _rates(results: Results) -> StudyTable:
    rows = []
    for row in t3e_mapping.RATES:
        rate = row.reordered_bytes_per_s
        lack = TableEntry(None, why=f"the paper doesn't say it of a {row.what}")
        entries = (
            *published(row.without_bytes_per_s),
            lack if rate is None else published(rate)[0],
        )
        rows.append(TableRow((MACHINE, row.what, "large"), entries))
    for variant, size in product(libraries(results), sizes(results)):
        alone = measured(_sent(partial(uncongested, results, variant, size), size))
        pair = variant, f"pair of {ALONE} PEs", f"{size:,}"
        rows.append(TableRow(pair, (alone, NOT_REORDERED)))
        for pattern, messages in SENT.items():
            entries = tuple(
                measured(_sent(partial(time, results, variant, pattern, size), messages * size))
                for time in (in_order, reordered)
            )
            rows.append(TableRow((variant, f"{pattern}, {PES} PEs", f"{size:,}"), entries))
    return StudyTable(
        3,
        "What a PE with all neighbours sends while all do the same (figures 4 to 7)",
        ("System", "Pattern", "Size (B)"),
        _columns(Unit.MEGABYTES_PER_SECOND),
        tuple(rows),
        ("The paper's figures are those of its text, the highest or, of the halo, at 128 PEs.",),
    )


def _sent(time: Callable[[], Quantity], sent_bytes: int) -> Callable[[], Quantity]:
    """The rate of so many bytes in that time."""
    return lambda: rate(time(), sent_bytes)


# -- links -----------------------------------------------------------------------------------------


def _use(results: Results) -> StudyTable:
    rows = []
    for variant, size in product(libraries(results), sizes(results)):
        alone = _carried(partial(uncongested, results, variant, size))
        pair = variant, f"pair of {ALONE} PEs", f"{size:,}"
        rows.append(TableRow(pair, (alone, NOT_REORDERED)))
        for pattern in (PAIR, *EXCHANGED, HALO):
            entries = tuple(
                _carried(partial(time, results, variant, pattern, size))
                for time in (in_order, reordered)
            )
            rows.append(TableRow((variant, pattern, f"{size:,}"), entries))
    return StudyTable(
        4,
        "What the busiest link carried of its rate",
        ("System", "Pattern", "Size (B)"),
        _columns(Unit.PERCENT),
        tuple(rows),
        (
            f"Of more PEs than cores a time counts where it was {100 * LINK_BOUND_SHARE:.0f} % or "
            "more: then a link was what all waited for.",
        ),
    )


def _carried(time: Callable[[], Quantity]) -> TableEntry:
    try:
        quantity = time()
    except UnmeasuredError as lack:
        return TableEntry(None, why=str(lack))
    if quantity.link_share is None:
        return TableEntry(None, why="what links carried isn't known")
    return TableEntry(Estimate(quantity.link_share), crowded=quantity.crowded)


# -- figures ---------------------------------------------------------------------------------------


TimeBySize = Callable[[int], Quantity]
"""A time of messages of a size."""


def figures(results: Results) -> tuple[StudyFigure, ...]:
    """Figures 4 and 5 of pairs, 6 and 7 of a halo: the second of each has ranks reordered.

    Mapped pairs meet in memory, tens of times as fast as over a link: axes are logarithmic.
    """
    return tuple(
        StudyFigure(
            name,
            f"What a PE sends, {what}",
            "bandwidth of a PE",
            Unit.MEGABYTES_PER_SECOND,
            tuple(_curves(results, pattern)),
            logarithmic=True,
        )
        for name, what, pattern in (
            ("4-5-pairs", "all in pairs", PAIR),
            ("6-7-halo", "to all neighbours", HALO),
        )
    )


def _curves(results: Results, pattern: str) -> Iterator[StudyCurve]:
    """Curves that have a point: one pair alone, all PEs in order, and mapped."""
    for variant in libraries(results):
        ways: dict[str, TimeBySize] = {
            f"{PES} PEs, without reordering": partial(in_order, results, variant, pattern),
            f"{PES} PEs, with reordering": partial(reordered, results, variant, pattern),
        }
        if pattern == PAIR:
            ways[f"{ALONE} PEs"] = partial(uncongested, results, variant)
        for way, time in ways.items():
            points = tuple(_points(results, time, SENT[pattern]))
            if points:
                yield StudyCurve(f"{variant}, {way}", variant, way, points)


def _points(results: Results, time: TimeBySize, messages: int) -> Iterator[StudyPoint]:
    for size in sizes(results):
        try:
            quantity = rate(time(size), messages * size)
        except UnmeasuredError:
            continue
        yield StudyPoint(size, estimate(quantity), quantity.crowded)
