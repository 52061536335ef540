"""Properties of `fuzz`: one whose mutation ends the process is named, and fails the run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from harness.places import ROOT

ENDS = """
import os
from leadline import store
store.load = lambda _: os._exit(7)
"""
"""A plug-in of pytest that plants it."""


def test_property_that_ends_the_process_is_named(tmp_path: Path) -> None:
    (tmp_path / "ends.py").write_text(ENDS)
    places = os.pathsep.join([str(tmp_path), str(ROOT / "src")])
    words = ["-p", "ends", "-p", "no:cacheprovider", "-n", "1", "--max-worker-restart", "0"]
    around = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *words, "fuzz/test_imports.py"],
        cwd=ROOT, env=around | {"PYTHONPATH": places},
        capture_output=True, text=True, timeout=1000, check=False,
    )  # fmt: skip
    assert run.returncode != 0
    assert "crashed while running 'fuzz/test_imports.py::test_text_is" in run.stdout
