"""What ranks say: lines; a result's line is followed by its batches as raw 64-bit integers.

The relay of a host says the same for its ranks, and a few things of its own; an application also
what it found of the solutions that a slice timed.

What is let in here is recorded, and reading refuses what no machine can have measured: a number
beyond the bounds is said to be wrong while the rank that said it is still known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from leadline.hosts.cores import parse_cores
from leadline.record.run import LONGEST_NS
from leadline.record.slices import KNOWN_FLAGS, UNKNOWN, LinkUse, Verified, WarmUp

OWN_COLUMNS, REDUCED_COLUMNS = 3, 10
"""Of the batches of one rank, and of those that a relay reduced."""
_MOST_REPETITIONS = 2**31 - 1


def fields_of(words: Iterable[str]) -> dict[str, str]:
    """What the words "KEY=VALUE" say, without the others."""
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
    """Of one rank: what its repetitions took, those recorded for times, and what came of them."""

    communication_ns: int
    elapsed_ns: int
    """Communication and all else."""
    verified: Verified | None = None
    """None: this rank checked no real number, as where messages carry nothing."""


def parse_solved(said: Mapping[str, str]) -> Solved | None:
    """What `spent` and `verified` of a result say; None: it is no application's.

    ValueError: they aren't what a kernel writes.
    """
    if "spent" not in said:
        return None
    communication_ns, elapsed_ns = map(count, said["spent"].split(":"))
    return Solved(communication_ns, elapsed_ns, _verified(said))


def _verified(said: Mapping[str, str]) -> Verified | None:
    if "verified" not in said:
        return None
    quantity, expected, seen = said["verified"].split(":")
    return Verified(quantity, finite(expected), finite(seen))


BYTES_PER_MBIT = 125_000.0
LINE_BYTES = 1 << 20
"""The most that a line may have."""
BATCHES_BYTES = 1 << 24
"""The most that may follow a result's line."""
CALLS_BYTES = 1 << 30
"""The most that may follow a trace's line."""


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
    """One slice's batches on one rank: columns start_ns, end_ns, flags; shape (n, 3).

    Of many ranks a relay has one with those of all: record.reduction.joined says what the columns
    are; the others then have none.
    """

    id: int
    rank: int
    repetitions: int
    batches: npt.NDArray[np.int64]
    around: Surroundings
    warm_up: WarmUp | None = None
    """None: the launch had met the cell before."""
    contends: bool = False
    """Whether the cell is about the operations of all ranks at the same time."""
    over: tuple[int, ...] = ()
    """The ranks that recorded, ascending, where a relay reduced their batches; empty: its own."""
    solved: Solved | None = None
    """None: the pattern is no application."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A rank keeps a placement."""

    id: int
    rank: int


@dataclass(frozen=True, slots=True)
class FittedClock:
    """How a rank's clock goes against rank 0's, by a fit of its leader's; all 0 for rank 0's."""

    id: int
    rank: int
    leader: int
    """The lowest rank that reads the same clock."""
    fits: int
    """Of this launch so far, this one included."""
    here_ns: int
    """What the leader's clock showed when it was fitted."""
    offset_ns: int
    """What it showed more."""
    drift: float
    """Seconds that it gains in a second."""
    missed_ns: int
    """What the fit before foretold beyond what was read now; 0 where there was none."""
    error_ns: int
    """What its fastest messages, and those a little slower, say otherwise of the offset."""
    round_trip_ns: int
    """The shortest one."""


@dataclass(frozen=True, slots=True)
class Traced:
    """What a rank did, a line a call."""

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
    """Of how many the hellos are to come."""
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
    """Whether it said what is no answer; else it hung up."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Which ranks of a relay haven't answered."""

    ranks: tuple[int, ...]


Answer = Result | Placed | FittedClock | Traced | Fault
"""To a command."""
Message = Hello | Answer | Relay | Refused | Lost | Missing


class ProtocolError(Exception):
    """A rank said something that isn't in the protocol."""


def parse_hello(line: str) -> Hello:
    """The Hello in "hello rank=0 size=2 ... library=<the rest of the line>"."""
    head, _, library = line.partition(" library=")
    said = fields_of(head.split())
    return Hello(
        int(said["rank"]), int(said["size"]), int(said["pid"]), said["host"], said["machine"],
        said["clock"], float(said["clock_ns"]), parse_cores(said["cores"]), library.strip(),
    )  # fmt: skip


def _surroundings(said: Mapping[str, str]) -> Surroundings:
    links = [word for word in said.get("links", "").split(",") if word]
    return Surroundings(
        count(said["window_ns"]), count(said["run_delay_ns"]), count(said["switches"]),
        count(said["faults"]), count(said["handover_ns"]),
        tuple(_link(word, count(said["links_ns"])) for word in links),
    )  # fmt: skip


def _warm_up(said: Mapping[str, str]) -> WarmUp | None:
    elapsed_ns, operations, converged = (count(word) for word in said["warm_up"].split(":"))
    return WarmUp(elapsed_ns, operations, converged == 1) if operations else None


def _link(word: str, window_ns: int) -> LinkUse:
    """What went one way through an interface, "eth0/tx:BYTES:MBITS"; MBITS -1: no speed."""
    name, sent, mbits = word.rsplit(":", 2)
    return LinkUse(
        name.replace("/", " "), count(sent), window_ns, max(count(mbits), 0) * BYTES_PER_MBIT
    )


def parse_fault(line: str) -> Fault:
    """The Fault in "fault ..." (what is wrong, and where) or "refused ..." (the reason)."""
    kind, *words = line.split()
    said = fields_of(words)
    where, rank = int(said["id"]), int(said["rank"])
    if kind == "refused":
        reason = " ".join(word for word in words if "=" not in word)
        return Fault(where, rank, "refused", f"rank {rank}: {reason}")
    if "quantity" in said:
        return Fault(where, rank, "wrong_result", _wrong_result(said))
    text = (
        f"rank {rank} received a wrong byte in the {said['pass']} pass at offset "
        f"{said['offset']}: expected {int(said['expected']):#x}, seen {int(said['seen']):#x}"
    )
    return Fault(where, rank, "wrong_byte", text)


def _wrong_result(said: Mapping[str, str]) -> str:
    """E.g. "norm 5.4e-05, expected 5.3e-05 (relative error 0.019)", the same from all ranks."""
    name = said["quantity"].replace("_", " ")
    if said["real"] == "0":
        return f"{name} {int(said['seen'])}, expected {int(said['expected'])}"
    expected, seen = float(said["expected"]), float(said["seen"])
    error = abs(seen / expected - 1) if expected else math.nan
    apart = f" (relative error {error:.2g})" if math.isfinite(error) else ""
    return f"{name} {seen:.13g}, expected {expected:.13g}{apart}"


def _parse_placed(line: str) -> Placed:
    said = fields_of(line.split())
    return Placed(int(said["id"]), int(said["rank"]))


def _parse_fitted(line: str) -> FittedClock:
    said = fields_of(line.split())
    drift = float(said["drift"])
    if not math.isfinite(drift):
        raise ValueError(f"no clock gains {drift} s in a second")
    return FittedClock(
        int(said["id"]), int(said["rank"]), int(said["leader"]), count(said["fits"]),
        integer(said["here_ns"]), integer(said["offset_ns"]), drift,
        integer(said["missed_ns"]), count(said["error_ns"]), count(said["round_trip_ns"]),
    )  # fmt: skip


def _parse_relay(line: str) -> Relay:
    said = fields_of(line.split())
    return Relay(int(said["ranks"]), said["host"], int(said["pid"]))


def _parse_refused(line: str) -> Refused:
    _, cause = line.split()
    return Refused(cause)


def _parse_lost(line: str) -> Lost:
    said = fields_of(line.split())
    return Lost(int(said["rank"]), said["how"] == "astray")


def _parse_missing(line: str) -> Missing:
    return Missing(parse_cores(fields_of(line.split())["ranks"]))


_LINES: Mapping[str, Callable[[str], Message]] = {
    "hello": parse_hello,
    "placed": _parse_placed,
    "fitted": _parse_fitted,
    "relay": _parse_relay,
    "stranger": _parse_refused,
    "lost": _parse_lost,
    "missing": _parse_missing,
}
"""By their first word; all others are faults."""


class Inbox:
    """What one rank has said: bytes go in, whole messages come out."""

    def __init__(self) -> None:
        """Begins empty."""
        self._pending = bytearray()

    @property
    def pending_bytes(self) -> int:
        """How much has arrived that no message has been made of."""
        return len(self._pending)

    def feed(self, chunk: bytes) -> None:
        """Takes in what has arrived, whole messages or not."""
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
        if line.startswith("result "):
            return self._result(fields_of(line.split()), start)
        if line.startswith("traced "):
            return self._traced(fields_of(line.split()), start)
        del self._pending[:start]
        return _LINES.get(line.partition(" ")[0], parse_fault)(line)

    def _result(self, said: Mapping[str, str], start: int) -> Result | None:
        body = self._body(start, int(said["bytes"]), BATCHES_BYTES)
        if body is None:
            return None
        numbers = np.frombuffer(body, dtype=np.int64)
        return Result(
            int(said["id"]), int(said["rank"]),
            repetitions(said["repetitions"], batches=bool(body)),
            batches(numbers, int(said.get("columns", OWN_COLUMNS))), _surroundings(said),
            _warm_up(said), said["contends"] == "1", parse_cores(said.get("over", "")),
            parse_solved(said),
        )  # fmt: skip

    def _traced(self, said: Mapping[str, str], start: int) -> Traced | None:
        body = self._body(start, int(said["bytes"]), CALLS_BYTES)
        if body is None:
            return None
        return Traced(int(said["id"]), int(said["rank"]), body.decode(errors="replace"))

    def _body(self, start: int, size: int, most: int) -> bytes | None:
        """Takes out the `size` bytes after a line that ends at `start`; None: not all are here."""
        if size not in range(most + 1):
            raise ValueError(f"from 0 to {most:,} bytes may follow")
        end = start + size
        if len(self._pending) < end:
            return None
        body = bytes(self._pending[start:end])
        del self._pending[:end]
        return body


def read_records(path: Path) -> list[Message]:
    """All that a rank wrote to the records file `path`, obeying a script."""
    inbox = Inbox()
    inbox.feed(path.read_bytes())
    return list(iter(inbox.next_message, None))
