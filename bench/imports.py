"""The time that `leadline import` takes for an OSU output of 10^5 lines, start-up included.

Goal: under 2 s.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LINES = 100_000
LIMIT_S = 2.0


def measure(trials: int = 3) -> dict[str, object]:
    """Median wall time in seconds over `trials`."""
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / "osu.txt"
        output.write_text(osu_output())
        seconds = statistics.median(_seconds(output, f"{scratch}/{i}") for i in range(trials))
    return {
        "import_s": seconds, "lines": LINES, "limit_s": LIMIT_S, "reached": seconds < LIMIT_S,
    }  # fmt: skip


def osu_output() -> str:
    """What osu_latency would print for 10^5 lines, a size each."""
    heading = ["# OSU MPI Latency Test v7.4", "# Datatype: MPI_CHAR.", "# Size  Avg Latency(us)"]
    rows = (f"{size:<8}{0.4 + size * 1e-4:17.2f}" for size in range(LINES - len(heading)))
    return "\n".join([*heading, *rows, ""])


def _seconds(output: Path, directory: str) -> float:
    begin = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "leadline", "import", str(output), "--out", directory],
        stdout=subprocess.DEVNULL, check=True,
    )  # fmt: skip
    return time.perf_counter() - begin
