"""Launches that don't come up, and ranks that claim to be others: what is said of them."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from harness.callers import Front, hello
from harness.patience import PATIENCE_S
from syrupy.assertion import SnapshotAssertion
from tests.support.joined_launch import launch_of, two_joined

from leadline.kernels.connections import Credentials
from leadline.kernels.server import Arrival
from leadline.measure.launch import Launch, SliceError
from leadline.measure.pool import start_together

SAYS_HELLO_AND_ENDS = """
import sys
from harness.callers import OURS, connected, hello, proof
with connected(sys.argv[1]) as line:
    nonce = line.makefile().readline().split()[1]
    line.sendall(proof(OURS, nonce) + hello())
"""


class Late(Front):
    """Hears of a launch's only rank when its process is over."""

    launch: Launch

    def accept(
        self, timeout_s: float, launches: Mapping[str, Credentials], awaited: int
    ) -> list[Arrival]:
        arrived: list[Arrival] = []
        while not (self._unproved or arrived):  # which asks it for its proof
            arrived = super().accept(0.0, launches, awaited)
        process = self.launch.started[0]
        assert isinstance(process, subprocess.Popen)
        process.wait()
        return arrived or super().accept(timeout_s, launches, awaited)


def test_rank_on_another_host_is_named_also_when_it_has_ended_by_then(tmp_path: Path) -> None:
    with Late.listening() as server:
        argv = (sys.executable, "-c", SAYS_HELLO_AND_ENDS, server.address)
        server.launch = launch_of(argv, tmp_path)
        failed = start_together(server, [server.launch], patience_s=PATIENCE_S)
    assert "rank 0 " in str(failed[7]) and "'h1'" in str(failed[7])
    assert not server.refused


# -- ranks that claim to be others -----------------------------------------------------------------


@pytest.fixture
def two_ranks(tmp_path: Path) -> Iterator[tuple[Launch, list[socket.socket]]]:
    with two_joined(tmp_path) as ranks:
        yield ranks


@pytest.mark.parametrize(
    "message",
    [b"placed id=1 rank=0\n", b"placed id=2 rank=1\n", hello(1, 2), b"nonsense\n"],
    ids=["another rank", "another command", "hello", "nonsense"],
)
def test_answer_in_another_ranks_name_is_refused(
    two_ranks: tuple[Launch, list[socket.socket]], message: bytes, snapshot: SnapshotAssertion
) -> None:
    launch, theirs = two_ranks
    launch.started.append(subprocess.Popen(["sleep", "60"], start_new_session=True))
    theirs[1].sendall(message)
    with pytest.raises(SliceError) as refused:
        launch.place(1, [0, 1], patience_s=PATIENCE_S)
    assert refused.value.code == "protocol"
    assert str(refused.value) == snapshot
