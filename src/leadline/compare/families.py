"""All pairs of several libraries over one curve, tested as one family.

Who ranks libraries, or looks where curves cross, chooses among all pairs by what was seen; with a
test for each pair, of seven libraries alike some two would differ in half of all runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from leadline.compare.sides import Side, paired, pairing_of
from leadline.compare.verdict import Rows, margins_of
from leadline.statistics.permutation import Significance, paired_significances


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """What the test says of one pair."""

    rows: Rows
    """The cells that count of it."""
    significance: Significance
    """In each of these, then of their average."""

    def at(self, rows: Rows) -> Significance:
        """Of those among `rows`, and of the average; cells left out were never measured."""
        found = self.significance
        kept = np.append(np.isin(self.rows, rows), True)
        return Significance(found.above[kept], found.below[kept], found.family)


Family = Mapping[tuple[int, int], Member]
"""By the numbers of baseline and candidate."""


def family_of(sides: Sequence[Side], rows: Rows, threshold: float, seed: int) -> Family:
    """All pairs of `sides`, which were measured in one run, in their order, at `rows`.

    Pairs of which no cell counts are left out.
    """
    counted = {
        (one.number, other.number): (
            one,
            other,
            rows[np.array(pairing_of(one, other, rows).counted)],
        )
        for one, other in combinations(sides, 2)
    }
    pairs = {numbers: found for numbers, found in counted.items() if found[2].size}
    contrasts = [paired(*found) for found in pairs.values()]
    ratios = [one.log_ratios for one in contrasts]
    wider = [one.leaning.widening for one in contrasts]
    tested = paired_significances(ratios, *margins_of(threshold), seed, wider)
    return {
        numbers: Member(found[2], significance)
        for (numbers, found), significance in zip(pairs.items(), tested, strict=True)
    }
