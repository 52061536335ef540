"""Processes of scripted launches, as far as a campaign sees them, and their connections to it.

A process is a status. Its connection is to the campaign's real socket.
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from leadline.hosts.cleanup.identities import FileIdentity
from leadline.hosts.cleanup.notes import Note
from leadline.scripted.clock import VirtualClock

FIRST_PID = 1 << 30
"""Beyond those of any system: no process of this machine is looked at by mistake."""
HUNG_UP = 3
"""Exit status of a process that was hung up on."""
SEGMENT = FileIdentity("/dev/shm/scripted", 0, 0)
"""Stands for what ranks map in shared memory; no file system has its number."""


@dataclass(slots=True)
class ScriptedProcess:
    """A process of a launch."""

    pid: int
    status: int | None = None
    on_end: Callable[[], None] | None = None

    def poll(self) -> int | None:
        """Its exit status; None: it runs."""
        return self.status

    def terminate(self) -> None:
        """Ends it at once."""
        self.end(-signal.SIGTERM)

    def end(self, status: int) -> None:
        """Ends it with `status`, unless it has ended before."""
        if self.status is None:
            self.status = status
            if self.on_end is not None:
                self.on_end()


@dataclass(slots=True)
class ScriptedNote(Note):
    """What a launch has in shared memory, by the script; nothing is written down."""

    maps: bool = field(default=True, kw_only=True)
    """Whether its ranks map anything there."""

    @classmethod
    def of(cls, scratch: Path, maps: bool) -> ScriptedNote:
        """A launch whose folder is `scratch`."""
        return cls(FileIdentity.of(scratch), maps=maps)

    def know_processes(self, pids: object) -> None:
        """Nothing of them outlives the campaign."""

    def know_segments(self, ranks: object) -> None:
        """As the script says."""
        self.segments = [SEGMENT] if self.maps else []


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
