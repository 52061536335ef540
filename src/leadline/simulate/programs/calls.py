"""The calls of all ranks as arrays, and the steps that they are put together from."""

from __future__ import annotations

from collections.abc import Iterable
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
"""Of all ranks together: each takes about 100 bytes while they are put in order."""


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
    """Likewise, prepared once."""


@dataclass(frozen=True, slots=True)
class RankCalls:
    """What each rank calls, in its order; the arrays but `starts` have shape (calls,)."""

    starts: Int64
    """Shape (ranks + 1,): where each rank's calls begin."""
    kind: npt.NDArray[np.int8]
    """Index into KINDS."""
    peer: Int64
    """The other rank: of a wait who sets the flag; of work -1."""
    size_bytes: Int64
    """Of work, what it reads and writes."""
    number: Int64
    """The tag of a message, else 0; of work its floating-point operations."""
    step: Int64
    """Calls of one rank with the same number are under way together: all begin in their order, and
    the rank goes on when all have ended. Numbers grow with the calls."""
    repetition: npt.NDArray[np.int32]
    """Of the pattern, from 0."""
    operation: npt.NDArray[np.int16]
    """Index into `operations`."""
    operations: tuple[str, ...]
    """Collectives and how they are done, "bcast: binomial"; the first is "", of calls of none."""
    mode: SendMode
    """Of all sends."""

    @property
    def ranks(self) -> int:
        """Their number."""
        return len(self.starts) - 1

    def of(self, rank: int) -> slice:
        """Where the calls of `rank` are."""
        return slice(int(self.starts[rank]), int(self.starts[rank + 1]))


@dataclass(frozen=True, slots=True)
class CallRows:
    """Calls of one kind, of each rank in its order; numbers stand for all."""

    kind: CallKind
    ranks: Int64
    """Shape (calls,): whose each is."""
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
    """Instead each begins when the one before, of the same rank, has ended."""


def sent(ranks: Int64, peers: Int64 | int, size_bytes: Int64 | int, tag: Int64 | int) -> CallRows:
    """A message of each of `ranks` to its peer."""
    return CallRows(CallKind.SEND, ranks, peers, size_bytes, tag)


def received(
    ranks: Int64, peers: Int64 | int, size_bytes: Int64 | int, tag: Int64 | int
) -> CallRows:
    """A message to each of `ranks` from its peer."""
    return CallRows(CallKind.RECEIVE, ranks, peers, size_bytes, tag)


def only(rank: int, times: int = 1) -> Int64:
    """One rank, as the whose of so many calls."""
    return np.full(times, rank, dtype=np.int64)


def calls_in(steps: Iterable[CallStep], ranks: int, mode: SendMode) -> RankCalls:
    """The calls of `steps`, of each rank in the order of the steps and of the rows in them.

    UsageError: there are more than MOST_CALLS.
    """
    parts = [_columns(CallRows(CallKind.SEND, only(0, 0), 0, 0, 0), CallStep(()), 0, 0)]
    operations = {"": 0}
    calls = number = 0
    for step in steps:
        named = operations.setdefault(step.operation, len(operations))
        parts += [_columns(rows, step, number, named) for rows in step.rows]
        calls += sum(len(rows.ranks) for rows in step.rows)
        number += max((len(rows.ranks) for rows in step.rows), default=0) if step.one_by_one else 1
        _check_room(calls, ranks)
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return _in_order(ranks, columns, tuple(operations), mode)


def _columns(
    rows: CallRows, step: CallStep, number: int, operation: int
) -> list[npt.NDArray[np.signedinteger]]:
    """Whose each call is, and its kind, peer, bytes, number, step, repetition and operation."""
    calls = len(rows.ranks)
    told: list[tuple[npt.DTypeLike, Int64 | int]] = [
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
        for kind, value in told
    ]


def _check_room(calls: int, ranks: int) -> None:
    if calls > MOST_CALLS:
        raise UsageError(
            f"{ranks} ranks make more than {MOST_CALLS} calls, which don't fit into memory; "
            "give fewer ranks or repetitions, or another algorithm"
        )


def _in_order(
    ranks: int,
    columns: list[npt.NDArray[np.signedinteger]],
    operations: tuple[str, ...],
    mode: SendMode,
) -> RankCalls:
    whose = columns.pop(0)
    order = np.argsort(whose, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(whose, minlength=ranks))])
    for number, column in enumerate(columns):
        columns[number] = column[order]
    kind, peer, size_bytes, tag, step, repetition, operation = columns
    return RankCalls(
        starts, kind, peer, size_bytes, tag, step, repetition, operation, operations, mode
    )
