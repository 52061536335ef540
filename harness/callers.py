"""Who connects to a control server, played by a test: a rank, or a stranger."""

from __future__ import annotations

import contextlib
import select
import socket
import time
from collections.abc import Callable, Mapping

from harness.patience import PATIENCE_S
from leadline.kernels.clock import SYSTEM_CLOCK, Clock
from leadline.kernels.connections import Credentials, Listener
from leadline.kernels.server import Arrival, ControlServer

"""Ends a hang: everything here takes less than a second."""
OURS = Credentials("0a1b", "5e" * 32, "j0b")
"""Those of the launch that a test's ranks are of."""
CONNECT_AND_BE_SILENT = """
import resource, socket, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (2000, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
kind, _, place = sys.argv[1].partition(":")
lines = []
for _ in range(int(sys.argv[2])):
    if kind == "unix":
        lines.append(socket.socket(socket.AF_UNIX))
        lines[-1].connect(place)
    else:
        lines.append(socket.create_connection((kind, int(place))))
sys.stdin.read()
"""
"""A program that makes so many connections to an address, and says nothing."""


class Front(ControlServer):
    """A server that hangs up on its ranks, too, when it closes."""

    def __init__(self, listener: Listener, clock: Clock = SYSTEM_CLOCK) -> None:
        super().__init__(listener, clock)
        self.arrived: list[Arrival] = []

    def accept(
        self, timeout_s: float, launches: Mapping[str, Credentials], awaited: int
    ) -> list[Arrival]:
        arrived = super().accept(timeout_s, launches, awaited)
        self.arrived += arrived
        return arrived

    def close(self) -> None:
        super().close()
        for arrival in self.arrived:
            arrival.connection.close()


def connected(address: str) -> socket.socket:
    """A connection to where a server says that it listens."""
    kind, _, place = address.partition(":")
    if kind == "unix":
        line = socket.socket(socket.AF_UNIX)
        try:
            line.connect(place)
        except OSError:
            line.close()
            raise
    else:
        line = socket.create_connection((kind, int(place)))
    line.settimeout(PATIENCE_S)
    return line


def hello(rank: int = 0, size: int = 1, library: str = "l", host: str = "h1") -> bytes:
    place = f"rank={rank} size={size} pid=1 host={host} machine=m clock=m:0 clock_ns=1.0 cores=0"
    return f"hello {place} library={library}\n".encode()


def until(
    server: ControlServer, met: Callable[[list[Arrival]], bool], awaited: int = 0
) -> list[Arrival]:
    """The ranks of OURS that arrived at `server` until these met the condition."""
    deadline = time.monotonic() + PATIENCE_S
    arrived: list[Arrival] = []
    while not met(arrived):
        assert time.monotonic() < deadline, f"in vain; refused: {server.refused}"
        arrived += server.accept(0.001, {OURS.name: OURS}, awaited)
    return arrived


def refused(server: ControlServer) -> int:
    return sum(server.refused.values())


class Caller:
    """One connection to a server."""

    def __init__(self, server: ControlServer) -> None:
        """Connects; the server learns of it when it looks."""
        self.server = server
        self.line = connected(server.address)

    def nonce(self, awaited: int = 1) -> str:
        """What the server asks, which no rank answers meanwhile."""
        until(self.server, lambda _: self._peeked().endswith(b"\n"), awaited)
        return self.line.recv(1000).decode().removeprefix("challenge ").strip()

    def _peeked(self) -> bytes:
        """What has arrived, and stays."""
        waiting = select.poll()
        waiting.register(self.line, select.POLLIN)
        return self.line.recv(1000, socket.MSG_PEEK) if waiting.poll(0) else b""

    def __del__(self) -> None:
        """Hangs up."""
        self.line.close()

    def proves(self, credentials: Credentials = OURS) -> None:
        """Gives the proof of who has `credentials`."""
        self.says(proof(credentials, self.nonce()))

    def says(self, words: bytes) -> None:
        self.line.sendall(words)

    def is_hung_up_on(self) -> bool:
        """Whether the server ends the connection; what it said before is passed over."""
        with contextlib.suppress(ConnectionResetError):
            while self.line.recv(1000):
                pass
        return True


def proof(credentials: Credentials, nonce: str) -> bytes:
    return f"launch {credentials.name} {credentials.proof(nonce)}\n".encode()


def rank_of(server: ControlServer, rank: int = 0, size: int = 1) -> Arrival:
    """A rank of OURS that comes as ranks do, and is gone."""
    caller = Caller(server)
    caller.proves()
    caller.says(hello(rank, size))
    (only,) = until(server, lambda arrived: len(arrived) == 1, awaited=1)
    return only
