"""Who runs on this machine, as /proc says."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.patience import PATIENCE_S

from leadline.hosts.cleanup.identities import environment_at_start
from leadline.processes import input_without_end

OFTEN_S = 0.02
WORKER = "PYTEST_XDIST_WORKER"
"""Set in each of several test processes, and inherited by what it starts."""


def until(met: Callable[[], bool]) -> None:
    """Returns when it is so."""
    deadline = time.monotonic() + PATIENCE_S
    while not met():
        assert time.monotonic() < deadline, "in vain"
        time.sleep(OFTEN_S)


@contextlib.contextmanager
def ended(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """Waits for `process` behind the block; where that fails it is killed, for it may never end."""
    with process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise


def run_launcher(
    argv: Sequence[str], environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Runs a launcher of ranks in `environment`, which gets an input, as MPICH's mpiexec needs."""
    return subprocess.run(
        argv,
        env=environment,
        stdin=input_without_end(),
        capture_output=True,
        text=True,
        check=False,
    )


def processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").glob("[0-9]*")]


def running(program: str) -> list[int]:
    """The processes of the executable `program` that tests beside this process didn't start."""
    return [pid for pid in processes() if executable(pid) == program and not of_others(pid)]


def of_others(pid: int) -> bool:
    """Whether another of several test processes (`-n`) started `pid`, or what did."""
    return variable(pid, WORKER) not in ("", os.environ.get(WORKER, ""))


def lives(pid: int) -> bool:
    """Zombies don't."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def parent_of(pid: int) -> int | None:
    """None: it is gone."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def executable(pid: int) -> str:
    try:
        return str(Path(f"/proc/{pid}/exe").readlink())
    except OSError:
        return ""


def variable(pid: int, name: str) -> str:
    """The variable `name` that process `pid` was started with; empty without one."""
    words = environment_at_start(pid).decode(errors="replace").split("\0")
    return next((w.partition("=")[2] for w in words if w.startswith(f"{name}=")), "")


@dataclass
class Sightings:
    """What anybody, and what only its owner, could read of processes while they ran."""

    command_lines: set[str] = field(default_factory=set)
    values: dict[str, set[str]] = field(default_factory=dict)
    """By the variables that were looked for, of processes that have all of them."""

    def look(self) -> None:
        for pid in processes():
            with contextlib.suppress(OSError):
                words = Path(f"/proc/{pid}/cmdline").read_bytes()
                self.command_lines.add(words.decode(errors="replace").replace("\0", " "))
            found = {name: variable(pid, name) for name in self.values}
            if all(found.values()):
                for name, value in found.items():
                    self.values[name].add(value)

    def shown(self) -> list[str]:
        """The command lines that have one of the values in them."""
        hidden = [value for values in self.values.values() for value in values]
        return [line for line in self.command_lines if any(value in line for value in hidden)]


@contextlib.contextmanager
def watching(variables: Iterable[str]) -> Iterator[Sightings]:
    """Looks again and again, until it is left."""
    seen, over = Sightings(values={name: set() for name in variables}), threading.Event()

    def look() -> None:
        while not over.wait(OFTEN_S):
            seen.look()

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield seen
    finally:
        over.set()
        watcher.join()
