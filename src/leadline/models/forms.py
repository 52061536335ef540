"""Model forms (closed forms) T(m, p) = t0(p) + D(m, p), piecewise in the message size.

m is the size in bytes as cells give it, p the number of ranks. The start-up t0 and the factor of m
in D are each constant, logarithmic or linear in p. Source: Hwang, Wang and Wang 1997 (HPCA-3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from leadline.statistics.intervals import Floats

Numbers = npt.NDArray[np.int64]


class Scaling(StrEnum):
    """Growth with the number of ranks p."""

    CONSTANT = "1"
    LOGARITHMIC = "log2 p"
    LINEAR = "p"

    def of(self, ranks: Floats) -> Floats:
        """Values at `ranks`; those of CONSTANT are 1."""
        if self is Scaling.CONSTANT:
            return np.ones_like(ranks)
        return np.log2(ranks) if self is Scaling.LOGARITHMIC else ranks


@dataclass(frozen=True, slots=True)
class Term:
    """Regressor of one coefficient: a scaling in p, times m or not."""

    scaling: Scaling
    per_byte: bool

    def of(self, ranks: Floats, sizes_bytes: Floats) -> Floats:
        """Values at `ranks` and `sizes_bytes`; the shapes broadcast."""
        return self.scaling.of(ranks) * (sizes_bytes if self.per_byte else 1.0)

    @property
    def name(self) -> str:
        """Name of the term, e.g. "t0", "t0 log2 p", "D", "D p"."""
        head = "D" if self.per_byte else "t0"
        return head if self.scaling is Scaling.CONSTANT else f"{head} {self.scaling}"

    @property
    def unit(self) -> str:
        """Unit of the coefficient."""
        return "s/B" if self.per_byte else "s"


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """Model form: terms of a piece, number of pieces, separate coefficients for powers of two."""

    startup: Scaling
    per_byte: Scaling | None
    """Scaling of the factor of m; None: the time doesn't depend on the size."""
    pieces: int = 1
    powers_apart: bool = False
    """Whether numbers of ranks that are powers of two have coefficients of their own."""

    @property
    def terms(self) -> tuple[Term, ...]:
        """Terms of each piece; a growing part has a constant beside it."""
        scalings = dict.fromkeys((Scaling.CONSTANT, self.startup))
        terms = [Term(scaling, False) for scaling in scalings]
        if self.per_byte is not None:
            scalings = dict.fromkeys((Scaling.CONSTANT, self.per_byte))
            terms += [Term(scaling, True) for scaling in scalings]
        return tuple(terms)

    @property
    def size(self) -> int:
        """Number of parameters: coefficients and breakpoints. Fewer are simpler."""
        sets = 2 if self.powers_apart else 1
        return sets * self.pieces * len(self.terms) + self.pieces - 1

    @property
    def name(self) -> str:
        """Formula, e.g. "a + b m, 3 pieces", "a + b log2 p + (c + d p) m"."""
        letters = iter("abcd")
        text = _sum(self.startup, letters)
        if self.per_byte is not None:
            factor = _sum(self.per_byte, letters)
            text += f" + ({factor}) m" if "+" in factor else f" + {factor} m"
        pieces = f", {self.pieces} pieces" if self.pieces > 1 else ""
        apart = ", powers of two apart" if self.powers_apart else ""
        return text + pieces + apart


def _sum(scaling: Scaling, letters: Iterator[str]) -> str:
    """Coefficients of one scaling, e.g. "a", "a + b log2 p"; the names are taken off `letters`."""
    first = next(letters)
    if scaling is Scaling.CONSTANT:
        return first
    return f"{first} + {next(letters)} {scaling}"
