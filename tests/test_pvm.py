"""PVM: the contract under every setting, the daemon's life, and what goes wrong with either."""

from __future__ import annotations

import functools
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from leadline.backend import Backend
from leadline.build import OWN_LIBRARIES, SOURCES
from leadline.discovery.pvm import find_pvm
from leadline.launchers import Job, launcher_for
from test_transport import PATIENCE_S, link

EVERY_SETTING = [(), ("raw", "direct"), ("inplace", "spawn"), ("direct", "spawn"), ("inplace",)]


@functools.cache
def installed() -> Backend:
    """PVM as this machine has it (tests/packages)."""
    found = find_pvm()
    assert found.usable, found.reason
    return found


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="leadline-pvm-") as made:
        yield Path(made)


@functools.cache
def contract(into: Path, checks: str = "contract") -> Path:
    """The program `checks` over pvm."""
    sources = [SOURCES / "tests" / f"{checks}.c", SOURCES / "backends" / "pvm.c"]
    sources += sorted((SOURCES / "backends" / "pvm").glob("*.c"))
    done = link(sources, into / checks, libraries=OWN_LIBRARIES["pvm"])
    assert done.returncode == 0, done.stderr
    return into / checks


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
        job = Job(
            str(self.program), self.arguments, self.ranks, 2, self.environment, self.words,
            self.folder.name,
        )  # fmt: skip
        for command in launcher_for(installed()).commands(job):
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

    def __exit__(self, *_: object) -> None:
        for process in reversed(self.running):
            process.terminate()
        for process in self.running:
            process.communicate(timeout=PATIENCE_S)
        self.folder.cleanup()


@pytest.mark.parametrize("ranks", [1, 2, 4])
@pytest.mark.parametrize("words", EVERY_SETTING, ids=" ".join)
def test_pvm_keeps_the_contract(words: tuple[str, ...], ranks: int, folder: Path) -> None:
    with Machine(contract(folder), ranks, words) as machine:
        said, errors = machine.said_by(0)
        assert f"facts hold over {ranks} ranks of PVM 3.4" in said, errors
        assert not any(machine.wait())


@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
def test_collectives_over_pvm_leave_every_block_where_it_belongs(ranks: int, folder: Path) -> None:
    with Machine(contract(folder, "collectives"), ranks) as machine:
        assert not any(machine.wait()), machine.said_by(0)
