"""`leadline trace`: what it refuses, and what a user gets."""

from __future__ import annotations

import json
import os
import selectors
import socket
from collections.abc import Callable
from errno import ENOENT
from pathlib import Path
from types import SimpleNamespace

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support import json_schema
from tests.support.goal import sent_at
from tests.support.processes import until
from tests.support.texts import lines_from, numbers

from leadline.cli import main
from leadline.measure import launch

Said = Callable[..., tuple[int, str, str]]
Ready = list[tuple[selectors.SelectorKey, int]]


@pytest.fixture
def ran(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Said:
    """Status, stdout and stderr of `leadline trace WORDS` in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def say(*words: str) -> tuple[int, str, str]:
        status = main(["trace", *words])
        return status, *capsys.readouterr()

    return say


# -- refused ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ("--patterns", "bcst"),
        ("--patterns", "bcast", "--ranks", "0"),
        ("--patterns", "bcast", "--root", "2"),
        ("--patterns", "bcast", "--repetitions", "0"),
        ("--patterns", "bcast", "--sizes", "x"),
        ("--patterns", "halo:2x2", "--ranks", "3"),
        ("--patterns", "halo:2x0"),
        ("--patterns", "pingpong", "--ranks", "1"),
        ("--patterns", "pair", "--ranks", "3"),
        ("--patterns", "barrier_counter"),
        ("--patterns", "bcast,"),
    ],
    ids=" ".join,
)
def test_what_cant_be_traced_is_an_error_that_says_why(
    words: tuple[str, ...], ran: Said, snapshot: SnapshotAssertion
) -> None:
    status, out, err = ran(*words)
    assert (status, out) == (2, "")
    assert err == snapshot
    assert err.count("\n") == 1


def test_more_ranks_than_memory_has_room_for_are_an_error(ran: Said) -> None:
    status, out, err = ran("--patterns", "bcast", "--ranks", "1000000")
    assert (status, out) == (2, "")
    assert "1000000" in numbers(err) and "--sizes" in err and "--ranks" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ("--patterns", "bcast,reduce"),
        ("--patterns", "bcast", "--sizes", "8,64"),
        ("--patterns", "bcast", "--ranks", "2,4"),
    ],
)
def test_goal_of_several_traces_is_refused_before_any_is_made(
    words: tuple[str, ...], ran: Said, snapshot: SnapshotAssertion
) -> None:
    status, out, err = ran(*words, "--goal", "x.goal")
    assert (status, out) == (2, "")
    assert err == snapshot
    assert not Path("x.goal").exists()


def test_goal_that_cant_be_written_is_an_error(ran: Said) -> None:
    status, _, err = ran("--patterns", "pingpong", "--goal", "no/such/x.goal")
    assert status == 2
    assert f"--goal no/such/x.goal: {os.strerror(ENOENT)}" in err


class Hasty(selectors.DefaultSelector):
    """Sees nothing that arrives."""

    def select(self, timeout: float | None = None) -> Ready:
        return []


class Late(selectors.DefaultSelector):
    """Looks when all has arrived."""

    def select(self, timeout: float | None = None) -> Ready:
        until(lambda: all(has_a_line(key.fileobj) for key in self.get_map().values()))
        return super().select(0)


def has_a_line(connection: object) -> bool:
    """Whether a whole answer has arrived over a socket, which keeps it."""
    assert isinstance(connection, socket.socket)
    try:
        return connection.recv(2**20, socket.MSG_PEEK | socket.MSG_DONTWAIT).endswith(b"\n")
    except BlockingIOError:
        return False


def test_ranks_that_dont_answer_in_time_are_named(
    ran: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "selectors", SimpleNamespace(DefaultSelector=Hasty, EVENT_READ=1))
    status, out, err = ran("--patterns", "alltoall", "--ranks", "3", "--patience", "1ns")
    assert (status, out) == (1, "")
    assert "alltoall" in err and numbers(err)[:3] == ["3", "1024", "0"]
    assert "rank 2: " in err and err.count("\n") == 1


def test_ranks_that_answered_when_time_was_up_arent_stuck(
    ran: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "selectors", SimpleNamespace(DefaultSelector=Late, EVENT_READ=1))
    status, _, err = ran("--patterns", "alltoall", "--ranks", "3", "--patience", "1ns")
    assert (status, err) == (0, "")


# -- said ------------------------------------------------------------------------------------------


def test_json_is_as_its_schema_says(ran: Said) -> None:
    status, out, _ = ran("--patterns", "bcast,barrier", "--ranks", "2,4", "--sizes", "8", "--json")
    assert status == 0
    json_schema.check("trace", out)
    traces = json.loads(out)["traces"]
    assert [(one["pattern"], one["ranks"]) for one in traces] == [
        ("bcast", 2), ("barrier", 2), ("bcast", 4), ("barrier", 4),
    ]  # fmt: skip
    assert traces[0]["phases"] == [[[0, 1, 8]]]


def test_what_is_left_out_is_warned_of_and_the_rest_is_traced(ran: Said) -> None:
    status, out, _ = ran("--patterns", "pingpong,barrier_counter,pair", "--ranks", "3", "--json")
    found = json.loads(out)
    assert status == 0
    assert [one["pattern"] for one in found["traces"]] == ["pingpong"]
    assert [one["code"] for one in found["warnings"]] == ["absent", "odd_ranks"]


def test_goal_is_a_schedule_that_comes_to_an_end(ran: Said) -> None:
    status, out, err = ran("--patterns", "halo:2x2", "--ranks", "4", "--goal", "halo.goal")
    assert status == 0
    assert "halo.goal" in err
    (heading,) = lines_from("halo:2x2 ", out)
    assert numbers(heading) == ["1", "4", "1"]
    text = Path("halo.goal").read_text()
    assert text.startswith(f"// {heading}\nnum_ranks 4\n")
    assert sent_at(text, rendezvous=True)
