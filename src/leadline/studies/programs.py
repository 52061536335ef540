"""What a study says of each program that it ran: over which library, how fast, how right."""

from __future__ import annotations

from dataclasses import dataclass

from leadline.record.slices import Verified
from leadline.statistics.estimate import Estimate


@dataclass(frozen=True, slots=True)
class MeasuredProgram:
    """One program of one problem class over one library, on so many ranks."""

    name: str
    problem: str
    """The class, e.g. "S", "medium"."""
    variant: str
    ranks: int
    seconds: Estimate | None
    """Of a repetition; None: it failed, or nothing of it counts."""
    mop: float
    """Millions of operations of a repetition, all ranks together."""
    verified: bool
    """Every solution was checked, and was right, and one was reached."""
    norm: Verified | None
    """Of NAS MG's residual, of the solution furthest off, or that was wrong; None: not known."""
    communication_share: Estimate | None
    """Of the time, the mean over ranks; None: not known."""
    predicted: Estimate | None
    """Seconds by the models of the same run; None: they say nothing of it."""
    why_unpredicted: str | None = None
    crowded: bool = False
    """Measured with more ranks than cores."""

    @property
    def mop_per_s(self) -> float | None:
        """None where there is no time."""
        return self.mop / self.seconds.value if self.seconds else None
