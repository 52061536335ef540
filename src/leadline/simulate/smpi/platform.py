"""A machine as a folder that the plug-in reads: what ranks share, the way between any two, costs.

What a library's profile costs becomes straight lines over sizes. SMPI knows less of a message than
a profile: a receive doesn't know how it was sent, and one that waits for its receive has no
overhead at either end. What SMPI has no place for comes later: the whole time of a message that is
alone stays the same.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from leadline.errors import UsageError
from leadline.simulate.machine import Compute, MachineModel, Mode, Profile, ProfilePiece
from leadline.simulate.routes import Fabric
from leadline.topology.networks import Float64, Int64

MOST_RANKS = 4096
"""Most ranks whose ways, one for each two of them, are written within seconds."""
AMPLE_FLOP_PER_S = 1e18
"""Rate of a machine whose computation costs nothing."""
NEVER_BYTES = 2**31 - 1
"""No message is as large: SMPI compares sizes as C's int."""


@dataclass(frozen=True, slots=True)
class CostLine:
    """A cost that is a straight line over sizes, from one on until the next line's."""

    least_bytes: int
    base_s: float
    byte_s: float = 0.0


@dataclass(frozen=True, slots=True)
class SmpiCosts:
    """Costs by what SMPI asks for; all lists of lines begin at 0 bytes."""

    send: tuple[CostLine, ...]
    """What MPI_Send keeps a rank busy with, if it doesn't wait for its message."""
    isend: tuple[CostLine, ...]
    receive: tuple[CostLine, ...]
    """After the message is there, if its sender didn't wait for it."""
    later: tuple[CostLine, ...]
    """How much later than its bytes and the network's latency a message is there."""
    latencies: tuple[CostLine, ...]
    """How many times the network's latency it has: three where it asks and is answered first."""
    rank_bytes_per_s: float | None
    """Most that a rank's library sends, and most that it receives; None: as much as the network."""
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
    """Seconds a byte, in the fastest piece, of a message that is alone."""
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
        """Overhead of a receive whose sender doesn't wait; as with `send`, else none."""
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
        """One for the message, and two more where it asks for its receive and is answered first."""
        return CostLine(self.least_bytes, 3.0 if self.standard.synchronous else 1.0)


def smpi_costs(machine: MachineModel, profile: Profile) -> SmpiCosts:
    """The lines of `profile`, of which SMPI can't tell MPI_Ssend from MPI_Send."""
    nic = machine.nic
    rates = [machine.links.bytes_per_s, nic.in_bytes_per_s, nic.out_bytes_per_s]
    narrowest = min([*rates, nic.bus_bytes_per_s or rates[0]])
    gap = min(piece.gap_s_per_byte for each in profile.pieces.values() for piece in each)
    byte_s = max(gap, 1 / narrowest)
    below = _detached_below(profile, nic.latency_s, byte_s)
    modes = (Mode.STANDARD, Mode.NONBLOCKING)
    least = {piece.least_bytes for mode in modes for piece in profile.pieces_of(mode)}
    sizes = [
        _Size(
            least_bytes=size,
            standard=profile.piece(size, Mode.STANDARD),
            nonblocking=profile.piece(size, Mode.NONBLOCKING),
            byte_s=byte_s,
            detached=size < below,
        )
        for size in sorted(least | {below})
    ]
    waiting = (piece.least_bytes for piece in profile.pieces_of(Mode.STANDARD) if piece.synchronous)
    return SmpiCosts(
        send=tuple(size.send for size in sizes),
        isend=tuple(size.isend for size in sizes),
        receive=tuple(size.receive for size in sizes),
        later=tuple(size.later for size in sizes),
        latencies=tuple(size.latencies for size in sizes),
        rank_bytes_per_s=1 / gap if gap else None,
        detached_below_bytes=below,
        eager_below_bytes=next(waiting, NEVER_BYTES),
    )


def _copy_s(piece: ProfilePiece) -> float:
    return 1 / piece.copy_bytes_per_s if piece.copy_bytes_per_s else 0.0


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


def write_platform(
    directory: Path, fabric: Fabric, slots: Int64, costs: SmpiCosts, compute: Compute
) -> None:
    """Writes what native/smpi/platform.cpp says that it reads.

    Args:
        directory: Exists.
        fabric: What messages share.
        slots: Shape (ranks,): the slot of each rank.
        costs: The library's.
        compute: How fast ranks compute.

    Raises:
        UsageError: More than MOST_RANKS.
    """
    ranks = len(slots)
    if ranks > MOST_RANKS:
        raise UsageError(
            f"SimGrid is given at most {MOST_RANKS:,} ranks, seen {ranks:,}; take fewer, or "
            "`leadline simulate`, which has no such limit"
        )
    speed = compute.flop_per_s if math.isfinite(compute.flop_per_s) else AMPLE_FLOP_PER_S
    lines = [f"{ranks} {speed!r} {costs.eager_below_bytes}"]
    for field in fields(costs):
        table = getattr(costs, field.name)
        if isinstance(table, tuple):
            lines += [
                f"{field.name} {one.least_bytes} {one.base_s!r} {one.byte_s!r}" for one in table
            ]
    (directory / "costs").write_text("\n".join(lines) + "\n")
    own = np.full(2 * ranks, costs.rank_bytes_per_s or np.inf)
    limited = fabric.beside(own) if costs.rank_bytes_per_s else fabric
    limited.capacities.tofile(directory / "capacities")
    limited.crowd.tofile(directory / "crowd")
    limited.crowded.tofile(directory / "crowded")
    starts, latencies = [np.zeros(1, dtype=np.int64)], []
    with (directory / "ways").open("wb") as file:
        for lengths, latency_s, ways in _ways(fabric, slots, costs.rank_bytes_per_s is not None):
            starts.append(starts[-1][-1] + np.cumsum(lengths))
            latencies.append(latency_s)
            ways.astype(np.int32).tofile(file)
    np.concatenate(starts).tofile(directory / "starts")
    np.concatenate(latencies).tofile(directory / "latencies")


def _ways(fabric: Fabric, slots: Int64, limited: bool) -> Iterator[tuple[Int64, Float64, Int64]]:
    """For each rank its ways to all: their lengths and latencies, s, and one after the other.

    Where its library limits a rank, ways end with its own way out and the other's way in.
    """
    ranks, first = len(slots), len(fabric.capacities)
    others = np.arange(ranks, dtype=np.int64)
    for rank in range(ranks):
        routes = fabric.route(np.full(ranks, slots[rank]), slots)
        own = np.stack([np.full(ranks, first + rank), first + ranks + others], axis=1)
        routes = routes.then(own, np.full(ranks, limited))
        yield np.diff(routes.starts), routes.latency_s, routes.resources
