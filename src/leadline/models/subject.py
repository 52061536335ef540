"""What times, models and predictions are of."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from leadline.compare.origins import Labelled
from leadline.record.run import Origin, WhoseTime


@dataclass(frozen=True, slots=True)
class Subject(Labelled):
    """One variant and pattern, and how these were run."""

    variant: str
    pattern: str
    """With its options."""
    buffers: str
    cadence: str
    threads: int
    origin: Origin
    """Of what was measured, or stated; of models, of what they were fitted to."""
    whose_time: WhoseTime = field(default=WhoseTime.UNSTATED, kw_only=True)
    """How the times of all ranks became one: rank 0's, the slowest one's, or their mean."""


def subject_of(one: Subject) -> dict[str, Any]:
    """The fields that say what `one` is of, for what is made of it."""
    return {each.name: getattr(one, each.name) for each in fields(Subject)}
