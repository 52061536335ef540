"""Four numbers of a ping-pong's curve over a run's blocks, with intervals.

The model is t = t0 + n / r: a message of n bytes takes a constant, and n over the asymptotic
bandwidth r (Hockney 1994, The communication challenge for MPP). Latency and intercept are two
quantities and never share a term: the one is measured at zero bytes, the other extrapolated.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.compare.origins import Labelled, competes
from leadline.compare.verdict import logarithms
from leadline.models.forms import Numbers
from leadline.record.curve import CurveKey, OnCurve
from leadline.record.run import Origin
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats, median, median_rows

REGRESSION_BYTES = (10**6, 2**21)
"""Range of sizes of the intercept's fit, both ends included."""
LONGEST_MESSAGE_S = 0.05
"""A link on which a message of the fit takes longer shows queueing, not its own constant."""
ASYMPTOTIC_SPAN = 8
"""The asymptotic bandwidth is fitted to sizes from the largest over this factor on."""
SMALLEST_ASYMPTOTIC_BYTES = 2**16
"""A curve that ends before this size has no asymptote in sight; neither has one whose largest
message spends less than half of its time on its bytes."""


@dataclass(frozen=True, slots=True)
class LinearFit:
    """Least-squares line t = intercept_s + slope_s_per_byte n."""

    intercept_s: float
    slope_s_per_byte: float


@dataclass(frozen=True, slots=True)
class PointToPoint:
    """Four numbers of a ping-pong's curve; None: the curve doesn't show it."""

    latency_s: float | None
    """Half the round trip of zero bytes, measured."""
    bandwidth_bytes_per_s: float | None
    """Asymptotic bandwidth: reciprocal of the slope at the largest sizes."""
    half_bandwidth_bytes: float | None
    """n_1/2: size from which on the curve keeps half of that, interpolated."""
    regression: LinearFit | None
    """Line fitted over 1..2 MB."""


def point_to_point(sizes_bytes: Sequence[int], seconds: Sequence[float]) -> PointToPoint:
    """Four numbers of a curve of half round trips; sizes rise and don't repeat."""
    sizes = np.asarray(sizes_bytes, dtype=np.float64)
    times = np.asarray(seconds, dtype=np.float64)
    zero = times[sizes == 0]
    bandwidth = _asymptotic_bandwidth(sizes, times)
    smallest, largest = REGRESSION_BYTES
    inside = (sizes >= smallest) & (sizes <= largest)
    queues = np.any(times[inside] > LONGEST_MESSAGE_S)
    return PointToPoint(
        latency_s=float(zero[0]) if zero.size else None,
        bandwidth_bytes_per_s=bandwidth,
        half_bandwidth_bytes=bandwidth and _half_bandwidth(sizes, times, bandwidth),
        regression=None if queues else linear_fit(sizes[inside], times[inside]),
    )


def linear_fit(sizes: Floats, times: Floats) -> LinearFit | None:
    """Least-squares line through the points; None for fewer than two sizes."""
    if np.unique(sizes).size < 2:
        return None
    offset = sizes - sizes.mean()
    slope = float(offset @ (times - times.mean()) / (offset @ offset))
    return LinearFit(float(times.mean() - slope * sizes.mean()), slope)


def _asymptotic_bandwidth(sizes: Floats, times: Floats) -> float | None:
    """Reciprocal of the slope at the largest sizes; None: no asymptote is in sight."""
    largest = sizes.max(initial=0.0)
    if largest < SMALLEST_ASYMPTOTIC_BYTES:
        return None
    inside = sizes * ASYMPTOTIC_SPAN >= largest
    fit = linear_fit(sizes[inside], times[inside])
    if fit is None or 2 * fit.slope_s_per_byte * largest < times[-1]:
        return None
    return 1 / fit.slope_s_per_byte


def _half_bandwidth(sizes: Floats, times: Floats, bandwidth: float) -> float | None:
    """n_1/2, interpolated on a logarithmic axis; None: all sizes have half, or the last hasn't."""
    positive = sizes > 0
    sizes, half = sizes[positive], sizes[positive] / times[positive] - bandwidth / 2
    lacking = np.flatnonzero(half < 0)
    if lacking.size == 0 or lacking[-1] == sizes.size - 1:
        return None
    i = lacking[-1] + 1
    before, after = float(half[i - 1]), float(half[i])
    below, above = math.log(float(sizes[i - 1])), math.log(float(sizes[i]))
    return math.exp(below + before / (before - after) * (above - below))


@dataclass(frozen=True, slots=True)
class Exceeded:
    """Refutation of an asymptotic bandwidth: a size was measured to have more."""

    size_bytes: int
    """Size that exceeds it by most."""
    measured_bytes_per_s: Estimate
    """Bandwidth measured there."""
    times: Estimate
    """Ratio to that of the line through the largest sizes, in the same blocks."""


@dataclass(frozen=True, slots=True)
class FourNumbers:
    """Four numbers of a ping-pong's curve, over blocks; None: the curve doesn't show it."""

    latency_s: Estimate | None
    bandwidth_bytes_per_s: Estimate | None
    half_bandwidth_bytes: Estimate | None
    intercept_s: Estimate | None
    exceeded: Exceeded | None = None
    """Reason why there is neither bandwidth nor n_1/2, where the line through the largest sizes has
    them."""


@dataclass(frozen=True, slots=True)
class PingPong(OnCurve, Labelled):
    """Four numbers of one configuration's ping-pong."""

    curve: CurveKey
    variant: str
    numbers: FourNumbers
    origin: Origin = Origin.MEASURED


def ping_pongs(analysis: Analysis) -> tuple[PingPong, ...]:
    """Four numbers of every ping-pong of a run, by curve and configuration."""
    run = analysis.run
    by_curve = []
    for rows in analysis.curve_rows:
        cells = [run.cells[row] for row in rows]
        for c, configuration in enumerate(run.configurations):
            seconds = analysis.medians.seconds[c, rows]
            if cells[0].pattern != "pingpong" or np.isnan(seconds).all():
                continue
            numbers = four_numbers([cell.size_bytes for cell in cells], seconds)
            by_curve.append(
                PingPong(
                    curve=CurveKey.of(cells[0], configuration),
                    variant=configuration.variant,
                    numbers=numbers if competes(configuration) else _stated(numbers),
                    origin=configuration.origin,
                )
            )
    return tuple(by_curve)


def _stated(numbers: FourNumbers) -> FourNumbers:
    """The same without intervals, as values that were stated rest on no blocks."""

    def unsampled(estimate: Estimate | None) -> Estimate | None:
        return None if estimate is None else Estimate(estimate.value)

    exceeded = numbers.exceeded
    if exceeded is not None:
        measured = Estimate(exceeded.measured_bytes_per_s.value)
        exceeded = Exceeded(exceeded.size_bytes, measured, Estimate(exceeded.times.value))
    return FourNumbers(
        latency_s=unsampled(numbers.latency_s),
        bandwidth_bytes_per_s=unsampled(numbers.bandwidth_bytes_per_s),
        half_bandwidth_bytes=unsampled(numbers.half_bandwidth_bytes),
        intercept_s=unsampled(numbers.intercept_s),
        exceeded=exceeded,
    )


def four_numbers(sizes_bytes: Sequence[int], seconds: Floats) -> FourNumbers:
    """Four numbers of curves of half round trips, shape (sizes, blocks); nan: missing; sizes rise.

    Each block gives its own numbers; what is known in fewer than half of the blocks isn't given. An
    asymptotic bandwidth that any size surely exceeds in the same blocks isn't one.
    """
    # the blocks that have most sizes, and the sizes that all of these have
    present = ~np.isnan(seconds)
    kept = present.sum(axis=0) * 2 >= max(present.any(axis=1).sum(), 1)
    rows = present[:, kept].all(axis=1)
    sizes, curves = np.asarray(sizes_bytes, dtype=np.int64)[rows], seconds[np.ix_(rows, kept)]
    each = [point_to_point(sizes.tolist(), curve) for curve in curves.T.tolist()]
    lines = [block.regression for block in each]
    intercepts = [None if line is None else line.intercept_s for line in lines]
    bandwidths = _array([block.bandwidth_bytes_per_s for block in each])
    numbers = FourNumbers(
        latency_s=_positive(seconds[np.asarray(sizes_bytes) == 0].ravel()),
        bandwidth_bytes_per_s=_positive(bandwidths),
        half_bandwidth_bytes=_positive(_array([block.half_bandwidth_bytes for block in each])),
        intercept_s=_estimate(_array(intercepts)),
    )
    exceeded = None
    if numbers.bandwidth_bytes_per_s is not None:
        exceeded = _exceeded(sizes, curves, bandwidths)
    if exceeded is None:
        return numbers
    return replace(
        numbers, bandwidth_bytes_per_s=None, half_bandwidth_bytes=None, exceeded=exceeded
    )


def _array(values: Sequence[float | None]) -> Floats:
    """Values as an array, None as nan."""
    return np.array(values, dtype=np.float64)


def _estimate(values: Floats) -> Estimate | None:
    """Median over blocks; None where fewer than half of them have a value."""
    known = np.sum(~np.isnan(values))
    return median(values) if known and 2 * known >= values.size else None


def _positive(values: Floats) -> Estimate | None:
    """Median over blocks of numbers that vary by factors; None as in `_estimate`."""
    estimate = _estimate(logarithms(values))
    return estimate and estimate.exp()


def _exceeded(sizes: Numbers, curves: Floats, bandwidths: Floats) -> Exceeded | None:
    """Size at which the bandwidth exceeds `bandwidths`, of each block, by most; None: nowhere.

    It must exceed them by the 95 % interval, and with too few blocks for one in all of them.
    """
    rates = logarithms(sizes[:, None] / curves)
    above = rates - logarithms(bandwidths)
    medians = median_rows(above)
    least = np.where(np.isnan(above), np.inf, above).min(axis=1)
    surely = [
        low if estimate.low is None else estimate.low
        for estimate, low in zip(medians, least, strict=True)
    ]
    known = [low if math.isfinite(low) else -math.inf for low in surely]
    worst = int(np.argmax(known))
    if known[worst] <= 0:
        return None
    measured = median(rates[worst][~np.isnan(above[worst])]).exp()
    return Exceeded(int(sizes[worst]), measured, medians[worst].exp())
