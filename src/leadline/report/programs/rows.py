"""What reports for programs share: rows taken from objects, failures, and warnings in CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict, TypeVar

from leadline.record.run import Run
from leadline.record.warnings import RunWarning
from leadline.report.text.notes import failure_text

Keys = TypeVar("Keys")


def row_of(keys: type[Keys], found: object, **other: Any) -> Keys:
    """A row with the keys of `keys`, a TypedDict: from `other`, else attributes of `found`."""
    names = keys.__annotations__
    return keys(**{name: other[name] if name in other else getattr(found, name) for name in names})


class FailureRow(TypedDict):
    """A failure; without pattern and size: of a whole launch."""

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
    rows: list[FailureRow] = []
    for run in runs:
        for failure in run.failures:
            configuration = run.configurations[failure.configuration]
            cell = None if failure.cell is None else run.cells[failure.cell]
            rows.append(
                {
                    "run": run.path,
                    "variant": configuration.variant,
                    "ranks": configuration.ranks,
                    "pattern": cell.pattern if cell else None,
                    "size_bytes": cell.size_bytes if cell else None,
                    "block": failure.block,
                    "code": failure.code,
                    "message": failure.message,
                }
            )
    return rows


def comments(runs: Sequence[Run], warnings: Sequence[RunWarning]) -> list[str]:
    """Failures and warnings as comments of CSV, a line each."""
    failures = [f"failure: {failure_text(run, f, True)}" for run in runs for f in run.failures]
    return failures + [f"warning: {c.code}: {c.cause}; {c.remedy}" for c in warnings]
