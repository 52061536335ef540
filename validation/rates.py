"""How often something happens, beside how often it should: the rows of what is told of truth."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

FALSE, COVERED = (0.03, 0.07), (0.93, 0.97)
"""Goals of false verdicts, and of intervals that hold the truth."""
ANY = (0.0, 1.0)
"""That of shares which are told without one."""
CERTAINTY = 1.96
"""Standard errors to either side of a share, within which it is known to 95 %."""

Goal = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Row:
    """A share beside its goal."""

    what: str
    share: float
    goal: Goal
    trials: int
    """That it was counted in."""

    @property
    def bounds(self) -> Goal:
        """Between which the share of endlessly many trials lies, at 95 %.

        Source: Wilson 1927.
        """
        n, z = self.trials, CERTAINTY
        centre = (self.share + z**2 / (2 * n)) / (1 + z**2 / n)
        reach = math.sqrt(self.share * (1 - self.share) / n + (z / (2 * n)) ** 2)
        reach *= z / (1 + z**2 / n)
        return max(0.0, centre - reach), min(1.0, centre + reach)

    @property
    def within(self) -> bool:
        """Whether it lies within its goal by itself."""
        least, most = self.goal
        return least <= self.share <= most

    @property
    def reached(self) -> bool:
        """Whether it can lie within its goal, by as many trials."""
        low, high = self.bounds
        return self.within or (low <= self.goal[1] and high >= self.goal[0])


@dataclass(frozen=True, slots=True)
class Simulation:
    """What is simulated, and how often something should happen in it."""

    what: str
    goal: Goal
    trials: int
    share: Callable[[int], float]
    """How often it happens in so many trials."""

    def row(self, thoroughness: float = 1.0) -> Row:
        """Simulated now, with so many times as many trials; at least one."""
        trials = max(1, round(self.trials * thoroughness))
        return Row(self.what, float(self.share(trials)), self.goal, trials)
