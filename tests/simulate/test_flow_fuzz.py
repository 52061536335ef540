"""Random tasks on random resources: beside the slow way, sanitised, and with faults planted."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support import flow_cases
from tests.support.kernels import SANITISERS
from tests.support.places import ROOT

from leadline.native.compiler import c_compiler
from leadline.native.libraries import shared_library
from leadline.simulate.build import SOURCES, flow_library

CASES, SANITISED_CASES = 1000, 300
OVERFLOW, WRONG = "heap-buffer-overflow", "AssertionError"


def test_times_are_those_of_the_slow_way() -> None:
    for seed in range(CASES):
        flow_cases.check_random_case(seed)


def checked(library: Path) -> subprocess.CompletedProcess[str]:
    """The random cases by `library`; the sanitisers' runtime has to be there before Python."""
    runtimes = [
        subprocess.run(
            [c_compiler(), f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    settings = {"LD_PRELOAD": " ".join(runtimes), "ASAN_OPTIONS": "detect_leaks=0"}
    return subprocess.run(
        [sys.executable, flow_cases.__file__, str(library), str(SANITISED_CASES)],
        env=os.environ | settings | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_library_keeps_to_its_memory_and_to_defined_arithmetic() -> None:
    done = checked(flow_library(SANITISERS))
    assert done.returncode == 0, done.stderr[-4000:]


@pytest.mark.parametrize(
    ("file", "right", "wrong", "found"),
    [
        ("sharing.c", "array_of(resources + 1,", "array_of(resources,", OVERFLOW),
        ("run.c", "array_of(tasks + 2,", "array_of(tasks,", OVERFLOW),
        ("sharing.c", "held[other] > 0 &&", "held[other] > 9 &&", WRONG),
        ("sharing.c", "rate >= level ||", "level < 0 ||", WRONG),
        ("sharing.c", "flows[resource] > graph->crowd", "flows[resource] >= graph->crowd", WRONG),
        ("run.c", "if (before > 0)", "if (before > 1e9)", WRONG),
        ("queue.c", "heap[child].key >= item.key", "heap[child].key > 0", WRONG),
    ],
)
def test_planted_fault_is_found(
    tmp_path: Path, file: str, right: str, wrong: str, found: str
) -> None:
    faulty = shutil.copytree(SOURCES, tmp_path / "flow")
    text = (faulty / file).read_text()
    assert right in text, "mend the fault"
    (faulty / file).write_text(text.replace(right, wrong))
    done = checked(shared_library(faulty, SANITISERS))
    assert done.returncode != 0
    assert found in done.stderr
