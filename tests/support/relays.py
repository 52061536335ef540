"""A relay as it runs, the front-end behind it, and its ranks, which a test plays."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from harness.callers import OURS, Front, connected, hello, proof, until
from harness.kernels import SANITISED, kernel

from leadline.backends.launchers import Command
from leadline.kernels.build import Additions
from leadline.measure.launch import Launch, kill

AROUND = (
    "warm_up=0:0:0 contends=0 window_ns=4000000 run_delay_ns={rank} switches=1 faults=2 "
    "core_latency_ns=90"
)


class PlayedRank:
    """One rank, as its relay sees it."""

    def __init__(self, address: str, rank: int) -> None:
        self.rank, self.line = rank, connected(address)
        self._heard = self.line.makefile("rb")

    def hears(self) -> str:
        """The next line from its relay; empty: it hung up."""
        with contextlib.suppress(ConnectionResetError):
            return self._heard.readline().decode().removesuffix("\n")
        return ""

    def proves(self) -> None:
        nonce = self.hears().removeprefix("challenge ")
        self.line.sendall(proof(OURS, nonce))

    def joins(self, size: int) -> None:
        self.proves()
        self.line.sendall(hello(self.rank, size))

    def answers(
        self, number: int, batches: npt.NDArray[np.int64] | Sequence[object] = (), also: str = ""
    ) -> None:
        """Sends the result of command `number`: `batches`, shape (n, 3); `also` ends its line."""
        payload = np.array(batches, np.int64).tobytes()
        text = f"id={number} rank={self.rank} repetitions=3 bytes={len(payload)}"
        around = AROUND.format(rank=self.rank)
        self.line.sendall(f"result {text} {around}{also}\n".encode() + payload)

    def hangs_up(self) -> None:
        self._heard.close()
        self.line.close()


class RelayedHost:
    """A host whose relay listens for `ranks` ranks of a launch of `of`."""

    def __init__(self, server: Front, launch: Launch) -> None:
        self.server, self.launch = server, launch
        self.played: list[PlayedRank] = []

    @property
    def relay(self) -> subprocess.Popen[bytes]:
        process = self.launch.started[0]
        assert isinstance(process, subprocess.Popen)
        return process

    @property
    def folder(self) -> Path:
        return Path(f"{self.launch.scratch}.{socket.gethostname()}")

    @property
    def address(self) -> str:
        return f"unix:{self.folder}/socket"

    def call(self, rank: int) -> PlayedRank:
        self.played.append(PlayedRank(self.address, rank))
        return self.played[-1]

    def starts(self, ranks: Sequence[int]) -> list[PlayedRank]:
        """Ranks that come in, in this order."""
        played = [self.call(rank) for rank in ranks]
        for one in played:
            one.joins(self.launch.ranks)
        for arrival in until(self.server, lambda arrived: len(arrived) == len(ranks)):
            self.launch.join(arrival.connection, arrival.hello)
        return played


@contextlib.contextmanager
def relayed_host(
    ranks: int, of: int | None = None, additions: Additions = SANITISED
) -> Iterator[RelayedHost]:
    """A relay that listens for so many ranks of a launch of `of`."""
    with Front.listening() as server:
        scratch = Path(tempfile.mkdtemp(prefix="leadline-relay-test-"))
        where = {"LEADLINE_CONTROL": server.address, "LEADLINE_RELAY": str(scratch)}
        variables = OURS.variables | where
        argv = (str(kernel("null", additions)), "--relay", str(ranks), str(of or ranks))
        host = RelayedHost(
            server, launch_behind(Command(argv, variables, "relay"), of or ranks, scratch)
        )
        host.launch.start()
        try:
            until(server, lambda _: bool(server._ready_relays))
            host.launch.ready_relays = [relay.connection for relay in server.ready_relays()]
            yield host
        finally:
            kill((host.launch,))
            for one in host.played:
                one.hangs_up()
            shutil.rmtree(scratch, ignore_errors=True)


def launch_behind(relay: Command, ranks: int, scratch: Path) -> Launch:
    """A launch of which nothing but its relay is started."""
    return Launch(
        label="played",
        number=0,
        ranks=ranks,
        processes=ranks,
        credentials=OURS,
        commands=[relay],
        phases=("idle", "timing"),
        library="l",
        sites=(),
        scratch=scratch,
        relays=1,
    )
