"""Estimates: a value, the bounds of its interval, and the number of values behind them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum, auto


class Lack(Enum):
    """Reason why an estimate has no interval."""

    NOTHING = auto()
    """There is no value."""
    STATED = auto()
    """The value was stated, not sampled."""
    TOO_FEW = auto()
    """There are too few values."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Value between two bounds; the unit is that of the estimated quantity."""

    value: float
    """Estimated value; nan where there was nothing to estimate it from."""
    low: float | None = None
    """Lower bound; None, and `high` with it: there is no interval, for the reason in `lack`."""
    high: float | None = None
    level: float | None = None
    """Confidence achieved, at least what was asked for; None without an interval."""
    n: int = 0
    """Number of independent values behind it, mostly blocks; 0: it was stated, not sampled."""

    @classmethod
    def around(cls, value: float, reach: float, level: float, n: int) -> Estimate:
        """Estimate with bounds `reach` below and above `value`."""
        return cls(value, value - reach, value + reach, level, n)

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Lower and upper bound; None without an interval."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    @property
    def lack(self) -> Lack | None:
        """Reason why there is no interval; None where there is one."""
        if self.bounds is not None:
            return None
        if math.isnan(self.value):
            return Lack.NOTHING
        return Lack.TOO_FEW if self.n else Lack.STATED

    @property
    def known(self) -> float | None:
        """Value as outputs give it: None where there was nothing to estimate it from."""
        return None if math.isnan(self.value) else self.value

    @property
    def half_width(self) -> float:
        """Half the distance between the bounds; infinite without an interval."""
        return math.inf if self.bounds is None else (self.bounds[1] - self.bounds[0]) / 2

    def holds(self, truth: float) -> bool:
        """Whether `truth` lies within the bounds; without an interval, always."""
        return self.bounds is None or self.bounds[0] <= truth <= self.bounds[1]

    def exp(self) -> Estimate:
        """Estimate of a positive number whose natural logarithm this one is of."""
        low, high = (bound if bound is None else math.exp(bound) for bound in (self.low, self.high))
        return replace(self, value=math.exp(self.value), low=low, high=high)

    def scaled(self, factor: float) -> Estimate:
        """Estimate times a positive number that is known exactly."""
        low, high = (bound if bound is None else bound * factor for bound in (self.low, self.high))
        return replace(self, value=self.value * factor, low=low, high=high)

    def inverse(self) -> Estimate:
        """Estimate of the reciprocal of a positive number."""
        low, high = (bound if bound is None else 1 / bound for bound in (self.high, self.low))
        return replace(self, value=1 / self.value, low=low, high=high)

    def widened(self, factor: float) -> Estimate:
        """Estimate with bounds `factor` times as far from the value."""
        low, high = (
            bound if bound is None else self.value + factor * (bound - self.value)
            for bound in (self.low, self.high)
        )
        return replace(self, low=low, high=high)

    def clipped(self, least: float, most: float) -> Estimate:
        """Estimate clipped to `least` .. `most`, the range of possible values."""

        def within(value: float) -> float:
            return min(max(value, least), most)

        low, high = (bound if bound is None else within(bound) for bound in (self.low, self.high))
        return replace(self, value=within(self.value), low=low, high=high)
