"""What a campaign asks of the machine that it runs on: time, processes, and how its hosts are.

A campaign is handed one. `OPERATING_SYSTEM` is the real one; `leadline.scripted` has machines that
play a script in virtual time, without a process.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO, Protocol

from leadline.backends.discovery.probe import transport_used
from leadline.backends.kinds import Kind
from leadline.backends.launchers import Command
from leadline.errors import MachineError
from leadline.hosts.cleanup.identities import FileIdentity, started_with
from leadline.hosts.cleanup.notes import LAUNCH, Note, is_guarded, note
from leadline.hosts.cleanup.sweep import Swept, end_processes, remove_old_folders, sweep
from leadline.hosts.cores import Site
from leadline.hosts.network import apart
from leadline.hosts.schedulers import BatchJob, RemoteShell
from leadline.hosts.survey import this_site
from leadline.hosts.this_host import Load, present_load, shared_memory_is_short
from leadline.kernels.clock import SYSTEM_CLOCK, Clock
from leadline.kernels.connections import sweep_folders
from leadline.kernels.progress import RankState, read_state
from leadline.measure.spec import Variant
from leadline.processes import CommandResult, Process, run_together, spawn
from leadline.record.warnings import RunWarning, WarningKind, warning_of

SPIN = """
import os, sys
core, parent = int(sys.argv[1]), int(sys.argv[2])
os.sched_setaffinity(0, {core})
while os.getppid() == parent:
    for _ in range(100_000):
        pass
"""
"""Keeps a core busy; ends by itself when the process that started it is gone, in whatever way."""


@contextlib.contextmanager
def background_load(cores: Sequence[int]) -> Iterator[None]:
    """One spinning process on each of `cores` (one may be named twice) until the block is left."""
    spinning: list[Process] = []
    try:
        for core in cores:
            command = [sys.executable, "-c", SPIN, str(core), str(os.getpid())]
            try:
                spinning.append(spawn(command, bound=True))
            except OSError as error:
                problem = f"can't start the background load: {error}; leave --load out"
                raise MachineError(problem) from error
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def described(cores: Sequence[int]) -> str | None:
    """The background load as a run's facts of the machine have it; None: there is none."""
    which = ", ".join(map(str, dict.fromkeys(cores)))
    return f"{len(cores)} spinning, on cores {which}" if cores else None


def load_warnings(cores: Sequence[int]) -> list[RunWarning]:
    """The warning under every table of a run with background load."""
    load = described(cores)
    if load is None:
        return []
    return [warning_of(WarningKind.BACKGROUND_LOAD, load=load)]


SCRATCH = "leadline-launch-"
"""How the names of launches' directories begin."""
LEFT_BEHIND_S = 86_400.0
"""A launch's directory as old as this belongs to a front-end that was killed."""


class LaunchedProcess(Protocol):
    """A process of a launch, as subprocess.Popen has it."""

    @property
    def pid(self) -> int:
        """Its process number, which is also that of its session."""

    def poll(self) -> int | None:
        """Its exit status, negative where a signal ended it; None: it runs."""

    def terminate(self) -> None:
        """Asks it to end."""


class System(Protocol):
    """The machine under a campaign."""

    @property
    def clock(self) -> Clock:
        """The campaign's clock."""

    def sweep(self) -> Swept:
        """Removes what killed front-ends left behind, and returns what that was."""

    def load(self) -> Load:
        """What runs on this host now."""

    def shared_memory_is_short(self) -> bool:
        """Whether /dev/shm has so little room that a library may send another way."""

    def spinning(self, cores: Sequence[int]) -> AbstractContextManager[None]:
        """A context in which a process spins on each of `cores`."""

    def transport_of(self, variant: Variant, job: BatchJob | None) -> str:
        """What carries the messages of `variant` on this host now, as a launch of its own says."""

    def note(self, scratch: Path, launch: str, kind: Kind) -> Note | None:
        """Notes what is to be cleaned up behind the launch of that name; None: nothing is noted."""

    def start(self, command: Command, output: IO[bytes]) -> LaunchedProcess:
        """Starts `command`, which prints to `output`; OSError where it can't be started."""

    def kill(self, process: LaunchedProcess) -> None:
        """Kills the session of `process`; nothing happens where it has ended."""

    def processes_of(self, launch: str) -> set[int]:
        """The processes of this host that have the name of that launch, as far as can be seen."""

    def end_processes(self, note: Note, patience_s: float) -> set[FileIdentity]:
        """Ends what still runs of a launch after so long; returns the segments that it mapped."""

    def site(self) -> Site:
        """This host."""

    def rank_state(self, rank: int, page: Path, pid: int) -> RankState:
        """The status of `rank`, a process of this host with the progress page `page`."""

    def ask(self, commands: Sequence[Sequence[str]], timeout_s: float) -> list[CommandResult]:
        """Runs `commands`, which go into hosts, all at the same time; how each ended."""

    def apart(self, shells: Mapping[str, RemoteShell]) -> set[frozenset[str]]:
        """The pairs of hosts with these `shells` that don't reach each other."""


class OperatingSystem:
    """The real one."""

    clock = SYSTEM_CLOCK

    def sweep(self) -> Swept:
        """What is written down, and folders of long ago."""
        swept, old = sweep(), remove_old_folders(SCRATCH, LEFT_BEHIND_S)
        return swept + Swept((*sweep_folders(LEFT_BEHIND_S), *old))

    def load(self) -> Load:
        """By the mean of the last minute."""
        return present_load()

    def shared_memory_is_short(self) -> bool:
        """By the file system's own word."""
        return shared_memory_is_short()

    def spinning(self, cores: Sequence[int]) -> AbstractContextManager[None]:
        """Processes of Python."""
        return background_load(cores)

    def transport_of(self, variant: Variant, job: BatchJob | None) -> str:
        """By a diagnostic launch."""
        return transport_used(variant.backend, variant.environment, variant.arguments, job=job)

    def note(self, scratch: Path, launch: str, kind: Kind) -> Note | None:
        """In the user's folder of what this process has started."""
        return note(scratch, launch, kind.segments, kind.daemons)

    def start(self, command: Command, output: IO[bytes]) -> LaunchedProcess:
        """In a session of its own."""
        bound = command.bound and not (command.lingers and is_guarded())
        return spawn(command.argv, command.environment, output, command.read, bound)

    def kill(self, process: LaunchedProcess) -> None:
        """By SIGKILL."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)

    def processes_of(self, launch: str) -> set[int]:
        """By their environment."""
        return started_with(LAUNCH, [launch])

    def end_processes(self, note: Note, patience_s: float) -> set[FileIdentity]:
        """By signals, first to launchers."""
        return end_processes([note], patience_s)[1]

    def site(self) -> Site:
        """As it calls itself."""
        return this_site()

    def rank_state(self, rank: int, page: Path, pid: int) -> RankState:
        """By its page and /proc."""
        return read_state(rank, page, pid)

    def ask(self, commands: Sequence[Sequence[str]], timeout_s: float) -> list[CommandResult]:
        """By processes of this host."""
        return run_together(commands, timeout_s)

    def apart(self, shells: Mapping[str, RemoteShell]) -> set[frozenset[str]]:
        """As the hosts say themselves."""
        return apart(shells)


OPERATING_SYSTEM: System = OperatingSystem()
