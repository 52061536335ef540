"""The server that ranks connect to, each or through the relay of its host.

The connections are outside of the measured library.
"""

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
    UnauthenticatedError,
    listen,
    user_of,
)
from leadline.kernels.messages import Hello, Refused, Relay

MOST_UNPROVED = 64
"""Connections without a proof that are kept, beside the ranks that are awaited."""
_NO_FILES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


@dataclass(frozen=True, slots=True)
class Arrival:
    """A rank that proved which launch it belongs to, and sent its hello."""

    launch: str
    """The name of its launch."""
    connection: Connection
    hello: Hello


@dataclass(frozen=True, slots=True)
class ReadyRelay:
    """A relay that is ready for its ranks."""

    launch: str
    """The name of its launch."""
    connection: Connection
    """Shared by the ranks that will arrive through it."""


class ControlServer:
    """Listens, returns ranks as they send their hellos, and counts unauthenticated connections."""

    def __init__(self, listener: Listener, clock: Clock = SYSTEM_CLOCK) -> None:
        """Takes over `listener`; use `listening`."""
        self._listener, self.clock = listener, clock
        self._known: dict[str, Credentials] = {}
        self._unproved: dict[Candidate, None] = {}
        """Connections without a proof so far, oldest first."""
        self._proved: dict[Candidate, None] = {}
        """Connections with a proof whose hello is to come, or further hellos."""
        self._ready_relays: list[ReadyRelay] = []
        self._selector = selectors.DefaultSelector()
        self._selector.register(listener.socket, selectors.EVENT_READ)
        self._early: list[Arrival] = []
        """Ranks that arrived while connections of another launch were closed."""
        self.refused = Counter[Cause]()
        """Number of connections that were refused, by cause."""

    @classmethod
    def listening(cls, hosts: Sequence[str] = (), clock: Clock = SYSTEM_CLOCK) -> Self:
        """A server for ranks on `hosts`, where there are none on this one; it waits by `clock`."""
        return cls(listen(hosts), clock)

    @property
    def address(self) -> str:
        """Where ranks connect to: "unix:PATH", or "127.0.0.1:PORT"."""
        return self._listener.address

    def accept(
        self, timeout_s: float, launches: Mapping[str, Credentials], awaited: int
    ) -> list[Arrival]:
        """The ranks that sent their hello within `timeout_s`; returns as soon as one did.

        It also returns as soon as a relay is ready: see `met`.

        Args:
            timeout_s: At least the time for one look.
            launches: Credentials of the launches that ranks may belong to, by name.
            awaited: The number of ranks that may still connect.

        Raises:
            MachineError: This process can't have as many files open.
        """
        self._known.update(launches)
        deadline = self.clock.monotonic() + timeout_s
        while True:
            arrivals, self._early = [*self._early, *self._look(deadline, awaited)], []
            welcome = [arrival for arrival in arrivals if arrival.launch in launches]
            came: list[Arrival | ReadyRelay] = [*arrivals, *self._ready_relays]
            for late in (relay for relay in came if relay.launch not in launches):
                self.refuse(late.connection, Cause.LATE)
            self._ready_relays = [relay for relay in self._ready_relays if relay.launch in launches]
            if welcome or self._ready_relays or self.clock.monotonic() >= deadline:
                return welcome

    def hang_up(self, launch: str) -> bool:
        """Closes the connections of `launch` that gave their proof and owe a hello.

        Returns whether there were any. Proofs that have arrived and weren't read are read before.
        """
        heard = [arrival for one in list(self._unproved) for arrival in self._heard(one)]
        self._early += [arrival for arrival in heard if arrival.launch != launch]
        candidates = [one for one in self._proved if one.launch == launch]
        for candidate in candidates:
            self._forget(candidate)
        connections = [candidate.connection for candidate in candidates]
        connections += [arrival.connection for arrival in heard if arrival.launch == launch]
        for connection in connections:
            connection.close()
        return bool(connections)

    def turn_away(self) -> None:
        """Closes all connections that wait to be accepted, or that gave no proof yet."""
        waiting = True
        while waiting:
            try:
                self._listener.accept().close()
            except OSError:
                waiting = False
        for candidate in list(self._unproved):
            self._forget(candidate)
            candidate.connection.close()

    def ready_relays(self) -> list[ReadyRelay]:
        """The relays that became ready since the last call."""
        met, self._ready_relays = self._ready_relays, []
        return met

    def _look(self, deadline: float, awaited: int) -> list[Arrival]:
        """The ranks of any launch whose hellos arrive next, at the latest by `deadline`."""
        for gone in [candidate for candidate in self._proved if candidate.connection.closed]:
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
        """The ranks that `candidate` announces in what has arrived from it; it may be refused."""
        connection = candidate.connection
        try:
            messages = candidate.hear(self._known)
        except UnauthenticatedError as error:
            self._drop(candidate, error.cause)
            return []
        for refused in messages:
            if isinstance(refused, Refused):
                self.refused[Cause[refused.cause.upper()]] += 1
            if isinstance(refused, Relay):
                self._ready_relays.append(ReadyRelay(candidate.launch, connection))
        if not candidate.owed:
            self._forget(candidate)
        elif connection.closed:  # by itself: it wasn't refused
            self._forget(candidate)
            connection.close()
        elif candidate.launch:
            self._unproved.pop(candidate, None)
            self._proved[candidate] = None
        hellos = (hello for hello in messages if isinstance(hello, Hello))
        return [Arrival(candidate.launch, connection, hello) for hello in hellos]

    def _oldest(self) -> Candidate | None:
        """The oldest connection without a proof."""
        return next(iter(self._unproved), None)

    def _admit(self, most: int) -> None:
        """Accepts the first connection that waits; of those without a proof keeps the last `most`.

        One at a time: where files are short, accept() fails also when nobody waits.
        """
        accepted: socket.socket | None = None
        while accepted is None:
            try:
                accepted = self._listener.accept()
            except OSError as error:
                if error.errno not in _NO_FILES:
                    return  # who waited is gone
                self._make_room(error)
        connection = Connection(accepted)
        if user_of(accepted) not in {None, os.geteuid()}:
            self.refuse(connection, Cause.OTHER_USER)
            return
        candidate = Candidate(connection, self.clock)
        self._unproved[candidate] = None
        self._selector.register(accepted, selectors.EVENT_READ, candidate)
        if len(self._unproved) > most:
            self._drop(next(iter(self._unproved)), Cause.CROWD)

    def _make_room(self, error: OSError) -> None:
        """Makes room for another open file; if need be by refusing a connection without a proof."""
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
        """Closes an unauthenticated connection, and counts it."""
        self.refused[cause] += 1
        connection.close()

    def _drop(self, candidate: Candidate, cause: Cause) -> None:
        self._forget(candidate)
        self.refuse(candidate.connection, cause)

    def _forget(self, candidate: Candidate) -> None:
        self._unproved.pop(candidate, None)
        self._proved.pop(candidate, None)
        self._selector.unregister(candidate.connection.socket)

    def close(self) -> None:
        """Stops listening, and closes the connections that never sent a hello."""
        with contextlib.suppress(MachineError):
            for _ in range(2 * BACKLOG):  # connections that wait give their reason for refusal
                if not self.clock.select(self._selector, 0):
                    break
                for late in self._look(0.0, BACKLOG):
                    late.connection.close()
        for candidate in self._proved:
            candidate.connection.close()
        for candidate in self._unproved:
            self.refuse(candidate.connection, Cause.SILENT)
        self._selector.close()
        self._listener.close()

    def __enter__(self) -> Self:
        """The server itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes the server."""
        self.close()
