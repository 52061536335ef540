"""A paper's layout: tables and figures of published values and this machine's, or why none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from leadline.papers.estimates import Quantity, Signed, estimate
from leadline.papers.results import UnmeasuredError
from leadline.papers.units import Unit
from leadline.statistics.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Beside:
    """The paper's figures of the same quantity as a measured entry."""

    library: str
    """Library that was measured, as the table names it."""
    figures: tuple[str, ...]
    """Ids of the paper's; several where it measured several machines."""


@dataclass(frozen=True, slots=True)
class TableEntry:
    """One figure of a table, in its column's SI unit."""

    estimate: Estimate | None
    """None: there is none, for the reason in `why`."""
    published: bool = False
    crowded: bool = False
    """Measured with more PEs than cores."""
    why: str | None = None
    beside: Beside | None = None
    """None: the paper has no figure of the same, on as many PEs."""

    def put_beside(self, library: str, *figures: str) -> TableEntry:
        """The same of `library`, beside the paper's `figures`; none: as it is."""
        return replace(self, beside=Beside(library, figures)) if figures else self


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


def measured(quantity: Callable[[], Quantity | Signed]) -> TableEntry:
    """What `quantity` returns, estimated; the reason where it raises UnmeasuredError."""
    try:
        signed = quantity()
    except UnmeasuredError as lack:
        return TableEntry(None, why=str(lack))
    return TableEntry(estimate(signed), crowded=signed.crowded)


@dataclass(frozen=True, slots=True)
class LibraryColumn:
    """A column or a line: a variant, or what the machine lacks."""

    name: str
    lack: str = ""
    """Why there is none; "": there is."""

    def entry(self, quantity: Callable[[str], Quantity | Signed]) -> TableEntry:
        """What `quantity` finds for the variant, or why there is nothing."""
        return (
            TableEntry(None, why=self.lack) if self.lack else measured(partial(quantity, self.name))
        )


# -- figures ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StudyPoint:
    """A value on a curve."""

    at: int
    """Bytes of a message, or PEs, as the figure's x axis has it."""
    estimate: Estimate
    """In the SI unit of the figure's."""
    crowded: bool = False
    """Measured with more PEs than cores."""


@dataclass(frozen=True, slots=True)
class StudyCurve:
    """One name in the legend."""

    name: str
    library: str
    """Curves of one look alike, but for their strokes."""
    network: str
    """Curves of one have the same stroke."""
    points: tuple[StudyPoint, ...]
    raw: bool = False
    """A raw transport, which is a limit and no competitor."""
    published: bool = False
    """What the paper printed."""


@dataclass(frozen=True, slots=True)
class StudyFigure:
    """A figure of a paper, reproduced."""

    name: str
    """What its file is called."""
    title: str
    quantity: str
    """What the y axis shows."""
    unit: Unit
    """As the paper has it."""
    curves: tuple[StudyCurve, ...]
    logarithmic: bool = False
    """Both axes are; else both are linear and begin at 0, as most of 1996 are."""
    against_pes: bool = False
    """The x axis counts PEs, else bytes of a message."""
