"""Background load: started, pinned, ended, and never compared silently."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from harness.patience import PATIENCE_S
from tests.support.spinning import spinning

from leadline.cli import main
from leadline.compare.warnings import machine_differences
from leadline.measure.system import background_load
from leadline.store import load

CORE = min(os.sched_getaffinity(0))


def wait_until_gone(parent: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while spinning(parent) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert spinning(parent) == []


def test_processes_spin_on_their_cores_until_the_block_is_left() -> None:
    with background_load([CORE, CORE]):
        deadline = time.monotonic() + PATIENCE_S
        while [os.sched_getaffinity(pid) for pid in spinning(os.getpid())] != [{CORE}] * 2:
            assert time.monotonic() < deadline
            time.sleep(0.01)
    assert spinning(os.getpid()) == []


def test_load_ends_with_a_front_end_that_is_killed() -> None:
    program = f"""
import time
from leadline.measure.system import background_load
with background_load([{CORE}]):
    time.sleep(60)
"""
    parent = subprocess.Popen([sys.executable, "-c", program])
    while not spinning(parent.pid):
        assert parent.poll() is None
        time.sleep(0.01)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    wait_until_gone(parent.pid)


def test_loaded_run_says_so_and_differs_from_an_unloaded_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--backends", "null", "--patterns", "barrier", "--blocks", "1", "--budget", "1s"]
    assert main(["run", *words, "--load", "cores", "--out", str(tmp_path / "loaded")]) == 0
    run = load(tmp_path / "loaded")
    cores = sorted(os.sched_getaffinity(0))
    assert (run.provenance.background_load or "").startswith(f"{len(cores)} spinning")
    assert "background_load" in {warning.code for warning in run.warnings}
    capsys.readouterr()
    assert main(["show", run.path, "--full"]) == 0
    assert "background_load" in capsys.readouterr().out
    assert spinning(os.getpid()) == []
    quiet = replace(run, metadata=replace(run.provenance, background_load=None).as_json())
    (difference,) = machine_differences(quiet, run)
    loads = f"(none; {run.provenance.background_load}"
    assert "background_load" in difference.cause and loads in difference.cause
