"""A table in a paper's layout: published figures and this machine's, or why there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from leadline.statistics.estimate import Estimate
from leadline.studies.estimates import Quantity, estimate
from leadline.studies.results import UnmeasuredError
from leadline.studies.units import Unit


@dataclass(frozen=True, slots=True)
class TableEntry:
    """One figure of a table, in its column's SI unit."""

    estimate: Estimate | None
    """None: there is none, for the reason in `why`."""
    published: bool = False
    crowded: bool = False
    """Measured with more PEs than cores."""
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """What a column's figures are."""

    title: str
    unit: Unit
    """As the paper has it."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One line: what it is about, then a figure for each column."""

    labels: tuple[str, ...]
    entries: tuple[TableEntry, ...]


@dataclass(frozen=True, slots=True)
class StudyTable:
    """A table with the paper's number and layout."""

    number: int
    title: str
    labels: tuple[str, ...]
    """Titles of the rows' labels."""
    columns: tuple[Column, ...]
    rows: tuple[TableRow, ...]
    notes: tuple[str, ...]
    """How the figures are defined."""


def published(*values: float) -> tuple[TableEntry, ...]:
    """Figures that the paper printed."""
    return tuple(TableEntry(Estimate(value), published=True) for value in values)


def measured(quantity: Callable[[], Quantity]) -> TableEntry:
    """What `quantity` returns, estimated; the reason where it raises UnmeasuredError."""
    try:
        found = quantity()
    except UnmeasuredError as lack:
        return TableEntry(None, why=str(lack))
    return TableEntry(estimate(found), crowded=found.crowded)
