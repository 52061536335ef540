"""Commands run to their end or their time limit."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from errno import ENOENT
from pathlib import Path

import pytest
from harness.patience import HANG_S, PATIENCE_S
from syrupy.assertion import SnapshotAssertion
from tests.support.processes import lives, until

from leadline.processes import SHOWN_BYTES, CommandResult, ask, attend, run, run_together, spawn


def test_status_and_both_streams_are_kept() -> None:
    ending = run(["sh", "-c", "echo out; echo err >&2; exit 3"], PATIENCE_S)
    assert (ending.status, ending.output) == (3, "out\nerr\n")


def test_environment_is_added_to_ones_own() -> None:
    ending = run(["sh", "-c", "echo $X $HOME"], PATIENCE_S, {"X": "a b"})
    assert ending.output == f"a b {os.environ['HOME']}\n"


def test_command_has_a_home_where_this_process_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a service, or by cron: Open MPI doesn't start without."""
    monkeypatch.delenv("HOME")
    assert run(("sh", "-c", "echo $HOME"), PATIENCE_S).output == f"{Path.home()}\n"


def test_words_never_reach_a_shell() -> None:
    assert run(["echo", "$(id); *"], PATIENCE_S).output == "$(id); *\n"


def test_lines_are_read_and_then_no_more() -> None:
    script = 'read x && read y && test "$x $y" = "a b" && ! read z'
    assert spawn(["sh", "-c", script], read="a\nb\n").wait(PATIENCE_S) == 0


def test_input_of_a_command_is_empty_and_does_not_end() -> None:
    """Where it ends, MPICH's mpiexec may be killed by its own ranks' end."""
    ready = "import select; print(select.select([0], [], [], 0)[0])"
    assert run((sys.executable, "-c", ready), PATIENCE_S).output == "[]\n"


def test_process_that_reads_nothing_is_no_error() -> None:
    assert spawn(["true"], read="x" * 10_000).wait(PATIENCE_S) == 0


def test_missing_command_is_an_ending_and_not_an_exception() -> None:
    text = f"/nonexistent/mpicc: {os.strerror(ENOENT)}"
    assert run(["/nonexistent/mpicc"], PATIENCE_S) == CommandResult(None, text)


def test_time_limit_ends_grandchildren_that_ignore_term(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    child = f"trap '' TERM; sleep 60 & echo $! > {tmp_path}/pid; wait"
    ending = run(["bash", "-c", child], HANG_S)
    assert ending.status is None
    assert ending.output == snapshot
    pid = int((tmp_path / "pid").read_text())
    until(lambda: not lives(pid))


@pytest.mark.parametrize(
    "script", ["yes", "yes >&2", "trap '' TERM; yes", "head -c 20000000 /dev/zero; exit 0"]
)
@pytest.mark.parametrize("start", [run, ask])
def test_output_without_end_fills_neither_disk_nor_memory(
    start: Callable[[Sequence[str], float], CommandResult], script: str, snapshot: SnapshotAssertion
) -> None:
    ending = start(["sh", "-c", script], 600)
    assert ending.status is None
    assert ending.output.rpartition("\n")[2] == snapshot
    assert len(ending.output) < 2 * SHOWN_BYTES


def test_daemon_that_keeps_the_output_open_delays_nothing(tmp_path: Path) -> None:
    script = f"setsid sleep 600 & echo $! > {tmp_path}/pid; echo done"
    ending = run(["sh", "-c", script], PATIENCE_S)
    pid = int((tmp_path / "pid").read_text())
    assert lives(pid)
    os.kill(pid, signal.SIGKILL)
    assert (ending.status, ending.output) == (0, "done\n")


def test_commands_that_run_together_can_meet(tmp_path: Path) -> None:
    meeting = tmp_path / "meeting"
    os.mkfifo(meeting)
    ends = [["sh", "-c", f"cat {meeting}"], ["sh", "-c", f"echo here > {meeting}"], ["/nowhere"]]
    first, second, missing = run_together(ends, PATIENCE_S)
    assert (first.status, first.output) == (0, "here\n")
    assert second.status == 0
    assert missing == CommandResult(None, f"/nowhere: {os.strerror(ENOENT)}")


def test_one_that_hangs_leaves_the_others_their_answers(snapshot: SnapshotAssertion) -> None:
    endings = run_together([["sleep", "60"], ["echo", "there"], ["sleep", "61"]], HANG_S)
    assert [ending.status for ending in endings] == [None, 0, None]
    assert [ending.output for ending in endings] == snapshot


def test_attended_command_has_this_process_s_own_output(capfd: pytest.CaptureFixture[str]) -> None:
    words = ["sh", "-c", "echo out $X; echo err >&2; exit 3"]
    assert attend(words, {"X": "x"}) == 3
    assert capfd.readouterr() == ("out x\n", "err\n")


def test_attended_command_that_a_signal_ends_has_the_status_that_shells_give_it() -> None:
    assert attend(["sh", "-c", "kill -KILL $$"], {}) == 128 + 9
    assert attend(["sh", "-c", "kill -TERM $$"], {}) == 128 + 15
