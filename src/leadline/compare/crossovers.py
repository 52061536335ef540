"""Where one curve overtakes another: between two sizes at which that is decided."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from leadline.compare.comparisons import Comparison
from leadline.compare.verdict import Verdict
from leadline.record.curve import CurveKey, OnCurve
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats, median_rows

STEPS = 16
"""Places between two sizes at which the interval of a lead is taken."""


@dataclass(frozen=True, slots=True)
class Crossing(OnCurve):
    """Two of which each is faster at one of two measured sizes, and neither in between."""

    curve: CurveKey
    baseline: str
    candidate: str
    below_bytes: int
    above_bytes: int
    ahead_below: str
    """The faster one at the smaller size; the other is at the larger."""
    point: Estimate | None
    """Where in between, in bytes, over blocks; None: they give no interval for it."""
    leads: bool = True
    """Which is the fastest of all changes there; of a pair alone always."""

    @property
    def ahead_above(self) -> str:
        """The faster one at the larger size."""
        return self.candidate if self.ahead_below == self.baseline else self.baseline


def crossings_of(cells: Sequence[Comparison], block_ratios: Floats | None) -> tuple[Crossing, ...]:
    """Those between neighbours among the decided of `cells`, which are by size.

    `block_ratios`, shape (cells, blocks), are logarithms of the candidate's time over the
    baseline's; None where blocks aren't paired.
    """
    decided = [place for place, cell in enumerate(cells) if cell.in_order]
    return tuple(
        _crossing(cells[first : last + 1], _part(block_ratios, first, last))
        for first, last in pairwise(decided)
        if cells[first].verdict is not cells[last].verdict
    )


def _part(block_ratios: Floats | None, first: int, last: int) -> Floats | None:
    return None if block_ratios is None else block_ratios[first : last + 1]


def _crossing(cells: Sequence[Comparison], block_ratios: Floats | None) -> Crossing:
    """That between the first and the last of `cells`."""
    first, last = cells[0], cells[-1]
    below = first.verdict is Verdict.SLOWER
    point = None
    if block_ratios is not None:
        sizes = [cell.size_bytes or 0 for cell in cells]
        point = overtaken_at(sizes, block_ratios if below else -block_ratios)
    return Crossing(
        curve=first.curve,
        baseline=first.baseline,
        candidate=first.candidate,
        below_bytes=first.size_bytes or 0,
        above_bytes=last.size_bytes or 0,
        ahead_below=first.baseline if below else first.candidate,
        point=point if point is not None and point.bounds is not None else None,
    )


def overtaken_at(sizes_bytes: Sequence[int], leads: Floats) -> Estimate:
    """At how many bytes one that leads at the first size is overtaken, over blocks.

    `leads`, shape (sizes, blocks), are logarithms of the others' time over its own, straight lines
    on a log axis between sizes, which rise; one of 0 counts as 1 byte. The interval begins where
    the lead's own has come down to 0, and ends where from there on it lies below. Where it leads in
    several places, they count together. A size that no block has is left out, then each block that
    lacks one.
    """
    known = ~np.isnan(leads).all(axis=1)
    whole = leads[known][:, ~np.isnan(leads[known]).any(axis=0)]
    if whole.size == 0:
        return Estimate(math.nan)
    axis = np.log(np.maximum(sizes_bytes, 1))[known]
    places = np.append(np.linspace(axis[:-1], axis[1:], STEPS, endpoint=False).T, axis[-1])
    found = median_rows(np.array([np.interp(places, axis, block) for block in whole.T]).T)
    point = places[0] + _ahead(places, np.array([one.value for one in found]))
    if any(one.bounds is None for one in found):
        return Estimate(point, n=whole.shape[1]).exp()
    low, high = np.array([one.bounds for one in found]).T
    bounds = _down_to_zero(places, low), _down_to_zero(places[::-1], -high[::-1])
    return replace(found[0], value=point, low=bounds[0], high=bounds[1]).exp()


def _ahead(places: Floats, lead: Floats) -> float:
    """The length over which `lead` is above 0; straight lines between `places`."""
    before, after = lead[:-1], lead[1:]
    ahead, all_ = np.maximum(before, 0) + np.maximum(after, 0), np.abs(before) + np.abs(after)
    shares = np.where(all_ == 0, 0.5, ahead / np.where(all_ == 0, 1, all_))
    return float(np.diff(places) @ shares)


def _down_to_zero(places: Floats, values: Floats) -> float:
    """Where `values`, straight lines between `places`, are first not above 0; never: the end."""
    reached = np.flatnonzero(values <= 0)
    if reached.size == 0 or reached[0] == 0:
        return float(places[-1] if reached.size == 0 else places[0])
    before, at = reached[0] - 1, reached[0]
    share = values[before] / (values[before] - values[at])
    return float(places[before] + share * (places[at] - places[before]))
