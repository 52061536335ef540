"""The program, with a fault that comes just when it begins to import a module."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from harness.places import ROOT

_PLANTED_AT, _PLANTED = "PLANTED_AT", "PLANTED"
_FINDER = f"""
import os, signal, sys

# Compiled: of text that exec ends by an interrupt, the interpreter would end by it, too.
code = compile(os.environ.get("{_PLANTED}", ""), "planted", "exec")

class Planted:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["{_PLANTED_AT}"]:
            exec(code)

if "{_PLANTED_AT}" in os.environ:
    sys.meta_path.insert(0, Planted())
"""
INTERRUPT = "os.kill(os.getpid(), signal.SIGINT)"


def planted_at(
    module: str, statement: str, folder: Path, *words: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """How `leadline WORDS` ends that runs `statement` as it begins to import `module`.

    `folder` is a place of its own for what plants that.
    """
    (folder / "sitecustomize.py").write_text(_FINDER)
    around: Mapping[str, str] = {
        "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT / "src")]),
        _PLANTED_AT: module,
        _PLANTED: statement,
    }
    return subprocess.run(
        [sys.executable, "-m", "leadline", *words],
        env=os.environ | around | environment,
        capture_output=True, text=True, check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
