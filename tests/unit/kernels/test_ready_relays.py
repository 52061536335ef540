"""Relays as the front-end hears them: they say that they listen, then their ranks' hellos."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from harness.callers import Caller, Front, hello, rank_of, until
from tests.support.ready_relays import LISTENS, ready_relay, relay_of

from leadline.kernels.connections import Cause


@pytest.fixture
def server() -> Iterator[Front]:
    with Front.listening() as listening:
        yield listening


def test_ranks_arrive_one_by_one_over_the_connection_of_their_relay(server: Front) -> None:
    relay = relay_of(server)
    ready = ready_relay(server)
    relay.says(hello(2, 3) + hello(0, 3)[:9])
    first = until(server, lambda arrived: len(arrived) == 1)
    relay.says(hello(0, 3)[9:] + hello(1, 3))
    others = until(server, lambda arrived: len(arrived) == 2)
    assert [arrival.hello.rank for arrival in first + others] == [2, 0, 1]
    assert {arrival.connection for arrival in first + others} == {ready.connection}
    assert server._proved == {}
    assert rank_of(server).hello.rank == 0


def test_connections_that_a_relay_refused_are_counted(server: Front) -> None:
    relay = relay_of(server)
    relay.says(b"stranger forged\nstranger silent\nstranger forged\n" + hello(0, 3))
    until(server, lambda arrived: len(arrived) == 1)
    assert server.refused == {Cause.FORGED: 2, Cause.SILENT: 1}


@pytest.mark.parametrize(
    "words",
    [
        LISTENS,
        b"stranger nonsense\n",
        b"lost rank=0 how=silent\n",
        b"missing ranks=0\n",
        b"nonsense\n",
    ],
)
def test_relay_that_says_something_else_is_refused(server: Front, words: bytes) -> None:
    relay = relay_of(server)
    ready_relay(server)
    relay.says(words)
    until(server, lambda _: bool(server.refused))
    assert server.refused == {Cause.NO_HELLO: 1}
    assert relay.is_hung_up_on()


@pytest.mark.parametrize(
    "words", [b"relay ranks=0 host=h pid=1\n", b"relay ranks=-1 host=h pid=1\n"]
)
def test_relay_of_no_ranks_is_none(server: Front, words: bytes) -> None:
    relay = Caller(server)
    relay.proves()
    relay.says(words)
    until(server, lambda _: bool(server.refused))
    assert server.refused == {Cause.NO_HELLO: 1}


def test_rank_cant_become_a_relay(server: Front) -> None:
    rank = Caller(server)
    rank.proves()
    rank.says(hello(0, 3) + LISTENS)
    until(server, lambda arrived: len(arrived) == 1)
    assert server.ready_relays() == []


def test_relay_of_a_launch_that_is_over_is_late(server: Front) -> None:
    rank_of(server)
    relay = relay_of(server)
    while not server.refused:
        assert server.accept(0.02, {}, 0) == []
    assert server.refused == {Cause.LATE: 1}
    assert server.ready_relays() == []
    assert relay.is_hung_up_on()


def test_relay_of_a_launch_that_failed_is_forgotten(server: Front) -> None:
    relay = relay_of(server)
    ready_relay(server).connection.close()  # as its launch does
    assert rank_of(server).hello.rank == 0
    assert server._proved == {}
    assert relay.is_hung_up_on()
