"""Connections of scripted ranks and relays to a campaign's real socket."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from typing import Protocol

from leadline.scripted.clock import VirtualClock


class CampaignLine(Protocol):
    """What a rank speaks to the campaign by: a socket, or a relay."""

    def say(self, text: bytes) -> None:
        """Sends `text`."""

    def close(self) -> None:
        """Hangs up."""


class SocketLine:
    """A connection of its own, whose lines are heard in virtual time."""

    def __init__(
        self,
        clock: VirtualClock,
        address: str,
        heard: Callable[[str], None],
        ended: Callable[[], None],
    ) -> None:
        """Reaches for `address`, "unix:PATH" or "HOST:PORT"; OSError where nobody listens.

        `heard` is called with each line, and `ended` when the campaign has hung up.
        """
        kind, _, place = address.partition(":")
        if kind == "unix":
            self._socket = socket.socket(socket.AF_UNIX)
            try:
                self._socket.connect(place)
            except OSError:
                self._socket.close()
                raise
        else:
            self._socket = socket.create_connection((kind, int(place)))
        self._socket.setblocking(False)
        self._clock, self._line_heard, self._ended = clock, heard, ended
        self._pending = b""
        self._is_open = True
        clock.listen(self._socket, self._hear)

    def say(self, text: bytes) -> None:
        """Sends `text`; nothing happens where the campaign has hung up."""
        with contextlib.suppress(OSError):
            self._socket.setblocking(True)
            self._socket.sendall(text)
            self._socket.setblocking(False)

    def close(self) -> None:
        """Hangs up, once."""
        if self._is_open:
            self._is_open = False
            self._clock.ignore(self._socket)
            self._socket.close()

    def _hear(self) -> None:
        try:
            received = self._socket.recv(1 << 20)
        except OSError:
            received = b""
        if not received:
            self._ended()
            return
        *lines, self._pending = (self._pending + received).split(b"\n")
        for line in lines:
            if self._is_open:
                self._line_heard(line.decode())
