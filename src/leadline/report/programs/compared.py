"""A comparison for programs: a row a cell, whole curves apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import TypedDict

from leadline.compare.curves import Comparison
from leadline.compare.pairs import Tax
from leadline.record.caveats import Caveat
from leadline.report.programs.notes import FailureRow, comments, failure_rows
from leadline.report.records import Records, records_of
from leadline.report.text.compared import Compared


class ComparedContent(TypedDict):
    """Everything about a comparison."""

    runs: Sequence[str]
    """Their directories."""
    threshold: float
    """Ratios nearer to 1 than this are the same."""
    exit_status: int
    rows: Sequence[Comparison]
    curves: Sequence[Comparison]
    """Of whole curves: without a size."""
    taxes: Sequence[Tax]
    failures: Sequence[FailureRow]
    warnings: Sequence[Caveat]


def compared_content(compared: Compared) -> ComparedContent:
    """Everything about a comparison."""
    result = compared.result
    return {
        "runs": [run.path for run in compared.runs],
        "threshold": compared.threshold,
        "exit_status": result.exit_status,
        "rows": result.rows,
        "curves": [curve.whole for curve in result.curves],
        "taxes": result.taxes,
        "failures": failure_rows(compared.runs),
        "warnings": compared.caveats,
    }


def compared_records(compared: Compared) -> Records:
    """The rows of a comparison; whole curves, which have no size, come last."""
    wholes = [curve.whole for curve in compared.result.curves]
    rows = [asdict(row) for row in (*compared.result.rows, *wholes)]
    columns = [column.name for column in fields(Comparison)]
    return records_of(columns, rows, comments(compared.runs, compared.caveats))
