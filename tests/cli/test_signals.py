"""A terminal that closes ends a campaign as Ctrl-C does; with nohup it is none of its business."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.processes import processes, until, variable

from leadline.cli.signals import end_as_by_ctrl_c
from leadline.measure.order import Order
from leadline.measure.restoration import restore
from leadline.store import load

pytestmark = pytest.mark.live

NUMBERS = (signal.SIGTERM, signal.SIGHUP)
MARK = "LEADLINE_TEST"
HEEDING = ("env", "--default-signal=HUP")
"""Though these tests run beneath nohup."""


@pytest.fixture
def as_started() -> Iterator[None]:
    """Signals as a process that was just started has them; afterwards as they were."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in NUMBERS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.usefixtures("as_started")
def test_end_of_a_job_or_a_terminal_interrupts(number: signal.Signals) -> None:
    end_as_by_ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)


@pytest.mark.usefixtures("as_started")
def test_second_hang_up_does_not_disturb_the_end_that_the_first_began() -> None:
    end_as_by_ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGHUP)
    signal.raise_signal(signal.SIGHUP)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.usefixtures("as_started")
def test_signal_that_was_ignored_at_the_start_stays_so(number: signal.Signals) -> None:
    signal.signal(number, signal.SIG_IGN)
    end_as_by_ctrl_c()
    signal.raise_signal(number)


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
        assert process.wait(60) == 130
        until(lambda: str(out) not in {variable(pid, MARK) for pid in processes()})
    finally:
        process.kill()
        process.wait()
    run = load(out)
    assert (out / "run.json").exists(), "finished as after Ctrl-C"
    assert len(run.batches.rank) > 0
    assert restore(run, lambda _: Order(patterns=())).blocks_left > 0
