"""A quantity of a run, one value for each of its blocks, and what can be said of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from leadline.compare.verdict import logarithms
from leadline.models.hockney import point_to_point
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats, median
from leadline.statistics.two_samples import Spread, unpaired_estimates


@dataclass(frozen=True, slots=True)
class Quantity:
    """What each block of a run says of one positive quantity."""

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


def estimate(quantity: Quantity) -> Estimate:
    """The median over blocks with its interval, both of the logarithm."""
    return median(quantity.logs).exp()


def ratio(numerator: Quantity, denominator: Quantity) -> Estimate:
    """How many times the one is the other: paired where both are of one run, else unpaired.

    Of two runs either has a variance of its own.
    """
    if numerator.run == denominator.run:
        return median(numerator.logs - denominator.logs).exp()
    samples = denominator.logs[None], numerator.logs[None]
    return unpaired_estimates(*samples, 0, Spread.stated(0.0, 1))[0].exp()


def bandwidth(half_round_trips: Mapping[int, Quantity]) -> Quantity | None:
    """The asymptotic bandwidth, bytes/s, that each block's curve of times by size shows.

    None where no block's curve does; see `models.hockney`.
    """
    sizes = sorted(half_round_trips)
    if not sizes:
        return None
    quantities = [half_round_trips[size] for size in sizes]
    seconds = np.exp(np.array([quantity.logs for quantity in quantities]))
    found = [_bandwidth(sizes, block) for block in seconds.T]
    logs = logarithms(np.array(found, dtype=np.float64))
    if np.isnan(logs).all():
        return None
    return Quantity(quantities[0].run, logs, any(q.crowded for q in quantities))


def _bandwidth(sizes: list[int], seconds: Floats) -> float | None:
    """Of one block; None where it lacks a size."""
    if np.isnan(seconds).any():
        return None
    return point_to_point(sizes, seconds.tolist()).bandwidth_bytes_per_s


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
