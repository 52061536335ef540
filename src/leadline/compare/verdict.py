"""Verdicts on a candidate against a baseline: faster, slower, same or undecided.

A contrast holds the logarithms of block medians, one row per cell of a curve; its verdicts need
both a family-wise significant test and an interval that agrees with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol

import numpy as np
import numpy.typing as npt

from leadline.compare.medians import block_log_ratios
from leadline.statistics import permutation
from leadline.statistics.autocorrelation import Autocorrelation, autocorrelation_of
from leadline.statistics.estimate import Estimate, Lack
from leadline.statistics.intervals import CONFIDENCE, Floats, median, median_rows
from leadline.statistics.two_samples import Spread, unpaired_estimates, unpaired_significance

Rows = npt.NDArray[np.intp]

ROUNDING = 1e-12
"""Upper bound of the rounding error of differences and averages of logarithms of times."""


class Verdict(StrEnum):
    """Verdict on the candidate: its time compared with the baseline's."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "same"
    UNDECIDED = "undecided"


class Why(StrEnum):
    """Reason why a cell, or a curve, is undecided."""

    CROSSES = "crosses"
    """The interval contains a bound of the threshold."""
    FAMILY = "family"
    """The interval alone lies beyond the threshold, but the test over its family doesn't reject."""
    FEW_BLOCKS = "few_blocks"
    """Too few blocks for an interval, or for a test over as many sizes."""
    NOT_MEASURED = "not_measured"
    """No block has both sides."""
    DISTURBED = "disturbed"
    """The interval decides nothing, and in many slices of a side ranks waited for a core; or blocks
    are too few, and some were lost to that."""
    CORE_STATES = "core_states"
    """The two sides' cores were in different states: the core-to-core latency of one was over twice
    the other's."""
    ONE_PAIR_OF_RUNS = "one_pair_of_runs"
    """How far runs lie apart where nothing was changed isn't known."""
    OVERSUBSCRIBED = "oversubscribed"
    """More ranks than cores, and no link that was the limit."""
    STATED = "stated"
    """A side was imported, simulated or predicted, and isn't taken as reference."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Verdict, or the reason why there is none."""

    verdict: Verdict
    why: Why | None = None
    """Reason why it is undecided; None: it is decided."""
    blocks_needed: int | None = None
    """Number of blocks that would do, on each side of two runs; known where `why` is FEW_BLOCKS."""

    @classmethod
    def none(cls, why: Why, blocks_needed: int | None = None) -> Judgement:
        """Judgement that decides nothing."""
        return cls(Verdict.UNDECIDED, why, blocks_needed)


class Contrast(Protocol):
    """Block medians of two configurations over the cells of a curve."""

    @property
    def cells(self) -> int:
        """Number of rows."""

    @property
    def fewest_blocks(self) -> int:
        """Fewest blocks in which the test over all cells can decide one; of two runs, per side."""

    @property
    def block_ratios(self) -> Floats | None:
        """Logarithms of ratios, shape (cells, blocks); None where blocks aren't paired."""

    @property
    def autocorrelation(self) -> Autocorrelation:
        """Autocorrelation of the blocks, as far as estimates and test allow for it."""

    def at(self, rows: Rows) -> Contrast:
        """The contrast restricted to the cells `rows`."""

    def estimate(self, rows: Rows) -> Estimate:
        """Estimate of the log ratio, averaged over the cells in `rows`."""

    def estimates(self) -> tuple[Estimate, ...]:
        """Estimates of the log ratio in each cell, then of its average over all."""

    def significance(self, lower: float, upper: float, seed: int) -> permutation.Significance:
        """Family-wise p-values against log ratios between `lower` and `upper`."""

    @property
    def conclusive(self) -> bool:
        """Whether the two were alive together, or it is known how far runs lie apart anyway."""


def logarithms(seconds: Floats) -> Floats:
    """Natural logarithms, nan for what is missing or not positive (a clock can't resolve it)."""
    return np.log(np.where(seconds > 0, seconds, np.nan))


@dataclass(frozen=True, slots=True)
class Paired:
    """Two configurations alive together in each block."""

    baseline: Floats
    """Logarithms of medians, shape (cells, blocks) or (cells, blocks, visits); nan: missing."""
    candidate: Floats
    """The candidate's, likewise; the same column is the same block, the same visit the same moment
    in it."""
    weights: Floats | None = None
    """Weights of visits to the baseline and to the candidate, shape (2, cells, blocks, visits);
    None: all equal."""
    log_ratios: Floats = field(init=False)
    """Logarithms of the candidate's time over the baseline's, shape (cells, blocks).

    nan where either is missing. With visits: the weighted median of the visits' ratios. On recorded
    blocks of one library against itself its spread was half that of the ratio of block medians.
    """
    autocorrelation: Autocorrelation = field(init=False)
    """Autocorrelation of its blocks, over all cells: intervals and test allow for it."""

    def __post_init__(self) -> None:
        """Compute the ratios once: each verdict asks for them many times."""
        ratios = self.candidate - self.baseline
        if ratios.ndim == 3:
            weights = np.ones((2, *ratios.shape)) if self.weights is None else self.weights
            ratios = block_log_ratios(self.baseline, self.candidate, weights)
        object.__setattr__(self, "log_ratios", ratios)
        object.__setattr__(self, "autocorrelation", autocorrelation_of(ratios))

    @property
    def cells(self) -> int:
        """Number of rows."""
        return len(self.baseline)

    @property
    def fewest_blocks(self) -> int:
        """Fewest blocks with enough sign flips for each of the cells and their average."""
        return permutation.fewest_blocks(permutation.tests_of(self.cells))

    @property
    def block_ratios(self) -> Floats:
        """Logarithms of ratios, shape (cells, blocks)."""
        return self.log_ratios

    @property
    def conclusive(self) -> bool:
        """True: both shared their blocks, so that nothing but themselves differs."""
        return True

    def at(self, rows: Rows) -> Paired:
        """The contrast restricted to the cells `rows`."""
        weights = None if self.weights is None else self.weights[:, rows]
        return Paired(self.baseline[rows], self.candidate[rows], weights)

    def estimate(self, rows: Rows) -> Estimate:
        """Median over the blocks in which the average over `rows` is known."""
        average = permutation.curve_average(self.log_ratios[rows])
        return median(average).widened(self.autocorrelation.widening)

    def estimates(self) -> tuple[Estimate, ...]:
        """Estimates of each cell, then of the average over all."""
        average = permutation.curve_average(self.log_ratios)
        medians = median_rows(np.vstack([self.log_ratios, average]))
        return tuple(estimate.widened(self.autocorrelation.widening) for estimate in medians)

    def significance(self, lower: float, upper: float, seed: int) -> permutation.Significance:
        """Significances from sign flips of whole blocks."""
        wider = self.autocorrelation.widening
        return permutation.paired_significance(self.log_ratios, lower, upper, seed, wider)


@dataclass(frozen=True, slots=True)
class Unpaired:
    """Two configurations of two runs: their launches have nothing in common."""

    baseline: Floats
    """Logarithms of block medians, shape (cells, blocks of its run), nan where missing."""
    candidate: Floats
    """The candidate's, likewise; the two numbers of blocks may differ."""
    between: Callable[[Rows], Spread] | None = None
    """Spread of runs in some of the cells where nothing was changed; None: not known, so that
    nothing is decided."""
    spread: Spread = field(init=False)
    """Spread of runs in all of the cells; zero where it isn't known."""

    def __post_init__(self) -> None:
        """Compute the spread once: estimates and verdicts ask for it."""
        known = self.between and self.between(np.arange(self.cells))
        object.__setattr__(self, "spread", known or Spread.stated(0.0, self.cells))

    @property
    def cells(self) -> int:
        """Number of rows."""
        return len(self.baseline)

    @property
    def fewest_blocks(self) -> int:
        """Fewest blocks on each side with enough sign flips."""
        return permutation.FEWEST_UNPAIRED_BLOCKS

    @property
    def block_ratios(self) -> None:
        """None: each block is of one run."""

    @property
    def autocorrelation(self) -> Autocorrelation:
        """No autocorrelation is allowed for: the spread of runs outweighs it."""
        return Autocorrelation()

    @property
    def conclusive(self) -> bool:
        """Whether a change can be told from what differs between any two runs."""
        return self.between is not None

    def at(self, rows: Rows) -> Unpaired:
        """The contrast restricted to the cells `rows`."""
        whole = self.between
        part = None if whole is None else lambda some: whole(rows[some])
        return Unpaired(self.baseline[rows], self.candidate[rows], part)

    def estimate(self, rows: Rows) -> Estimate:
        """Estimate of the average over `rows`, of both sides over the same cells."""
        return self.at(rows).estimates()[-1]

    def estimates(self) -> tuple[Estimate, ...]:
        """Differences of the means of block medians; the spread of runs, where known, included."""
        return unpaired_estimates(self.baseline, self.candidate, 0, self.spread)

    def significance(self, lower: float, upper: float, seed: int) -> permutation.Significance:
        """Significances from sign flips of whole blocks about the means of their runs."""
        return unpaired_significance(self.baseline, self.candidate, lower, upper, seed, self.spread)


def judge(
    contrast: Contrast,
    estimates: Sequence[Estimate],
    threshold: float,
    seed: int,
    significance: permutation.Significance | None = None,
) -> tuple[Judgement, ...]:
    """Judge each cell, then the curve's average; family-wise 5 %.

    `estimates` are the contrast's. The null hypothesis of each is |ratio - 1| <= `threshold`.
    `faster` and `slower` need its rejection and an interval beyond the threshold; `same` an
    interval inside the threshold. Everything else is undecided, with a reason. `significance`:
    their results as members of a larger family; None: the contrast is a family by itself.
    """
    margins = margins_of(threshold)
    tested = significance or contrast.significance(*margins, seed)
    alpha = 1 - CONFIDENCE + 1e-12
    fewest = contrast.fewest_blocks
    if tested.family is not None:
        fewest = permutation.fewest_blocks(tested.family)
    judged = [
        _judgement(estimate, margins, (bool(above <= alpha), bool(below <= alpha)), fewest)
        for estimate, above, below in zip(estimates, tested.above, tested.below, strict=True)
    ]
    if contrast.conclusive:
        return tuple(judged)
    # two runs of one day each could differ by as much anyway
    none = Judgement.none(Why.ONE_PAIR_OF_RUNS)
    return tuple(none if judgement.why is None else judgement for judgement in judged)


def margins_of(threshold: float) -> tuple[float, float]:
    """Logarithms of the ratios between which there is no difference, both included.

    Times in whole ticks of a clock may have a ratio of just 1.02 in every block: what rounding adds
    to their logarithms isn't beyond 2 %.
    """
    return math.log1p(-threshold) - ROUNDING, math.log1p(threshold) + ROUNDING


def _judgement(
    estimate: Estimate, margins: tuple[float, float], beyond: tuple[bool, bool], fewest: int
) -> Judgement:
    """Judge one member; `beyond`: the test puts it above the upper margin, below the lower one."""
    if estimate.bounds is not None:
        (low, high), (lower, upper), (above, below) = estimate.bounds, margins, beyond
        if above and low > upper:
            return Judgement(Verdict.SLOWER)
        if below and high < lower:
            return Judgement(Verdict.FASTER)
        if lower <= low and high <= upper:
            return Judgement(Verdict.SAME)
    why = _why(estimate, margins, fewest)
    return Judgement.none(why, fewest if why is Why.FEW_BLOCKS else None)


def _why(estimate: Estimate, margins: tuple[float, float], fewest: int) -> Why:
    """Reason why a member, known to be undecided, is."""
    if estimate.lack is Lack.NOTHING:
        return Why.NOT_MEASURED
    if estimate.bounds is None:
        return Why.FEW_BLOCKS
    (low, high), (lower, upper) = estimate.bounds, margins
    if low <= upper and high >= lower:
        return Why.CROSSES
    return Why.FEW_BLOCKS if estimate.n < fewest else Why.FAMILY


@dataclass(frozen=True, slots=True)
class AgainstModel:
    """Two configurations of which at least one wasn't measured; a Contrast."""

    log_ratios: Floats
    """Logarithms of the candidate's time over the baseline's, shape (cells, blocks); the blocks are
    the measured side's."""
    reach_down: Floats
    """Distance by which a ratio may be lower by the intervals that were stated, shape (cells,); 0:
    none."""
    reach_up: Floats
    """Distance by which a ratio may be higher, likewise."""
    trusted: bool
    """Ratios have intervals: by the measured side's blocks, as if what was stated were true."""

    @property
    def cells(self) -> int:
        """Number of rows."""
        return len(self.log_ratios)

    @property
    def fewest_blocks(self) -> int:
        """Fewest blocks of the measured side."""
        return permutation.fewest_blocks(permutation.tests_of(self.cells))

    @property
    def block_ratios(self) -> None:
        """None: what was stated has no blocks."""

    @property
    def autocorrelation(self) -> Autocorrelation:
        """No autocorrelation is allowed for: what was stated doesn't vary from block to block."""
        return Autocorrelation()

    @property
    def conclusive(self) -> bool:
        """True: what was stated is taken as true."""
        return True

    def at(self, rows: Rows) -> AgainstModel:
        """The contrast restricted to the cells `rows`."""
        return AgainstModel(
            self.log_ratios[rows], self.reach_down[rows], self.reach_up[rows], self.trusted
        )

    @property
    def _lowest(self) -> Floats:
        return self.log_ratios - self.reach_down[:, None]

    @property
    def _highest(self) -> Floats:
        return self.log_ratios + self.reach_up[:, None]

    def estimate(self, rows: Rows) -> Estimate:
        """Median over the blocks in which the average over `rows` is known."""
        lowest, middle, highest = (
            median(permutation.curve_average(ratios[rows]))
            for ratios in (self._lowest, self.log_ratios, self._highest)
        )
        return self._between(lowest, middle, highest)

    def estimates(self) -> tuple[Estimate, ...]:
        """Estimates of each cell, then of the average over all."""
        families = (
            median_rows(np.vstack([ratios, permutation.curve_average(ratios)]))
            for ratios in (self._lowest, self.log_ratios, self._highest)
        )
        return tuple(self._between(*ends) for ends in zip(*families, strict=True))

    def _between(self, lowest: Estimate, middle: Estimate, highest: Estimate) -> Estimate:
        if not self.trusted:
            return Estimate(middle.value)
        return replace(middle, low=lowest.low, high=highest.high)

    def significance(self, lower: float, upper: float, seed: int) -> permutation.Significance:
        """Significances from sign flips of the measured side's blocks.

        Against the nearer end of what was stated. Exact where block medians are symmetric about
        their centre, as their intervals are.
        """
        above = permutation.paired_significance(self._lowest, lower, upper, seed).above
        below = permutation.paired_significance(self._highest, lower, upper, seed).below
        return permutation.Significance(above, below)
