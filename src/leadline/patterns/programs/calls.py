"""The calls of all ranks as arrays, the steps they are built from, and what makes such steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from leadline.errors import UsageError
from leadline.topology.networks import Int64
from leadline.topology.phases import CallKind

KINDS = tuple(CallKind)
"""What the numbers of `RankCalls.kind` stand for."""
MOST_CALLS = 50_000_000
"""Largest number of calls of all ranks; each takes about 100 bytes while they are sorted."""


class SendMode(StrEnum):
    """How messages are sent."""

    STANDARD = "standard"
    SYNCHRONOUS = "synchronous"
    """The sender goes on when the receive has begun."""
    BUFFERED = "buffered"
    """The sender goes on when the message has been copied."""
    NONBLOCKING = "nonblocking"
    """Sends and receives are started, and waited for at the end of their step."""
    PERSISTENT = "persistent"
    """As NONBLOCKING, prepared once."""


@dataclass(frozen=True, slots=True)
class RankCalls:
    """What each rank calls, in its order; the arrays but `starts` have shape (calls,)."""

    starts: Int64
    """Shape (ranks + 1,): where each rank's calls begin."""
    kind: npt.NDArray[np.int8]
    """Index into KINDS."""
    peer: Int64
    """The other rank; for a wait the rank that sets the flag; for work -1."""
    size_bytes: Int64
    """Bytes sent, received or moved; for work the bytes it reads and writes."""
    number: Int64
    """The tag of a message; for work its floating-point operations; else 0."""
    step: Int64
    """Calls of one rank with the same number are under way together: all begin in their order, and
    the rank goes on when all have ended. Numbers grow with the calls."""
    repetition: npt.NDArray[np.int32]
    """Repetition of the pattern, from 0."""
    operation: npt.NDArray[np.int16]
    """Index into `operations`."""
    operations: tuple[str, ...]
    """Collectives with their algorithms, "bcast: binomial"; the first is "": no collective."""
    mode: SendMode
    """How all messages are sent."""

    @property
    def ranks(self) -> int:
        """The number of ranks."""
        return len(self.starts) - 1

    def of(self, rank: int) -> slice:
        """The range of the calls of `rank`."""
        return slice(int(self.starts[rank]), int(self.starts[rank + 1]))


@dataclass(frozen=True, slots=True)
class CallRows:
    """Calls of one kind, in each rank's order; a scalar holds for all of them."""

    kind: CallKind
    ranks: Int64
    """Shape (calls,): the rank that makes each call."""
    peers: Int64 | int
    size_bytes: Int64 | int
    number: Int64 | int


@dataclass(frozen=True, slots=True)
class CallStep:
    """Calls of several ranks; those of one rank are under way together."""

    rows: tuple[CallRows, ...]
    operation: str = ""
    repetition: int = 0
    one_by_one: bool = False
    """Each call begins when the one before it, of the same rank, has ended."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """One repetition of a pattern with its options, on a number of ranks, at a size."""

    pattern: str
    """Its name, without options."""
    options: Mapping[str, str]
    """Values by key, of options that differ from their defaults."""
    dims: tuple[int, ...]
    """The grid that was asked for; (): none was."""
    ranks: int
    size_bytes: int
    """The size of the cell."""
    root: int
    """The root of this repetition."""
    number: int
    """Counted from 0."""
    algorithms: Mapping[str, str]
    """Algorithm by collective; others are carried out as the kernel's fallbacks do."""

    def chose(self, key: str, word: str) -> bool:
        """Whether the option `key` is `word`, which isn't its default."""
        return self.options.get(key) == word


Program = Callable[[Repetition], Iterator[CallStep]]
"""The steps of a repetition."""


def sent(ranks: Int64, peers: Int64 | int, size_bytes: Int64 | int, tag: Int64 | int) -> CallRows:
    """A message of each of `ranks` to its peer."""
    return CallRows(CallKind.SEND, ranks, peers, size_bytes, tag)


def received(
    ranks: Int64, peers: Int64 | int, size_bytes: Int64 | int, tag: Int64 | int
) -> CallRows:
    """A message to each of `ranks` from its peer."""
    return CallRows(CallKind.RECEIVE, ranks, peers, size_bytes, tag)


def only(rank: int, times: int = 1) -> Int64:
    """One rank as the caller of a number of calls, shape (times,)."""
    return np.full(times, rank, dtype=np.int64)


def calls_in(steps: Iterable[CallStep], ranks: int, mode: SendMode) -> RankCalls:
    """The calls of `steps`, of each rank in the order of the steps and of the rows in them.

    UsageError: there are more than MOST_CALLS.
    """
    parts = [_columns(CallRows(CallKind.SEND, only(0, 0), 0, 0, 0), CallStep(()), 0, 0)]
    operations = {"": 0}
    calls = number = 0
    for step in steps:
        operation = operations.setdefault(step.operation, len(operations))
        parts += [_columns(rows, step, number, operation) for rows in step.rows]
        calls += sum(len(rows.ranks) for rows in step.rows)
        number += max((len(rows.ranks) for rows in step.rows), default=0) if step.one_by_one else 1
        if calls > MOST_CALLS:
            raise UsageError(
                f"{ranks} ranks make more than {MOST_CALLS} calls, which don't fit into memory; "
                "give fewer ranks or repetitions, or another algorithm"
            )
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return _by_rank(ranks, columns, tuple(operations), mode)


def _by_rank(
    ranks: int,
    columns: list[npt.NDArray[np.signedinteger]],
    operations: tuple[str, ...],
    mode: SendMode,
) -> RankCalls:
    """Sorts `columns`, as `_columns` has them, by the calling rank; takes them out of the list."""
    caller = columns.pop(0)
    order = np.argsort(caller, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(caller, minlength=ranks))])
    for place, column in enumerate(columns):
        columns[place] = column[order]
    kind, peer, size_bytes, number, step, repetition, operation = columns
    return RankCalls(
        starts, kind, peer, size_bytes, number, step, repetition, operation, operations, mode
    )


def _columns(
    rows: CallRows, step: CallStep, number: int, operation: int
) -> list[npt.NDArray[np.signedinteger]]:
    """The calling rank, kind, peer, bytes, number, step, repetition and operation of each call."""
    calls = len(rows.ranks)
    values: list[tuple[npt.DTypeLike, Int64 | int]] = [
        (np.int64, rows.ranks),
        (np.int8, KINDS.index(rows.kind)),
        (np.int64, rows.peers),
        (np.int64, rows.size_bytes),
        (np.int64, rows.number),
        (np.int64, number + np.arange(calls) if step.one_by_one else number),
        (np.int32, step.repetition),
        (np.int16, operation),
    ]
    return [
        value.astype(kind, copy=False)
        if isinstance(value, np.ndarray)
        else np.full(calls, value, kind)
        for kind, value in values
    ]
