"""Neither Ctrl-C nor kill -9 leaves what MPICH keeps in shared memory and /tmp, nor our folders."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from harness.patience import PATIENCE_S
from tests.support.emulated import needs_root
from tests.support.guards import guards
from tests.support.own_memory import OwnMemory, own_memory
from tests.support.processes import ended, lives, processes, until, variable

from leadline.hosts.cleanup.notes import noted_folder

pytestmark = needs_root
LEADLINE = (sys.executable, "-m", "leadline")


@pytest.fixture
def memory() -> Iterator[OwnMemory]:
    with own_memory("1g", "/tmp") as mine:
        yield mine


@pytest.fixture
def temporary() -> Iterator[Path]:
    with noted_folder("leadline-left-", Path("/var/tmp")) as folder:
        for name in ("run", "tmp", "state"):
            (folder / name).mkdir()
        yield folder


def begun(memory: OwnMemory, temporary: Path) -> subprocess.Popen[bytes]:
    """A campaign over MPICH in memory of its own."""
    run = ("run", "--backends", "mpich", "--patterns", "barrier", "--budget", "99s")
    return subprocess.Popen(
        memory.inside(*LEADLINE, *run, "--out", str(temporary / "run" / "one")),
        env=os.environ | around(temporary),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def around(temporary: Path) -> dict[str, str]:
    return {"TMPDIR": str(temporary / "tmp"), "XDG_STATE_HOME": str(temporary / "state")}


def segments(memory: OwnMemory) -> set[str]:
    return {name for name in memory.files() if name.startswith("mpich_shm_")}


def started(temporary: Path) -> list[int]:
    """Ranks, and what starts them."""
    mine = f"unix:{temporary}/"
    found = (pid for pid in processes() if variable(pid, "LEADLINE_CONTROL").startswith(mine))
    return [pid for pid in found if lives(pid)]


def left(memory: OwnMemory, temporary: Path) -> list[Path]:
    """In shared memory, in /tmp, and among what the front-end keeps; processes aside."""
    mine = [*(temporary / "tmp").iterdir(), *(temporary / "state").rglob("*.*")]
    return [*memory.folder.iterdir(), *memory.made_in("/tmp"), *mine]


def measures(temporary: Path) -> bool:
    journal = temporary / "run" / "one" / "journal.jsonl"
    return journal.exists() and '"slice"' in journal.read_text()


def while_starting(memory: OwnMemory, temporary: Path) -> bool:
    return len(segments(memory)) > 0 and len(started(temporary)) > 0


def while_measuring(memory: OwnMemory, temporary: Path) -> bool:
    return measures(temporary)


@pytest.mark.parametrize("moment", [while_starting, while_measuring])
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_who_is_told_to_end_leaves_nothing(
    memory: OwnMemory,
    temporary: Path,
    how: signal.Signals,
    moment: Callable[[OwnMemory, Path], bool],
) -> None:
    with ended(begun(memory, temporary)) as front_end:
        until(lambda: moment(memory, temporary))
        front_end.send_signal(how)
        assert front_end.wait(PATIENCE_S) == 130
    assert left(memory, temporary) == []
    assert guards(temporary / "state") == []


@pytest.mark.parametrize("moment", [while_starting, while_measuring])
def test_who_is_killed_leaves_nothing_though_nobody_comes_after(
    memory: OwnMemory, temporary: Path, moment: Callable[[OwnMemory, Path], bool]
) -> None:
    with ended(begun(memory, temporary)) as front_end:
        until(lambda: moment(memory, temporary))
        assert len(left(memory, temporary)) > 1
        front_end.kill()
    until(lambda: not guards(temporary / "state"))
    assert started(temporary) == []
    assert left(memory, temporary) == []


def test_who_is_killed_with_all_ranks_and_its_guard_is_cleared_up_after(
    memory: OwnMemory, temporary: Path
) -> None:
    with ended(begun(memory, temporary)) as front_end:
        until(lambda: measures(temporary))
        processes = [*guards(temporary / "state"), *started(temporary)]
        front_end.kill()
        for pid in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    until(lambda: not started(temporary))
    (memory.folder / "mpich_shm_foreign_0").touch()
    mapped, foreign = segments(memory), temporary / "tmp" / "leadline-launch-foreign"
    foreign.mkdir()
    assert len(list((temporary / "tmp").iterdir())) > 1
    done = subprocess.run(
        memory.inside(*LEADLINE, "doctor", "--clean", "--json"),
        env=os.environ | around(temporary),
        capture_output=True,
        check=True,
    )
    removed = json.loads(done.stdout)["removed"]
    assert set(removed["segments"]) == {f"/dev/shm/{name}" for name in mapped} - {
        "/dev/shm/mpich_shm_foreign_0"
    }
    assert len(removed["folders"]) > 1
    assert memory.files() == {"mpich_shm_foreign_0"}
    assert list((temporary / "tmp").iterdir()) == [foreign]
