"""Who may join a launch, and what becomes of who may not."""

from __future__ import annotations

import socket

from leadline.kernels.connection import Connection
from leadline.kernels.messages import Hello
from leadline.kernels.server import ControlServer

HELLO = (
    b"token abc\nhello rank=1 size=2 pid=42 host=n1 machine=b00t clock=b00t:7 "
    b"clock_ns=31.0 cores=0,1 library=MPICH Version: 5.0 x=y\n"
)


def test_server_hands_over_ranks_and_drops_strangers() -> None:
    with ControlServer.listening() as server:
        host, _, port = server.address.partition(":")
        with (
            socket.create_connection((host, int(port))) as stranger,
            socket.create_connection((host, int(port))) as rank,
        ):
            stranger.sendall(b"GET / HTTP/1.1\n")
            rank.sendall(HELLO)
            joined: list[tuple[Connection, Hello]] = []
            while not joined:
                joined = server.accept(5.0)
            assert [hello.rank for _, hello in joined] == [1]
            server.accept(0.05)
            assert stranger.recv(1) == b""
            joined[0][0].close()
