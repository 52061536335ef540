"""What is said while kernels are compiled."""

from __future__ import annotations

import io
import sys

import pytest
from syrupy.assertion import SnapshotAssertion

from leadline.report.text.progress import CLEARED, say_compiling

NAMES = ("mpich", "openmpi", "shm")


class Terminal(io.StringIO):
    """Says that it is one."""

    def isatty(self) -> bool:
        return True


def ran(stderr: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "stderr", stderr)
    for done in range(len(NAMES) + 1):
        say_compiling(NAMES, done)
    return stderr.getvalue()


def test_terminal_has_one_line_that_is_gone_at_the_end(
    monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    assert ran(Terminal(), monkeypatch).split(CLEARED) == snapshot


def test_elsewhere_it_is_one_line_for_all(
    monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    assert ran(io.StringIO(), monkeypatch) == snapshot
