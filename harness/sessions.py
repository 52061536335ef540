"""Test processes in sessions of their own, whom Ctrl-C reaches all the same.

Linux shares processors out among sessions first (sched(7), "The autogroup feature"), and each
launch of ranks is a session. All test processes in one, which is the terminal's and that of
whatever else it runs, had one share together beside as many as there are ranks that poll.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest


def begin(config: pytest.Config) -> None:
    """Begins one, in one of several test processes; in theirs, lets Ctrl-C reach all of them.

    A process that runs tests by itself hands nothing on: its children in sessions of their own are
    launches, which a front-end ends.
    """
    is_one_of_several = hasattr(config, "workerinput")
    if is_one_of_several:
        os.setsid()
    distributes = not is_one_of_several and config.getoption("numprocesses", None)
    signal.signal(signal.SIGINT, _interrupt if distributes else signal.default_int_handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    for pid in _children():
        with contextlib.suppress(ProcessLookupError):
            if os.getsid(pid) == pid:
                os.killpg(pid, signal.SIGINT)
    signal.default_int_handler(number, frame)


def _children() -> Iterator[int]:
    for path in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):  # a thread may end meanwhile
            yield from map(int, path.read_text().split())
