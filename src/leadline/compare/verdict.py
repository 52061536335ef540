"""Faster, slower, same or undecided: what blocks say of a candidate against a baseline.

A contrast holds the logarithms of block medians, one row per cell of a curve; its verdicts need
both a family-wise significant test and an interval that agrees with it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

import numpy as np
import numpy.typing as npt

from leadline.statistics import permutation
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import (
    CONFIDENCE,
    Floats,
    hodges_lehmann,
    hodges_lehmann_rows,
    row_medians,
    shift,
)

Rows = npt.NDArray[np.intp]


class Verdict(StrEnum):
    """Of the candidate: its time against the baseline's."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "same"
    UNDECIDED = "undecided"


class Contrast(Protocol):
    """Block medians of two configurations over the cells of a curve."""

    @property
    def cells(self) -> int:
        """How many rows there are."""

    def at(self, rows: Rows) -> Contrast:
        """The same in the cells `rows` alone."""

    def estimate(self, rows: Rows) -> Estimate:
        """Of the log ratio, averaged over the cells in `rows`."""

    def estimates(self) -> tuple[Estimate, ...]:
        """Of the log ratio in each cell, then of its average over all."""

    def significance(self, lower: float, upper: float, seed: int) -> permutation.Significance:
        """Family-wise p-values against log ratios between `lower` and `upper`."""


def logarithms(seconds: Floats) -> Floats:
    """Natural logarithms, nan for what is missing or not positive (a clock can't resolve it)."""
    return np.log(np.where(seconds > 0, seconds, np.nan))


@dataclass(frozen=True, slots=True)
class Paired:
    """Two configurations alive together in each block."""

    baseline: Floats
    """Logarithms of medians, shape (cells, blocks) or (cells, blocks, visits); nan: missing."""
    candidate: Floats
    """Likewise; the same column is the same block, the same visit the same moment in it."""
    log_ratios: Floats = field(init=False)
    """Candidate's over baseline's, shape (cells, blocks), nan where either is missing.

    With visits: the median of the visits' ratios. On recorded blocks of one library against itself
    its spread was half that of the ratio of block medians.
    """

    def __post_init__(self) -> None:
        """Takes the ratios once: each verdict asks for them many times."""
        ratios = self.candidate - self.baseline
        object.__setattr__(self, "log_ratios", row_medians(ratios) if ratios.ndim == 3 else ratios)

    @property
    def cells(self) -> int:
        """How many rows there are."""
        return len(self.baseline)

    def at(self, rows: Rows) -> Paired:
        """The same in the cells `rows` alone."""
        return Paired(self.baseline[rows], self.candidate[rows])

    def estimate(self, rows: Rows) -> Estimate:
        """Hodges-Lehmann over the blocks in which the average over `rows` is known."""
        return hodges_lehmann(permutation.curve_average(self.log_ratios[rows]))

    def estimates(self) -> tuple[Estimate, ...]:
        """Those of each cell, then of all."""
        average = permutation.curve_average(self.log_ratios)
        return hodges_lehmann_rows(np.vstack([self.log_ratios, average]))

    def significance(self, lower: float, upper: float, seed: int) -> permutation.Significance:
        """By sign flips of whole blocks."""
        return permutation.paired_significance(self.log_ratios, lower, upper, seed)


@dataclass(frozen=True, slots=True)
class Unpaired:
    """Two configurations of two runs: their launches have nothing in common."""

    baseline: Floats
    """Logarithms of block medians, shape (cells, blocks of its run), nan where missing."""
    candidate: Floats
    """Likewise; the two numbers of blocks may differ."""

    @property
    def cells(self) -> int:
        """How many rows there are."""
        return len(self.baseline)

    def at(self, rows: Rows) -> Unpaired:
        """The same in the cells `rows` alone."""
        return Unpaired(self.baseline[rows], self.candidate[rows])

    def estimate(self, rows: Rows) -> Estimate:
        """Hodges-Lehmann shift and Mann-Whitney interval of the average over `rows`."""
        together = permutation.curve_average(np.hstack([self.baseline, self.candidate])[rows])
        own = self.baseline.shape[1]
        return shift(together[:own], together[own:])

    def estimates(self) -> tuple[Estimate, ...]:
        """Those of each cell, then of all, both sides' averages over the same cells."""
        every = np.arange(self.cells)
        return tuple(self.estimate(rows) for rows in (*every[:, None], every))

    def significance(self, lower: float, upper: float, seed: int) -> permutation.Significance:
        """By permuting the labels of whole blocks."""
        return permutation.unpaired_significance(self.baseline, self.candidate, lower, upper, seed)


def judge(
    contrast: Contrast, estimates: Sequence[Estimate], threshold: float, seed: int
) -> tuple[Verdict, ...]:
    """One verdict for each cell, then one for the curve's average; family-wise 5 %.

    `estimates` are the contrast's. The null hypothesis of each is |ratio - 1| <= `threshold`.
    `faster` and `slower` need its rejection and an interval beyond the threshold; `same` an
    interval inside the threshold. Too few blocks for an interval: undecided.
    """
    lower, upper = math.log1p(-threshold), math.log1p(threshold)
    found = contrast.significance(lower, upper, seed)
    alpha = 1 - CONFIDENCE + 1e-12
    return tuple(
        _verdict(estimate, lower, upper, bool(above <= alpha), bool(below <= alpha))
        for estimate, above, below in zip(estimates, found.above, found.below, strict=True)
    )


def _verdict(estimate: Estimate, lower: float, upper: float, above: bool, below: bool) -> Verdict:
    if estimate.bounds is None:
        return Verdict.UNDECIDED
    low, high = estimate.bounds
    if above and low > upper:
        return Verdict.SLOWER
    if below and high < lower:
        return Verdict.FASTER
    if lower <= low and high <= upper:
        return Verdict.SAME
    return Verdict.UNDECIDED
