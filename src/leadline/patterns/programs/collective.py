"""One collective operation as its algorithm sees it, and what algorithms have in common.

Ranks are numbered from the root on, around all of them: their places. Without a root, places are
ranks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from leadline.errors import UsageError
from leadline.patterns.powers_of_two import is_power_of_two
from leadline.patterns.programs.calls import CallRows, CallStep, received, sent
from leadline.topology.networks import Int64
from leadline.topology.phases import CallKind

ELEMENT_BYTES = 8
TOUCHED = 3
"""Elements for each result of a reduction: two are read, one written."""


@dataclass(frozen=True, slots=True)
class Collective:
    """One operation of all ranks."""

    ranks: int
    root: int
    blocks: Int64
    """Shape (ranks,): bytes of each rank's block; of the whole message in an operation without
    blocks."""
    tag: int
    lengths: Int64 | int = 1
    """Shape (ranks,) or one for all; of an alltoall: each rank sends blocks so many times as long
    as `blocks`."""

    @property
    def places(self) -> Int64:
        """The places of all ranks, shape (ranks,)."""
        return np.arange(self.ranks)

    @property
    def size_bytes(self) -> int:
        """Bytes of the message, where those of all ranks are equally long."""
        return int(self.blocks[0])

    def at(self, places: Int64 | int) -> Int64:
        """The ranks at `places`, which wrap around beyond the last."""
        return np.asarray(places + self.root, dtype=np.int64) % self.ranks

    def blocks_at(self, places: Int64 | int) -> Int64:
        """Bytes of the blocks of the ranks at `places`."""
        return self.blocks[self.at(places)]

    def between(self, sources: Int64, destinations: Int64) -> Int64:
        """Bytes of the blocks that places send to others in an alltoall."""
        lengths: Int64 = np.broadcast_to(self.lengths, self.blocks.shape)[self.at(sources)]
        return self.blocks_at(destinations) * lengths

    def moved(
        self, sources: Int64, destinations: Int64, size_bytes: Int64 | int | None = None
    ) -> CallStep:
        """Messages between places; a rank that sends and receives does both at once.

        Args:
            sources: Shape (messages,): places.
            destinations: Shape (messages,): places.
            size_bytes: One for each message, or for all; None: the operation's.
        """
        senders, receivers = self.at(sources), self.at(destinations)
        size = self.size_bytes if size_bytes is None else size_bytes
        return CallStep((
            sent(senders, receivers, size, self.tag),
            received(receivers, senders, size, self.tag),
        ))  # fmt: skip

    def combined(self, places: Int64, size_bytes: Int64 | int | None = None) -> CallStep:
        """Each of `places` combines `size_bytes`, or the operation's, with as many others."""
        flop = (self.size_bytes if size_bytes is None else size_bytes) // ELEMENT_BYTES
        touched = TOUCHED * ELEMENT_BYTES * flop
        return CallStep((CallRows(CallKind.WORK, self.at(places), -1, touched, flop),))

    def check_power_of_two(self, name: str) -> None:
        """UsageError: the ranks are no power of two, which the algorithm `name` needs."""
        if not is_power_of_two(self.ranks):
            low = 1 << self.ranks.bit_length() - 1
            raise UsageError(
                f"{name} takes a power of two of ranks, seen {self.ranks}; give {low} or {2 * low} "
                "ranks, or another algorithm"
            )


Procedure = Callable[[Collective], Iterator[CallStep]]
"""The steps of an operation by one algorithm."""


def strides_below(ranks: int) -> list[int]:
    """The powers of two below `ranks`, from 1 on."""
    return [1 << step for step in range((ranks - 1).bit_length())]


def divided(size_bytes: int, parts: int, unit: int = 1) -> Int64:
    """Bytes of each part of a message, shape (parts,): whole units, as even as can be."""
    return np.diff(size_bytes // unit * np.arange(parts + 1) // parts) * unit


def ends_of(sizes: Int64) -> Int64:
    """Where each of `sizes` begins and where the last ends, shape (sizes + 1,)."""
    return np.concatenate([[0], np.cumsum(sizes)])
