"""How ranks and relays connect to the front-end, and how all others are refused.

Where possible, ranks connect to a socket that other users can't reach. Each proves which launch it
belongs to by a secret that it was started with and that is never sent. Other connections are
refused, and counted by cause. A connection is one rank's, or that of a relay for several.
"""

from __future__ import annotations

import hmac
import secrets
import selectors
import shutil
import socket
import struct
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, unique
from pathlib import Path
from typing import Self

from leadline.errors import MachineError
from leadline.hosts.cleanup.notes import forget, note
from leadline.hosts.cleanup.sweep import remove_old_folders
from leadline.kernels.clock import SYSTEM_CLOCK, Clock
from leadline.kernels.messages import Hello, Inbox, Message, ProtocolError, Refused, Relay

NAME_BYTES = 8
SECRET_BYTES = 32
CONFIDENTIAL = frozenset({"LEADLINE_SECRET", "LEADLINE_JOB"})
"""Variables whose values no command line may show: every local user can read those."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """What the ranks of one launch need to prove that they belong to it."""

    name: str
    """Public: the launch that a rank claims to belong to."""
    secret: str = field(repr=False)
    """32 bytes in hexadecimal digits, known to its ranks only."""
    job: str
    """Name by which ranks find each other; while they do, a file in /dev/shm has it."""

    @classmethod
    def fresh(cls) -> Self:
        """Credentials of a new launch."""
        words = (secrets.token_hex(count) for count in (NAME_BYTES, SECRET_BYTES, NAME_BYTES))
        return cls(*words)

    @property
    def variables(self) -> dict[str, str]:
        """Environment variables that pass them to the ranks; only their owner can read it."""
        return {
            "LEADLINE_LAUNCH": self.name,
            "LEADLINE_SECRET": self.secret,
            "LEADLINE_JOB": self.job,
        }

    def proof(self, nonce: str) -> str:
        """The answer to `nonce` that needs the secret: HMAC-SHA256 (RFC 2104), in hexadecimal."""
        asked = f"leadline {nonce} {self.name}"
        return hmac.new(bytes.fromhex(self.secret), asked.encode(), "sha256").hexdigest()

    def are_proved_by(self, answer: str, nonce: str) -> bool:
        """Whether `answer`, any text, is that answer; takes equally long for all wrong ones."""
        return hmac.compare_digest(answer.encode(), self.proof(nonce).encode())


LOOPBACK = "127.0.0.1"
FOLDER = "leadline-control-"
BACKLOG = 1024
"""Connections that wait to be accepted."""
_ANY_PORT = 9


class Listener:
    """A listening socket that doesn't block, and the folder that is removed with it."""

    def __init__(self, listening: socket.socket, address: str, folder: str = "") -> None:
        """Use `listen`; takes over `listening` and `folder`."""
        self.socket, self.address, self._folder = listening, address, folder
        self._noted = note(Path(folder)) if folder else None
        listening.setblocking(False)

    def accept(self) -> socket.socket:
        """The next connection, which doesn't block; OSError as socket.accept."""
        accepted, _ = self.socket.accept()
        accepted.setblocking(False)
        if accepted.family != socket.AF_UNIX:
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return accepted

    def close(self) -> None:
        """Listens no more."""
        self.socket.close()
        if self._noted is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            forget(self._noted)


def listen(hosts: Sequence[str]) -> Listener:
    """A new listener for ranks on `hosts`; where there are none, all ranks are on this host.

    Ranks of this host connect to a Unix socket in a folder that only its owner can enter. Where the
    folder's path is too long for a socket's, or its file system has no sockets, they connect to a
    port of the loopback device, which every local user can reach. Raises MachineError for a host
    that isn't known.
    """
    if hosts:
        return _by_network(address_towards(hosts))
    try:
        return _by_path()
    except OSError:
        return _by_network(LOOPBACK)


def _by_network(address: str) -> Listener:
    listening = socket.create_server((address, 0), backlog=BACKLOG)
    host, port = listening.getsockname()[:2]
    return Listener(listening, f"{host}:{port}")


def _by_path() -> Listener:
    folder = tempfile.mkdtemp(prefix=FOLDER)  # with rights for its owner alone
    listening = socket.socket(socket.AF_UNIX)
    try:
        listening.bind(_path_in(folder))
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return Listener(listening, f"unix:{_path_in(folder)}", folder)


def _path_in(folder: str) -> str:
    return f"{folder}/socket"


def user_of(connection: socket.socket) -> int | None:
    """Id of the user whose process is at the other end; None: unknown, over a network."""
    if connection.family != socket.AF_UNIX:
        return None
    form = "3i"  # struct ucred: process, user, group
    credentials = connection.getsockopt(
        socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize(form)
    )
    user: int = struct.unpack(form, credentials)[1]
    return user


def sweep_folders(least_age_s: float) -> list[str]:
    """Removes folders of this user's front-ends that were killed so long ago; returns their paths.

    A short time isn't safe: where hosts share a temporary directory, a folder may belong to a
    campaign on another one, whose socket refuses all connections from here.
    """
    return remove_old_folders(FOLDER, least_age_s, _somebody_listens)


def _somebody_listens(folder: Path) -> bool:
    """Whether a front-end listens in `folder`, or may listen, such as one with too many callers."""
    with socket.socket(socket.AF_UNIX) as caller:
        caller.setblocking(False)
        try:
            caller.connect(_path_in(str(folder)))
        except (ConnectionRefusedError, FileNotFoundError):
            return False
        except OSError:
            return True
    return True


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


CHUNK = 1 << 20


class Connection(Inbox):
    """One rank's socket, or that of a relay."""

    def __init__(self, accepted: socket.socket) -> None:
        """Takes over `accepted`, which doesn't block."""
        super().__init__()
        self.socket = accepted
        self.closed = False

    def receive(self, most_bytes: int = CHUNK) -> None:
        """Reads at most so many bytes that have arrived; marks the connection closed at its end."""
        try:
            chunk = self.socket.recv(most_bytes)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        self.closed = not chunk
        self.feed(chunk)

    def next_within(self, timeout_s: float, clock: Clock = SYSTEM_CLOCK) -> Message | None:
        """The next whole message; None: the connection ends, or none comes in time, by `clock`."""
        deadline = clock.monotonic() + timeout_s
        with selectors.DefaultSelector() as selector:
            selector.register(self.socket, selectors.EVENT_READ)
            while (message := self.next_message()) is None and not self.closed:
                left_s = deadline - clock.monotonic()
                if left_s <= 0 or not clock.select(selector, left_s):
                    return None
                self.receive()
        return message

    def send(self, line: str) -> None:
        """Sends one command; that a rank is gone is noticed when its connection is read."""
        try:
            self.socket.setblocking(True)
            self.socket.sendall(line.encode() + b"\n")
            self.socket.setblocking(False)
        except OSError:
            self.closed = True

    def close(self) -> None:
        """Closes the connection: a rank that still runs ends by itself."""
        self.closed = True
        self.socket.close()


PROOF_BYTES = 256
"""The most bytes that are read up to the end of a proof."""
PROOF_S = 10.0
"""Timeout between connecting and the proof."""
HELLO_BYTES = 4096
NONCE_BYTES = 16


@unique
class Cause(Enum):
    """Why a connection was refused; the text follows a number of connections."""

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


class UnauthenticatedError(Exception):
    """A connection that belongs to no awaited rank."""

    def __init__(self, cause: Cause) -> None:
        """Keeps `cause`."""
        self.cause = cause
        super().__init__(cause.value)


class Candidate:
    """A connection that has sent no hello: it is challenged, gives its proof, then sends it.

    A relay first sends that it is one, and then the hellos of its ranks.
    """

    def __init__(self, connection: Connection, clock: Clock) -> None:
        """Challenges it, by a random word of its own; by `clock` it becomes overdue."""
        self._clock = clock
        self.connection = connection
        self.launch = ""
        """Name of the launch that it has proved to belong to; empty: none yet."""
        self.owed = 1
        """Number of hellos that are to come."""
        self._relays = False
        self._nonce = secrets.token_hex(NONCE_BYTES)
        self._since = self._clock.monotonic()
        connection.send(f"challenge {self._nonce}")

    @property
    def overdue(self) -> bool:
        """Whether its proof is overdue; a hello never is, for libraries may take long to start."""
        return not self.launch and self._clock.monotonic() > self._since + PROOF_S

    def hear(self, launches: Mapping[str, Credentials]) -> list[Hello | Relay | Refused]:
        """Reads what has arrived; returns its hello, once that is whole, or a relay's messages.

        Raises:
            UnauthenticatedError: It belongs to none of `launches`, or sends what no rank sends.
        """
        connection, most_bytes = self.connection, HELLO_BYTES if self.launch else PROOF_BYTES
        connection.receive(most_bytes - connection.pending_bytes)
        line = None if self.launch else connection.next_line()
        if line is not None:
            self.launch = self._proved(line, launches)
        messages = list(self._messages()) if self.launch else []
        broken_off = connection.closed and connection.pending_bytes > 0
        if not messages and (broken_off or connection.pending_bytes >= most_bytes):
            raise UnauthenticatedError(Cause.NO_HELLO if self.launch else Cause.NO_PROOF)
        return messages

    def _proved(self, line: str, launches: Mapping[str, Credentials]) -> str:
        """The name of the launch that `line` proves to be this rank's."""
        match line.split():
            case ["launch", name, proof]:
                if name not in launches:
                    raise UnauthenticatedError(Cause.UNKNOWN)
                if not launches[name].are_proved_by(proof, self._nonce):
                    raise UnauthenticatedError(Cause.FORGED)
                return name
        raise UnauthenticatedError(Cause.NO_PROOF)

    def _messages(self) -> Iterator[Hello | Relay | Refused]:
        """The hellos and the relay's messages that have arrived."""
        while self.owed:
            try:
                message = self.connection.next_message()
            except ProtocolError as error:
                raise UnauthenticatedError(Cause.NO_HELLO) from error
            match message:
                case None:
                    return
                case Hello():
                    self.owed -= 1
                case Relay() if not self._relays and message.ranks > 0:
                    self._relays, self.owed = True, message.ranks
                case Refused() if self._relays and message.cause.upper() in Cause.__members__:
                    pass
                case _:
                    raise UnauthenticatedError(Cause.NO_HELLO)
            yield message
