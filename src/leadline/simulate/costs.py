"""What calls cost by a library's profile: how long they keep a rank busy, how fast bytes leave.

The gap of LogGP belongs to a processor: one byte a gap, whatever message it is part of. So each
rank has a way out and a way in of one byte a gap, which all of its messages with this gap pass;
messages with another gap pass another way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

import numpy as np

from leadline.patterns.programs.calls import RankCalls, SendMode
from leadline.patterns.programs.collectives import collective_of
from leadline.simulate.machine import Compute, Mode, Profile, ProfilePiece
from leadline.simulate.matching import CallFlags, SentMessages, are
from leadline.simulate.routes import Routes
from leadline.topology.networks import Float64, Int64
from leadline.topology.phases import CallKind

MODES = {
    SendMode.SYNCHRONOUS: Mode.SYNCHRONOUS,
    SendMode.NONBLOCKING: Mode.NONBLOCKING,
    SendMode.PERSISTENT: Mode.NONBLOCKING,
}
"""The mode of a profile that each mode of sending takes; others take STANDARD."""


@dataclass(frozen=True, slots=True)
class CallCosts:
    """The costs of each call; all arrays have shape (calls,)."""

    busy_s: Float64
    """While its rank does nothing else: overhead, copy, computation; for a receive once the message
    is there."""
    gap_s_per_byte: Float64
    """The bytes that it sends take at least this."""
    asks: CallFlags
    """Whether what it sends waits until the receive has begun and answered."""
    copied: CallFlags
    """Whether what it sends is copied: the rank goes on when that is done."""


@dataclass(frozen=True, slots=True)
class PricedCalls:
    """The piece of a profile that each call is in."""

    pieces: tuple[ProfilePiece, ...]
    """All pieces that calls may be in."""
    of: Int64
    """Shape (calls,): index into `pieces`."""

    def each(self, values: Iterable[float]) -> Float64:
        """Shape (calls,): the value of each call's piece, of `values` by piece."""
        return np.fromiter(values, np.float64, len(self.pieces))[self.of]

    def where(self, flags: Iterable[bool]) -> CallFlags:
        """Shape (calls,): the flag of each call's piece, of `flags` by piece."""
        return np.fromiter(flags, np.bool_, len(self.pieces))[self.of]


def costs_of(calls: RankCalls, profile: Profile, compute: Compute) -> CallCosts:
    """What `calls` cost; one-sided ones as standard sends that nobody has to answer."""
    two_sided, received = are(calls, CallKind.SEND), are(calls, CallKind.RECEIVE, CallKind.WAIT)
    work, priced = are(calls, CallKind.WORK), priced_calls(calls, profile)
    pieces = priced.pieces

    # a buffered send is always copied: as fast as the profile's copies, or as memory is read and
    # written
    buffered = calls.mode is SendMode.BUFFERED
    usual = 2.0 / compute.bytes_per_s if buffered else 0.0
    rates = [piece.copy_bytes_per_s for piece in pieces]
    copied = priced.where(buffered or rate is not None for rate in rates)
    copy_s = priced.each(1.0 / rate if rate else usual for rate in rates) * calls.size_bytes

    work_s = np.maximum(calls.number / compute.flop_per_s, calls.size_bytes / compute.bytes_per_s)
    received_s = priced.each(piece.receive_overhead_s for piece in pieces)
    sent_s = priced.each(piece.send_overhead_s for piece in pieces) + copy_s * two_sided
    synchronous = calls.mode is SendMode.SYNCHRONOUS
    asks = priced.where(piece.synchronous or synchronous for piece in pieces)
    asks &= two_sided & (not buffered)
    return CallCosts(
        busy_s=np.select([work, received], [work_s, received_s], sent_s),
        gap_s_per_byte=priced.each(piece.gap_s_per_byte for piece in pieces),
        asks=asks,
        copied=copied & two_sided & ~asks,
    )


def priced_calls(calls: RankCalls, profile: Profile) -> PricedCalls:
    """The piece of each call: of its collective where that has some, else of its mode."""
    own = profile.collective_pieces
    groups = [profile.pieces_of(MODES.get(calls.mode, Mode.STANDARD)), *own.values()]
    number = {collective: place for place, collective in enumerate(own, 1)}
    group = np.array(
        [number.get(collective_of(operation) or "", 0) for operation in calls.operations]
    )
    of = np.zeros(len(calls.kind), dtype=np.int64)
    first = 0
    for place, pieces in enumerate(groups):
        inside = group[calls.operation] == place
        least = [piece.least_bytes for piece in pieces]
        of[inside] = first + np.searchsorted(least, calls.size_bytes[inside], "right") - 1
        first += len(pieces)
    return PricedCalls(tuple(chain.from_iterable(groups)), of)


NO_LIMIT = -1


@dataclass(frozen=True, slots=True)
class RankLimits:
    """Ways out of ranks and into them, numbered after the resources of the machine."""

    first: int
    """The resource number of the first."""
    ranks: int
    gaps_s_per_byte: Float64
    """The gaps that messages have, each once, rising."""
    of_messages: Int64
    """Shape (messages,): index of each message's gap; NO_LIMIT where its gap is 0."""

    @property
    def capacities(self) -> Float64:
        """B/s, for each gap all ways out, then all ways in."""
        return np.repeat(1.0 / self.gaps_s_per_byte, 2 * self.ranks)

    def passed(self, routes: Routes, messages: SentMessages) -> Routes:
        """`routes` of `messages`, where each also passes its ranks' ways out and in."""
        limit = self.of_messages[routes.messages]
        out = self.first + 2 * self.ranks * limit
        source, destination = (
            ends[routes.messages] for ends in (messages.source, messages.destination)
        )
        ends = np.stack([out + source, out + self.ranks + destination], axis=1)
        return routes.then(ends, limit != NO_LIMIT)


def limits_of(gap_s_per_byte: Float64, ranks: int, first: int) -> RankLimits:
    """The limits of messages.

    Args:
        gap_s_per_byte: Shape (messages,).
        ranks: Of the program.
        first: How many resources there are before these.
    """
    gaps, of_messages = np.unique(gap_s_per_byte, return_inverse=True)
    free = np.count_nonzero(gaps == 0)
    return RankLimits(first, ranks, gaps[free:], of_messages.astype(np.int64) - free)
