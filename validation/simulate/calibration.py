"""Machine files from measured runs: how far what was held out is from what they simulate.

Goal: a median of at most 15 % over all libraries' patterns, on this machine. A campaign measures
ping-pong and collectives on 2 ranks over all libraries, every other size is fitted, and the rest
held to the simulation on the machine that was found. Beside it patterns of which nothing is fitted.

    python -m validation.simulate.calibration [RUN ...]     of run directories, or of a new campaign
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.live import Quiet

from leadline.compare.analysis import Analysis
from leadline.measure.conduct import conduct
from leadline.measure.preparation import prepare
from leadline.measure.spec import Request
from leadline.simulate.calibration import SimulatedTimes, by_pattern, calibrated, spread_of
from leadline.store import load
from validation.models.runs import BUDGET_S, PATTERNS, SIZES, libraries

NOT_FITTED = ("exchange", "stream")
LIMIT = 0.15


def measure(runs: Sequence[str] = ()) -> dict[str, Any]:
    """The figures of each of `runs`, or of a new campaign."""
    if runs:
        found = [_figures(run) for run in runs]
    else:
        with tempfile.TemporaryDirectory() as scratch:
            found = [_figures(_campaign(Path(scratch) / "run"))]
    return {"calibration": found, "reached": all(one["reached"] for one in found)}


def _campaign(directory: Path) -> str:
    request = Request(patterns=(*PATTERNS, *NOT_FITTED), sizes=SIZES, budget_s=BUDGET_S)
    conduct(prepare(request, libraries()), directory, Quiet())
    return str(directory)


def _figures(run: str) -> dict[str, object]:
    found = calibrated(Analysis(load(run)), "bench", run)
    median = spread_of(found.held_out).median
    return {
        "held out": _shown(found.held_out),
        **{f"held out, {name}": _shown(one) for name, one in by_pattern(found.held_out).items()},
        **{
            f"not fitted, {name}": _shown(one) for name, one in by_pattern(found.not_fitted).items()
        },
        "limit": LIMIT,
        "reached": median is not None and median <= LIMIT,
    }


def _shown(times: Sequence[SimulatedTimes]) -> list[float | int | None]:
    """Median, nine tenths, number of cells."""
    spread = spread_of(times)
    return [spread.median, spread.p90, spread.cells]


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1:]), indent=1))
