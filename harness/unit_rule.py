"""The rule of unit tests: they start no process, look at no other, wait for no clock and no disk.

A folder's conftest.py imports both fixtures, and its tests are held to it.
"""

from __future__ import annotations

import multiprocessing.process
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from harness import prebuilt
from leadline.hosts.cleanup import identities
from leadline.hosts.cleanup import notes as guard

STARTERS = ("fork", "forkpty", "posix_spawn", "posix_spawnp", "system")
"""Functions of os."""
NOBODY = Path("/nonexistent/proc")


@pytest.fixture(scope="session")
def remembered() -> None:
    """What compilers and kernels are asked once in a process, asked before any test."""
    prebuilt.prime()


@pytest.fixture(scope="module", autouse=True)
def unit_rule(remembered: None) -> Iterator[None]:
    """Refuses what a unit test, and what its module sets up, may not do."""

    def refuse_to_start(*words: object, **_: object) -> NoReturn:
        started = next((word for word in words if isinstance(word, str | list | tuple)), "itself")
        raise AssertionError(
            f"a unit test starts no process: {started!r}; move the test to tests/live, "
            "a benchmark's into the benchmark"
        )

    def refuse_to_wait(seconds: float) -> None:
        if seconds > 0:
            raise AssertionError(
                f"a unit test waits for no clock: {seconds} s; give the code a clock, "
                "or move the test to tests/live"
            )

    def no_guard() -> NoReturn:
        raise OSError(
            "a unit test starts no guard; as where none can be started, the next clears up"
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guard, "_started", no_guard)
        patch.setattr(identities, "PROC", NOBODY)  # others come, go, and may be waited for
        patch.setattr(subprocess.Popen, "__init__", refuse_to_start)
        patch.setattr(multiprocessing.process.BaseProcess, "start", refuse_to_start)
        for name in STARTERS:
            patch.setattr(os, name, refuse_to_start)
        patch.setattr(time, "sleep", refuse_to_wait)
        patch.setattr(os, "fsync", lambda file: None)  # what it keeps need outlive no power cut
        yield
