"""What a library's profile costs under SMPI: straight lines over sizes.

SMPI knows less of a message than a profile: a receive doesn't know how it was sent, and one that
waits for its receive has no overhead at either end. What SMPI has no place for comes later: the
whole time of a message that is alone stays the same.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

from leadline.simulate.machine import MachineModel, Mode, Profile, ProfilePiece

NEVER_BYTES = 2**31 - 1
"""No message is as large: SMPI compares sizes as C's int."""


@dataclass(frozen=True, slots=True)
class CostLine:
    """From a size on."""

    least_bytes: int
    base_s: float
    byte_s: float = 0.0


@dataclass(frozen=True, slots=True)
class SmpiCosts:
    """By what SMPI asks for; all lists from 0 bytes on."""

    send: tuple[CostLine, ...]
    """What MPI_Send keeps a rank busy with, if it doesn't wait for its message."""
    isend: tuple[CostLine, ...]
    receive: tuple[CostLine, ...]
    """After the message is there, if its sender didn't wait for it."""
    later: tuple[CostLine, ...]
    """How much later than its bytes and the network's latency a message is there."""
    latencies: tuple[CostLine, ...]
    """How often it has the network's latency: three times where it asks and is answered first."""
    rank_bytes_per_s: float | None
    """What a rank's library sends and receives at most, each; None: as much as the network."""
    detached_below_bytes: int
    """Senders don't wait for smaller messages."""
    eager_below_bytes: int
    """Smaller messages don't wait for their receives."""


@dataclass(frozen=True, slots=True)
class _Size:
    """What a message from a size on costs by the profile, until the next one."""

    least_bytes: int
    standard: ProfilePiece
    nonblocking: ProfilePiece
    byte_s: float
    """That a byte takes alone, in the fastest piece."""
    detached: bool
    """Its sender goes on before it is there."""

    @property
    def send(self) -> CostLine:
        """A sender that waits has no overhead of its own in SMPI."""
        busy_s = (self.standard.send_overhead_s, _copy_s(self.standard))
        return CostLine(self.least_bytes, *(busy_s if self.detached else (0.0, 0.0)))

    @property
    def isend(self) -> CostLine:
        """With what its receive costs more than that of a standard message."""
        if not self.detached:
            return CostLine(self.least_bytes, 0.0)
        more = self.nonblocking.receive_overhead_s - self.standard.receive_overhead_s
        busy_s = self.nonblocking.send_overhead_s + max(0.0, more)
        return CostLine(self.least_bytes, busy_s, _copy_s(self.nonblocking))

    @property
    def receive(self) -> CostLine:
        """As `send`."""
        busy_s = self.standard.receive_overhead_s if self.detached else 0.0
        return CostLine(self.least_bytes, busy_s)

    @property
    def later(self) -> CostLine:
        """Overheads that SMPI leaves out, and what each byte takes beyond `byte_s`."""
        slower_s = max(0.0, self.standard.gap_s_per_byte - self.byte_s)
        if self.detached:
            return CostLine(self.least_bytes, 0.0, slower_s)
        both = self.standard.send_overhead_s + self.standard.receive_overhead_s
        return CostLine(self.least_bytes, both, slower_s + _copy_s(self.standard))

    @property
    def latencies(self) -> CostLine:
        """Of a request, of its answer, of the message."""
        return CostLine(self.least_bytes, 3.0 if self.standard.synchronous else 1.0)


def smpi_costs(machine: MachineModel, profile: Profile) -> SmpiCosts:
    """The lines of `profile`, of which SMPI can't tell MPI_Ssend from MPI_Send."""
    gap = min(one.gap_s_per_byte for each in profile.pieces.values() for one in each)
    byte_s = max(gap, 1 / _narrowest(machine))
    below = _detached_below(profile, machine.nic.latency_s, byte_s)
    sizes = list(_sizes(profile, byte_s, below))
    return SmpiCosts(
        send=tuple(one.send for one in sizes),
        isend=tuple(one.isend for one in sizes),
        receive=tuple(one.receive for one in sizes),
        later=tuple(one.later for one in sizes),
        latencies=tuple(one.latencies for one in sizes),
        rank_bytes_per_s=1 / gap if gap else None,
        detached_below_bytes=below,
        eager_below_bytes=_eager_below(profile),
    )


def _sizes(profile: Profile, byte_s: float, detached_below: int) -> Iterator[_Size]:
    """From which on some cost changes."""
    modes = (Mode.STANDARD, Mode.NONBLOCKING)
    least = {one.least_bytes for mode in modes for one in profile.pieces_of(mode)}
    for size in sorted(least | {detached_below}):
        standard, nonblocking = (profile.piece(size, mode) for mode in modes)
        yield _Size(size, standard, nonblocking, byte_s, size < detached_below)


def _copy_s(piece: ProfilePiece) -> float:
    return 1 / piece.copy_bytes_per_s if piece.copy_bytes_per_s else 0.0


def _narrowest(machine: MachineModel) -> float:
    """B/s that one message alone gets of the network."""
    nic = machine.nic
    rates = [machine.links.bytes_per_s, nic.in_bytes_per_s, nic.out_bytes_per_s]
    return min([*rates, nic.bus_bytes_per_s or rates[0]])


def _detached_below(profile: Profile, latency_s: float, byte_s: float) -> int:
    """The least size whose sender waits.

    In the profile a sender waits until its message has left, if it wasn't copied; in SMPI until it
    is there, or not at all. The former is nearer where bytes take longer than what is added.
    """
    pieces = profile.pieces_of(Mode.STANDARD)
    for piece, after in itertools.zip_longest(pieces, pieces[1:]):
        least = piece.least_bytes
        if not piece.synchronous:
            added_s = latency_s + piece.receive_overhead_s
            least = max(least, math.ceil(added_s / byte_s)) if not _copy_s(piece) else NEVER_BYTES
        if least < (after.least_bytes if after else NEVER_BYTES):
            return least
    return NEVER_BYTES


def _eager_below(profile: Profile) -> int:
    waiting = (one.least_bytes for one in profile.pieces_of(Mode.STANDARD) if one.synchronous)
    return next(waiting, NEVER_BYTES)
