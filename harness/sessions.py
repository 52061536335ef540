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
    """Begins one, in a test process; in theirs, lets Ctrl-C reach what runs in all of them."""
    if hasattr(config, "workerinput"):
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)
    else:
        signal.signal(signal.SIGINT, _interrupt)


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
