"""Raw TCP: the contract, ranks that meet or don't, peers that go away; all on loopback."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from errno import EADDRINUSE
from pathlib import Path

import pytest
from harness.contracts import contract
from harness.kernels import local_backend, variant
from harness.patience import PATIENCE_S, patience_for
from harness.ranks import Ranks, said_by_rank_0
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import failure_at_104_bytes
from tests.support.texts import numbers

from leadline.backends.preparation import loopback_address

LISTENS = "0A"
"""The state of a socket in /proc/net/tcp."""
tcp = local_backend("tcp")


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch) -> tuple[str, int]:
    """Where the ranks of the test meet: host and port."""
    address = loopback_address()
    monkeypatch.setenv("LEADLINE_RENDEZVOUS", address)
    host, _, port = address.rpartition(":")
    return host, int(port)


@pytest.mark.parametrize("ranks", [1, 2, 3, 5, 8])
def test_tcp_keeps_the_contract(ranks: int) -> None:
    """Odd numbers of ranks sanitised."""
    output = said_by_rank_0(contract("contract", tcp, sanitised=ranks % 2 == 1), ranks)
    assert "raw TCP" in output
    assert numbers(output)[1] == str(ranks)


@pytest.mark.parametrize("ranks", [2, 3])
def test_contract_holds_whatever_pieces_the_kernel_moves(ranks: int) -> None:
    said_by_rank_0(contract("contract", tcp, "tcp_piecemeal", True), ranks)


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("checks", ["collectives", "vectors"])
def test_collectives_over_tcp_leave_every_block_where_it_belongs(checks: str, ranks: int) -> None:
    said_by_rank_0(contract(checks, tcp, sanitised=True), ranks)


@pytest.mark.parametrize(
    ("instead", "ranks"),
    [("", 1), ("", 2), ("", 3), ("", 5), ("tcp_piecemeal", 2), ("tcp_piecemeal", 3)],
)
@pytest.mark.parametrize("checks", ["requests", "modes"])
def test_messages_under_way_over_tcp_find_their_receives(
    checks: str, instead: str, ranks: int
) -> None:
    output = said_by_rank_0(contract(checks, tcp, instead, ranks % 2 == 1), ranks)
    assert "raw TCP" in output
    assert numbers(output)[1] == str(ranks)


def without_cause(message: str) -> str:
    """Up to how the connection ended: one with unread bytes is reset by the kernel, not closed."""
    return message.rpartition(": ")[0]


def test_peer_that_dies_while_it_is_waited_for_is_named(snapshot: SnapshotAssertion) -> None:
    with Ranks(contract("requests", tcp), 2, ("deserted",)) as job:
        waiting, deserter = job.start(0), job.start(1)
        assert deserter.wait(PATIENCE_S) == 9
        assert waiting.wait(PATIENCE_S) == 1
        output = waiting.communicate()[1]
    assert without_cause(output) == snapshot


def test_message_longer_than_its_receive_ends_the_job(snapshot: SnapshotAssertion) -> None:
    with Ranks(contract("contract", tcp), 2, ("overlong",)) as job:
        job.start(0)
        receiver = job.start(1)
        assert receiver.wait(PATIENCE_S) == 1
        output = receiver.communicate()[1]
    assert output == snapshot


def test_peer_that_dies_within_a_message_is_named(snapshot: SnapshotAssertion) -> None:
    with Ranks(contract("contract", tcp, "tcp_cut"), 2) as job:
        sender, receiver = job.start(0), job.start(1)
        assert sender.wait(PATIENCE_S) == 9
        assert receiver.wait(PATIENCE_S) == 1
        output = receiver.communicate()[1]
    assert without_cause(output) == snapshot


def test_rank_that_never_comes_is_named(snapshot: SnapshotAssertion) -> None:
    with Ranks(contract("contract", tcp, "tcp_impatient"), 3) as job:
        rank_0, _ = job.start(0), job.start(1)
        assert rank_0.wait(PATIENCE_S) == 1
        assert rank_0.communicate()[1] == snapshot


def test_port_in_use_is_named_with_its_address(place: tuple[str, int]) -> None:
    with socket.create_server(place), Ranks(contract("contract", tcp), 2) as job:
        rank_0 = job.start(0)
        assert rank_0.wait(PATIENCE_S) == 1
        output = rank_0.communicate()[1]
    assert f"{place[0]}:{place[1]}: {os.strerror(EADDRINUSE)}" in output


def test_stranger_at_the_meeting_place_is_hung_up_on(place: tuple[str, int]) -> None:
    with Ranks(contract("contract", tcp), 2) as job:
        job.start(0)
        with _connected(place) as stranger:
            stranger.sendall(b"GET / HTTP/1.0\r\n\r\n" * 40)
            job.start(1)
            job.wait()
            assert [process.wait(PATIENCE_S) for process in job.running] == [0, 0]


def _connected(place: tuple[str, int]) -> socket.socket:
    while True:
        try:
            return socket.create_connection(place)
        except ConnectionRefusedError:
            time.sleep(0.005)


def test_rank_of_another_job_is_not_let_in(
    place: tuple[str, int], snapshot: SnapshotAssertion
) -> None:
    with (
        Ranks(contract("contract", tcp), 2) as job,
        Ranks(contract("contract", tcp), 2) as other,
    ):
        job.start(0)
        intruder = other.start(1)
        assert intruder.wait(PATIENCE_S) == 1
        output = intruder.communicate()[1]
        assert output.replace(f"{place[0]}:{place[1]}", "PLACE") == snapshot
        job.start(1)
        job.wait()
        assert [process.wait(PATIENCE_S) for process in job.running] == [0, 0]


def test_nobody_listens_once_all_have_met() -> None:
    with Ranks(contract("contract", tcp), 3, ("wait",)) as job:
        job.meet()
        for process in job.running:
            assert not _sockets_of(process.pid) & _listening()


def _sockets_of(pid: int) -> set[str]:
    links = [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]
    return {text[8:-1] for text in links if text.startswith("socket:[")}


def _listening() -> set[str]:
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {row[9] for row in rows if row[3] == LISTENS}


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("LEADLINE_RENDEZVOUS", None),
        ("LEADLINE_RENDEZVOUS", "nowhere"),
        ("LEADLINE_RENDEZVOUS", "127.0.0.1:http-ish"),
        ("LEADLINE_RENDEZVOUS", "192.0.2.1:4000"),
        ("LEADLINE_JOB", None),
    ],
)
def test_place_that_makes_no_sense_is_named(
    variable: str,
    value: str | None,
    monkeypatch: pytest.MonkeyPatch,
    snapshot: SnapshotAssertion,
) -> None:
    wanted = {"LEADLINE_RANK": "0", "LEADLINE_RANKS": "2", "LEADLINE_JOB": "x"}
    for name, text in (wanted | {variable: value}).items():
        monkeypatch.delenv(name, raising=False) if text is None else monkeypatch.setenv(name, text)
    done = _alone(contract("contract", tcp))
    assert done.returncode == 1
    assert done.stderr == snapshot


def _alone(program: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(program)], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )


@pytest.mark.parametrize(
    ("fault", "code", "words"),
    [
        ("crash:1:104", "crash", ("SIGSEGV", "rank 1 is gone")),
        ("exit:1:104", "exit", ("exited", "rank 1 is gone")),
        ("hang:1:104", "hang", ("rank 0: validating", "rank 1: validating")),
        ("wrong_byte:1:104", "wrong_byte", ("rank 1", "offset 5")),
    ],
)
def test_rank_that_misbehaves_over_tcp_is_named_and_its_cell_alone_fails(
    fault: str, code: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    good, bad = variant("tcp", "good"), variant("tcp", "bad", fault)
    failure = failure_at_104_bytes(tmp_path / "run", good, bad, patience_for(code))
    assert failure.code == code
    assert all(word in failure.message for word in words), failure.message


def test_records_name_the_algorithms_of_collectives_over_tcp() -> None:
    patterns = variant("tcp").capability.patterns
    assert patterns["pingpong"].algorithm == "native"
    assert patterns["bcast"].algorithm == "binomial"
    assert patterns["barrier"].algorithm == "dissemination"
    assert patterns["barrier_counter"].algorithm == "absent"
