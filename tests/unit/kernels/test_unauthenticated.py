"""Attacks on the control channel: who isn't a rank gets nowhere, is counted, and harms nobody."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from harness.callers import (
    OURS,
    Caller,
    Front,
    hello,
    proof,
    rank_of,
    until,
)

from leadline.kernels import connections
from leadline.kernels.connections import HELLO_BYTES, PROOF_BYTES, Cause, Credentials


@pytest.fixture(params=[(), ("localhost",)], ids=["path", "network"])
def server(request: pytest.FixtureRequest) -> Iterator[Front]:
    with Front.listening(request.param) as listening:
        yield listening


def count(server: Front) -> int:
    return sum(server.refused.values())


def refused(server: Front, words: bytes) -> Cause:
    """What who says `words` is refused for; the next rank comes in as ever."""
    stranger = Caller(server)
    stranger.nonce()
    stranger.says(words)
    until(server, lambda _: count(server) > 0)
    assert stranger.is_hung_up_on()
    assert rank_of(server).hello.rank == 0
    (cause,) = server.refused
    return cause


# -- what is no proof ------------------------------------------------------------------------------


FORMER_TOKEN = f"token {OURS.name}\n".encode() + hello()
"""How ranks came in when what they said was their launch's name."""
LONG = b"launch " + b"x" * PROOF_BYTES


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (b"token \n", Cause.NO_PROOF),
        (b"token a\n" * 5000, Cause.NO_PROOF),
        (FORMER_TOKEN, Cause.NO_PROOF),
        (hello(), Cause.NO_PROOF),
        (b"\n", Cause.NO_PROOF),
        (b"GET / HTTP/1.1\r\nHost: h\r\n\r\n", Cause.NO_PROOF),
        (b"\x16\x03\x01" + bytes(PROOF_BYTES), Cause.NO_PROOF),
        (LONG, Cause.NO_PROOF),
        (LONG + b"\n", Cause.NO_PROOF),
        (b"launch\n", Cause.NO_PROOF),
        (f"launch {OURS.name}\n".encode(), Cause.NO_PROOF),
        (f"launch {OURS.name} {'0' * 64} more\n".encode(), Cause.NO_PROOF),
        (f"launch {'0' * 16} {'0' * 64}\n".encode(), Cause.UNKNOWN),
        (f"launch {OURS.name} {'0' * 64}\n".encode(), Cause.FORGED),
        (f"launch {OURS.name} \xfe\xff\n".encode("latin-1"), Cause.FORGED),
        (f"launch {OURS.name} {OURS.secret}\n".encode(), Cause.FORGED),
        (f"launch {OURS.name} {OURS.proof('another')}\n".encode(), Cause.FORGED),
    ],
    ids=range(17),
)
def test_words_that_are_no_proof_let_nobody_in(server: Front, words: bytes, cause: Cause) -> None:
    known = Caller(server)
    known.proves()  # from here on the server knows the launch
    until(server, lambda _: len(server._proved) > 0)
    assert refused(server, words) is cause


def test_proof_that_isnt_whole_within_its_bytes_is_none(server: Front) -> None:
    stranger = Caller(server)
    stranger.says(proof(OURS, stranger.nonce()).replace(b" ", b" " * PROOF_BYTES) + hello())
    until(server, lambda _: count(server) > 0)
    assert server.refused == {Cause.NO_PROOF: 1}
    assert server.arrived == []


def test_proof_that_was_overheard_is_worth_nothing(server: Front) -> None:
    rank = Caller(server)
    overheard = proof(OURS, rank.nonce())
    rank.says(overheard)
    assert refused(server, overheard + hello()) is Cause.FORGED


def test_what_local_users_can_list_is_no_secret(server: Front) -> None:
    job_for_secret = Credentials(OURS.name, OURS.job.encode().hex().ljust(64, "0"), OURS.job)
    stranger = Caller(server)
    stranger.says(proof(job_for_secret, stranger.nonce()) + hello())
    until(server, lambda _: count(server) > 0)
    assert server.refused == {Cause.FORGED: 1}
    assert server.arrived == []


@pytest.mark.parametrize(
    "words",
    [
        b"placed id=1 rank=0\n",
        b"hello rank=0\n",
        b"hello " + b"x" * HELLO_BYTES,
        hello(library="x" * HELLO_BYTES),
        b"result id=1 rank=0 bytes=99999999 repetitions=1\n" + bytes(HELLO_BYTES),
        b"nonsense\n",
    ],
    ids=range(6),
)
def test_proof_without_a_hello_is_refused(server: Front, words: bytes) -> None:
    rank = Caller(server)
    rank.proves()
    rank.says(words)
    until(server, lambda _: count(server) > 0)
    assert server.refused == {Cause.NO_HELLO: 1}
    assert rank.is_hung_up_on()


def test_rank_of_a_launch_that_is_up_or_over_is_late(server: Front) -> None:
    rank_of(server)
    late = Caller(server)
    late.proves()
    late.says(hello())
    while not server.refused:
        assert server.accept(0.02, {}, 0) == []
    assert server.refused == {Cause.LATE: 1}
    assert late.is_hung_up_on()


# -- who says nothing ------------------------------------------------------------------------------


def test_who_gives_no_proof_in_time_is_hung_up_on(
    server: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = Caller(server)
    stranger.nonce()
    monkeypatch.setattr(connections, "PROOF_S", 0.0)
    stranger.says(b"launch a ")
    until(server, lambda _: count(server) > 0)
    assert server.refused == {Cause.SILENT: 1}
    assert stranger.is_hung_up_on()


def test_who_is_silent_to_the_end_is_counted_then() -> None:
    with Front.listening() as server:
        waiting, unheard = Caller(server), Caller(server)
        waiting.nonce()
        unheard.says(b"token \n")
        last = Caller(server)
    assert server.refused == {Cause.SILENT: 2, Cause.NO_PROOF: 1}
    assert waiting.is_hung_up_on()
    assert last.is_hung_up_on()


# -- who is another user ---------------------------------------------------------------------------


def test_connection_of_another_user_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with Front.listening() as server:
        mine = os.geteuid()
        monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
        stranger = Caller(server)
        until(server, lambda _: count(server) > 0)
        assert stranger.line.recv(1) == b""
    assert server.refused == {Cause.OTHER_USER: 1}
