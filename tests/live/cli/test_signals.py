"""A terminal that closes ends a campaign as Ctrl-C does; with nohup it is none of its business."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

from harness.patience import PATIENCE_S
from tests.support.processes import processes, until, variable

from leadline.measure.preparation import restore
from leadline.measure.spec import Request
from leadline.store import load

MARK = "LEADLINE_TEST"
HEEDING = ("env", "--default-signal=HUP")
"""Though these tests run beneath nohup."""


def test_terminal_that_closes_leaves_a_run_that_can_go_on_and_no_process(tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ["--backends", "shm,null", "--patterns", "pingpong", "--sizes", "8,1000"]
    master, terminal = pty.openpty()
    process = subprocess.Popen(
        ["setsid", "--ctty", "--wait", *HEEDING, sys.executable, "-m", "leadline", "run", *words,
         "--blocks", "99", "--out", str(out)],
        env=os.environ | {MARK: str(out)}, stdin=terminal, stdout=terminal, stderr=terminal,
    )  # fmt: skip
    os.close(terminal)
    journal = out / "journal.jsonl"
    try:
        until(lambda: journal.exists() and journal.read_bytes().count(b'"slice"') > 9)
        os.close(master)
        assert process.wait(PATIENCE_S) == 130
        until(lambda: str(out) not in {variable(pid, MARK) for pid in processes()})
    finally:
        process.kill()
        process.wait()
    run = load(out)
    assert (out / "run.json").exists(), "finished as after Ctrl-C"
    assert len(run.batches.rank) > 0
    assert restore(run, lambda _: Request(patterns=())).blocks_left > 0
