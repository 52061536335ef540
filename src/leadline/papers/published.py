"""Figures as a paper prints them, and what contradicts others of the same paper.

Both are tables in the paper's folder: figures.csv, whose columns are the fields of PublishedFigure,
and contradictions.csv, whose figures are ids with a space between.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from csv import DictReader
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from typing import Any

NOT_RECOVERABLE = "not_recoverable"
"""The quantity of what is only drawn, or left out of what could be read."""
_ONE = (
    "s", "x", "hops", "cycles", "bytes", "ticks/s", "PE", "PEs", "CPU", "tasks", "procs", "count",
    "words", "functions", "iterations", "exchanges",
)  # fmt: skip
_SI = {
    **dict.fromkeys(_ONE, Fraction(1)),
    "us": Fraction(1, 10**6),
    "ms": Fraction(1, 1000),
    "%": Fraction(1, 100),
    **dict.fromkeys(("MByte/s", "Mbytes/s", "MB/s"), Fraction(10**6)),
    **dict.fromkeys(("GByte/s", "GBytes/s"), Fraction(10**9)),
    "Mbps": Fraction(10**6, 8),
    **dict.fromkeys(("Mbarr/s", "Mflop/s", "MHz"), Fraction(10**6)),
    "Tflop/s": Fraction(10**12),
    "KByte": Fraction(2**10),
    "MByte": Fraction(2**20),
    "GByte": Fraction(2**30),
}
"""One of a printed unit in SI units; sizes of memories and messages are binary, rates decimal."""
_PREFIXES = {"M": 2, "G": 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFigure:
    """One number of a paper, with all that the paper says of how it came about.

    What was only drawn is one too, without a value.
    """

    id: str
    """The paper's key, then words: readable, and the same in every version."""
    system: str
    library: str = ""
    operation: str = ""
    procs: str = ""
    """As the paper counts them, e.g. "64", ">8"; "": not said."""
    bytes: str = ""
    """Size of a message, e.g. "1024", "1e6..2e6", "large"; "": not said, or no message."""
    quantity: str
    value: float | None
    """In `unit`; None: it can't be recovered, `condition` says why."""
    unit: str = ""
    """As printed."""
    condition: str = ""
    where: str
    """Its table, section or drawing."""
    binary: bool = False
    """Mega is 2^20 and giga 2^30, as the paper says or its other figures imply."""

    @property
    def si(self) -> float:
        """The value in SI units, rates in B/s; ValueError where there is none."""
        if self.value is None:
            raise ValueError(f"{self.id} can't be recovered: {self.condition}")
        if math.isnan(self.value):
            return self.value
        return float(Fraction(repr(self.value)) * self._unit_si())

    def printed(self, si: float) -> float:
        """A value in SI units in the figure's own unit."""
        return si / float(self._unit_si())

    def _unit_si(self) -> Fraction:
        """One of the unit in SI units."""
        scale = Fraction(1024, 1000) ** _PREFIXES[self.unit[0]] if self.binary else Fraction(1)
        return _SI[self.unit] * scale

    @property
    def ranks(self) -> int:
        """Number of ranks in `procs`; ValueError where that isn't one number."""
        return int(self.procs)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What a paper says in two ways that don't agree."""

    figures: tuple[str, ...]
    """Their ids."""
    printed: str
    found: str
    """What else it says, or what its figures come to."""
    reading: str
    """How it is taken here."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper with all that could be read of it."""

    key: str
    """Ids of its figures begin with it."""
    title: str
    source: str
    """Authors, title, place, year."""
    figures: tuple[PublishedFigure, ...]
    contradictions: tuple[Contradiction, ...]


# -- the tables ------------------------------------------------------------------------------------

BINARY = "yes"
"""In the column binary, of a figure that is."""


def figures_in(package: str) -> tuple[PublishedFigure, ...]:
    """The figures of the paper whose folder is `package`, in its order."""
    return tuple(
        PublishedFigure(
            **{
                **row,
                "value": _number(row["value"]) if row["value"] else None,
                "binary": row["binary"] == BINARY,
            }
        )
        for row in _rows(package, "figures.csv")
    )


def contradictions_in(package: str) -> tuple[Contradiction, ...]:
    """The contradictions of the paper whose folder is `package`."""
    return tuple(
        Contradiction(tuple(row["figures"].split()), row["printed"], row["found"], row["reading"])
        for row in _rows(package, "contradictions.csv")
    )


def _rows(package: str, table: str) -> Iterator[dict[str, Any]]:
    with resources.files(package).joinpath(table).open(encoding="utf-8") as file:
        yield from DictReader(file, strict=True)


def _number(text: str) -> float:
    """As it is printed: what has no point is a whole number."""
    return int(text) if text.isdigit() else float(text)
