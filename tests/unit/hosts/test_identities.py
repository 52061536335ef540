"""Which process it is, in the instant in which it becomes another program."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from leadline.hosts.cleanup import identities
from leadline.hosts.cleanup.identities import BECOMES_S, environment_at_start, has

PID = 4711
ENVIRONMENT = b"A=1\0LEADLINE_LAUNCH=name\0"


@pytest.fixture
def process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What /proc has of a process whose memory is new, and empty yet."""
    monkeypatch.setattr(identities, "PROC", tmp_path)
    folder = tmp_path / str(PID)
    folder.mkdir()
    (folder / "exe").symlink_to("/bin/sleep")
    (folder / "environ").write_bytes(b"")
    (folder / "stat").write_text(stat(0))
    return folder


def stat(environment_end: int) -> str:
    fields = ["R", *("1",) * 47, str(environment_end), "0"]
    return f"{PID} (sleep) {' '.join(fields)}\n"


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[int], None]], list[float]]:
    """Has `then` done with the number of each wait; the waits, in seconds."""

    def wait_with(then: Callable[[int], None]) -> list[float]:
        waits: list[float] = []

        def sleep(seconds: float) -> None:
            waits.append(seconds)
            then(len(waits))

        monkeypatch.setattr(time, "sleep", sleep)
        monkeypatch.setattr(time, "monotonic", lambda: sum(waits))
        return waits

    return wait_with


def test_process_that_becomes_another_program_is_waited_for(
    process: Path, waited: Callable[[Callable[[int], None]], list[float]]
) -> None:
    def then(number: int) -> None:
        if number == 3:
            (process / "environ").write_bytes(ENVIRONMENT)

    waits = waited(then)
    assert has(PID, "LEADLINE_LAUNCH", "name")
    assert len(waits) == 3
    assert not has(PID, "LEADLINE_LAUNCH", "nam")


def test_process_that_never_becomes_one_is_not_waited_for_without_end(
    process: Path, waited: Callable[[Callable[[int], None]], list[float]]
) -> None:
    waits = waited(lambda _: None)
    assert environment_at_start(PID) == b""
    assert BECOMES_S < sum(waits) < 1.1 * BECOMES_S


@pytest.mark.parametrize("what", ["empty environment", "kernel thread", "gone"])
def test_who_has_no_environment_is_not_waited_for(
    what: str, process: Path, waited: Callable[[Callable[[int], None]], list[float]]
) -> None:
    waits = waited(lambda _: None)
    if what == "empty environment":
        (process / "stat").write_text(stat(140_000))
    elif what == "kernel thread":
        (process / "exe").unlink()
    else:
        (process / "environ").unlink()
    assert environment_at_start(PID) == b""
    assert waits == []
