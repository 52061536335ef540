"""Predictions of operations, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from leadline.models.points import PredictedTime
from leadline.record.caveats import Caveat
from leadline.record.run import Origin, WhoseTime
from leadline.report.programs.fitted import RefusedRow, refused_row
from leadline.report.programs.notes import comments
from leadline.report.programs.rows import row_of
from leadline.report.records import Records, records_of
from leadline.report.text.closed_forms import refused_notes
from leadline.report.text.predicted import Predicted


class PredictedRow(TypedDict):
    """What one operation or message takes, as a model says."""

    variant: str
    origin: Origin
    """Of what the model was fitted to."""
    pattern: str
    buffers: str
    cadence: str
    threads: int
    whose_time: WhoseTime
    """How the times of all ranks became one."""
    ranks: int
    size_bytes: int
    seconds: float
    low: float | None
    """Between it and high lies the median of a new campaign, in 95 of 100; null: the model rests
    on too few blocks for an interval, or on none."""
    high: float | None
    extrapolated: bool
    """Outside of the sizes or numbers of ranks that were fitted."""
    floored: bool
    """The form falls below the shortest time of its piece, which stands in its place."""


class PredictedContent(TypedDict):
    """Predictions of one pattern."""

    model: str
    """The model file."""
    run: str
    """That it was fitted to."""
    predictions: Sequence[PredictedRow]
    """By ranks, size and variant."""
    unknown: Sequence[RefusedRow]
    """What was asked for and models say nothing of."""
    warnings: Sequence[Caveat]


def predicted_content(predicted: Predicted) -> PredictedContent:
    """Everything that was predicted."""
    return {
        "model": predicted.model,
        "run": predicted.run,
        "predictions": [_row(one) for one in predicted.found.points],
        "unknown": [refused_row(one) for one in predicted.found.unknown],
        "warnings": predicted.caveats,
    }


def predicted_records(predicted: Predicted) -> Records:
    """A row a prediction; what isn't known as comments."""
    found = predicted.found
    unknown = [f"not predicted: {note}" for note in refused_notes(found.unknown)]
    rows = [_row(one) for one in found.points]
    columns = tuple(PredictedRow.__annotations__)
    return records_of(columns, rows, [*unknown, *comments([], predicted.caveats)])


def _row(one: PredictedTime) -> PredictedRow:
    return row_of(
        PredictedRow, one, seconds=one.seconds.value, low=one.seconds.low, high=one.seconds.high
    )
