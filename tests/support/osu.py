"""What OSU's benchmarks of collectives print, of times that are made up."""

from __future__ import annotations

import math

SIZES = tuple(4 << i for i in range(0, 19, 2))
RANKS = (4, 8, 16, 32)


def microseconds(ranks: int, size_bytes: int) -> float:
    """2 us and 1 ns a byte for each halving of the ranks."""
    return math.log2(ranks) * (2 + 1e-3 * size_bytes)


def collective(ranks: int, name: str = "Allreduce") -> str:
    """What OSU's benchmark of a collective prints; nothing in it says on how many ranks it ran."""
    rows = [f"{size:<24d}{microseconds(ranks, size):.2f}" for size in SIZES]
    heading = (
        "", f"# OSU MPI {name} Latency Test v7.4", "# Datatype: MPI_CHAR.",
        "# Size       Avg Latency(us)",
    )  # fmt: skip
    return "\n".join([*heading, *rows, ""])


def barrier(ranks: int) -> str:
    """What osu_barrier prints."""
    heading = "\n# OSU MPI Barrier Latency Test v7.4\n# Avg Latency(us)\n"
    return f"{heading}{microseconds(ranks, 0):.2f}\n"
