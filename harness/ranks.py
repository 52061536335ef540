"""Ranks of a program, started without a front-end, and what they said."""

from __future__ import annotations

import os
import subprocess
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path

from harness.patience import PATIENCE_S
from harness.steps import commands_of
from leadline.backends.backend import Backend
from leadline.backends.launchers import JobStep
from leadline.processes import CommandResult, run


@dataclass
class Ranks:
    """Ranks of one program over a raw transport; leaving it ends them."""

    program: Path
    ranks: int
    arguments: tuple[str, ...] = ()
    name: str = field(default_factory=lambda: uuid.uuid4().hex)
    running: list[subprocess.Popen[str]] = field(default_factory=list)

    def start(self, rank: int) -> subprocess.Popen[str]:
        place = {"LEADLINE_RANK": str(rank), "LEADLINE_RANKS": str(self.ranks)}
        process = subprocess.Popen(
            [str(self.program), *self.arguments],
            env=os.environ | place | {"LEADLINE_JOB": self.name},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.running.append(process)
        return process

    def start_all(self) -> None:
        for rank in range(self.ranks):
            self.start(rank)

    def meet(self) -> None:
        """Starts all ranks; returns when each has said that it is ready."""
        self.start_all()
        for process in self.running:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"

    @property
    def segment(self) -> Path:
        return Path(f"/dev/shm/leadline-{self.name}")

    def wait(self) -> None:
        """Returns when all ranks have ended, or one of them with a status other than 0."""
        deadline = time.monotonic() + PATIENCE_S
        statuses = [process.poll() for process in self.running]
        while None in statuses and not any(statuses):
            assert time.monotonic() < deadline, "the ranks hang"
            time.sleep(0.005)
            statuses = [process.poll() for process in self.running]

    def __enter__(self) -> Ranks:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.running:
            process.kill()
            process.communicate()
        self.segment.unlink(missing_ok=True)


def said_by_rank_0(program: Path, ranks: int, *words: str) -> str:
    """Runs `program` with `words` on `ranks` processes, all of which must end well."""
    with Ranks(program, ranks, words) as job:
        job.start_all()
        job.wait()
        failed = [process for process in job.running if process.returncode]
        assert not failed, failed[0].communicate()[1]
        return job.running[0].communicate()[0]


def launched(program: Path, ranks: int, backend: Backend, *words: str) -> CommandResult:
    """How `program` on `ranks` ranks, started by the launcher of `backend`, ended."""
    crowded = ranks > len(os.sched_getaffinity(0))
    step = JobStep(str(program), words, ranks, {}, oversubscribed=crowded)
    (command,) = commands_of(backend, step)
    return run(command.argv, PATIENCE_S, command.environment)
