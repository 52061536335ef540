"""Whom Ctrl-C is handed on to by the processes that run the tests; a live test presses it."""

from __future__ import annotations

import os
import signal
from types import SimpleNamespace
from typing import Any

import pytest
from harness.sessions import begin

HANDS_ON, ENDS = "hands on", "ends itself"


class Config:
    """As far as it is asked; `worker`: of one of several test processes."""

    def __init__(self, processes: int | None, worker: bool) -> None:
        self.processes = processes
        if worker:
            self.workerinput = SimpleNamespace()

    def getoption(self, name: str, default: int | None) -> int | None:
        return {"numprocesses": self.processes}.get(name, default)


@pytest.mark.parametrize(
    ("processes", "worker", "does", "own_session"),
    [
        (None, False, ENDS, False),
        (0, False, ENDS, False),
        (3, False, HANDS_ON, False),
        (3, True, ENDS, True),
        (None, True, ENDS, True),
    ],
)
def test_only_who_gives_tests_to_others_hands_ctrl_c_on(
    monkeypatch: pytest.MonkeyPatch, processes: int | None, worker: bool, does: str,
    own_session: bool,
) -> None:  # fmt: skip
    set_to: dict[int, object] = {}
    sessions: list[bool] = []
    monkeypatch.setattr(signal, "signal", lambda number, to: set_to.update({number: to}))
    monkeypatch.setattr(os, "setsid", lambda: sessions.append(True))
    config: Any = Config(processes, worker)
    begin(config)
    (found,) = set_to.values()
    assert (found is signal.default_int_handler) == (does == ENDS)
    assert bool(sessions) == own_session
