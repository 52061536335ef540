"""A side that wasn't measured, held to one that was: taken as exact, or as its interval says."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from leadline.compare.verdict import Rows
from leadline.statistics import permutation
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats, median, median_rows
from leadline.statistics.leaning import Leaning


@dataclass(frozen=True, slots=True)
class AtItsWord:
    """Two configurations of which at least one wasn't measured; a Contrast."""

    log_ratios: Floats
    """Candidate's over baseline's, shape (cells, blocks); the blocks are the measured side's."""
    reach_down: Floats
    """How far below a ratio may be by the intervals that were stated, shape (cells,); 0: none."""
    reach_up: Floats
    """Likewise above."""
    trusted: bool
    """Ratios have intervals: by the measured side's blocks, as if what was stated were true."""

    @property
    def cells(self) -> int:
        """How many rows there are."""
        return len(self.log_ratios)

    @property
    def fewest_blocks(self) -> int:
        """Of the measured side."""
        return permutation.fewest_blocks(permutation.tests_of(self.cells))

    @property
    def block_ratios(self) -> None:
        """None: what was stated has no blocks."""

    @property
    def leaning(self) -> Leaning:
        """Not allowed for: what was stated doesn't move from block to block."""
        return Leaning()

    @property
    def conclusive(self) -> bool:
        """Whether what was stated is taken as true, for good and all."""
        return True

    def at(self, rows: Rows) -> AtItsWord:
        """The same in the cells `rows` alone."""
        return AtItsWord(
            self.log_ratios[rows], self.reach_down[rows], self.reach_up[rows], self.trusted
        )

    @property
    def _lowest(self) -> Floats:
        return self.log_ratios - self.reach_down[:, None]

    @property
    def _highest(self) -> Floats:
        return self.log_ratios + self.reach_up[:, None]

    def estimate(self, rows: Rows) -> Estimate:
        """The median over the blocks in which the average over `rows` is known."""
        lowest, middle, highest = (
            median(permutation.curve_average(ratios[rows]))
            for ratios in (self._lowest, self.log_ratios, self._highest)
        )
        return self._between(lowest, middle, highest)

    def estimates(self) -> tuple[Estimate, ...]:
        """Those of each cell, then of all."""
        families = (
            median_rows(np.vstack([ratios, permutation.curve_average(ratios)]))
            for ratios in (self._lowest, self.log_ratios, self._highest)
        )
        return tuple(self._between(*found) for found in zip(*families, strict=True))

    def _between(self, lowest: Estimate, middle: Estimate, highest: Estimate) -> Estimate:
        if not self.trusted:
            return Estimate(middle.value)
        return replace(middle, low=lowest.low, high=highest.high)

    def significance(self, lower: float, upper: float, seed: int) -> permutation.Significance:
        """By sign flips of the measured side's blocks, against the nearer end of what was stated.

        Exact where block medians are symmetric about their centre, as their intervals are.
        """
        above = permutation.paired_significance(self._lowest, lower, upper, seed).above
        below = permutation.paired_significance(self._highest, lower, upper, seed).below
        return permutation.Significance(above, below)
