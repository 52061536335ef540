"""A quantity of a run, one value for each of its blocks, and what can be said of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from leadline.compare.verdict import logarithms
from leadline.models.pingpong import point_to_point
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats, median
from leadline.statistics.two_samples import Spread, unpaired_estimates


@dataclass(frozen=True, slots=True)
class Quantity:
    """A positive quantity, as each block of a run has it."""

    run: str
    """Quantities of one run are paired block by block."""
    logs: Floats
    """Natural logarithms in SI units, shape (blocks,), nan where a block lacks it."""
    crowded: bool = False
    """Measured with more ranks than cores."""
    link_share: float | None = None
    """What the busiest link carried of what its rate allows; None: not known."""

    def times(self, other: Quantity) -> Quantity:
        """The product, block by block; both of one run."""
        return Quantity(self.run, self.logs + other.logs, self.crowded or other.crowded)


@dataclass(frozen=True, slots=True)
class Signed:
    """A quantity that may be negative, as each block of a run has it."""

    run: str
    values: Floats
    """In SI units, shape (blocks,), nan where a block lacks it."""
    crowded: bool = False
    """Measured with more ranks than cores."""

    def above(self, other: Signed | Quantity) -> Signed:
        """By how much it is above `other`, block by block; both of one run."""
        theirs = other.values if isinstance(other, Signed) else np.exp(other.logs)
        return Signed(self.run, self.values - theirs, self.crowded or other.crowded)


def estimate(quantity: Quantity | Signed) -> Estimate:
    """The median over blocks with its interval; a positive quantity's by its logarithms."""
    if isinstance(quantity, Signed):
        return median(quantity.values)
    return median(quantity.logs).exp()


def ratio(numerator: Quantity, denominator: Quantity) -> Estimate:
    """The ratio, paired block by block where both are of one run, else unpaired.

    Of two runs it is that of their medians, as these are printed beside it. Either run has a
    variance of its own: the bounds are those of the means, and reach to the medians' if need be.
    """
    if numerator.run == denominator.run:
        return median(numerator.logs - denominator.logs).exp()
    samples = denominator.logs[None], numerator.logs[None]
    of_means = unpaired_estimates(*samples, 0, Spread.stated(0.0, 1))[0]
    value = median(numerator.logs).value - median(denominator.logs).value
    if of_means.bounds is None:
        return replace(of_means, value=value).exp()
    low, high = of_means.bounds
    return replace(of_means, value=value, low=min(low, value), high=max(high, value)).exp()


def rates(times: Mapping[int, Quantity]) -> dict[int, Quantity]:
    """Bytes/s by size, rising, of times by size; no bytes have none."""
    return {
        size: Quantity(times[size].run, math.log(size) - times[size].logs, times[size].crowded)
        for size in sorted(times)
        if size > 0
    }


def highest(by_size: Mapping[int, Quantity]) -> tuple[int, Quantity]:
    """The size at which a quantity is highest, and that; one at least.

    Of sizes at which it has an interval, if it has at any: others may be anything.
    """
    known = {size: estimate(quantity) for size, quantity in by_size.items()}
    sure = {size: value for size, value in known.items() if value.bounds} or known
    best = max(sure, key=lambda size: sure[size].value)
    return best, by_size[best]


def highest_of_all(by_size: Mapping[int, Quantity]) -> tuple[int, Quantity]:
    """The size at which a quantity is highest of all, and that, which may have no interval.

    As findings take it: a lower one that has an interval isn't the highest, however sure it is.
    """
    best = max(by_size, key=lambda size: estimate(by_size[size]).value)
    return best, by_size[best]


def intercept(half_round_trips: Mapping[int, Quantity]) -> Signed | None:
    """The constant, s, of the line through each block's times of 1 to 2 MB.

    A block's line goes through the sizes that it has, two at least. None where no block's curve
    shows it; see `models.pingpong`.
    """
    sizes = sorted(half_round_trips)
    if not sizes:
        return None
    quantities = [half_round_trips[size] for size in sizes]
    intercepts = list[float]()
    for seconds in _blocks(quantities):
        known = ~np.isnan(seconds)
        line = point_to_point(np.array(sizes)[known].tolist(), seconds[known].tolist()).regression
        intercepts.append(line.intercept_s if line else math.nan)
    values = np.array(intercepts, dtype=np.float64)
    if np.isnan(values).all():
        return None
    return Signed(quantities[0].run, values, any(quantity.crowded for quantity in quantities))


def bandwidth(half_round_trips: Mapping[int, Quantity]) -> Quantity | None:
    """The asymptotic bandwidth, bytes/s, that each block's curve of times by size shows.

    A block that lacks a size has none. None where no block's curve shows it; see
    `models.pingpong`.
    """
    sizes = sorted(half_round_trips)
    if not sizes:
        return None
    quantities = [half_round_trips[size] for size in sizes]
    bandwidths = [
        None
        if np.isnan(seconds).any()
        else point_to_point(sizes, seconds.tolist()).bandwidth_bytes_per_s
        for seconds in _blocks(quantities)
    ]
    logs = logarithms(np.array(bandwidths, dtype=np.float64))
    if np.isnan(logs).all():
        return None
    return Quantity(quantities[0].run, logs, any(q.crowded for q in quantities))


def _blocks(quantities: Sequence[Quantity]) -> Floats:
    """What each block has of all, in SI units, shape (blocks, quantities)."""
    seconds: Floats = np.exp(np.array([quantity.logs for quantity in quantities])).T
    return seconds


def linear_over_logarithmic(times: Mapping[int, Quantity]) -> Estimate | None:
    """How many times worse a + b p fits the times of p ranks than a + b log2 p does.

    The ratio of the sums of squared residuals, of each block, and over blocks as `ratio`. Above 1:
    the growth is logarithmic; below: about linear. None for fewer than three numbers of ranks,
    through which both may pass.
    """
    if len(times) < 3:
        return None
    ranks = np.array(sorted(times), dtype=np.float64)
    seconds = np.exp(np.array([times[int(p)].logs for p in ranks]))
    linear, logarithmic = (_misfits(axis, seconds) for axis in (ranks, np.log2(ranks)))
    return median(logarithms(linear) - logarithms(logarithmic)).exp()


def _misfits(axis: Floats, seconds: Floats) -> Floats:
    """Sums of squared residuals of the least-squares lines through `seconds`, (ranks, blocks)."""
    offset = axis - axis.mean()
    centred = seconds - seconds.mean(axis=0)
    slopes = offset @ centred / (offset @ offset)
    misfits: Floats = ((centred - offset[:, None] * slopes) ** 2).sum(axis=0)
    return misfits
