"""Who is killed is cleared up after though nobody comes; who ends in order takes its guard too."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.guards import guards
from tests.support.processes import ended, lives, until

from leadline.hosts.cleanup.notes import Guard

FRONT_END = """
import sys, tempfile
from pathlib import Path
from leadline.hosts.cleanup.notes import LAUNCH, forget, note
from leadline.processes import spawn
folder = Path(tempfile.mkdtemp(prefix="leadline-launch-"))
noted = note(folder, "a name", ("planted-",))
rank = spawn(("sleep", "600"), {LAUNCH: "a name"})
noted.know_processes([rank.pid])
print(rank.pid, flush=True)
sys.stdin.read()
rank.kill()
rank.wait()
folder.rmdir()
forget(noted)
"""


def begun(tmp_path: Path) -> subprocess.Popen[bytes]:
    """What notes a folder and a process, waits until it reads its end, and clears up."""
    (tmp_path / "tmp").mkdir()
    mine = {"TMPDIR": str(tmp_path / "tmp"), "XDG_STATE_HOME": str(tmp_path / "state")}
    words, pipe = (sys.executable, "-c", FRONT_END), subprocess.PIPE
    return subprocess.Popen(words, env=os.environ | mine, stdin=pipe, stdout=pipe)


def rank_of(front_end: subprocess.Popen[bytes]) -> int:
    assert front_end.stdout is not None
    return int(front_end.stdout.readline())


def left(tmp_path: Path) -> list[Path]:
    return [*(tmp_path / "tmp").iterdir(), *(tmp_path / "state").rglob("*.*")]


def test_who_is_killed_leaves_nothing_though_nobody_comes_after(tmp_path: Path) -> None:
    foreign = tmp_path / "tmp" / "leadline-launch-foreign"
    with (
        ended(begun(tmp_path)) as front_end,
        ended(subprocess.Popen(["sleep", "600"], env={"LEADLINE_LAUNCH": "another"})) as other,
    ):
        rank = rank_of(front_end)
        foreign.mkdir()
        assert len(guards(tmp_path / "state")) == 1
        front_end.kill()
        front_end.wait()
        until(lambda: not guards(tmp_path / "state"))
        assert not lives(rank)
        assert left(tmp_path) == [foreign]
        assert lives(other.pid)
        other.kill()


def test_without_the_guard_it_all_stays(tmp_path: Path) -> None:
    with ended(begun(tmp_path)) as front_end:
        rank = rank_of(front_end)
        (guard,) = guards(tmp_path / "state")
        os.kill(guard, signal.SIGKILL)
        front_end.kill()
        front_end.wait()
    until(lambda: not guards(tmp_path / "state"))
    assert lives(rank)
    os.kill(rank, signal.SIGKILL)
    assert len(left(tmp_path)) == 2


def test_orderly_front_end_takes_its_guard_with_it(tmp_path: Path) -> None:
    with ended(begun(tmp_path)) as front_end:
        rank_of(front_end)
        assert len(guards(tmp_path / "state")) == 1
        front_end.communicate()
        assert guards(tmp_path / "state") == []
        assert front_end.returncode == 0
    assert left(tmp_path) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP, signal.SIGTERM])
def test_guard_survives_what_the_terminal_sends(tmp_path: Path, number: signal.Signals) -> None:
    with ended(begun(tmp_path)) as front_end:
        rank = rank_of(front_end)
        (guard,) = guards(tmp_path / "state")
        assert os.getsid(guard) == guard
        os.kill(guard, number)
        front_end.kill()
    until(lambda: not guards(tmp_path / "state"))
    assert not lives(rank)
    assert left(tmp_path) == []


def test_guard_holds_nothing_of_its_front_end_open(tmp_path: Path) -> None:
    with ended(begun(tmp_path)) as front_end:
        rank_of(front_end)
        (guard,) = guards(tmp_path / "state")
        opened = {path.name: path.readlink() for path in Path(f"/proc/{guard}/fd").iterdir()}
        assert Path(f"/proc/{guard}/cwd").readlink() == Path("/")
        front_end.communicate()
    assert {str(opened.pop("1")), str(opened.pop("2"))} == {"/dev/null"}
    assert list(opened) == ["0"]


def test_stopped_guard_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    guard, record = Guard(), tmp_path / ("x" * 200)
    guard.tell(record)
    (pid,) = guards(tmp_path)
    os.kill(pid, signal.SIGSTOP)
    try:
        for _ in range(1000):
            guard.tell(record)
    finally:
        os.kill(pid, signal.SIGKILL)
    until(lambda: not guard.is_there)
    guard.tell(None)
    guard.leave()
    assert not guard.is_there


def test_guard_that_was_killed_has_a_successor(tmp_path: Path) -> None:
    guard = Guard()
    guard.tell(tmp_path / "record")
    guard.leave()
    assert not guard.is_there
    guard.tell(tmp_path / "record")
    assert guard.is_there
    guard.leave()
