"""Calibrated machines for programs: the errors of simulated times against measured ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from leadline.simulate.calibration import Calibration, SimulatedTimes, by_pattern, spread_of
from leadline.simulate.message_costs import SimulatedCell


class ErrorRow(TypedDict):
    """Relative errors of cells, |simulated / measured - 1|."""

    count: int
    """Number of cells."""
    median_error: float | None
    """Null: there are no cells."""
    p90_error: float | None
    """90th percentile of the errors; null: there are no cells."""


class PatternErrorRow(ErrorRow):
    """Errors of one pattern over all libraries."""

    pattern: str


class SimulatedRow(PatternErrorRow):
    """Errors of one pattern under one library."""

    variant: str
    algorithm: str | None
    """Algorithm by the machine file; null: the pattern has none."""
    own_messages: bool
    """Whether the machine file has costs for the messages of this pattern alone."""
    cells: Sequence[SimulatedCell]


class ComparedTimes(TypedDict):
    """Simulated times compared with measured ones."""

    rows: Sequence[SimulatedRow]
    patterns: Sequence[PatternErrorRow]
    all: ErrorRow


class CalibratedContent(TypedDict):
    """A machine file, and the errors of what it simulates."""

    machine: str
    file: str
    held_out: ComparedTimes
    """Errors at sizes and numbers of ranks that weren't fitted."""
    not_fitted: ComparedTimes
    """Errors of patterns of which nothing was fitted."""


def calibrated_content(calibration: Calibration, file: str) -> CalibratedContent:
    """The errors of the machine in `file`, which is its path."""
    return {
        "machine": calibration.machine.name,
        "file": file,
        "held_out": _compared(calibration.held_out),
        "not_fitted": _compared(calibration.not_fitted),
    }


def _compared(several: Sequence[SimulatedTimes]) -> ComparedTimes:
    patterns = by_pattern(several).items()
    return {
        "rows": [
            {
                "variant": times.variant,
                "pattern": times.pattern,
                "algorithm": times.algorithm or None,
                "own_messages": times.own_messages,
                "cells": times.cells,
                **_errors([times]),
            }
            for times in several
        ],
        "patterns": [{"pattern": name, **_errors(of)} for name, of in patterns],
        "all": _errors(several),
    }


def _errors(several: Sequence[SimulatedTimes]) -> ErrorRow:
    spread = spread_of(several)
    return {"count": spread.cells, "median_error": spread.median, "p90_error": spread.p90}
