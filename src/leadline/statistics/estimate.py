"""The one shape of everything that has an interval: a value, its bounds, and what they rest on."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum


class Lack(StrEnum):
    """Why an estimate has no interval."""

    NOTHING = "no value"
    STATED = "a value that was stated, not sampled"
    TOO_FEW = "too few values"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value between two bounds; the unit is that of what was estimated."""

    value: float
    """nan where there was nothing to estimate it from."""
    low: float | None = None
    """None, and `high` with it: there is no interval, for the reason in `lack`."""
    high: float | None = None
    level: float | None = None
    """The confidence really achieved, at least what was asked for; None without an interval."""
    n: int = 0
    """Independent values that it rests on, mostly blocks; 0: it was stated, not sampled."""

    @classmethod
    def around(cls, value: float, reach: float, level: float, n: int) -> Estimate:
        """With bounds as far below as above."""
        return cls(value, value - reach, value + reach, level, n)

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Both, or None."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    @property
    def lack(self) -> Lack | None:
        """Why there is no interval; None where there is one."""
        if self.bounds is not None:
            return None
        if math.isnan(self.value):
            return Lack.NOTHING
        return Lack.TOO_FEW if self.n else Lack.STATED

    @property
    def known(self) -> float | None:
        """The value as outputs give it: None where there was nothing to estimate it from."""
        return None if math.isnan(self.value) else self.value

    @property
    def half_width(self) -> float:
        """Half the distance of the bounds; infinite without an interval."""
        return math.inf if self.bounds is None else (self.bounds[1] - self.bounds[0]) / 2

    def holds(self, truth: float) -> bool:
        """Whether `truth` lies within the bounds; without an interval nothing is ruled out."""
        return self.bounds is None or self.bounds[0] <= truth <= self.bounds[1]

    def exp(self) -> Estimate:
        """That of a positive number whose natural logarithm was estimated."""
        low, high = (bound if bound is None else math.exp(bound) for bound in (self.low, self.high))
        return replace(self, value=math.exp(self.value), low=low, high=high)

    def scaled(self, factor: float) -> Estimate:
        """The same times a positive number that is known exactly."""
        low, high = (bound if bound is None else bound * factor for bound in (self.low, self.high))
        return replace(self, value=self.value * factor, low=low, high=high)

    def inverse(self) -> Estimate:
        """That of one over a positive number."""
        low, high = (bound if bound is None else 1 / bound for bound in (self.high, self.low))
        return replace(self, value=1 / self.value, low=low, high=high)

    def widened(self, factor: float) -> Estimate:
        """The same with bounds `factor` times as far from the value."""
        low, high = (
            bound if bound is None else self.value + factor * (bound - self.value)
            for bound in (self.low, self.high)
        )
        return replace(self, low=low, high=high)

    def clipped(self, least: float, most: float) -> Estimate:
        """Value and bounds moved into `least` .. `most`, where alone the truth can lie."""

        def within(value: float) -> float:
            return min(max(value, least), most)

        low, high = (bound if bound is None else within(bound) for bound in (self.low, self.high))
        return replace(self, value=within(self.value), low=low, high=high)
