"""Where a curve breaks, how surely there, and what it does there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from leadline.models.fitting import Fit, PieceFit
from leadline.models.model import Break, Breakpoint, Scatter
from leadline.models.resampling import spread
from leadline.models.scatter import student_quantile
from leadline.models.segments import Indices
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, Floats


@dataclass(frozen=True, eq=False)
class Resampled:
    """What breakpoints rest on where there are blocks."""

    draws: Floats
    """Medians of resampled campaigns, shape (draws, ranks, sizes)."""
    firsts: Indices
    """First sizes of the pieces that fit each best, shape (draws, pieces)."""
    scatter: Scatter
    blocks: int


def breakpoints_of(fit: Fit, resampled: Resampled | None) -> tuple[Breakpoint, ...]:
    """Those between successive pieces; without blocks nothing says how sure."""
    return tuple(_breakpoints(fit, resampled))


def _breakpoints(fit: Fit, resampled: Resampled | None) -> Iterator[Breakpoint]:
    most = int(fit.points.ranks.argmax())
    pieces = next(found for _, found in fit.families if found[0].rows[most])
    for k in range(1, len(pieces)):
        sides = _Sides(fit, pieces[k - 1], pieces[k])
        place = _place(fit, k, resampled)
        if resampled is None:
            yield Breakpoint(place, Break.CHANGE, Estimate(math.exp(sides.log_jumps(None)[1])))
            continue
        jump, slope = sides.jump(resampled), sides.slope_change(resampled)
        yield Breakpoint(place, _kind(jump, slope), jump)


def _place(fit: Fit, k: int, resampled: Resampled | None) -> Estimate:
    sizes, first = fit.points.sizes_bytes, fit.firsts[k]
    value = math.sqrt(max(sizes[first - 1], 1.0) * sizes[first])
    if resampled is None:
        return Estimate(value)
    firsts, tail = resampled.firsts[:, k], (1 - CONFIDENCE) / 2
    low = np.quantile(sizes[firsts - 1], tail, method="lower")
    high = np.quantile(sizes[firsts], 1 - tail, method="higher")
    low, high = min(float(low), sizes[first - 1]), max(float(high), sizes[first])
    return Estimate(value, float(low), float(high), CONFIDENCE, resampled.blocks)


def _kind(jump: Estimate, slope: Estimate) -> Break:
    if not jump.holds(1.0) or (slope.high is not None and slope.high < 0):
        return Break.PROTOCOL_SWITCH
    return Break.CACHE_EDGE if slope.low is not None and slope.low > 0 else Break.CHANGE


@dataclass(frozen=True, eq=False)
class _Sides:
    """The two pieces at a breakpoint, at the most ranks."""

    fit: Fit
    below: PieceFit
    above: PieceFit

    def log_jumps(self, draws: Floats | None) -> Floats:
        """At the size below, between the two, and at the one above: shape (3, ...)."""
        seconds = self.fit.points.seconds if draws is None else draws
        sizes, first = self.fit.points.sizes_bytes, self.above.first
        least, most = max(sizes[first - 1], 1.0), sizes[first]
        at = np.array([sizes[first - 1], math.sqrt(least * most), most])
        ranks = np.full(3, self.fit.points.ranks.max())
        design = np.stack([term.of(ranks, at) for term in self.fit.form.terms], axis=-1)
        times = [piece.fitted_to(seconds) @ design.T for piece in (self.below, self.above)]
        floor = np.nanmin(seconds) / 10
        ratio = np.maximum(times[1], floor) / np.maximum(times[0], floor)
        return np.asarray(np.log(ratio).T)

    def jump(self, resampled: Resampled) -> Estimate:
        """Its bounds hold wherever between the two sizes it is."""
        values, scatter = self.log_jumps(None), resampled.scatter
        deviation = spread(self.log_jumps(resampled.draws).T)
        reach = np.hypot(deviation, math.sqrt(2) * scatter.outside.deviation)
        reach = student_quantile(resampled.blocks - 1) * reach
        bounds = float(np.min(values - reach)), float(np.max(values + reach))
        return Estimate(float(values[1]), *bounds, CONFIDENCE, resampled.blocks).exp()

    def slope_change(self, resampled: Resampled) -> Estimate:
        """By how much more a byte costs above."""
        value = float(self._slope_change(self.fit.points.seconds))
        reach = spread(self._slope_change(resampled.draws)) * student_quantile(resampled.blocks - 1)
        return Estimate.around(value, float(reach), CONFIDENCE, resampled.blocks)

    def _slope_change(self, seconds: Floats) -> Floats:
        ranks, one = np.array(self.fit.points.ranks.max()), np.array(1.0)
        factors = [
            term.of(ranks, one) if term.per_byte else np.array(0.0) for term in self.fit.form.terms
        ]
        above, below = (piece.fitted_to(seconds) for piece in (self.above, self.below))
        return np.asarray((above - below) @ np.array(factors))
