"""A front-end that is killed leaves no process, also where one was stopped and sees nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.emulated import emulated_hosts, needs_root
from tests.support.processes import ended, lives, processes, until, variable

LEADLINE = (sys.executable, "-m", "leadline")
MEASURED = ("shm", "mpich", "openmpi", "impi", "shmem", "pvm")
"""Each with a launcher of its own."""
FOR_EVER = "int main(int c, char **v) { MPI_Init(&c, &v); for (;;) MPI_Barrier(MPI_COMM_WORLD); }"


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A short path: the names of PVM's sockets are to go below."""
    with tempfile.TemporaryDirectory(prefix="ll-") as folder:
        yield Path(folder)


def started(variable_name: str, beginning: str) -> list[int]:
    """Who lives and has this variable, whose value begins so."""
    return [
        pid
        for pid in processes()
        if variable(pid, variable_name).startswith(beginning) and lives(pid)
    ]


def started_below(temporary: Path) -> list[int]:
    """Who has a front-end that makes its files in `temporary`."""
    return started("LEADLINE_CONTROL", f"unix:{temporary}/")


def one_of_each_launch(temporary: Path) -> list[int]:
    """Of its ranks the last."""
    ranks = [pid for pid in started_below(temporary) if name(pid) == "kernel"]
    return list({variable(pid, "LEADLINE_LAUNCH"): pid for pid in ranks}.values())


def name(pid: int) -> str:
    """Of its program; empty of one that has ended."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def begun(temporary: Path, *words: str) -> subprocess.Popen[bytes]:
    """A campaign that is measuring."""
    journal = temporary / "run" / "journal.jsonl"
    run = ("run", "--patterns", "barrier", "--budget", "99s", "--out", str(journal.parent))
    front_end = subprocess.Popen(
        (*LEADLINE, *run, "--backends", *words),
        env=os.environ | {"TMPDIR": str(temporary)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    until(lambda: front_end.poll() is not None or measures(journal))
    assert front_end.poll() is None, front_end.communicate()
    return front_end


def measures(journal: Path) -> bool:
    return journal.exists() and '"slice"' in journal.read_text()


def test_stopped_ranks_go_with_their_killed_front_end(temporary: Path) -> None:
    with ended(begun(temporary, ",".join(MEASURED))) as front_end:
        stopped = one_of_each_launch(temporary)
        assert len(stopped) >= len(MEASURED)
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        front_end.kill()
        front_end.communicate()
    until(lambda: not started_below(temporary))


def test_killed_exec_leaves_no_simulator(tmp_path: Path) -> None:
    (tmp_path / "forever.c").write_text(f"#include <mpi.h>\n{FOR_EVER}\n")
    program = tmp_path / "forever"
    subprocess.run(["smpicc", "-o", program, tmp_path / "forever.c"], check=True)
    mine = {"TMPDIR": str(tmp_path), "LEADLINE_TEST_EXEC": str(tmp_path)}
    words = ("exec", "--simulate", "cray-t3e-900", "--npes", "2", str(program))
    with ended(subprocess.Popen([*LEADLINE, *words], env=os.environ | mine)) as front_end:
        until(lambda: "smpimain" in map(name, started("LEADLINE_TEST_EXEC", str(tmp_path))))
        front_end.kill()
    until(lambda: not started("LEADLINE_TEST_EXEC", str(tmp_path)))


@needs_root
def test_who_was_stopped_on_an_emulated_host_goes_with_who_entered_it(tmp_path: Path) -> None:
    mine = {"LEADLINE_TEST_ENTER": str(tmp_path)}
    with emulated_hosts(1) as hosts:
        words = ("hosts", "exec", hosts.hosts[0].name, "sleep", "600")
        with ended(subprocess.Popen([*LEADLINE, *words], env=os.environ | mine)) as front_end:
            until(lambda: "sleep" in map(name, started("LEADLINE_TEST_ENTER", str(tmp_path))))
            for inside in set(started("LEADLINE_TEST_ENTER", str(tmp_path))) - {front_end.pid}:
                os.kill(inside, signal.SIGSTOP)
            front_end.kill()
        until(lambda: not started("LEADLINE_TEST_ENTER", str(tmp_path)))
