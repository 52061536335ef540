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

from leadline.cli import main
from leadline.compare.hidden_differences import machine_differences
from leadline.errors import UsageError
from leadline.hosts.cores import Site
from leadline.hosts.placement import Hosts
from leadline.measure import preparation
from leadline.measure.background_load import background_load, described, load_caveats
from leadline.measure.order import Order
from leadline.store import load

pytestmark = pytest.mark.live

PATIENCE_S = 20.0
CORE = min(os.sched_getaffinity(0))


def spinning(parent: int) -> list[int]:
    """Processes of background load that `parent` started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"sched_setaffinity" in b"".join(words) and str(parent).encode() in words:
            found.append(int(path.parent.name))
    return found


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
from leadline.measure.background_load import background_load
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


def test_no_load_says_nothing() -> None:
    with background_load([]):
        assert spinning(os.getpid()) == []
    assert (described([]), load_caveats([])) == (None, [])


def test_loaded_run_says_so_and_differs_from_an_unloaded_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--backends", "null", "--patterns", "barrier", "--blocks", "1", "--budget", "1s"]
    assert main(["run", *words, "--load", "cores", "--out", str(tmp_path / "loaded")]) == 0
    run = load(tmp_path / "loaded")
    cores = sorted(os.sched_getaffinity(0))
    assert (run.provenance.background_load or "").startswith(f"{len(cores)} spinning")
    assert "background_load" in {caveat.code for caveat in run.warnings}
    assert "background_load" in capsys.readouterr().out
    assert spinning(os.getpid()) == []
    quiet = replace(run, metadata=replace(run.provenance, background_load=None).as_json())
    (difference,) = machine_differences(quiet, run)
    assert f"background_load differs (none; {len(cores)} spinning" in difference.cause


def test_load_beside_ranks_of_other_machines_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    away = Site("n9", "another machine", (0, 1), "n9")
    monkeypatch.setattr(preparation, "survey", lambda *_: (away,))
    order = Order(patterns=("barrier",), hosts=Hosts(("n9",)), load=None)
    with pytest.raises(
        UsageError, match=r"--load keeps cores of this host busy, .* on 'n9'; leave"
    ):
        preparation.prepare(order)


@pytest.mark.parametrize("text", ["0", "some", "-1"])
def test_load_that_is_no_number_of_processes_is_refused(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", f"--load={text}", "--dry-run"]) == 2
    assert f"--load {text!r}" in capsys.readouterr().err


def test_load_that_no_machine_bears_is_refused_with_the_sum(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Before a list of them is made."""
    number, cores = 10**12, len(os.sched_getaffinity(0))
    words = ("--backends", "null", "--patterns", "barrier", "--dry-run")
    assert main(["run", *words, f"--load={number}"]) == 2
    said = f"--load {number}: at most 64 processes spin on a core, 64 x {cores} = {64 * cores}"
    assert capsys.readouterr().err == f"leadline run: {said}; give fewer\n"


def test_cores_are_named_once_each_however_many_spin_on_them() -> None:
    cores = Order(patterns=("barrier",), load=100).loaded((0, 1))
    assert described(cores) == "100 spinning, on cores 0, 1"
