"""Large problems on two ranks over shared memory: right, in as much memory as was announced.

Goal: each is verified, and no rank holds more than 1.1 times its share of what is announced.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from bench.live import Quiet, children, local_backend, medians_of, peak_kib, variant_of
from leadline.compare.analysis import Analysis
from leadline.errors import UsageError
from leadline.measure.conduct import conduct
from leadline.measure.preparation import prepare
from leadline.measure.prepared import Prepared
from leadline.measure.spec import Request
from leadline.record.run import Cell, Run

PATTERNS = ("mg:B", "mg:C", "stap:large")
RANKS, BUDGET_S, LIMIT = 2, 10.0, 1.1


class Weighing(Quiet):
    """Notes the most memory that a rank has had when a slice is over."""

    def __init__(self) -> None:
        """Of a campaign that hasn't begun."""
        self.held_bytes = 0

    def slice_done(self, variant: str, cell: Cell) -> None:
        """Its ranks are still there."""
        self.held_bytes = max(self.held_bytes, *(1024 * peak_kib(one) for one in children()))


def measure(patterns: Sequence[str] = PATTERNS) -> dict[str, object]:
    """A row for each of `patterns`; those without room in memory say how much they need."""
    rows, left_out = [], []
    for pattern in patterns:
        request = Request(patterns=(pattern,), ranks=(RANKS,), budget_s=BUDGET_S, blocks=1)
        try:
            prepared = prepare(request, [variant_of(local_backend("shm"), "shm")])
        except UsageError as error:
            left_out.append(str(error))
        else:
            rows.append(_row(prepared))
    return {
        "ranks": RANKS,
        "rows": rows,
        "left_out": left_out,
        "limit": LIMIT,
        "reached": all(map(holds, rows)),
    }


def _row(prepared: Prepared) -> dict[str, object]:
    """Seconds of a repetition, and what was announced, held and verified."""
    weighing = Weighing()
    with tempfile.TemporaryDirectory(prefix="leadline-bench-") as scratch:
        run = conduct(prepared, Path(scratch) / "run", weighing)
        seconds = float(np.nanmedian(medians_of(run).by_variant["shm"]))
        checked = _checked(run)
    (group,) = prepared.plan.groups
    (planned,) = group.cells
    assert planned.problem is not None
    return {
        "pattern": planned.choice.label,
        "repetition_s": seconds,
        "announced_mb": planned.problem.bytes / 1e6,
        "announced_slice_s": group.problem_s(planned),
        "held_by_a_rank_mb": weighing.held_bytes / 1e6,
        "verified": checked,
    }


def _checked(run: Run) -> str | None:
    """What of the solutions was held to what is expected, and how far off it was; None: nothing."""
    found = Analysis(run).circumstances[0][0].verified
    return f"{found.quantity}, off by {found.relative_error:.1e}" if found else None


def holds(row: Mapping[str, object]) -> bool:
    """Whether it was right, and a rank held what was announced."""
    held, announced = (float(str(row[key])) for key in ("held_by_a_rank_mb", "announced_mb"))
    return row["verified"] is not None and RANKS * held <= LIMIT * announced
