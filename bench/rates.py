"""How often something happens, beside how often it should: the rows of what is told of truth."""

from __future__ import annotations

from dataclasses import dataclass

FALSE, COVERED = (0.03, 0.07), (0.93, 0.97)
"""Goals of false verdicts, and of intervals that hold the truth."""


@dataclass(frozen=True, slots=True)
class Row:
    """A share beside its goal."""

    what: str
    share: float
    goal: tuple[float, float]

    @property
    def reached(self) -> bool:
        """Whether it lies within."""
        return self.goal[0] <= self.share <= self.goal[1]
