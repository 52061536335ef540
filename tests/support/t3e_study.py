"""Results of the study of MPICH and a vendor's MPI: the T3E's, and those of a planted machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tests.support.study_results import results

from leadline.papers.results import Measurand, Results
from leadline.papers.t3e_mpi.stages import (
    BCAST,
    COLLECTIVE_BYTES,
    ISEND,
    LOOPED,
    MESSAGES,
    PES,
    QUICK_SIZES,
    REDUCE,
    SEND,
    SINGLE,
    SSEND,
    numbers_of_pes,
)

MPICH, VENDOR = "mpich", "impi"
CORES = 128
LARGEST = QUICK_SIZES[-1]
SHORT_BYTES = 1024
"""Up to which messages start as empty ones do."""


@dataclass(frozen=True, slots=True)
class Line:
    """What messages take: an empty one, the constant of large ones, the rate of the largest."""

    latency_s: float
    intercept_s: float
    highest_bytes_per_s: float

    def seconds(self, size_bytes: int) -> float:
        """Half a round trip."""
        byte_s = 1 / self.highest_bytes_per_s - self.intercept_s / LARGEST
        start_s = self.latency_s if size_bytes <= SHORT_BYTES else self.intercept_s
        return start_s + size_bytes * byte_s


Lines = Mapping[tuple[str, str], Line]
"""By library and mode."""
PAPERS: Lines = {
    (MPICH, SEND.pattern): Line(7e-6, 7e-6, 342e6),
    (MPICH, SSEND.pattern): Line(8e-6, 10e-6, 334e6),
    (MPICH, ISEND.pattern): Line(12e-6, 13e-6, 348e6),
    (VENDOR, SEND.pattern): Line(8e-6, 56e-6, 163e6),
    (VENDOR, SSEND.pattern): Line(29e-6, 126e-6, 326e6),
    (VENDOR, ISEND.pattern): Line(24e-6, 55e-6, 167e6),
}
Calls = Mapping[tuple[str, str], Mapping[int, float]]
"""By library and pattern, then by PEs: a call in a loop."""
PAPERS_CALLS: Calls = {
    (MPICH, BCAST): {2: 12e-6, 96: 150e-6, 128: 170e-6},
    (VENDOR, BCAST): {2: 10e-6, 96: 80e-6, 128: 87e-6},
    (MPICH, REDUCE): {2: 20e-6, 96: 900e-6, 128: 1318e-6},
    (VENDOR, REDUCE): {2: 20e-6, 96: 1200e-6, 128: 1214e-6},
}
SINGLE_TIMES = 1.25
"""A call alone takes so many times one in a loop."""


def messages(lines: Lines, sizes: tuple[int, ...] = QUICK_SIZES) -> dict[Measurand, float]:
    return {
        Measurand(MESSAGES, library, PES, pattern, size): line.seconds(size)
        for (library, pattern), line in lines.items()
        for size in sizes
    }


def calls(times: Calls) -> dict[Measurand, float]:
    return {
        Measurand(stage, library, pes, pattern, COLLECTIVE_BYTES): factor * seconds
        for stage, factor in ((LOOPED, 1.0), (SINGLE, SINGLE_TIMES))
        for (library, pattern), by_pes in times.items()
        for pes, seconds in by_pes.items()
    }


def t3e() -> Results:
    """What a machine with the paper's figures would measure."""
    return results(messages(PAPERS) | calls(PAPERS_CALLS), cores=CORES)


def upside_down() -> Results:
    """A machine on which each finding is wrong, by much."""
    lines: Lines = {
        (MPICH, SEND.pattern): Line(20e-6, 60e-6, 100e6),
        (MPICH, SSEND.pattern): Line(15e-6, 60e-6, 50e6),
        (MPICH, ISEND.pattern): Line(16e-6, 60e-6, 150e6),
        (VENDOR, SEND.pattern): Line(8e-6, 2e-6, 200e6),
        (VENDOR, SSEND.pattern): Line(6e-6, 2e-6, 100e6),
        (VENDOR, ISEND.pattern): Line(4e-6, 2e-6, 400e6),
    }
    times: Calls = {
        (MPICH, BCAST): {2: 10e-6, 96: 50e-6, 128: 60e-6},
        (VENDOR, BCAST): {2: 10e-6, 96: 90e-6, 128: 99e-6},
        (MPICH, REDUCE): {2: 20e-6, 96: 900e-6, 128: 1000e-6},
        (VENDOR, REDUCE): {2: 30e-6, 96: 600e-6, 128: 1214e-6},
    }
    found = messages(lines) | calls(times)
    peak = max(QUICK_SIZES[:-3])
    for (library, pattern), line in lines.items():
        faster = peak / (1.5 * line.highest_bytes_per_s)
        found[Measurand(MESSAGES, library, PES, pattern, peak)] = faster
    return results(found, cores=CORES)


assert numbers_of_pes(True, CORES) == tuple(PAPERS_CALLS[MPICH, BCAST])
