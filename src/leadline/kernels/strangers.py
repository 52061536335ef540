"""How a connection comes to be a rank's, and why others are refused."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from enum import Enum, unique

from leadline.kernels.clock import Clock
from leadline.kernels.connection import Connection
from leadline.kernels.credentials import Credentials
from leadline.kernels.messages import Hello, Message, ProtocolError, Refused, Relay

PROOF_BYTES = 256
"""The most that is read of what comes before a proof, and with it."""
PROOF_S = 10.0
"""Between connecting and the proof."""
HELLO_BYTES = 4096
NONCE_BYTES = 16


@unique
class Cause(Enum):
    """Why a connection was refused: what is said of it, after a number of them."""

    OTHER_USER = "came from another user"
    SILENT = "gave no proof"
    CROWD = "gave no proof while many others came"
    NO_PROOF = "said something else than a proof"
    UNKNOWN = "named no launch of this run"
    FORGED = "gave a wrong proof"
    NO_HELLO = "gave a proof and no hello"
    LATE = "came when the launch was up, or over"
    TAKEN = "came in the name of a rank that was there"
    NO_RANK = "came in the name of a rank that the launch hasn't"


class StrangerError(Exception):
    """A connection isn't that of a rank which is awaited."""

    def __init__(self, cause: Cause) -> None:
        """Keeps `cause`."""
        self.cause = cause
        super().__init__(cause.value)


class Candidate:
    """A connection that hasn't said hello: it is challenged, gives its proof, then says it.

    Or it is a relay's, says so, and then the hellos of its ranks.
    """

    def __init__(self, connection: Connection, clock: Clock) -> None:
        """Challenges it, by a word that is drawn for it alone; `clock` says when it is overdue."""
        self._clock = clock
        self.connection = connection
        self.launch = ""
        """The name of the launch that it has proved to be of; empty: none yet."""
        self.owed = 1
        """How many hellos are to come."""
        self._relays = False
        self._nonce = secrets.token_hex(NONCE_BYTES)
        self._since = self._clock.monotonic()
        connection.send(f"challenge {self._nonce}")

    @property
    def overdue(self) -> bool:
        """Whether its proof is; a hello isn't: libraries may take long to start."""
        return not self.launch and self._clock.monotonic() > self._since + PROOF_S

    def hear(self, launches: Mapping[str, Credentials]) -> list[Hello | Relay | Refused]:
        """Takes what has arrived; its hello, once that is whole, or what a relay has said.

        Raises:
            StrangerError: It belongs to none of `launches`, or says what no rank says.
        """
        connection, most_bytes = self.connection, HELLO_BYTES if self.launch else PROOF_BYTES
        connection.receive(most_bytes - connection.pending_bytes)
        line = None if self.launch else connection.next_line()
        if line is not None:
            self.launch = self._proved(line, launches)
        said = list(self._said()) if self.launch else []
        broken_off = connection.closed and connection.pending_bytes > 0
        if not said and (broken_off or connection.pending_bytes >= most_bytes):
            raise StrangerError(Cause.NO_HELLO if self.launch else Cause.NO_PROOF)
        return said

    def _proved(self, line: str, launches: Mapping[str, Credentials]) -> str:
        """The name of the launch that `line` proves to be this rank's."""
        match line.split():
            case ["launch", name, proof]:
                if name not in launches:
                    raise StrangerError(Cause.UNKNOWN)
                if not launches[name].are_proved_by(proof, self._nonce):
                    raise StrangerError(Cause.FORGED)
                return name
        raise StrangerError(Cause.NO_PROOF)

    def _said(self) -> Iterator[Hello | Relay | Refused]:
        """What it owes, as far as that has come."""
        while self.owed and (message := self._message()) is not None:
            match message:
                case Hello():
                    self.owed -= 1
                case Relay() if not self._relays and message.ranks > 0:
                    self._relays, self.owed = True, message.ranks
                case Refused() if self._relays and message.cause.upper() in Cause.__members__:
                    pass
                case _:
                    raise StrangerError(Cause.NO_HELLO)
            yield message

    def _message(self) -> Message | None:
        try:
            return self.connection.next_message()
        except ProtocolError as error:
            raise StrangerError(Cause.NO_HELLO) from error
