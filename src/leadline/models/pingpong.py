"""The four numbers of the ping-pongs that a run measured, over its blocks, held to their curves."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.compare.origins import Labelled, competes
from leadline.compare.verdict import logarithms
from leadline.models.hockney import PointToPoint, point_to_point
from leadline.record.curve import CurveKey, OnCurve
from leadline.record.run import Cell, Configuration, Origin
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats, median, median_rows


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
