"""Calibrated machines for programs: how far what they simulate is from what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from leadline.simulate.calibration import Calibration, SimulatedTimes, by_pattern, spread_of
from leadline.simulate.message_costs import SimulatedCell


class ErrorRow(TypedDict):
    """How far off cells are, |simulated / measured - 1|."""

    count: int
    """Of cells."""
    median_error: float | None
    """Null: there are no cells."""
    p90_error: float | None
    """Nine of ten are off by at most this."""


class PatternErrorRow(ErrorRow):
    """Those of one pattern over all libraries."""

    pattern: str


class SimulatedRow(PatternErrorRow):
    """Those of one library's pattern."""

    variant: str
    algorithm: str | None
    """That the machine file says; null: the pattern has none."""
    own_messages: bool
    """Whether its messages have costs of their own."""
    cells: Sequence[SimulatedCell]


class ComparedTimes(TypedDict):
    """Times simulated beside times measured."""

    rows: Sequence[SimulatedRow]
    patterns: Sequence[PatternErrorRow]
    all: ErrorRow


class CalibratedContent(TypedDict):
    """A machine file, and how far off it is."""

    machine: str
    file: str
    held_out: ComparedTimes
    """At sizes and numbers of ranks that weren't fitted."""
    not_fitted: ComparedTimes
    """Of patterns of which nothing was fitted."""


def calibrated_content(found: Calibration, file: str) -> CalibratedContent:
    """What is known of the machine in `file`."""
    return {
        "machine": found.machine.name,
        "file": file,
        "held_out": _compared(found.held_out),
        "not_fitted": _compared(found.not_fitted),
    }


def _compared(several: Sequence[SimulatedTimes]) -> ComparedTimes:
    patterns = by_pattern(several).items()
    return {
        "rows": [_row(one) for one in several],
        "patterns": [{"pattern": name, **_errors(of)} for name, of in patterns],
        "all": _errors(several),
    }


def _row(of: SimulatedTimes) -> SimulatedRow:
    return {
        "variant": of.variant,
        "pattern": of.pattern,
        "algorithm": of.algorithm or None,
        "own_messages": of.own_messages,
        "cells": of.cells,
        **_errors([of]),
    }


def _errors(several: Sequence[SimulatedTimes]) -> ErrorRow:
    spread = spread_of(several)
    return {"count": spread.cells, "median_error": spread.median, "p90_error": spread.p90}
