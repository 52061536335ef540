"""How long each study takes, and how near to that its plan comes.

Goal: the quick one at most 2 minutes, the full one at most 10. Studies over emulated networks are
left out without root.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from leadline.papers.catalogue import all_studies
from leadline.papers.study import Study

SUM = re.compile(r"^all stages: about (\d+) s$", re.MULTILINE)
ANSWERS = re.compile(r"^(?:The paper's findings|Answers): (.*)$", re.MULTILINE)
"""How many of the paper's findings, or of a study's own questions, were answered how."""
LIMITS_S = {"quick": 120.0, "full": 600.0}


def measure() -> dict[str, object]:
    """Planned and elapsed seconds of both, and how many of the paper's findings could be told."""
    studies = all_studies()
    able = [study.name for study in studies if os.geteuid() == 0 or not _has_network(study)]
    with tempfile.TemporaryDirectory(prefix="leadline-bench-") as scratch:
        rows = [_study(study, name, Path(scratch)) for study in able for name in LIMITS_S]
    within = [float(str(row["elapsed_s"])) <= LIMITS_S[str(row["scale"])] for row in rows]
    left_out = [study.name for study in studies if study.name not in able]
    return {"rows": rows, "left_out": left_out, "limits_s": LIMITS_S, "reached": all(within)}


def _has_network(study: Study) -> bool:
    return any(stage.network for stage in study.stages(study.quick_s, True, 2))


def _study(study: str, name: str, scratch: Path) -> dict[str, object]:
    out = str(scratch / f"{study}-{name}")
    words = ["study", study, "--out", out, *(["--quick"] if name == "quick" else [])]
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "leadline", *words], capture_output=True, text=True, check=False
    )
    elapsed_s = time.monotonic() - begin
    planned = SUM.search(done.stderr)
    answered = ANSWERS.search(done.stdout)
    if planned is None or answered is None:
        raise RuntimeError(f"{study}, {name}, ended with {done.returncode}: {done.stderr[-500:]}")
    return {
        "study": study,
        "scale": name,
        "planned_s": float(planned[1]),
        "elapsed_s": elapsed_s,
        "findings": answered[1],
        "status": done.returncode,
    }
