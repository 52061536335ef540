"""Messages of ranks: lines; a result's line is followed by its batches as raw 64-bit integers.

The relay of a host sends the same for its ranks, and a few messages of its own; an application also
sends what it checked of the solutions that a slice timed.

What is accepted here is recorded, so numbers that no machine can have measured are refused: the
error is raised while the rank that sent them is still known.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from leadline.hosts.cores import parse_cores
from leadline.record.quantities import LONGEST_NS, UNKNOWN
from leadline.record.slices import KNOWN_FLAGS, LinkUse, Verified, WarmUp

OWN_COLUMNS, REDUCED_COLUMNS = 3, 10
"""Columns of the batches of one rank, and of those that a relay reduced."""
_MOST_REPETITIONS = 2**31 - 1


def fields_of(words: Iterable[str]) -> dict[str, str]:
    """Values by key of the words "KEY=VALUE"; other words are left out."""
    return dict(word.split("=", 1) for word in words if "=" in word)


def integer(word: str) -> int:
    """The integer that `word` is; ValueError where it is none, or longer than any time."""
    value = int(word)
    if abs(value) > LONGEST_NS:
        raise ValueError(f"{word[:80]} is beyond {LONGEST_NS}")
    return value


def count(word: str) -> int:
    """The whole number from 0 up, or UNKNOWN, that `word` is; ValueError where it is neither."""
    value = integer(word)
    if value < UNKNOWN:
        raise ValueError(f"{word[:80]} is below 0")
    return value


def repetitions(word: str, batches: bool) -> int:
    """The number of repetitions of a batch that `word` is; ValueError where it is none.

    It may be 0 where no `batches` follow, as of an answer that tells nothing but disturbances.
    """
    value = int(word)
    if not int(batches) <= value <= _MOST_REPETITIONS:
        raise ValueError(f"{word[:80]} is no number of repetitions")
    return value


def finite(word: str) -> float:
    """The number that `word` is; ValueError where it is none, or not finite."""
    value = float(word)
    if not math.isfinite(value):
        raise ValueError(f"{word[:80]} is not finite")
    return value


def batches(numbers: npt.NDArray[np.int64], columns: int) -> npt.NDArray[np.int64]:
    """`numbers` as batches, a row each; ValueError where a row is none.

    It begins, ends after that, and is flagged as known; where a relay reduced it, the slowest rank
    and the spread are none below 0 or beyond any time either.
    """
    if columns not in (OWN_COLUMNS, REDUCED_COLUMNS):
        raise ValueError(f"batches have {OWN_COLUMNS} columns or {REDUCED_COLUMNS}")
    rows = numbers.reshape(-1, columns)
    wrong = ((rows < 0) | (rows > LONGEST_NS)).any(axis=1) | (rows[:, 1] < rows[:, 0])
    wrong |= (rows[:, 2] & ~KNOWN_FLAGS) != 0
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(f"batch {row} can't be: {rows[row].tolist()} (start, end, flags)")
    return rows


@dataclass(frozen=True, slots=True)
class Solved:
    """Time that one rank's timed repetitions took, and what was checked of their results."""

    communication_ns: int
    elapsed_ns: int
    """Time of communication and of everything else."""
    verified: Verified | None = None
    """None: this rank checked no real number, for instance because messages carry nothing."""


def parse_solved(fields: Mapping[str, str]) -> Solved | None:
    """The values of `spent` and `verified` of a result; None: it is no application's.

    ValueError: a kernel writes no such values.
    """
    if "spent" not in fields:
        return None
    communication_ns, elapsed_ns = map(count, fields["spent"].split(":"))
    verified = None
    if "verified" in fields:
        quantity, expected, seen = fields["verified"].split(":")
        verified = Verified(quantity, finite(expected), finite(seen))
    return Solved(communication_ns, elapsed_ns, verified)


BYTES_PER_MBIT = 125_000.0
LINE_BYTES = 1 << 20
"""The most bytes of a line."""
BATCHES_BYTES = 1 << 24
"""The most bytes that may follow a result's line."""
CALLS_BYTES = 1 << 30
"""The most bytes that may follow a trace's line."""


@dataclass(frozen=True, slots=True)
class Hello:
    """A rank is ready: its number, where it runs, and the name and version of its library."""

    rank: int
    size: int
    pid: int
    host: str
    machine: str
    """The id of its boot; where that can't be read, the host's name."""
    clock: str
    """Ranks with the same read one clock: machine and time namespace."""
    clock_ns: float
    """Time that reading the clock takes, in ns."""
    cores: tuple[int, ...]
    library: str


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Conditions of one rank between the first and the last timed batch of a slice."""

    window_ns: int
    """The time between the two readings that the next three are differences of."""
    run_delay_ns: int
    """Time that it was ready to run and waited for a core; -1: its system doesn't report it."""
    involuntary_switches: int
    """-1: not known."""
    minor_faults: int
    """-1: not known."""
    core_latency_ns: int
    """A cache line's round trip between the rank and its partner, right after; -1: not known."""
    links: tuple[LinkUse, ...] = ()
    """Both directions of every interface of its host but loopback, without the host's name, with
    the rates that the interfaces report; empty: not asked for, or not readable."""


@dataclass(frozen=True, slots=True)
class Result:
    """One slice's batches on one rank: columns start_ns, end_ns, flags; shape (n, 3).

    Of many ranks a relay sends one with the batches of all, whose columns are those of
    record.reduction.joined; the results of its other ranks have none.
    """

    id: int
    rank: int
    repetitions: int
    batches: npt.NDArray[np.int64]
    around: Surroundings
    warm_up: WarmUp | None = None
    """None: the launch had met the cell before."""
    contends: bool = False
    """Whether the cell measures operations of all ranks at the same time."""
    over: tuple[int, ...] = ()
    """The ranks that recorded, ascending, where a relay reduced their batches; empty: its own."""
    solved: Solved | None = None
    """None: the pattern is no application."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A rank has received a placement."""

    id: int
    rank: int


@dataclass(frozen=True, slots=True)
class FittedClock:
    """A rank's clock relative to rank 0's, by a fit of its leader's; all zero for rank 0's own."""

    id: int
    rank: int
    leader: int
    """The lowest rank that reads the same clock."""
    fits: int
    """Number of fits in this launch so far, this one included."""
    here_ns: int
    """Time of the leader's clock when it was fitted."""
    offset_ns: int
    """By how much it was ahead of rank 0's."""
    drift: float
    """Seconds that it gains in a second."""
    missed_ns: int
    """Prediction of the previous fit minus what was read now; 0 where there was none."""
    error_ns: int
    """Difference of the offsets by its fastest messages and by those a little slower."""
    round_trip_ns: int
    """The shortest round trip of a message."""


@dataclass(frozen=True, slots=True)
class Traced:
    """The calls of a rank, a line each."""

    id: int
    rank: int
    text: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A rank found a wrong byte or result (or couldn't get memory): the slice doesn't count."""

    id: int
    rank: int
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Relay:
    """A relay listens: the ranks that it speaks for may be started."""

    ranks: int
    """Number of ranks whose hellos are to come."""
    host: str
    pid: int


@dataclass(frozen=True, slots=True)
class Refused:
    """A relay refused a connection."""

    cause: str


@dataclass(frozen=True, slots=True)
class Lost:
    """A relay has lost a rank."""

    rank: int
    astray: bool
    """Whether it sent something that is no answer; else it closed its connection."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Ranks of a relay that haven't answered."""

    ranks: tuple[int, ...]


Answer = Result | Placed | FittedClock | Traced | Fault
"""Answers to a command."""
Message = Hello | Answer | Relay | Refused | Lost | Missing


class ProtocolError(Exception):
    """A rank sent something that isn't in the protocol."""


def parse_hello(line: str) -> Hello:
    """The Hello in "hello rank=0 size=2 ... library=<the rest of the line>"."""
    head, _, library = line.partition(" library=")
    fields = fields_of(head.split())
    return Hello(
        int(fields["rank"]), int(fields["size"]), int(fields["pid"]), fields["host"],
        fields["machine"], fields["clock"], float(fields["clock_ns"]),
        parse_cores(fields["cores"]), library.strip(),
    )  # fmt: skip


def _surroundings(fields: Mapping[str, str]) -> Surroundings:
    window_ns, run_delay_ns, switches, faults, core_latency_ns = (
        count(fields[name])
        for name in ("window_ns", "run_delay_ns", "switches", "faults", "core_latency_ns")
    )
    links = []
    for word in filter(None, fields.get("links", "").split(",")):
        # one direction of an interface, "eth0/tx:BYTES:MBITS"; MBITS -1: it has no speed
        links_ns = count(fields["links_ns"])
        name, sent, mbits = word.rsplit(":", 2)
        bytes_per_s = max(count(mbits), 0) * BYTES_PER_MBIT
        links.append(LinkUse(name.replace("/", " "), count(sent), links_ns, bytes_per_s))
    return Surroundings(window_ns, run_delay_ns, switches, faults, core_latency_ns, tuple(links))


def _warm_up(fields: Mapping[str, str]) -> WarmUp | None:
    elapsed_ns, operations, converged = (count(word) for word in fields["warm_up"].split(":"))
    return WarmUp(elapsed_ns, operations, converged == 1) if operations else None


def parse_fault(line: str) -> Fault:
    """The Fault in "fault ..." (what is wrong, and where) or "refused ..." (the reason)."""
    kind, *words = line.split()
    fields = fields_of(words)
    where, rank = int(fields["id"]), int(fields["rank"])
    if kind == "refused":
        reason = " ".join(word for word in words if "=" not in word)
        return Fault(where, rank, "refused", f"rank {rank}: {reason}")
    if "quantity" in fields:
        return Fault(where, rank, "wrong_result", _wrong_result(fields))
    text = (
        f"rank {rank} received a wrong byte in the {fields['pass']} pass at offset "
        f"{fields['offset']}: expected {int(fields['expected']):#x}, seen {int(fields['seen']):#x}"
    )
    return Fault(where, rank, "wrong_byte", text)


def _wrong_result(fields: Mapping[str, str]) -> str:
    """E.g. "norm 5.4e-05, expected 5.3e-05 (relative error 0.019)", the same from all ranks."""
    name = fields["quantity"].replace("_", " ")
    if fields["real"] == "0":
        return f"{name} {int(fields['seen'])}, expected {int(fields['expected'])}"
    expected, seen = float(fields["expected"]), float(fields["seen"])
    error = abs(seen / expected - 1) if expected else math.nan
    apart = f" (relative error {error:.2g})" if math.isfinite(error) else ""
    return f"{name} {seen:.13g}, expected {expected:.13g}{apart}"


def parse_line(line: str) -> Message:
    """The message in a line that nothing else follows, by its first word; others are faults."""
    fields = fields_of(line.split())
    message: Message
    match line.partition(" ")[0]:
        case "hello":
            message = parse_hello(line)
        case "placed":
            message = Placed(int(fields["id"]), int(fields["rank"]))
        case "fitted":
            drift = float(fields["drift"])
            if not math.isfinite(drift):
                raise ValueError(f"no clock gains {drift} s in a second")
            message = FittedClock(
                int(fields["id"]), int(fields["rank"]), int(fields["leader"]),
                count(fields["fits"]), integer(fields["here_ns"]), integer(fields["offset_ns"]),
                drift, integer(fields["missed_ns"]), count(fields["error_ns"]),
                count(fields["round_trip_ns"]),
            )  # fmt: skip
        case "relay":
            message = Relay(int(fields["ranks"]), fields["host"], int(fields["pid"]))
        case "stranger":
            _, cause = line.split()
            message = Refused(cause)
        case "lost":
            message = Lost(int(fields["rank"]), fields["how"] == "astray")
        case "missing":
            message = Missing(parse_cores(fields["ranks"]))
        case _:
            message = parse_fault(line)
    return message


class Inbox:
    """Bytes received from one rank: bytes go in, whole messages come out."""

    def __init__(self) -> None:
        """Begins empty."""
        self._pending = bytearray()

    @property
    def pending_bytes(self) -> int:
        """Number of bytes that have arrived and are part of no message yet."""
        return len(self._pending)

    def feed(self, chunk: bytes) -> None:
        """Adds bytes that have arrived, whole messages or not."""
        self._pending += chunk

    def next_line(self) -> str | None:
        """The next whole line, as it is, or None if it hasn't all arrived."""
        end = self._pending.find(b"\n")
        if end < 0:
            return None
        line = self._pending[:end].decode(errors="replace")
        del self._pending[: end + 1]
        return line

    def next_message(self) -> Message | None:
        """The next whole message, or None if it hasn't all arrived; ProtocolError if it's none."""
        end = self._pending.find(b"\n", 0, LINE_BYTES)
        if end < 0 and len(self._pending) < LINE_BYTES:
            return None
        line = self._pending[: end if end >= 0 else LINE_BYTES].decode(errors="replace")
        try:
            if end < 0:
                raise ValueError(f"no line has {LINE_BYTES:,} bytes")
            return self._parse(line, end + 1)
        except (KeyError, ValueError) as error:
            raise ProtocolError(f"a rank said {line[:80]!r}: {error}") from error

    def _parse(self, line: str, start: int) -> Message | None:
        """The message of `line`, which ends before `start`; None: its body hasn't all arrived."""
        is_trace = line.startswith("traced ")
        if not is_trace and not line.startswith("result "):
            del self._pending[:start]
            return parse_line(line)
        fields = fields_of(line.split())
        size, most = int(fields["bytes"]), CALLS_BYTES if is_trace else BATCHES_BYTES
        if size not in range(most + 1):
            raise ValueError(f"from 0 to {most:,} bytes may follow")
        end = start + size
        if len(self._pending) < end:
            return None
        body = bytes(self._pending[start:end])
        del self._pending[:end]
        if is_trace:
            return Traced(int(fields["id"]), int(fields["rank"]), body.decode(errors="replace"))
        numbers = np.frombuffer(body, dtype=np.int64)
        return Result(
            int(fields["id"]), int(fields["rank"]),
            repetitions(fields["repetitions"], batches=bool(body)),
            batches(numbers, int(fields.get("columns", OWN_COLUMNS))), _surroundings(fields),
            _warm_up(fields), fields["contends"] == "1", parse_cores(fields.get("over", "")),
            parse_solved(fields),
        )  # fmt: skip


def read_records(path: Path) -> list[Message]:
    """All messages that a rank which runs a script wrote to the records file `path`."""
    inbox = Inbox()
    inbox.feed(path.read_bytes())
    return list(iter(inbox.next_message, None))
