"""A published figure beside ours, and what ours is worth."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

WHOLE = 100.0
"""Per cent."""


class Label(StrEnum):
    """Where our figure comes from."""

    FITTED = "fitted"
    """A machine's value was chosen to reach the published one, or is it."""
    PREDICTED = "predicted"
    """By a machine of whose values none was."""
    MEASURED = "measured here"
    """On this machine, besides what is simulated; where it couldn't be, there is the reason."""
    NOT_REPRODUCIBLE = "not reproducible"


class Relation(StrEnum):
    """What the paper says of the figure."""

    ABOUT = "about"
    LEAST = "at least"
    MOST = "at most"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproducedCell:
    """One figure of a paper, or one sentence of it."""

    id: str
    paper: str
    """Its key."""
    published: float | None
    """In `unit`, as `ours`; None: not printed, or only drawn."""
    ours: float | None
    """None: not reproducible, or not measured."""
    unit: str
    relation: Relation = Relation.ABOUT
    gain: bool = False
    """Both are per cent more, which are compared as times: 0 % beside 2 % is 2 % off."""
    label: Label
    reason: str = ""
    """Why there is none of ours, or why it is off, as far as it is known."""
    text: str = ""
    """A sentence of the paper's, in our words; "": a figure."""
    holds: bool | None = None
    """Whether that sentence is true of ours; None: what was measured doesn't tell."""
    bounds: tuple[float, float] | None = None
    """Between which ours has to be for it; infinite: there is none above."""
    library: str = ""
    """That was measured; "": it was simulated, or a sentence is about several."""
    interval: tuple[float, float] | None = None
    """Of 95 %, of what was measured; None: of too few blocks for one."""

    @property
    def ratio(self) -> float | None:
        """Ours over the published one; None: one is missing."""
        if self.ours is None or self.published is None:
            return None
        if self.gain:
            return (WHOLE + self.ours) / (WHOLE + self.published)
        return self.ours / self.published

    def is_within(self, share: float) -> bool:
        """Whether it is off by `share` at most; a gain by itself, not as a time."""
        off = self.deviation
        if off and self.gain and self.ours is not None and self.published:
            off = self.ours / self.published - 1
        return off is not None and abs(off) <= share

    @property
    def deviation(self) -> float | None:
        """Ours over the published one, less 1; 0 where a bound is kept; None: one is missing."""
        if self.ratio is None:
            return None
        off = self.ratio - 1
        match self.relation:
            case Relation.LEAST:
                return min(off, 0.0)
            case Relation.MOST:
                return max(off, 0.0)
        return off
