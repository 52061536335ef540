"""Table 1: hops between neighbours, the paper's, computed anew, and of what is measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from leadline.statistics.estimate import Estimate
from leadline.studies.mapping.stages import NEIGHBOURS
from leadline.studies.mapping.times import hosts_in_words, placements
from leadline.studies.published.t3e_mapping import MACHINE, TABLE_1
from leadline.studies.results import Results
from leadline.studies.tables import Column, StudyTable, TableEntry, TableRow, published
from leadline.studies.units import Unit


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
ORDERS = ("without\nreordering", "sorted, as\nthe paper does", "mapped, as\nleadline does")


def hops(results: Results) -> StudyTable:
    """A row a grid of the paper's, as printed and as computed, then a row a pattern."""
    run = results.runs.get(NEIGHBOURS)
    here = (
        (f"Here: {hosts_in_words(run)}; two hops from host to host, none inside.",) if run else ()
    )
    return StudyTable(
        1,
        "Average number of hops that a message travels",
        ("System", "Neighbours of"),
        tuple(Column(title, Unit.HOPS) for title in ORDERS),
        (*_papers(), *_own(results)),
        (
            "Computed: on torus:8x8x8, t3e:N for N PEs, by `leadline map` and, sorted, with "
            "`--method sort`. The paper's 1.8 is not what its rule comes to there.",
            *here,
        ),
    )


def _papers() -> Iterator[TableRow]:
    lack = TableEntry(None, why=f"{MACHINE}: the paper has this for no other way to reorder")
    for printed, found in zip(TABLE_1, COMPUTED, strict=True):
        grid = f"{printed.grid} grid"
        yield TableRow((MACHINE, grid), (*published(printed.without, printed.reordered), lack))
        yield TableRow(("computed", grid), _exact(found.without, found.by_sort, found.mapped))


def _own(results: Results) -> Iterator[TableRow]:
    """Of the first mapped variant: all are laid alike."""
    lack = TableEntry(None, why="here: ranks on hosts at one switch are mapped, not sorted")
    for one in placements(results):
        before, after = _exact(one.before, one.after)
        yield TableRow(("here", one.pattern), (before, lack, after))


def _exact(*values: float) -> tuple[TableEntry, ...]:
    return tuple(TableEntry(Estimate(value)) for value in values)
