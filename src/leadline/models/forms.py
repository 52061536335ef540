"""The closed forms: T(m, p) = t0(p) + D(m, p), piece by piece in the message size.

m is the size in bytes as cells have it, p the number of ranks. The start-up t0 and the factor of m
in D are each constant, logarithmic or linear in p. Source: Hwang, Wang and Wang 1997 (HPCA-3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import overload

import numpy as np
import numpy.typing as npt

from leadline.statistics.intervals import Floats
from leadline.statistics.permutation import Bools

Numbers = npt.NDArray[np.int64]


@overload
def is_power_of_two(ranks: int) -> bool: ...
@overload
def is_power_of_two(ranks: Numbers) -> Bools: ...
def is_power_of_two(ranks: int | Numbers) -> bool | Bools:
    """Whether `ranks`, at least 1, is 1, 2, 4, 8 ...; of an array each of them."""
    return (ranks & (ranks - 1)) == 0


class Scaling(StrEnum):
    """How something grows with the number of ranks."""

    CONSTANT = "1"
    LOGARITHMIC = "log2 p"
    LINEAR = "p"

    def of(self, ranks: Floats) -> Floats:
        """Its values; those of CONSTANT are 1."""
        if self is Scaling.CONSTANT:
            return np.ones_like(ranks)
        return np.log2(ranks) if self is Scaling.LOGARITHMIC else ranks


@dataclass(frozen=True, slots=True)
class Term:
    """What one coefficient is multiplied by: a scaling in p, and m or nothing."""

    scaling: Scaling
    per_byte: bool

    def of(self, ranks: Floats, sizes_bytes: Floats) -> Floats:
        """Its values; the shapes broadcast."""
        return self.scaling.of(ranks) * (sizes_bytes if self.per_byte else 1.0)

    @property
    def name(self) -> str:
        """E.g. "t0", "t0 log2 p", "D", "D p"."""
        head = "D" if self.per_byte else "t0"
        return head if self.scaling is Scaling.CONSTANT else f"{head} {self.scaling}"

    @property
    def unit(self) -> str:
        """Of its coefficient."""
        return "s/B" if self.per_byte else "s"


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """Which terms a piece has, how many pieces there are, and whether powers of two are apart."""

    startup: Scaling
    per_byte: Scaling | None
    """Of the factor of m; None: the time doesn't depend on the size."""
    pieces: int = 1
    powers_apart: bool = False
    """Numbers of ranks that are powers of two have coefficients of their own."""

    @property
    def terms(self) -> tuple[Term, ...]:
        """Of each piece; a growing part has its constant beside it."""
        return tuple(self._terms())

    def _terms(self) -> list[Term]:
        found = [Term(one, False) for one in dict.fromkeys((Scaling.CONSTANT, self.startup))]
        if self.per_byte is not None:
            scalings = dict.fromkeys((Scaling.CONSTANT, self.per_byte))
            found += [Term(one, True) for one in scalings]
        return found

    @property
    def size(self) -> int:
        """How many numbers it takes: coefficients and breakpoints. Fewer are simpler."""
        sets = 2 if self.powers_apart else 1
        return sets * self.pieces * len(self.terms) + self.pieces - 1

    @property
    def name(self) -> str:
        """E.g. "a + b m, 3 pieces", "a + b log2 p + (c + d p) m"."""
        letters = iter("abcd")
        startup = _sum(self.startup, letters)
        text = startup
        if self.per_byte is not None:
            factor = _sum(self.per_byte, letters)
            text += f" + ({factor}) m" if "+" in factor else f" + {factor} m"
        pieces = f", {self.pieces} pieces" if self.pieces > 1 else ""
        apart = ", powers of two apart" if self.powers_apart else ""
        return text + pieces + apart


def _sum(scaling: Scaling, letters: Iterator[str]) -> str:
    first = next(letters)
    if scaling is Scaling.CONSTANT:
        return first
    return f"{first} + {next(letters)} {scaling}"
