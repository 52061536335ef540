"""How many launches are alive together: several of each variant where memory has room.

A library's speed differs from launch to launch, for a launch's whole life. Where a block holds
several launches of each variant, its ratio is a median over them, and start-up, which overlaps, is
paid about once.
"""

from __future__ import annotations

from dataclasses import dataclass

from leadline.backends.kinds.kind import PROCESS_BYTES
from leadline.errors import UsageError
from leadline.measure.allotment import MOST_LAUNCHES
from leadline.record.caveats import Caveat, CaveatKind
from leadline.units import format_size

MEMORY_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class Residency:
    """Who is alive at the same time in a block."""

    launches: int
    """Of each variant, at most."""
    together: bool
    """False: one variant after the other, in random order."""
    caveats: tuple[Caveat, ...] = ()


@dataclass(frozen=True, slots=True)
class Footprint:
    """What launches take in memory, at most."""

    largest_message_bytes: int
    cold_bytes: int
    processes: int
    """Of a launch: one for each rank."""
    variants: int
    """With launches of their own."""
    process_bytes: int = PROCESS_BYTES
    """What a rank needs besides its messages, at least."""
    problem_bytes: int = 0
    """Of the largest application's, which one launch at a time has."""

    @property
    def launch_bytes(self) -> int:
        """What one launch takes: buffers both ways, and one-sided ones both ways."""
        buffer_bytes = max(self.largest_message_bytes, self.cold_bytes)
        return (self.process_bytes + 4 * buffer_bytes) * self.processes


def residency(footprint: Footprint, memory_bytes: int) -> Residency:
    """As many launches as memory has room for; UsageError where it hasn't for a single one."""
    room_bytes = int(MEMORY_SHARE * memory_bytes) - footprint.problem_bytes
    launch_bytes = footprint.launch_bytes
    launches = room_bytes // (launch_bytes * footprint.variants)
    if launches >= 1:
        return Residency(min(launches, MOST_LAUNCHES), together=True)
    if launch_bytes > room_bytes:
        raise UsageError(
            f"{_too_much(footprint, 1, room_bytes)}; give smaller --sizes or fewer --ranks"
        )
    return Residency(
        min(room_bytes // launch_bytes, MOST_LAUNCHES),
        together=False,
        caveats=(
            CaveatKind.INTERLEAVED.because(
                f"{_too_much(footprint, footprint.variants, room_bytes)}: variants take turns in "
                "random order, none beside another, which widens intervals"
            ),
        ),
    )


def _too_much(footprint: Footprint, variants: int, room_bytes: int) -> str:
    processes, cold_bytes = footprint.processes * variants, footprint.cold_bytes
    return (
        f"{format_size(footprint.largest_message_bytes)} messages"
        + (f" with cold buffers of {format_size(cold_bytes)}" if cold_bytes else "")
        + f" need about {footprint.launch_bytes * variants / 1e9:.1f} GB for {processes} processes "
        f"alive together, and {room_bytes / 1e9:.1f} GB may be used"
    )
