"""Predictions for programs: operations, and whole programs against the number of ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from leadline.models.points import PredictedTime
from leadline.models.program import OnRanks, Programs, TurningPoint
from leadline.record.run import Origin, WhoseTime
from leadline.record.warnings import RunWarning
from leadline.report.programs.fitted import RefusedRow, refused_row
from leadline.report.programs.rows import comments, row_of
from leadline.report.records import Records, records_of
from leadline.report.text.closed_forms import condition_notes, refused_notes
from leadline.report.text.predicted import Predicted
from leadline.report.text.program import program_sentences

# -- operations ------------------------------------------------------------------------------------


class PredictedRow(TypedDict):
    """The time of one operation or message by a model."""

    variant: str
    origin: Origin
    """The origin of what the model was fitted to."""
    pattern: str
    buffers: str
    cadence: str
    threads: int
    whose_time: WhoseTime
    """How the times of all ranks are reduced to one."""
    ranks: int
    size_bytes: int
    seconds: float
    low: float | None
    """Lower bound of the interval in which the median of a new campaign lies in 95 of 100 cases;
    null: the model was fitted to too few blocks for one, or to none."""
    high: float | None
    """Upper bound of that interval; null: as `low`."""
    extrapolated: bool
    """Whether it is outside of the sizes or numbers of ranks that were fitted."""
    floored: bool
    """Whether the form is below the shortest time of its piece, which replaces it."""


class PredictedContent(TypedDict):
    """Predictions of one pattern."""

    model: str
    """The model file."""
    run: str
    """The run that the model was fitted to."""
    predictions: Sequence[PredictedRow]
    """Predictions by ranks, size and variant."""
    unknown: Sequence[RefusedRow]
    """What was requested but has no model, and why."""
    warnings: Sequence[RunWarning]


def predicted_content(predicted: Predicted) -> PredictedContent:
    """Everything that was predicted."""
    return {
        "model": predicted.model,
        "run": predicted.run,
        "predictions": [_predicted_row(point) for point in predicted.found.points],
        "unknown": [refused_row(fitted) for fitted in predicted.found.unknown],
        "warnings": predicted.warnings,
    }


def predicted_records(predicted: Predicted) -> Records:
    """One row for each prediction; what couldn't be predicted as comments."""
    predictions = predicted.found
    unknown = [f"not predicted: {note}" for note in refused_notes(predictions.unknown)]
    rows = [_predicted_row(point) for point in predictions.points]
    columns = tuple(PredictedRow.__annotations__)
    return records_of(columns, rows, [*unknown, *comments([], predicted.warnings)])


def _predicted_row(time: PredictedTime) -> PredictedRow:
    return row_of(
        PredictedRow, time, seconds=time.seconds.value, low=time.seconds.low, high=time.seconds.high
    )


# -- programs --------------------------------------------------------------------------------------


class ProgramRow(TypedDict):
    """A program on one number of ranks; times are in seconds, for all its steps together."""

    ranks: int
    compute_s: float
    communicate_s: float
    communicate_low_s: float | None
    """Lower bound of the 95 % interval; null, as below: there is none, `sentences` tell why."""
    communicate_high_s: float | None
    seconds: float
    low: float | None
    high: float | None
    speed_up: float | None
    """Speed-up over one rank, which only computes; null: there is no work."""
    speed_up_low: float | None
    speed_up_high: float | None
    efficiency: float | None
    """Speed-up per rank; null: there is no work."""
    efficiency_low: float | None
    efficiency_high: float | None
    extrapolated: bool
    """Whether a call is outside of the ranks or sizes that its model was fitted to."""
    floored: bool
    """Whether the form of a call is below the shortest time of its piece, which replaces it."""


class TurningPointRow(TypedDict):
    """A number of ranks at which something changes."""

    ranks: int | None
    """Null: none of those requested."""
    low: int | None
    """Least number that it may be; null: none, or there are no intervals."""
    high: int | None
    """Largest number that it may be; null: none of those requested, or there are no intervals."""


class CallRow(TypedDict):
    """One call in a step, and what its model was fitted to."""

    pattern: str
    size_bytes: int
    divided_by: float
    """The size is divided by the number of ranks to this power; 0: it isn't divided."""
    count: float
    ranks: int | None
    """Number of ranks that take part together; null: all."""
    fitted_ranks: Sequence[int]
    fitted_bytes: Sequence[int]


class ProgramOver(TypedDict):
    """A program under one variant."""

    variant: str | None
    """Null: there are no calls, so that the program is the same under each variant."""
    origin: Origin | None
    """The origin of what the models were fitted to; null: as `variant`."""
    work_s: float
    """Time that one rank would compute for, in seconds."""
    serial_share: float
    steps: int
    calls: Sequence[CallRow]
    rows: Sequence[ProgramRow]
    """Rows in ascending order of ranks."""
    best: TurningPointRow
    """The ranks with the least time; low and high: the fewest and most that may take as little."""
    half: TurningPointRow
    """The fewest ranks on which communication takes at least half of the time."""
    sentences: Sequence[str]


class ProgramContent(TypedDict):
    """A program under each variant."""

    programs: Sequence[ProgramOver]
    left_out: Sequence[RefusedRow]
    """The first call that lacks a model, and why, for each variant without a prediction."""
    warnings: Sequence[RunWarning]


def program_content(programs: Programs) -> ProgramContent:
    """Everything about a program, by variant."""
    return {
        "programs": [
            {
                "variant": trade_off.variant,
                "origin": trade_off.origin,
                "work_s": trade_off.work_s,
                "serial_share": trade_off.serial_share,
                "steps": trade_off.steps,
                "calls": [
                    {
                        "pattern": times.call.pattern,
                        "size_bytes": times.call.size.bytes,
                        "divided_by": float(times.call.size.power),
                        "count": times.call.count,
                        "ranks": times.call.ranks,
                        "fitted_ranks": times.fitted_ranks,
                        "fitted_bytes": times.fitted_bytes,
                    }
                    for times in trade_off.calls
                ],
                "rows": [_program_row(row) for row in trade_off.rows],
                "best": _turning_point_row(trade_off.best),
                "half": _turning_point_row(trade_off.half),
                "sentences": program_sentences(trade_off),
            }
            for trade_off in programs.found
        ],
        "left_out": [refused_row(fitted) for fitted in programs.left_out],
        "warnings": programs.warnings,
    }


def program_records(programs: Programs) -> Records:
    """One row for each variant and number of ranks; sentences about them as comments."""
    rows = [
        {"variant": trade_off.variant, "origin": trade_off.origin, **_program_row(row)}
        for trade_off in programs.found
        for row in trade_off.rows
    ]
    notes = []
    for one in programs.found:
        label = f"{one.label}: " if one.label else ""
        notes += [f"{label}{sentence}" for sentence in program_sentences(one)]
    notes += condition_notes(programs.models, "RUN")
    notes += [f"left out: {note}" for note in refused_notes(programs.left_out)]
    columns = ("variant", "origin", *ProgramRow.__annotations__)
    return records_of(columns, rows, [*notes, *comments([], programs.warnings)])


def _turning_point_row(point: TurningPoint) -> TurningPointRow:
    return {"ranks": point.ranks, "low": point.low, "high": point.high}


def _program_row(ranks: OnRanks) -> ProgramRow:
    return {
        "ranks": ranks.ranks,
        "compute_s": ranks.compute_s,
        "communicate_s": ranks.communicate_s.value,
        "communicate_low_s": ranks.communicate_s.low,
        "communicate_high_s": ranks.communicate_s.high,
        "seconds": ranks.seconds.value,
        "low": ranks.seconds.low,
        "high": ranks.seconds.high,
        "speed_up": ranks.speed_up.known,
        "speed_up_low": ranks.speed_up.low,
        "speed_up_high": ranks.speed_up.high,
        "efficiency": ranks.efficiency.known,
        "efficiency_low": ranks.efficiency.low,
        "efficiency_high": ranks.efficiency.high,
        "extrapolated": ranks.extrapolated,
        "floored": ranks.floored,
    }
