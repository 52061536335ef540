"""Background load: processes that keep cores busy while a campaign measures."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence

from leadline.errors import MachineError
from leadline.processes import Process, spawn
from leadline.record.caveats import Caveat, CaveatKind

SPIN = """
import os, sys
core, parent = int(sys.argv[1]), int(sys.argv[2])
os.sched_setaffinity(0, {core})
while os.getppid() == parent:
    for _ in range(100_000):
        pass
"""
"""Ends by itself when whoever started it is gone, however that came about."""


@contextlib.contextmanager
def background_load(cores: Sequence[int]) -> Iterator[None]:
    """One spinning process on each of `cores` (one may be named twice) until the block is left."""
    spinning: list[Process] = []
    try:
        for core in cores:
            spinning.append(_spinning(core))
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def _spinning(core: int) -> Process:
    command = [sys.executable, "-c", SPIN, str(core), str(os.getpid())]
    try:
        return spawn(command, bound=True)
    except OSError as error:
        raise MachineError(f"can't start the background load: {error}; leave --load out") from error


def described(cores: Sequence[int]) -> str | None:
    """What a run's facts of the machine say: nothing where there is no load."""
    which = ", ".join(map(str, dict.fromkeys(cores)))
    return f"{len(cores)} spinning, on cores {which}" if cores else None


def load_caveats(cores: Sequence[int]) -> list[Caveat]:
    """Says so under every table of a run with background load."""
    load = described(cores)
    if load is None:
        return []
    return [
        CaveatKind.BACKGROUND_LOAD.because(
            f"the tool itself kept cores busy beside the ranks: {load}"
        )
    ]
