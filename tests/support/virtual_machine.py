"""Virtual machines for tests: PVM's daemon and the ranks of a program, and who is running."""

from __future__ import annotations

import functools
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from harness.kernels import FAULTS
from harness.patience import PATIENCE_S
from harness.steps import commands_of
from tests.support.processes import executable, processes, variable

from leadline.backends.backend import Backend
from leadline.backends.discovery.pvm import find_pvm
from leadline.backends.launchers import Command, JobStep
from leadline.kernels.build import Additions, build_kernel, describe
from leadline.measure.spec import Variant

RANKS = 2


@functools.cache
def installed() -> Backend:
    """PVM as this machine has it (tests/packages)."""
    found = find_pvm()
    assert found.usable, found.reason
    return found


@functools.cache
def kernel(additions: Additions | None = None) -> Path:
    """The kernel over pvm."""
    return build_kernel(installed(), additions)


def pvm_variant(name: str, fault: str | None = None, words: tuple[str, ...] = ()) -> Variant:
    """A variant over pvm; `fault` is what LEADLINE_FAULT says in its ranks."""
    built = kernel(FAULTS if fault else None)
    environment = dict(installed().environment) | ({"LEADLINE_FAULT": fault} if fault else {})
    return Variant(name, installed(), str(built), describe(built), environment, words)


def commands(*words: str, folder: str = "/tmp") -> list[Command]:
    """What is started for two ranks."""
    return commands_of(installed(), JobStep("/k", (), RANKS, {}, words, folder=folder))


@dataclass
class Machine:
    """A daemon and the ranks of `program`; leaving it ends them."""

    program: Path
    ranks: int
    words: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    running: list[subprocess.Popen[str]] = field(default_factory=list)
    folder: tempfile.TemporaryDirectory[str] = field(
        default_factory=lambda: tempfile.TemporaryDirectory(prefix="leadline-vm-")
    )

    def __enter__(self) -> Machine:
        step = JobStep(
            str(self.program), self.arguments, self.ranks, self.environment, self.words,
            folder=self.folder.name,
        )  # fmt: skip
        for command in commands_of(installed(), step):
            self.running.append(
                subprocess.Popen(
                    command.argv,
                    env=dict(command.environment) | {"PATH": "/usr/bin:/bin"},
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                )
            )
        return self

    @property
    def daemon(self) -> subprocess.Popen[str]:
        return self.running[0]

    def wait(self) -> list[int]:
        """The exit statuses, daemon first, once all ended or one badly; -1 for what runs on."""
        deadline = time.monotonic() + PATIENCE_S
        statuses = [process.poll() for process in self.running]
        while None in statuses and not any(statuses):
            assert time.monotonic() < deadline, "the machine hangs"
            time.sleep(0.005)
            statuses = [process.poll() for process in self.running]
        return [-1 if status is None else status for status in statuses]

    def said_by(self, rank: int) -> tuple[str, str]:
        """What `rank` printed, once it has ended."""
        return self.running[1 + rank].communicate(timeout=PATIENCE_S)

    def hears(self, rank: int) -> str:
        """The next line that comes out where `rank` complains."""
        stderr = self.running[1 + rank].stderr
        assert stderr is not None
        return stderr.readline()

    def __exit__(self, *_: object) -> None:
        for process in reversed(self.running):
            process.terminate()
        for process in self.running:
            process.communicate(timeout=PATIENCE_S)
        self.folder.cleanup()


def family_in(place: str) -> dict[int, str]:
    """Process and name of all whose PVM_TMP is below `place`."""
    mine = [pid for pid in processes() if variable(pid, "PVM_TMP").startswith(place)]
    return {pid: Path(executable(pid)).name for pid in mine if executable(pid)}
