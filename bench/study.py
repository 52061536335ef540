"""How long the study of SHMEM and PVM takes, and how near to that its plan comes.

Goal: the quick one at most 2 minutes, the full one at most 10.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SUM = re.compile(r"^all stages: about (\d+) s$", re.MULTILINE)
LIMITS_S = {"quick": 120.0, "full": 600.0}


def measure() -> dict[str, object]:
    """Planned and elapsed seconds of both, and how many of the paper's findings could be told."""
    with tempfile.TemporaryDirectory(prefix="leadline-bench-") as scratch:
        rows = [_study(name, Path(scratch) / name) for name in LIMITS_S]
    within = [float(str(row["elapsed_s"])) <= LIMITS_S[str(row["study"])] for row in rows]
    return {"rows": rows, "limits_s": LIMITS_S, "reached": all(within)}


def _study(name: str, out: Path) -> dict[str, object]:
    words = ["study", "shared-memory", "--out", str(out), *(["--quick"] if name == "quick" else [])]
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "leadline", *words], capture_output=True, text=True, check=False
    )
    elapsed_s = time.monotonic() - begin
    planned = SUM.search(done.stderr)
    heading = re.search(r"^The paper's findings: (.*)$", done.stdout, re.MULTILINE)
    if planned is None or heading is None:
        raise RuntimeError(f"the {name} study ended with {done.returncode}: {done.stderr[-500:]}")
    return {
        "study": name,
        "planned_s": float(planned[1]),
        "elapsed_s": elapsed_s,
        "findings": heading[1],
        "status": done.returncode,
    }
