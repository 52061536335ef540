"""What one ping-pong's curve says in four numbers.

The model is t = t0 + n / r: a message of n bytes takes a constant and its share of the asymptotic
bandwidth r (Hockney 1994, The communication challenge for MPP). Latency and intercept are two
things and never share a word: the one is measured at zero bytes, the other extrapolated.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from leadline.statistics.intervals import Floats

REGRESSION_BYTES = (10**6, 2**21)
"""Sizes of the intercept's fit, both included."""
LONGEST_MESSAGE_S = 0.05
"""A link on which a message of the fit takes longer shows queues, not its own constant."""
ASYMPTOTIC_SPAN = 8
"""The asymptotic bandwidth is fitted to sizes from an eighth of the largest one on."""
SMALLEST_ASYMPTOTIC_BYTES = 2**16
"""A curve that ends before this has no asymptote in sight; neither has one whose largest message
spends less than half of its time on its bytes."""


@dataclass(frozen=True, slots=True)
class LinearFit:
    """t = intercept_s + slope_s_per_byte n, a least-squares fit."""

    intercept_s: float
    slope_s_per_byte: float


@dataclass(frozen=True, slots=True)
class PointToPoint:
    """A ping-pong's curve in four numbers; None: the curve doesn't show it."""

    latency_s: float | None
    """Half the round trip of zero bytes, measured."""
    bandwidth_bytes_per_s: float | None
    """Asymptotic: one over the slope at the largest sizes."""
    half_bandwidth_bytes: float | None
    """n_1/2: from where on the curve has half of that for good, interpolated."""
    regression: LinearFit | None
    """Over 1..2 MB."""


def point_to_point(sizes_bytes: Sequence[int], seconds: Sequence[float]) -> PointToPoint:
    """The four numbers of a curve of half round trips; sizes rise and don't repeat."""
    sizes = np.asarray(sizes_bytes, dtype=np.float64)
    times = np.asarray(seconds, dtype=np.float64)
    zero = times[sizes == 0]
    bandwidth = _asymptotic_bandwidth(sizes, times)
    return PointToPoint(
        latency_s=float(zero[0]) if zero.size else None,
        bandwidth_bytes_per_s=bandwidth,
        half_bandwidth_bytes=bandwidth and _half_bandwidth(sizes, times, bandwidth),
        regression=_regression(sizes, times),
    )


def linear_fit(sizes: Floats, times: Floats) -> LinearFit | None:
    """The least-squares line through the points; None for fewer than two sizes."""
    if np.unique(sizes).size < 2:
        return None
    offset = sizes - sizes.mean()
    slope = float(offset @ (times - times.mean()) / (offset @ offset))
    return LinearFit(float(times.mean() - slope * sizes.mean()), slope)


def _regression(sizes: Floats, times: Floats) -> LinearFit | None:
    smallest, largest = REGRESSION_BYTES
    inside = (sizes >= smallest) & (sizes <= largest)
    if np.any(times[inside] > LONGEST_MESSAGE_S):
        return None
    return linear_fit(sizes[inside], times[inside])


def _asymptotic_bandwidth(sizes: Floats, times: Floats) -> float | None:
    largest = sizes.max(initial=0.0)
    if largest < SMALLEST_ASYMPTOTIC_BYTES:
        return None
    inside = sizes * ASYMPTOTIC_SPAN >= largest
    fit = linear_fit(sizes[inside], times[inside])
    if fit is None or 2 * fit.slope_s_per_byte * largest < times[-1]:
        return None
    return 1 / fit.slope_s_per_byte


def _half_bandwidth(sizes: Floats, times: Floats, bandwidth: float) -> float | None:
    positive = sizes > 0
    sizes, half = sizes[positive], sizes[positive] / times[positive] - bandwidth / 2
    lacking = np.flatnonzero(half < 0)
    if lacking.size == 0 or lacking[-1] == sizes.size - 1:
        return None
    i = lacking[-1] + 1
    return _zero_between(float(sizes[i - 1]), float(sizes[i]), float(half[i - 1]), float(half[i]))


def _zero_between(below: float, above: float, before: float, after: float) -> float:
    """The size at which a difference that goes from `before` to `after` is zero, on a log axis."""
    share = before / (before - after)
    return math.exp(math.log(below) + share * (math.log(above) - math.log(below)))
