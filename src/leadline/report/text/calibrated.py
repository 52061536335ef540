"""Errors of simulated times against measured ones, as `leadline calibrate` prints them."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.report.document import Document, Section, Table
from leadline.report.text.catalogue import CalibrationWords
from leadline.report.text.phrases import MISSING, share
from leadline.simulate.calibration import (
    Calibration,
    ErrorSpread,
    SimulatedTimes,
    by_pattern,
    spread_of,
)

OFF = ("off by,\nmedian", "9 of 10\nwithin", "cells")
MESSAGES = ("of all", "its own")
"""Whose messages an algorithm was fitted to, by `SimulatedTimes.own_messages`."""


def calibrated_document(calibration: Calibration) -> Document:
    """Errors of what was held out, by library and by pattern, and of what wasn't fitted at all."""
    patterns = [
        (name, *_errors(spread_of(of))) for name, of in by_pattern(calibration.held_out).items()
    ]
    sections = [
        Section("held out: simulated beside measured", _by_library(calibration.held_out)),
        Section(
            "held out, by pattern",
            Table(("", *OFF), tuple(patterns)),
            (_all_together(calibration.held_out),),
        ),
    ]
    if calibration.not_fitted:
        table = _by_library(calibration.not_fitted)
        heading = "patterns of which nothing is fitted: simulated beside measured"
        sections.append(Section(heading, table, (_all_together(calibration.not_fitted),)))
    return sections


def _by_library(several: Sequence[SimulatedTimes]) -> Table:
    rows = [
        (
            times.variant,
            times.pattern,
            times.algorithm or MISSING,
            MESSAGES[times.own_messages] if times.algorithm else MISSING,
            *_errors(spread_of([times])),
        )
        for times in several
    ]
    return Table(("", "pattern", "algorithm", "messages", *OFF), tuple(rows))


def _errors(spread: ErrorSpread) -> tuple[str, ...]:
    """Cells of the columns `OFF`."""
    errors = [MISSING if one is None else share(one) for one in (spread.median, spread.p90)]
    return (*errors, f"{spread.cells:,}")


def _all_together(several: Sequence[SimulatedTimes]) -> str:
    spread = spread_of(several)
    if spread.median is None or spread.p90 is None:
        return CalibrationWords.NOTHING()
    return CalibrationWords.TOGETHER(
        median=share(spread.median), p90=share(spread.p90), cells=spread.cells
    )
