"""What a library's profile costs under SMPI: straight lines over sizes.

SMPI knows less of a message than a profile: a receive doesn't know how it was sent, and one that
waits for its receive has no overhead at either end. What SMPI has no place for comes later: the
whole time of a message that is alone stays the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from leadline.simulate.machine import MachineModel, Mode, Profile, ProfilePiece

NEVER_BYTES = 2**31 - 1
"""No message is as large: SMPI compares sizes as C's int."""
ENVELOPE_BYTES = 16
"""That SMPI sends with each message; its time is taken off what the receiver is busy with."""


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
    """What MPI_Send keeps a rank busy with."""
    isend: tuple[CostLine, ...]
    receive: tuple[CostLine, ...]
    """After the message is there, if it didn't wait for the receive."""
    later: tuple[CostLine, ...]
    """How much later than its bytes and the network's latency a message is there."""
    latencies: tuple[CostLine, ...]
    """How often it has the network's latency: three times where it asks and is answered first."""
    rank_bytes_per_s: float | None
    """What a rank's library sends and receives at most, each; None: as much as the network."""
    eager_below_bytes: int
    """Smaller messages don't wait for their receives."""


def smpi_costs(machine: MachineModel, profile: Profile) -> SmpiCosts:
    """The lines of `profile`, of which SMPI can't tell MPI_Ssend from MPI_Send."""
    gap = min(one.gap_s_per_byte for each in profile.pieces.values() for one in each)
    byte_s = max(gap, 1 / _narrowest(machine))
    return SmpiCosts(
        send=_lines(profile, _busy_s),
        isend=_lines(profile, _isend_s),
        receive=_lines(profile, lambda one, _: (_received_s(one, byte_s), 0.0)),
        later=_lines(profile, lambda one, _: _later_s(one, byte_s)),
        latencies=_lines(profile, lambda one, _: (3.0 if one.synchronous else 1.0, 0.0)),
        rank_bytes_per_s=1 / gap if gap else None,
        eager_below_bytes=_eager_below(profile),
    )


_Cost = Callable[[ProfilePiece, ProfilePiece], tuple[float, float]]
"""Of the standard and the non-blocking piece of a size: a base, s, and what a byte adds."""


def _lines(profile: Profile, cost: _Cost) -> tuple[CostLine, ...]:
    return tuple(
        CostLine(least, *cost(profile.piece(least), profile.piece(least, Mode.NONBLOCKING)))
        for least in _sizes(profile)
    )


def _sizes(profile: Profile) -> Iterator[int]:
    """At which some cost changes."""
    modes = (Mode.STANDARD, Mode.NONBLOCKING)
    yield from sorted({one.least_bytes for mode in modes for one in profile.pieces_of(mode)})


def _busy_s(standard: ProfilePiece, _: ProfilePiece) -> tuple[float, float]:
    if standard.synchronous:
        return 0.0, 0.0
    return standard.send_overhead_s, _copy_s(standard)


def _isend_s(standard: ProfilePiece, other: ProfilePiece) -> tuple[float, float]:
    """With what its receive costs more than that of a standard message."""
    if standard.synchronous:
        return 0.0, 0.0
    more = other.receive_overhead_s - standard.receive_overhead_s
    return other.send_overhead_s + max(0.0, more), _copy_s(other)


def _copy_s(piece: ProfilePiece) -> float:
    return 1 / piece.copy_bytes_per_s if piece.copy_bytes_per_s else 0.0


def _received_s(standard: ProfilePiece, byte_s: float) -> float:
    if standard.synchronous:
        return 0.0
    return max(0.0, standard.receive_overhead_s - ENVELOPE_BYTES * byte_s)


def _later_s(standard: ProfilePiece, byte_s: float) -> tuple[float, float]:
    """Overheads that SMPI would leave out, and what each byte takes beyond `byte_s`."""
    slower = max(0.0, standard.gap_s_per_byte - byte_s)
    if not standard.synchronous:
        return 0.0, slower
    both = standard.send_overhead_s + standard.receive_overhead_s
    return max(0.0, both - ENVELOPE_BYTES * byte_s), _copy_s(standard) + slower


def _narrowest(machine: MachineModel) -> float:
    """B/s that one message alone gets of the network."""
    nic = machine.nic
    rates = [machine.links.bytes_per_s, nic.in_bytes_per_s, nic.out_bytes_per_s]
    return min([*rates, nic.bus_bytes_per_s or rates[0]])


def _eager_below(profile: Profile) -> int:
    waiting = (one.least_bytes for one in profile.pieces_of(Mode.STANDARD) if one.synchronous)
    return next(waiting, NEVER_BYTES)
