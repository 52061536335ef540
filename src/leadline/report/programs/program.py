"""A program's trade-off for programs: a row a number of ranks, and what follows from the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from leadline.models.program import CallTimes, OnRanks, Programs, TradeOff, TurningPoint
from leadline.record.caveats import Caveat
from leadline.record.run import Origin
from leadline.report.programs.fitted import RefusedRow, refused_row
from leadline.report.programs.notes import comments
from leadline.report.records import Records, records_of
from leadline.report.text.closed_forms import condition_notes, refused_notes
from leadline.report.text.program import program_sentences


class ProgramRow(TypedDict):
    """A program on one number of ranks; seconds of all its steps together."""

    ranks: int
    compute_s: float
    communicate_s: float
    communicate_low_s: float | None
    """Of the 95 % interval; null, here as below: there is none, `sentences` say why."""
    communicate_high_s: float | None
    seconds: float
    low: float | None
    high: float | None
    speed_up: float | None
    """Over one rank, which computes alone; null: there is no work."""
    speed_up_low: float | None
    speed_up_high: float | None
    efficiency: float | None
    """Speed-up a rank; null: there is no work."""
    efficiency_low: float | None
    efficiency_high: float | None
    extrapolated: bool
    """A call lies outside of the ranks or sizes that its model was fitted to."""
    floored: bool
    """A call's form falls below the shortest time of its piece, which stands in its place."""


class TurningPointRow(TypedDict):
    """A number of ranks."""

    ranks: int | None
    """Null: none of those asked for."""
    low: int | None
    """The fewest that it may be; null: none, or there are no intervals."""
    high: int | None
    """The most; null: none of those asked for, or there are no intervals."""


class CallRow(TypedDict):
    """One call of a step, and what its model was fitted to."""

    pattern: str
    size_bytes: int
    divided_by: float
    """The power of the number of ranks that divides the size; 0: none."""
    count: float
    ranks: int | None
    """That take part together; null: all."""
    fitted_ranks: Sequence[int]
    fitted_bytes: Sequence[int]


class ProgramOver(TypedDict):
    """A program over one variant."""

    variant: str | None
    """Null: there are no calls, so that the program is the same over each."""
    origin: Origin | None
    """Of what the models were fitted to; null likewise."""
    work_s: float
    """That one rank would compute for."""
    serial_share: float
    steps: int
    calls: Sequence[CallRow]
    rows: Sequence[ProgramRow]
    """By ranks, rising."""
    best: TurningPointRow
    """The least time; low and high: the fewest and the most ranks that may take as little."""
    half: TurningPointRow
    """The fewest ranks on which communication takes half of the time, or more."""
    sentences: Sequence[str]


class ProgramContent(TypedDict):
    """A program over each variant."""

    programs: Sequence[ProgramOver]
    left_out: Sequence[RefusedRow]
    """Of variants over which it can't be reckoned the first call that lacks a model, and why."""
    warnings: Sequence[Caveat]


def program_content(found: Programs) -> ProgramContent:
    """Everything about a program, by variant."""
    return {
        "programs": [_over(one) for one in found.found],
        "left_out": [refused_row(one) for one in found.left_out],
        "warnings": found.caveats,
    }


def program_records(found: Programs) -> Records:
    """One row for each variant and number of ranks; what is to be said of them as comments."""
    rows = [
        {"variant": one.variant, "origin": one.origin, **_row(row)}
        for one in found.found
        for row in one.rows
    ]
    said = [line for one in found.found for line in _said(one)]
    left_out = [f"left out: {note}" for note in refused_notes(found.left_out)]
    columns = ("variant", "origin", *ProgramRow.__annotations__)
    said += condition_notes(found.models, "RUN")
    return records_of(columns, rows, [*said, *left_out, *comments([], found.caveats)])


def _said(found: TradeOff) -> list[str]:
    over = f"{found.label}: " if found.label else ""
    return [f"{over}{line}" for line in program_sentences(found)]


def _over(found: TradeOff) -> ProgramOver:
    return {
        "variant": found.variant,
        "origin": found.origin,
        "work_s": found.work_s,
        "serial_share": found.serial_share,
        "steps": found.steps,
        "calls": [_call(one) for one in found.calls],
        "rows": [_row(one) for one in found.rows],
        "best": _point(found.best),
        "half": _point(found.half),
        "sentences": program_sentences(found),
    }


def _call(found: CallTimes) -> CallRow:
    call = found.call
    return {
        "pattern": call.pattern,
        "size_bytes": call.size.bytes,
        "divided_by": float(call.size.power),
        "count": call.count,
        "ranks": call.ranks,
        "fitted_ranks": found.fitted_ranks,
        "fitted_bytes": found.fitted_bytes,
    }


def _point(found: TurningPoint) -> TurningPointRow:
    return {"ranks": found.ranks, "low": found.low, "high": found.high}


def _row(found: OnRanks) -> ProgramRow:
    return {
        "ranks": found.ranks,
        "compute_s": found.compute_s,
        "communicate_s": found.communicate_s.value,
        "communicate_low_s": found.communicate_s.low,
        "communicate_high_s": found.communicate_s.high,
        "seconds": found.seconds.value,
        "low": found.seconds.low,
        "high": found.seconds.high,
        "speed_up": found.speed_up.known,
        "speed_up_low": found.speed_up.low,
        "speed_up_high": found.speed_up.high,
        "efficiency": found.efficiency.known,
        "efficiency_low": found.efficiency.low,
        "efficiency_high": found.efficiency.high,
        "extrapolated": found.extrapolated,
        "floored": found.floored,
    }
