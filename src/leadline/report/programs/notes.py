"""What every report for programs ends with: failures, and in CSV warnings beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from leadline.record.caveats import Caveat
from leadline.record.run import Failure, Run
from leadline.report.text.notes import failure_text


class FailureRow(TypedDict):
    """What failed where; without pattern and size: a whole launch."""

    run: str
    variant: str
    ranks: int
    pattern: str | None
    size_bytes: int | None
    block: int
    code: str
    message: str


def failure_rows(runs: Sequence[Run]) -> list[FailureRow]:
    """The failures of all `runs`."""
    return [_failure(run, failure) for run in runs for failure in run.failures]


def _failure(run: Run, failure: Failure) -> FailureRow:
    configuration = run.configurations[failure.configuration]
    cell = None if failure.cell is None else run.cells[failure.cell]
    return {
        "run": run.path,
        "variant": configuration.variant,
        "ranks": configuration.ranks,
        "pattern": cell.pattern if cell else None,
        "size_bytes": cell.size_bytes if cell else None,
        "block": failure.block,
        "code": failure.code,
        "message": failure.message,
    }


def comments(runs: Sequence[Run], caveats: Sequence[Caveat]) -> list[str]:
    """Failures and warnings, a line each."""
    failures = [f"failure: {failure_text(run, f, True)}" for run in runs for f in run.failures]
    return failures + [f"warning: {c.code}: {c.cause}; {c.remedy}" for c in caveats]
