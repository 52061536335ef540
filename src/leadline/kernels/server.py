"""Where ranks connect to, each or a relay for those of its host, outside the measured library."""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import selectors
import socket
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from leadline.errors import MachineError
from leadline.kernels.clock import SYSTEM_CLOCK, Clock
from leadline.kernels.connections import (
    BACKLOG,
    Candidate,
    Cause,
    Connection,
    Credentials,
    Listener,
    StrangerError,
    listen,
    user_of,
)
from leadline.kernels.messages import Hello, Refused, Relay

MOST_UNPROVED = 64
"""Connections without a proof that are kept, beside the ranks that are awaited."""
_NO_FILES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


@dataclass(frozen=True, slots=True)
class Arrival:
    """A rank that proved whose it is, and said hello."""

    launch: str
    """The name of its launch."""
    connection: Connection
    hello: Hello


@dataclass(frozen=True, slots=True)
class Meeting:
    """A relay that listens."""

    launch: str
    """The name of its launch."""
    connection: Connection
    """Also that of the ranks which will arrive through it."""


class ControlServer:
    """Listens, hands over ranks as they say hello, and counts who isn't let in."""

    def __init__(self, listener: Listener, clock: Clock = SYSTEM_CLOCK) -> None:
        """Takes over `listener`; use `listening`."""
        self._listener, self.clock = listener, clock
        self._known: dict[str, Credentials] = {}
        self._unproved: dict[Candidate, None] = {}
        """Oldest first."""
        self._proved: dict[Candidate, None] = {}
        """Whose hello is to come, or other hellos."""
        self._met: list[Meeting] = []
        self._selector = selectors.DefaultSelector()
        self._selector.register(listener.socket, selectors.EVENT_READ)
        self._early: list[Arrival] = []
        """Heard while another launch was hung up on."""
        self.strangers = Counter[Cause]()
        """How many connections were refused, for what."""

    @classmethod
    def listening(cls, hosts: Sequence[str] = (), clock: Clock = SYSTEM_CLOCK) -> Self:
        """Listens to ranks on `hosts`; on this one, where there are none. It waits by `clock`."""
        return cls(listen(hosts), clock)

    @property
    def address(self) -> str:
        """Where ranks connect to: "unix:PATH", or "127.0.0.1:PORT"."""
        return self._listener.address

    def accept(
        self, timeout_s: float, launches: Mapping[str, Credentials], awaited: int
    ) -> list[Arrival]:
        """The ranks that said hello within `timeout_s`; returns at once when one did.

        Or when a relay said that it listens: see `met`.

        Args:
            timeout_s: At least the time for one look.
            launches: By their names, those that ranks may be of.
            awaited: How many there may be.

        Raises:
            MachineError: This process can't have as many files open.
        """
        self._known.update(launches)
        deadline = self.clock.monotonic() + timeout_s
        while True:
            arrivals, self._early = [*self._early, *self._look(deadline, awaited)], []
            welcome = [one for one in arrivals if one.launch in launches]
            came: list[Arrival | Meeting] = [*arrivals, *self._met]
            for late in (one for one in came if one.launch not in launches):
                self.refuse(late.connection, Cause.LATE)
            self._met = [one for one in self._met if one.launch in launches]
            if welcome or self._met or self.clock.monotonic() >= deadline:
                return welcome

    def hang_up(self, launch: str) -> bool:
        """Hangs up on the ranks and relays of `launch` that have proved it, and owe a hello.

        Whether there were any. Who has given a proof that nobody has heard yet is heard before.
        """
        heard = [arrival for one in list(self._unproved) for arrival in self._heard(one)]
        self._early += [arrival for arrival in heard if arrival.launch != launch]
        mine = [one for one in self._proved if one.launch == launch]
        for candidate in mine:
            self._forget(candidate)
        connections = [candidate.connection for candidate in mine]
        connections += [arrival.connection for arrival in heard if arrival.launch == launch]
        for connection in connections:
            connection.close()
        return bool(connections)

    def turn_away(self) -> None:
        """Hangs up on all who wait to be let in, or gave no proof that anybody has heard."""
        waiting = True
        while waiting:
            try:
                self._listener.accept().close()
            except OSError:
                waiting = False
        for candidate in list(self._unproved):
            self._forget(candidate)
            candidate.connection.close()

    def met(self) -> list[Meeting]:
        """The relays that said so since the last call."""
        met, self._met = self._met, []
        return met

    def _look(self, deadline: float, awaited: int) -> list[Arrival]:
        """The ranks of any launch that now say hello, if not before then at `deadline`."""
        for gone in [one for one in self._proved if one.connection.closed]:
            self._forget(gone)  # a relay of a launch that failed
        ready = self.clock.select(self._selector, max(0.0, deadline - self.clock.monotonic()))
        candidates = [key.data for key, _ in ready if key.data is not None]
        heard = [arrival for candidate in candidates for arrival in self._heard(candidate)]
        if len(candidates) < len(ready):
            self._admit(MOST_UNPROVED + awaited)
        while (oldest := self._oldest()) and oldest.overdue:
            self._drop(oldest, Cause.SILENT)
        return heard

    def _heard(self, candidate: Candidate) -> list[Arrival]:
        connection = candidate.connection
        try:
            said = candidate.hear(self._known)
        except StrangerError as stranger:
            self._drop(candidate, stranger.cause)
            return []
        for one in said:
            if isinstance(one, Refused):
                self.strangers[Cause[one.cause.upper()]] += 1
            if isinstance(one, Relay):
                self._met.append(Meeting(candidate.launch, connection))
        self._settle(candidate)
        hellos = (one for one in said if isinstance(one, Hello))
        return [Arrival(candidate.launch, connection, hello) for hello in hellos]

    def _settle(self, candidate: Candidate) -> None:
        """Puts `candidate` where it belongs after what it has said."""
        connection = candidate.connection
        if not candidate.owed:
            self._forget(candidate)
        elif connection.closed:  # by itself: it was refused nothing
            self._forget(candidate)
            connection.close()
        elif candidate.launch:
            self._unproved.pop(candidate, None)
            self._proved[candidate] = None

    def _oldest(self) -> Candidate | None:
        """Of those without a proof."""
        return next(iter(self._unproved), None)

    def _admit(self, most: int) -> None:
        """Takes in who waits first, and of those without a proof keeps the last `most`.

        One at a time: where files are short, accept() fails also when nobody waits.
        """
        accepted = self._accepted()
        if accepted is None:
            return
        connection = Connection(accepted)
        if user_of(accepted) not in {None, os.geteuid()}:
            self.refuse(connection, Cause.OTHER_USER)
            return
        candidate = Candidate(connection, self.clock)
        self._unproved[candidate] = None
        self._selector.register(accepted, selectors.EVENT_READ, candidate)
        if len(self._unproved) > most:
            self._drop(next(iter(self._unproved)), Cause.CROWD)

    def _accepted(self) -> socket.socket | None:
        """The connection of who waits; None: it is gone."""
        while True:
            try:
                return self._listener.accept()
            except OSError as error:
                if error.errno not in _NO_FILES:
                    return None
                self._make_room(error)

    def _make_room(self, error: OSError) -> None:
        """Lets this process have another file open; at worst one without a proof has to go."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        oldest = self._oldest()
        if error.errno == errno.EMFILE and soft < hard:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft + BACKLOG, hard), hard))
        elif oldest is not None:
            self._drop(oldest, Cause.CROWD)
        else:
            raise MachineError(
                f"no further rank can connect: {error.strerror}, with {soft} allowed; allow more "
                "(ulimit -n), or take fewer ranks"
            ) from error

    def refuse(self, connection: Connection, cause: Cause) -> None:
        """Hangs up on a stranger, and counts it."""
        self.strangers[cause] += 1
        connection.close()

    def _drop(self, candidate: Candidate, cause: Cause) -> None:
        self._forget(candidate)
        self.refuse(candidate.connection, cause)

    def _forget(self, candidate: Candidate) -> None:
        self._unproved.pop(candidate, None)
        self._proved.pop(candidate, None)
        self._selector.unregister(candidate.connection.socket)

    def close(self) -> None:
        """Stops listening, and hangs up on those that never said hello."""
        with contextlib.suppress(MachineError):
            self._hear_out()
        for candidate in self._proved:
            candidate.connection.close()
        for candidate in self._unproved:
            self.refuse(candidate.connection, Cause.SILENT)
        self._selector.close()
        self._listener.close()

    def _hear_out(self) -> None:
        """Lets those who wait say what they are refused for."""
        for _ in range(2 * BACKLOG):
            if not self.clock.select(self._selector, 0):
                break
            for late in self._look(0.0, BACKLOG):
                late.connection.close()

    def __enter__(self) -> Self:
        """The server itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes the server."""
        self.close()
