"""A comparison for programs: a row a cell, whole curves apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from leadline.record.caveats import Caveat
from leadline.report.programs.notes import FailureRow, comments, failure_rows
from leadline.report.programs.rows import (
    ComparisonRow,
    CrossingRow,
    RangeRow,
    TaxRow,
    comparison_row,
    crossing_row,
    range_row,
    tax_row,
)
from leadline.report.records import Records, records_of
from leadline.report.text.comparison import Compared


class ComparedContent(TypedDict):
    """Everything about a comparison."""

    runs: Sequence[str]
    """Their directories."""
    threshold: float
    """Ratios nearer to 1 than this are the same."""
    exit_status: int
    rows: Sequence[ComparisonRow]
    curves: Sequence[ComparisonRow]
    """Of whole curves: without a size."""
    slowdowns: Sequence[RangeRow]
    """Where a candidate is slower, the largest ratio first."""
    crossings: Sequence[CrossingRow]
    taxes: Sequence[TaxRow]
    failures: Sequence[FailureRow]
    warnings: Sequence[Caveat]


def compared_content(compared: Compared) -> ComparedContent:
    """Everything about a comparison."""
    result = compared.result
    return {
        "runs": [run.path for run in compared.runs],
        "threshold": compared.threshold,
        "exit_status": result.exit_status,
        "rows": [comparison_row(row) for row in result.rows],
        "curves": [comparison_row(curve.whole) for curve in result.curves],
        "slowdowns": [range_row(one) for one in result.slowdowns],
        "crossings": [crossing_row(one) for curve in result.curves for one in curve.crossings],
        "taxes": [tax_row(tax) for tax in result.taxes],
        "failures": failure_rows(compared.runs),
        "warnings": compared.caveats,
    }


def compared_records(compared: Compared) -> Records:
    """The rows of a comparison; whole curves, which have no size, come last."""
    wholes = [curve.whole for curve in compared.result.curves]
    rows = [comparison_row(row) for row in (*compared.result.rows, *wholes)]
    columns = tuple(ComparisonRow.__annotations__)
    return records_of(columns, rows, comments(compared.runs, compared.caveats))
