"""Random tasks on random resources: beside the slow way, sanitised, and with faults planted."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from harness.kernels import SANITISERS
from harness.patience import PATIENCE_S
from harness.places import ROOT
from tests.support import flow_cases

from leadline.native.compiler import C_FLAGS, c_compiler
from leadline.native.libraries import shared_library
from leadline.simulate.flow import SOURCES, flow_library

CASES, SANITISED_CASES = 1000, 300
OVERFLOW, WRONG = "heap-buffer-overflow", "AssertionError"


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
        timeout=PATIENCE_S,
    )


def test_library_keeps_to_its_memory_and_to_defined_arithmetic() -> None:
    done = checked(Path(flow_library(SANITISERS)))
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


def ways_out(sources: Path, into: Path) -> subprocess.CompletedProcess[str]:
    """A program that takes all ways out of flow_run, with all that nobody freed in its stderr."""
    program = into / "flow_frees"
    files = [ROOT / "tests" / "native" / "flow_frees.c", *sorted(sources.glob("*.c"))]
    flags = [*C_FLAGS, *SANITISERS, f"-I{sources}"]
    subprocess.run([c_compiler(), *flags, "-o", program, *files, "-lm"], check=True)
    return subprocess.run([program], capture_output=True, text=True, check=False)


def test_every_way_out_frees_all_memory(tmp_path: Path) -> None:
    done = ways_out(SOURCES, tmp_path)
    assert (done.returncode, done.stdout) == (0, "1 1 1 1\n"), done.stderr


@pytest.mark.parametrize(
    ("file", "freed"),
    [
        ("run.c", "    sharing_free(&schedule->sharing);\n"),
        ("queue.c", "    free(queue->place);\n"),
        ("run.c", "    free(seen);\n"),
    ],
)
def test_memory_that_nobody_frees_is_found(tmp_path: Path, file: str, freed: str) -> None:
    faulty = shutil.copytree(SOURCES, tmp_path / "flow")
    text = (faulty / file).read_text()
    assert freed in text, "mend the fault"
    (faulty / file).write_text(text.replace(freed, ""))
    assert "LeakSanitizer: " in ways_out(faulty, tmp_path).stderr
