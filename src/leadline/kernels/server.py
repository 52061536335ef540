"""Where ranks connect to: one socket a rank to the front-end, outside the measured library."""

from __future__ import annotations

import secrets
import selectors
import socket
import time
from collections.abc import Sequence
from typing import Self

from leadline.errors import MachineError
from leadline.kernels.connection import Connection
from leadline.kernels.messages import Hello, ProtocolError

LOOPBACK = "127.0.0.1"
_ANY_PORT = 9


def address_towards(hosts: Sequence[str]) -> str:
    """This host's address as seen from `hosts`; loopback where there are none but itself.

    No packet is sent. Raises MachineError for a host that isn't known.
    """
    for host in hosts:
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
                probe.connect((host, _ANY_PORT))
                address = str(probe.getsockname()[0])
        except OSError as error:
            raise MachineError(
                f"--hosts: {host!r} can't be reached: {error}; check the name and the network"
            ) from error
        if not address.startswith("127.") and address != _address_of(host):
            return address
    return _address_of(hosts[0]) if hosts else LOOPBACK


def _address_of(host: str) -> str:
    return str(socket.getaddrinfo(host, None, socket.AF_INET)[0][4][0])


class ControlServer:
    """Listens, and hands each rank's connection to the launch whose token it says."""

    def __init__(self, listener: socket.socket) -> None:
        """Takes over `listener`, which doesn't block; use `listening`."""
        self._listener = listener
        self._unclaimed: list[Connection] = []

    @classmethod
    def listening(cls, address: str = LOOPBACK) -> Self:
        """Opens the listening socket at `address`, on a port of the system's choice."""
        listener = socket.create_server((address, 0), backlog=1024)
        listener.setblocking(False)
        return cls(listener)

    @property
    def address(self) -> str:
        """Where ranks connect to: "127.0.0.1:port"."""
        host, port = self._listener.getsockname()[:2]
        return f"{host}:{port}"

    @staticmethod
    def new_token() -> str:
        """A word that names one launch and that strangers can't guess."""
        return secrets.token_hex(8)

    def accept(self, timeout_s: float) -> list[tuple[Connection, Hello]]:
        """The ranks that said hello within `timeout_s`; returns at once when one did."""
        deadline = time.monotonic() + timeout_s
        while True:
            with selectors.DefaultSelector() as selector:
                selector.register(self._listener, selectors.EVENT_READ)
                for connection in self._unclaimed:
                    selector.register(connection.socket, selectors.EVENT_READ, connection)
                ready = selector.select(max(0.0, deadline - time.monotonic()))
            for key, _ in ready:
                self._admit() if key.data is None else key.data.receive()
            hellos = self._claimed()
            if hellos or time.monotonic() >= deadline:
                return hellos

    def _admit(self) -> None:
        accepted, _ = self._listener.accept()
        accepted.setblocking(False)
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._unclaimed.append(Connection(accepted))

    def _claimed(self) -> list[tuple[Connection, Hello]]:
        hellos, waiting = [], []
        for connection in self._unclaimed:
            try:
                message = connection.next_message()
            except ProtocolError:
                connection.close()  # not one of ours
                continue
            if isinstance(message, Hello):
                hellos.append((connection, message))
            elif connection.closed:
                connection.close()
            else:
                waiting.append(connection)
        self._unclaimed = waiting
        return hellos

    def close(self) -> None:
        """Stops listening and hangs up on those that never said hello."""
        for connection in self._unclaimed:
            connection.close()
        self._listener.close()

    def __enter__(self) -> Self:
        """The server itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes the server."""
        self.close()
