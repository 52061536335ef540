"""What OSU's and Intel's benchmarks of collectives print, of times that are made up."""

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


def intel(*ranks: int) -> str:
    """What one IMB-MPI1 prints of Allreduce and Barrier on these numbers of processes."""
    title = "#    Intel(R) MPI Benchmarks 2021.11, MPI-1 part"
    parts = [part for p in ranks for part in (_intel_allreduce(p), _intel_barrier(p))]
    return "\n".join([title, *parts, "# All processes entering MPI_Finalize", ""])


def _intel_heading(name: str, ranks: int) -> str:
    waiting = f"# ( {ranks} additional processes waiting in MPI_Barrier)"
    return "\n".join([f"# Benchmarking {name} ", f"# #processes = {ranks} ", waiting])


def _intel_allreduce(ranks: int) -> str:
    times = [(size, microseconds(ranks, size)) for size in SIZES]
    rows = [f"{size} 1000 {us / 2:.2f} {us:.2f} {us * 3 / 4:.2f}" for size, us in times]
    columns = "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]"
    return "\n".join([_intel_heading("Allreduce", ranks), columns, *rows, ""])


def _intel_barrier(ranks: int) -> str:
    us = microseconds(ranks, 0)
    columns = "#repetitions  t_min[usec]  t_max[usec]  t_avg[usec]"
    return "\n".join([_intel_heading("Barrier", ranks), columns, f"1000 {us / 2} {us} {us}", ""])
