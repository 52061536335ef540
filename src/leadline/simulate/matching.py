"""Which message each call that waits for one receives, and which calls are under way together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from leadline.patterns.programs.calls import KINDS, RankCalls
from leadline.topology.networks import Int64
from leadline.topology.phases import MESSAGES, CallKind

NONE = -1
CallFlags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SentMessages:
    """All messages of a program, in the order of the calls that send them."""

    call: Int64
    """Shape (messages,): the call that sends it, or the get that asks for it."""
    source: Int64
    """Shape (messages,): rank."""
    destination: Int64
    """Shape (messages,): rank."""
    finder: Int64
    """Shape (messages,): the call that waits for it; NONE: none does."""


@dataclass(frozen=True, slots=True)
class RankSteps:
    """Calls of one rank that are under way together, step by step, rank by rank."""

    of: Int64
    """Shape (calls,): the step of each call."""
    rank: Int64
    """Shape (steps,)."""
    repetition: Int64
    """Shape (steps,)."""
    before: Int64
    """Shape (steps,): the same rank's step before; NONE: there is none."""


def ranks_of(calls: RankCalls) -> Int64:
    """Shape (calls,): the rank that makes each call."""
    return np.repeat(np.arange(calls.ranks, dtype=np.int64), np.diff(calls.starts))


def are(calls: RankCalls, *kinds: CallKind) -> CallFlags:
    """Shape (calls,): whether each call is one of `kinds`."""
    return np.isin(calls.kind, [KINDS.index(kind) for kind in kinds])


def steps_of(calls: RankCalls) -> RankSteps:
    """The steps of `calls`."""
    ranks = ranks_of(calls)
    begins = np.ones(len(ranks), dtype=bool)
    begins[1:] = (np.diff(ranks) != 0) | (np.diff(calls.step) != 0)
    rank = ranks[begins]
    before = np.arange(len(rank), dtype=np.int64) - 1
    before[np.diff(rank, prepend=NONE) != 0] = NONE
    return RankSteps(
        of=np.cumsum(begins) - 1,
        rank=rank,
        repetition=calls.repetition[begins].astype(np.int64),
        before=before,
    )


def messages_of(calls: RankCalls) -> SentMessages:
    """The messages of `calls`, each with the call that waits for it.

    The k-th message from a rank to another with a tag matches the k-th receive of these, the k-th
    flag the k-th wait.
    """
    ranks, sends = ranks_of(calls), np.flatnonzero(are(calls, *MESSAGES))
    got = are(calls, CallKind.GET)[sends]
    own, other = ranks[sends], calls.peer[sends]
    finder = np.full(len(ranks), NONE, dtype=np.int64)
    for sent, kind in ((CallKind.SEND, CallKind.RECEIVE), (CallKind.FLAG, CallKind.WAIT)):
        pair = np.flatnonzero(are(calls, sent)), np.flatnonzero(are(calls, kind))
        finder[pair[0]] = _matched(calls, ranks, *pair)
    return SentMessages(
        call=sends,
        source=np.where(got, other, own),
        destination=np.where(got, own, other),
        finder=finder[sends],
    )


def _matched(calls: RankCalls, ranks: Int64, sends: Int64, finds: Int64) -> Int64:
    """Shape (sends,): the call of `finds` that receives each of `sends`, or NONE."""
    ends = [
        np.concatenate([ranks[sends], calls.peer[finds]]),
        np.concatenate([calls.peer[sends], ranks[finds]]),
        np.concatenate([calls.number[sends], calls.number[finds]]),
    ]
    numbered = _numbered(ends, len(sends))
    partner = np.full(len(sends), NONE, dtype=np.int64)
    _, mine, its = np.intersect1d(
        numbered[: len(sends)], numbered[len(sends) :], assume_unique=True, return_indices=True
    )
    partner[mine] = finds[its]
    return partner


def _numbered(ends: list[Int64], sends: int) -> Int64:
    """A number for each message and for each receive: the same for the k-th of equal ends.

    Args:
        ends: Source, destination and tag of the messages, then of the receives.
        sends: The number of messages.
    """
    count = len(ends[0])
    receives = np.arange(count) >= sends
    order = np.lexsort((np.arange(count), receives, *ends))
    new = np.ones(count, dtype=bool)
    side = np.ones(count, dtype=bool)
    if count:
        apart = [np.diff(end[order]) != 0 for end in ends]
        new[1:] = np.logical_or.reduce(apart)
        side[1:] = new[1:] | (np.diff(receives[order]) != 0)
    place = np.arange(count)
    among = place - np.maximum.accumulate(np.where(side, place, 0))
    numbers = np.empty(count, dtype=np.int64)
    numbers[order] = (np.cumsum(new) - 1) * (count + 1) + among
    return numbers


def followed(calls: RankCalls, steps: RankSteps, messages: SentMessages, asks: CallFlags) -> Int64:
    """Shape (messages,): the message before each, with the same ends and kind; NONE: none.

    Messages that don't wait for their receives follow each other as they are sent, gets as they
    are called. Those that ask for their receives do as long as these are begun in the same order:
    what a message waits for is then waited for by the next one anyway, and nobody waits longer
    than a library that takes them one by one would let them.

    Args:
        calls: The calls of all ranks.
        steps: The steps of `calls`.
        messages: The messages of `calls`.
        asks: Shape (messages,): whether each waits until its receive has begun.
    """
    kind = np.where(are(calls, CallKind.GET)[messages.call], 2, asks)
    among = np.flatnonzero(~asks | (messages.finder != NONE))
    order = among[
        np.lexsort((among, kind[among], messages.destination[among], messages.source[among]))
    ]
    before, after = order[:-1], order[1:]
    follows = steps.of[messages.finder[before]] <= steps.of[messages.finder[after]]
    follows |= ~asks[after]
    for column in (messages.source, messages.destination, kind):
        follows &= column[before] == column[after]
    found = np.full(len(messages.call), NONE, dtype=np.int64)
    found[after[follows]] = before[follows]
    return found
