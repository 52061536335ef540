"""Reports for programs: JSON with everything; CSV with the rows, notes following as comments."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from leadline.compare.curves import Comparison
from leadline.compare.overlap import HiddenShare
from leadline.compare.summaries import Summary
from leadline.record.caveats import Caveat
from leadline.record.run import Failure, Run
from leadline.report.document import printable
from leadline.report.text.compared import Compared
from leadline.report.text.measured import Measured
from leadline.report.text.notes import failure_text

Row = Mapping[str, Any]

MEASURED_COLUMNS = (
    "pattern", "variant", "backend", "version", "ranks", "size_bytes", "median_s", "low_s",
    "high_s", "blocks", "samples", "algorithm", "buffers", "cadence", "transport", "warnings",
)  # fmt: skip
COMPARED_COLUMNS = tuple(column.name for column in fields(Comparison))
QUANTILES = ("p90", "p99")


def measured_row(row: Summary) -> Row:
    """One cell under one configuration; with its quantiles where they were asked for."""
    values = asdict(row)
    shown = {name: values[name] for name in MEASURED_COLUMNS}
    for name in QUANTILES:
        quantile = getattr(row, name)
        if quantile is not None:
            shown[f"{name}_s"] = quantile.estimate
            shown[f"{name}_low_s"] = quantile.low if quantile.finite else None
            shown[f"{name}_high_s"] = quantile.high if quantile.finite else None
    return shown


def measured_json(measured: Measured) -> str:
    """Everything about a run."""
    return _json(
        {
            "run": measured.run.path,
            "complete": measured.run.complete,
            "rows": [measured_row(row) for row in measured.rows],
            "pingpong": [asdict(pingpong) for pingpong in measured.pingpongs],
            "standings": asdict(measured.standings),
            "rates": [asdict(rates) for rates in measured.rates],
            "overlaps": [_overlap(share) for share in measured.overlaps],
            "failures": _failures([measured.run]),
            "warnings": [asdict(caveat) for caveat in measured.caveats],
        }
    )


def _overlap(found: HiddenShare) -> Row:
    share = found.share
    return asdict(found) | {
        "share": share.estimate,
        "low": share.low if share.finite else None,
        "high": share.high if share.finite else None,
    }


def compared_json(compared: Compared) -> str:
    """Everything about a comparison."""
    result = compared.result
    return _json(
        {
            "runs": [run.path for run in compared.runs],
            "threshold": compared.threshold,
            "exit_status": result.exit_status,
            "rows": [asdict(row) for row in result.rows],
            "curves": [asdict(curve.whole) for curve in result.curves],
            "taxes": [asdict(tax) for tax in result.taxes],
            "failures": _failures(compared.runs),
            "warnings": [asdict(caveat) for caveat in compared.caveats],
        }
    )


def measured_csv(measured: Measured) -> str:
    """The rows of a run; a row's warnings are their codes, spelt out in the comments."""
    rows = [
        {**measured_row(row), "warnings": " ".join(caveat.code for caveat in row.warnings)}
        for row in measured.rows
    ]
    return _csv(MEASURED_COLUMNS, rows, [measured.run], measured.caveats)


def compared_csv(compared: Compared) -> str:
    """The rows of a comparison; whole curves, which have no size, come last."""
    wholes = [curve.whole for curve in compared.result.curves]
    rows = [asdict(row) for row in (*compared.result.rows, *wholes)]
    return _csv(COMPARED_COLUMNS, rows, compared.runs, compared.caveats)


def _json(report: Row) -> str:
    return json.dumps(report, indent=2, allow_nan=False)


def _failures(runs: Sequence[Run]) -> list[Row]:
    return [_failure(run, failure) for run in runs for failure in run.failures]


def _failure(run: Run, failure: Failure) -> Row:
    configuration = run.configurations[failure.configuration]
    cell = None if failure.cell is None else run.cells[failure.cell]
    return {
        "run": run.path,
        "variant": configuration.variant,
        "ranks": configuration.ranks,
        "pattern": cell and cell.pattern,
        "size_bytes": cell and cell.size_bytes,
        "block": failure.block,
        "code": failure.code,
        "message": failure.message,
    }


def _csv(
    columns: Sequence[str], rows: Sequence[Row], runs: Sequence[Run], caveats: Sequence[Caveat]
) -> str:
    text = io.StringIO()
    names = dict.fromkeys([*columns, *(name for row in rows for name in row)])
    writer = csv.DictWriter(text, list(names), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    notes = [f"failure: {failure_text(run, f, True)}" for run in runs for f in run.failures]
    notes += [f"warning: {c.code}: {c.cause}; {c.remedy}" for c in caveats]
    comments = (f"# {' '.join(printable(note).split())}" for note in notes)
    return "\n".join([text.getvalue().rstrip("\n"), *comments])
