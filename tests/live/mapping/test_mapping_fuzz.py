"""Random patterns on random machines; `bench/mapping/__init__.py` has ten times as many."""

from __future__ import annotations

import os
import subprocess
import sys

from harness import mapping_cases
from harness.kernels import SANITISERS
from harness.places import ROOT

from leadline.mapping.library import mapping_library
from leadline.native.compiler import c_compiler

CASES, SANITISED_CASES = 1000, 300


def test_library_keeps_to_its_memory_and_to_defined_arithmetic() -> None:
    """The runtime of the sanitisers has to be there before Python, which knows nothing of it."""
    library = mapping_library(SANITISERS)
    runtimes = [
        subprocess.run(
            [c_compiler(), f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    settings = {"LD_PRELOAD": " ".join(runtimes), "ASAN_OPTIONS": "detect_leaks=0"}
    done = subprocess.run(
        [sys.executable, mapping_cases.__file__, library, str(SANITISED_CASES)],
        env=os.environ | settings | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
