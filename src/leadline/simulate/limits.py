"""What a library lets a rank send and receive: a byte a gap, of whatever message it is.

The gap of LogGP is a processor's. So each rank has a way out and a way in of one byte a gap, which
all of its messages with this gap pass; messages with another one pass another.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leadline.simulate.matching import SentMessages
from leadline.simulate.routes import Routes
from leadline.topology.networks import Float64, Int64

NO_LIMIT = -1


@dataclass(frozen=True, slots=True)
class RankLimits:
    """Ways out of ranks and into them, numbered after the resources of the machine."""

    first: int
    """The number of the first."""
    ranks: int
    gaps_s_per_byte: Float64
    """Those that messages have, each once, rising."""
    of_messages: Int64
    """Shape (messages,): index of each message's; NO_LIMIT where its gap is 0."""

    @property
    def capacities(self) -> Float64:
        """B/s, of each gap all ways out, then all ways in."""
        return np.repeat(1.0 / self.gaps_s_per_byte, 2 * self.ranks)

    def passed(self, routes: Routes, messages: SentMessages) -> Routes:
        """`routes` of `messages`, of which each passes the way out of one rank, into another."""
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
