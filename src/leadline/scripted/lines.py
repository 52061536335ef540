"""Connections of scripted ranks and relays to a campaign's real socket."""

from __future__ import annotations

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
        self._pending = self._unsent = b""
        self._is_open = True
        clock.listen(self._socket, self._hear)

    def say(self, text: bytes) -> None:
        """Sends `text`; the rest when there is room: who reads it is in this thread."""
        waits = bool(self._unsent)
        self._unsent += text
        if not waits:
            self._send()

    def _send(self) -> None:
        """Nothing happens where the campaign has hung up."""
        if not self._is_open:
            return
        try:
            self._unsent = self._unsent[self._socket.send(self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:
            self._unsent = b""
        self._clock.listen(self._socket, self._hear, self._send if self._unsent else None)

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
