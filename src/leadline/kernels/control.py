"""The front-end's end of the control channel: one socket per rank, outside the measured library.

What a rank says is lines; a result's line is followed by its batches as raw 64-bit integers.
"""

from __future__ import annotations

import secrets
import selectors
import socket
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from leadline.errors import MachineError
from leadline.hosts.cores import parse_cores
from leadline.record.slices import LinkUse, WarmUp

CHUNK = 1 << 20
LOOPBACK = "127.0.0.1"
_ANY_PORT = 9
BYTES_PER_MBIT = 125_000.0


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


@dataclass(frozen=True, slots=True)
class Hello:
    """A rank is ready: who it is, where, and what its library calls itself."""

    rank: int
    size: int
    pid: int
    host: str
    machine: str
    """The id of its boot; where that can't be read, the host's name."""
    clock: str
    """Ranks with the same read one clock: machine and time namespace."""
    clock_ns: float
    """What reading it costs."""
    cores: tuple[int, ...]
    library: str


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What happened around one rank between the first and the last timed batch of a slice."""

    window_ns: int
    """The time between the two readings that the next three are differences of."""
    run_delay_ns: int
    """For which it was ready to run and waited for a core; -1: its system doesn't say."""
    involuntary_switches: int
    """-1: not known."""
    minor_faults: int
    """-1: not known."""
    handover_ns: int
    """A cache line's round trip between the rank and its partner, right after; -1: not known."""
    links: tuple[LinkUse, ...] = ()
    """Both directions of every interface of its host but loopback, without the host's name, their
    rates what the interfaces say; empty: not asked for, or not to be read."""


@dataclass(frozen=True, slots=True)
class Result:
    """One slice's batches on one rank: columns start_ns, end_ns, flags; shape (n, 3)."""

    id: int
    rank: int
    repetitions: int
    batches: npt.NDArray[np.int64]
    around: Surroundings
    warm_up: WarmUp | None = None
    """None: the launch had met the cell before."""
    contends: bool = False
    """Whether the cell is about the operations of all ranks at the same time."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A rank keeps a placement."""

    id: int
    rank: int


@dataclass(frozen=True, slots=True)
class Fault:
    """A rank found a wrong byte (or couldn't get memory): the slice doesn't count."""

    id: int
    rank: int
    code: str
    text: str


Message = Hello | Result | Placed | Fault


class ProtocolError(Exception):
    """A rank said something that isn't in the protocol."""


def _fields(words: Iterable[str]) -> dict[str, str]:
    return dict(word.split("=", 1) for word in words if "=" in word)


def parse_hello(line: str) -> Hello:
    """The Hello in "hello rank=0 size=2 ... library=<the rest of the line>"."""
    head, _, library = line.partition(" library=")
    said = _fields(head.split())
    return Hello(
        int(said["rank"]), int(said["size"]), int(said["pid"]), said["host"], said["machine"],
        said["clock"], float(said["clock_ns"]), parse_cores(said["cores"]), library.strip(),
    )  # fmt: skip


def _surroundings(said: Mapping[str, str]) -> Surroundings:
    links = [word for word in said.get("links", "").split(",") if word]
    return Surroundings(
        int(said["window_ns"]), int(said["run_delay_ns"]), int(said["switches"]),
        int(said["faults"]), int(said["handover_ns"]),
        tuple(_link(word, int(said["links_ns"])) for word in links),
    )  # fmt: skip


def _warm_up(said: Mapping[str, str]) -> WarmUp | None:
    elapsed_ns, operations, converged = (int(word) for word in said["warm_up"].split(":"))
    return WarmUp(elapsed_ns, operations, converged == 1) if operations else None


def _link(word: str, window_ns: int) -> LinkUse:
    """What went one way through an interface, "eth0/tx:BYTES:MBITS"; MBITS -1: no speed."""
    name, sent, mbits = word.rsplit(":", 2)
    return LinkUse(
        name.replace("/", " "), int(sent), window_ns, max(int(mbits), 0) * BYTES_PER_MBIT
    )


def parse_fault(line: str) -> Fault:
    """The Fault in "fault ..." (a wrong byte, with its place) or "refused ..." (the reason)."""
    kind, *words = line.split()
    said = _fields(words)
    where, rank = int(said["id"]), int(said["rank"])
    if kind == "refused":
        reason = " ".join(word for word in words if "=" not in word)
        return Fault(where, rank, "refused", f"rank {rank}: {reason}")
    text = (
        f"rank {rank} received a wrong byte in the {said['pass']} pass at offset "
        f"{said['offset']}: expected {int(said['expected']):#x}, seen {int(said['seen']):#x}"
    )
    return Fault(where, rank, "wrong_byte", text)


class Inbox:
    """What one rank has said: bytes go in, whole messages come out."""

    def __init__(self) -> None:
        """Begins empty; `token` is None until the rank has said it."""
        self.token: str | None = None
        self._pending = bytearray()

    def feed(self, chunk: bytes) -> None:
        """Takes in what has arrived, whole messages or not."""
        self._pending += chunk

    def next_message(self) -> Message | None:
        """The next whole message, or None if it hasn't all arrived; ProtocolError if it's none."""
        end = self._pending.find(b"\n")
        if end < 0:
            return None
        line = self._pending[:end].decode(errors="replace")
        try:
            return self._parse(line, end + 1)
        except (KeyError, ValueError) as error:
            raise ProtocolError(f"a rank said {line[:80]!r}: {error}") from error

    def _parse(self, line: str, start: int) -> Message | None:
        if line.startswith("result "):
            return self._result(_fields(line.split()), start)
        del self._pending[:start]
        if line.startswith("token "):
            self.token = line.split()[1]
            return self.next_message()
        if line.startswith("hello "):
            return parse_hello(line)
        if line.startswith("placed "):
            said = _fields(line.split())
            return Placed(int(said["id"]), int(said["rank"]))
        return parse_fault(line)

    def _result(self, said: Mapping[str, str], start: int) -> Result | None:
        end = start + int(said["bytes"])
        if len(self._pending) < end:
            return None
        batches = np.frombuffer(bytes(self._pending[start:end]), dtype=np.int64).reshape(-1, 3)
        del self._pending[:end]
        return Result(
            int(said["id"]), int(said["rank"]), int(said["repetitions"]), batches,
            _surroundings(said), _warm_up(said), said["contends"] == "1",
        )  # fmt: skip


def read_records(path: Path) -> list[Message]:
    """All that a rank wrote to the records file `path`, obeying a script."""
    inbox = Inbox()
    inbox.feed(path.read_bytes())
    return list(iter(inbox.next_message, None))


class Connection(Inbox):
    """One rank's socket."""

    def __init__(self, accepted: socket.socket) -> None:
        """Takes over `accepted`, which doesn't block."""
        super().__init__()
        self.socket = accepted
        self.closed = False

    def receive(self) -> None:
        """Takes what has arrived; marks the connection closed at its end."""
        try:
            chunk = self.socket.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        self.closed = not chunk
        self.feed(chunk)

    def send(self, line: str) -> None:
        """Sends one command; a rank that is gone shows when it is read from."""
        try:
            self.socket.setblocking(True)
            self.socket.sendall(line.encode() + b"\n")
            self.socket.setblocking(False)
        except OSError:
            self.closed = True

    def close(self) -> None:
        """Hangs up: a rank that still runs ends itself."""
        self.closed = True
        self.socket.close()


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
