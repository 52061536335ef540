"""What a ping-pong's curve says in four numbers, over a run's blocks, and how near they come to it.

The model is t = t0 + n / r: a message of n bytes takes a constant and its share of the asymptotic
bandwidth r (Hockney 1994, The communication challenge for MPP). Latency and intercept are two
things and never share a word: the one is measured at zero bytes, the other extrapolated.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.compare.origins import Labelled, competes
from leadline.compare.verdict import logarithms
from leadline.record.curve import CurveKey, OnCurve
from leadline.record.run import Cell, Configuration, Origin
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats, median, median_rows

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


@dataclass(frozen=True, slots=True)
class Exceeded:
    """An asymptotic bandwidth that is none: a size was measured to have more."""

    size_bytes: int
    """The one that exceeds it by most."""
    measured_bytes_per_s: Estimate
    """There."""
    times: Estimate
    """How many times that of the line through the largest sizes, in the same blocks."""


@dataclass(frozen=True, slots=True)
class FourNumbers:
    """A ping-pong's curve in four numbers, over blocks; None: the curve doesn't show it."""

    latency_s: Estimate | None
    bandwidth_bytes_per_s: Estimate | None
    half_bandwidth_bytes: Estimate | None
    intercept_s: Estimate | None
    exceeded: Exceeded | None = None
    """Why there is neither bandwidth nor n_1/2, where a line through the largest sizes has them."""


@dataclass(frozen=True, slots=True)
class PingPong(OnCurve, Labelled):
    """The four numbers of one configuration's ping-pong."""

    curve: CurveKey
    variant: str
    numbers: FourNumbers
    origin: Origin = Origin.MEASURED


def ping_pongs(analysis: Analysis) -> tuple[PingPong, ...]:
    """Those of every ping-pong of a run, by curve and configuration."""
    return tuple(_ping_pongs(analysis))


def _ping_pongs(analysis: Analysis) -> Iterator[PingPong]:
    run = analysis.run
    for rows in analysis.curve_rows:
        cells = [run.cells[row] for row in rows]
        for c, configuration in enumerate(run.configurations):
            seconds = analysis.medians.seconds[c, rows]
            if cells[0].pattern == "pingpong" and not np.isnan(seconds).all():
                yield _ping_pong(configuration, cells, seconds)


def _ping_pong(configuration: Configuration, cells: Sequence[Cell], seconds: Floats) -> PingPong:
    numbers = four_numbers([cell.size_bytes for cell in cells], seconds)
    return PingPong(
        curve=CurveKey.of(cells[0], configuration),
        variant=configuration.variant,
        numbers=numbers if competes(configuration) else _stated(numbers),
        origin=configuration.origin,
    )


def _stated(numbers: FourNumbers) -> FourNumbers:
    """The same where values were stated: they rest on no blocks."""
    exceeded = numbers.exceeded
    if exceeded is not None:
        measured = Estimate(exceeded.measured_bytes_per_s.value)
        exceeded = Exceeded(exceeded.size_bytes, measured, Estimate(exceeded.times.value))
    return FourNumbers(
        latency_s=_unsampled(numbers.latency_s),
        bandwidth_bytes_per_s=_unsampled(numbers.bandwidth_bytes_per_s),
        half_bandwidth_bytes=_unsampled(numbers.half_bandwidth_bytes),
        intercept_s=_unsampled(numbers.intercept_s),
        exceeded=exceeded,
    )


def _unsampled(found: Estimate | None) -> Estimate | None:
    return None if found is None else Estimate(found.value)


def four_numbers(sizes_bytes: Sequence[int], seconds: Floats) -> FourNumbers:
    """Of curves of half round trips, shape (sizes, blocks), nan where missing; sizes rise.

    Each block gives its own numbers; what is known in fewer than half of the blocks isn't given. An
    asymptotic bandwidth that any size surely exceeds in the same blocks isn't one.
    """
    sizes, curves = _whole(np.asarray(sizes_bytes, dtype=np.int64), seconds)
    each = [point_to_point(sizes.tolist(), curve) for curve in curves.T.tolist()]
    bandwidths = _array([one.bandwidth_bytes_per_s for one in each])
    found = FourNumbers(
        latency_s=_positive(seconds[np.asarray(sizes_bytes) == 0].ravel()),
        bandwidth_bytes_per_s=_positive(bandwidths),
        half_bandwidth_bytes=_positive(_array([one.half_bandwidth_bytes for one in each])),
        intercept_s=_estimate(_array([_intercept(one) for one in each])),
    )
    exceeded = None
    if found.bandwidth_bytes_per_s is not None:
        exceeded = _exceeded(sizes, curves, bandwidths)
    if exceeded is None:
        return found
    return replace(found, bandwidth_bytes_per_s=None, half_bandwidth_bytes=None, exceeded=exceeded)


def _whole(sizes: Floats, seconds: Floats) -> tuple[Floats, Floats]:
    """The blocks that have most sizes, and the sizes that all of these have."""
    present = ~np.isnan(seconds)
    kept = present.sum(axis=0) * 2 >= max(present.any(axis=1).sum(), 1)
    rows = present[:, kept].all(axis=1)
    return sizes[rows], seconds[np.ix_(rows, kept)]


def _intercept(numbers: PointToPoint) -> float | None:
    return None if numbers.regression is None else numbers.regression.intercept_s


def _array(values: Sequence[float | None]) -> Floats:
    return np.array(values, dtype=np.float64)


def _estimate(values: Floats) -> Estimate | None:
    """Over blocks; None where fewer than half of them have a value."""
    known = np.sum(~np.isnan(values))
    return median(values) if known and 2 * known >= values.size else None


def _positive(values: Floats) -> Estimate | None:
    """Likewise of numbers that vary by factors."""
    found = _estimate(logarithms(values))
    return found and found.exp()


def _exceeded(sizes: Floats, curves: Floats, bandwidths: Floats) -> Exceeded | None:
    """The size at which most more is measured than `bandwidths`, of each block; None: nowhere.

    Surely more: by the 95 % interval, and with too few blocks for one in all of them.
    """
    rates = logarithms(sizes[:, None] / curves)
    above = rates - logarithms(bandwidths)
    found = median_rows(above)
    least = np.where(np.isnan(above), np.inf, above).min(axis=1)
    surely = [low if one.low is None else one.low for one, low in zip(found, least, strict=True)]
    known = [one if math.isfinite(one) else -math.inf for one in surely]
    worst = int(np.argmax(known))
    if known[worst] <= 0:
        return None
    measured = median(rates[worst][~np.isnan(above[worst])]).exp()
    return Exceeded(int(sizes[worst]), measured, found[worst].exp())
