"""The same patterns by flow and by SimGrid's smpirun, on the same machine files.

Goal: no time further apart than LIMIT.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.beside_smpi import CASES, COLLECTIVES, LIMIT, Smpi, by_flow, collective_by_flow


def measure() -> dict[str, Any]:
    """Every case, and whether all are as near as LIMIT."""
    with tempfile.TemporaryDirectory() as scratch:
        smpi = Smpi(Path(scratch))
        rows = [_row(str(case), by_flow(case), smpi.seconds(case)) for case in CASES]
        rows += [
            _row(str(case), collective_by_flow(case), smpi.collective(case)) for case in COLLECTIVES
        ]
    return {"beside_smpi": rows, "reached": all(row["reached"] for row in rows)}


def _row(case: str, ours: Mapping[int, float], theirs: Mapping[int, float]) -> dict[str, Any]:
    """The size at which they differ most."""
    apart = {size: theirs[size] / ours[size] - 1 for size in ours}
    worst = max(apart, key=lambda size: abs(apart[size]))
    return {
        "case": case,
        "size_bytes": worst,
        "flow_us": 1e6 * ours[worst],
        "smpi_us": 1e6 * theirs[worst],
        "apart": apart[worst],
        "reached": abs(apart[worst]) <= LIMIT,
    }
