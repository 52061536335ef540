"""The calls of all ranks as arrays, and the steps that they are put together from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from leadline.errors import UsageError
from leadline.topology.networks import Int64
from leadline.topology.phases import CallKind

KINDS = tuple(CallKind)
"""What the numbers of `RankCalls.kind` stand for."""
MOST_CALLS = 100_000_000
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
    parts: list[Sequence[npt.NDArray[np.int64]]] = []
    operations: dict[str, int] = {"": 0}
    calls = first = 0
    for step in steps:
        named = operations.setdefault(step.operation, len(operations))
        for rows in step.rows:
            parts.append(_columns(rows, first, step.one_by_one, step.repetition, named))
            calls += len(rows.ranks)
        first += max((len(rows.ranks) for rows in step.rows), default=0) if step.one_by_one else 1
        _check_room(calls, ranks)
    whose, *columns = [np.concatenate(column) for column in zip(_EMPTY, *parts, strict=True)]
    return _in_order(ranks, whose, columns, tuple(operations), mode)


_EMPTY = [np.empty(0, dtype=np.int64)] * 8


def _columns(
    rows: CallRows, step: int, one_by_one: bool, repetition: int, operation: int
) -> list[npt.NDArray[np.int64]]:
    """Whose each call is, and its kind, peer, bytes, number, step, repetition and operation."""
    steps = step + np.arange(len(rows.ranks)) if one_by_one else step
    told = (
        KINDS.index(rows.kind), rows.peers, rows.size_bytes, rows.number, steps, repetition,
        operation,
    )  # fmt: skip
    shape = rows.ranks.shape
    return [rows.ranks, *(np.broadcast_to(np.asarray(one, np.int64), shape) for one in told)]


def _check_room(calls: int, ranks: int) -> None:
    if calls > MOST_CALLS:
        raise UsageError(
            f"{ranks} ranks make more than {MOST_CALLS} calls, which don't fit into memory; "
            "give fewer ranks, or another algorithm"
        )


def _in_order(
    ranks: int,
    whose: Int64,
    columns: Sequence[Int64],
    operations: tuple[str, ...],
    mode: SendMode,
) -> RankCalls:
    order = np.argsort(whose, kind="stable")
    kind, peer, size_bytes, number, step, repetition, operation = (one[order] for one in columns)
    starts = np.zeros(ranks + 1, dtype=np.int64)
    np.cumsum(np.bincount(whose, minlength=ranks), out=starts[1:])
    return RankCalls(
        starts, kind.astype(np.int8), peer, size_bytes, number, step,
        repetition.astype(np.int32), operation.astype(np.int16), operations, mode,
    )  # fmt: skip
