"""Attacks on a relay's socket: who isn't a rank gets nowhere, is counted, and harms nobody."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.callers import (
    CONNECT_AND_BE_SILENT,
    OURS,
    hello,
    proof,
    until,
)
from harness.kernels import NATIVE
from harness.patience import PATIENCE_S
from tests.support.emulated import needs_root
from tests.support.relays import PlayedRank, RelayedHost, relayed_host

from leadline.kernels.build import Additions
from leadline.kernels.connections import HELLO_BYTES, PROOF_BYTES, Cause, Credentials
from leadline.kernels.server import MOST_UNPROVED

RANKS = 3
ANOTHER_USER = Additions(sources=(NATIVE / "another_user.c",), link_flags=("-Wl,--wrap=geteuid",))
IMPATIENT = Additions(sources=(NATIVE / "impatient.c",), link_flags=("-Wl,--wrap=clock_gettime",))
LONG = b"launch " + b"x" * PROOF_BYTES


@pytest.fixture
def host() -> Iterator[RelayedHost]:
    with relayed_host(RANKS) as up:
        yield up


def refused(host: RelayedHost) -> dict[Cause, int]:
    """What the front-end counts, once it has heard of any."""
    until(host.server, lambda _: bool(host.server.refused))
    return dict(host.server.refused)


def is_hung_up_on(one: PlayedRank) -> bool:
    while one.hears():
        pass
    return True


def measures(host: RelayedHost) -> bool:
    """Whether its ranks come in and answer as ever."""
    for one in host.starts(range(RANKS)):
        one.answers(1, [[1, 2, 0]])
    results = host.launch.measure("pattern=barrier", "a slice", RANKS, PATIENCE_S)
    return [one.rank for one in results] == list(range(RANKS))


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (b"token \n", Cause.NO_PROOF),
        (b"token a\n" * 5000, Cause.NO_PROOF),
        (hello(), Cause.NO_PROOF),
        (b"\n", Cause.NO_PROOF),
        (b"\0\n", Cause.NO_PROOF),
        (b"\x16\x03\x01" + bytes(PROOF_BYTES), Cause.NO_PROOF),
        (LONG, Cause.NO_PROOF),
        (LONG + b"\n", Cause.NO_PROOF),
        (b"launch\n", Cause.NO_PROOF),
        (b"launch " + b"a" * (PROOF_BYTES - 8) + b"\n", Cause.NO_PROOF),
        (f"launch {OURS.name}\n".encode(), Cause.NO_PROOF),
        (f"launch {OURS.name} {'0' * 64} more\n".encode(), Cause.NO_PROOF),
        (f"launch {'0' * 16} {'0' * 64}\n".encode(), Cause.UNKNOWN),
        (f"launch {OURS.name} {'0' * 64}\n".encode(), Cause.FORGED),
        (f"launch {OURS.name} {'0' * 65}\n".encode(), Cause.FORGED),
        (f"launch {OURS.name} \xfe\xff\n".encode("latin-1"), Cause.FORGED),
        (f"launch {OURS.name} {OURS.secret}\n".encode(), Cause.FORGED),
        (f"launch {OURS.name} {OURS.proof('another')}\n".encode(), Cause.FORGED),
    ],
    ids=range(18),
)
def test_words_that_are_no_proof_let_nobody_in(
    host: RelayedHost, words: bytes, cause: Cause
) -> None:
    stranger = host.call(0)
    assert stranger.hears().startswith("challenge ")
    stranger.line.sendall(words)
    assert refused(host) == {cause: 1}
    assert is_hung_up_on(stranger)
    assert measures(host)


def test_proof_that_was_overheard_is_worth_nothing(host: RelayedHost) -> None:
    rank, stranger = host.call(0), host.call(0)
    overheard = proof(OURS, rank.hears().removeprefix("challenge "))
    stranger.line.sendall(overheard + hello(0, RANKS))
    assert refused(host) == {Cause.FORGED: 1}
    assert measures(host)


def test_proof_by_another_launchs_secret_is_worth_nothing(host: RelayedHost) -> None:
    other, stranger = Credentials(OURS.name, "ab" * 32, OURS.job), host.call(0)
    stranger.line.sendall(proof(other, stranger.hears().removeprefix("challenge ")))
    assert refused(host) == {Cause.FORGED: 1}


@pytest.mark.parametrize(
    "words",
    [
        b"placed id=1 rank=0\n",
        b"hello size=3\n",
        b"hello " + b"x" * HELLO_BYTES,
        b"result id=1 rank=0 bytes=99999999 repetitions=1\n" + bytes(HELLO_BYTES),
        b"relay ranks=3 host=h pid=1\n",
        b"stranger forged\n",
    ],
    ids=range(6),
)
def test_proof_without_a_hello_is_refused(host: RelayedHost, words: bytes) -> None:
    rank = host.call(0)
    rank.proves()
    rank.line.sendall(words)
    assert refused(host) == {Cause.NO_HELLO: 1}
    assert is_hung_up_on(rank)
    assert measures(host)


@pytest.mark.parametrize(
    ("rank", "cause"), [(0, Cause.TAKEN), (RANKS, Cause.NO_RANK), (-1, Cause.NO_RANK)]
)
def test_rank_that_is_there_or_isnt_to_be_is_refused(
    host: RelayedHost, rank: int, cause: Cause
) -> None:
    first, second = host.call(0), host.call(rank)
    first.joins(RANKS)
    arrived = until(host.server, lambda arrived: len(arrived) == 1)
    second.joins(RANKS)
    assert refused(host) == {cause: 1}
    assert is_hung_up_on(second)
    for other in (1, 2):
        host.call(other).joins(RANKS)
    arrived += until(host.server, lambda arrived: len(arrived) == 2)
    assert sorted(arrival.hello.rank for arrival in arrived) == [0, 1, 2]


def test_who_is_silent_until_all_ranks_are_there_is_hung_up_on_and_counted(
    host: RelayedHost,
) -> None:
    silent = host.call(0)
    silent.hears()
    assert measures(host)
    assert host.server.refused == {Cause.SILENT: 1}
    assert is_hung_up_on(silent)


def test_who_gives_no_proof_in_time_is_hung_up_on() -> None:
    with relayed_host(RANKS, additions=IMPATIENT) as host:
        silent = host.call(0)
        assert silent.hears().startswith("challenge ")
        host.call(1)  # the relay looks at its clock
        assert refused(host).keys() == {Cause.SILENT}
        assert is_hung_up_on(silent)


def test_many_who_give_a_proof_and_no_hello_are_bounded_too(host: RelayedHost) -> None:
    for _ in range(2 * MOST_UNPROVED):
        host.call(0).proves()
    assert refused(host).keys() == {Cause.CROWD}
    assert measures(host)


def test_thousands_who_say_nothing_keep_no_rank_out(host: RelayedHost) -> None:
    words = [sys.executable, "-c", CONNECT_AND_BE_SILENT, host.address, "1200"]
    with subprocess.Popen(words, stdin=subprocess.PIPE) as process:
        until(host.server, lambda _: sum(host.server.refused.values()) >= 1000)
        assert host.server.refused.keys() == {Cause.CROWD}
        open_files = list(Path(f"/proc/{host.relay.pid}/fd").iterdir())
        assert len(open_files) < MOST_UNPROVED + RANKS + 20
        assert measures(host)
        process.kill()


def test_limit_of_open_files_costs_the_oldest_without_a_proof() -> None:
    with relayed_host(RANKS) as host:
        number = 24
        subprocess.run(
            ["prlimit", f"--pid={host.relay.pid}", f"--nofile={number}:{number}"], check=True
        )
        for _ in range(2 * number):
            host.call(0)
        until(host.server, lambda _: sum(host.server.refused.values()) > number)
        assert host.server.refused.keys() == {Cause.CROWD}
        assert measures(host)


@needs_root
def test_another_user_doesnt_even_see_the_socket(host: RelayedHost) -> None:
    done = subprocess.run(
        ["ls", str(host.folder)],
        user=65534, group=65534, extra_groups=[], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Permission denied" in done.stderr
    assert measures(host)


def test_process_of_another_user_is_refused() -> None:
    with relayed_host(RANKS, additions=ANOTHER_USER) as host:
        stranger = host.call(0)
        assert refused(host) == {Cause.OTHER_USER: 1}
        assert is_hung_up_on(stranger)
