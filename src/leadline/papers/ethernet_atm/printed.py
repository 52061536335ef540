"""Peaks, transfers and the crossover that the paper's text says, as its study takes them."""

from __future__ import annotations

from dataclasses import dataclass

from leadline.papers.catalogue import figure_of, printed
from leadline.papers.ethernet_atm import KEY

ETHERNET, ATM = "Ethernet", "ATM"
NETWORKS = (ETHERNET, ATM)
RATED_BYTES_PER_S = {ETHERNET: printed(KEY, "rated.ethernet"), ATM: printed(KEY, "rated.atm")}
HOSTS = {"Sun SPARCstation, one of two": 1}
"""By what is known: they had several processors, and a process ran on each of two machines."""
LARGEST_BYTES = int(printed(KEY, "largest-message"))
"""The largest message that the programs could send; the smallest isn't printed."""
SMALL_BYTES = 1024
"""The insets, figures 2 and 4, show sizes up to about here."""
CROSSOVER_BYTES = int(printed(KEY, "crossover"))
"""MPI is faster over Ethernet below this size, faster over ATM above it."""
MOST_OF_ATM = printed(KEY, "share-of-atm")
"""Share of the rated capacity which even the largest messages stay below."""


@dataclass(frozen=True, slots=True)
class Peak:
    """The highest bandwidth of a curve of figure 1."""

    network: str
    library: str
    bandwidth_bytes_per_s: float
    size_bytes: int | None = None
    """None: the text doesn't say at which size."""

    @property
    def of_rated(self) -> float:
        """The share of what its network is rated at, of which the paper prints no more digits."""
        return round(self.bandwidth_bytes_per_s / RATED_BYTES_PER_S[self.network], 3)


@dataclass(frozen=True, slots=True)
class OneWayTransfer:
    """A transfer one way over ATM by another program."""

    program: str
    bandwidth_bytes_per_s: float

    @property
    def of_rated(self) -> float:
        """The share of what ATM is rated at."""
        return round(self.bandwidth_bytes_per_s / RATED_BYTES_PER_S[ATM], 3)


_OVER_ETHERNET, _OVER_BOTH = figure_of(f"{KEY}.peak.ethernet.mpich"), figure_of(f"{KEY}.peak.pvm")
_OVER_ATM = figure_of(f"{KEY}.peak.atm.mpich")
PEAK_BYTES = int(_OVER_ATM.bytes)
"""Size of the message at which MPICH peaks over ATM."""
PEAKS = (
    Peak(ETHERNET, "MPICH", _OVER_ETHERNET.si),
    Peak(ATM, "MPICH", _OVER_ATM.si, PEAK_BYTES),
    Peak(ETHERNET, "PVM", _OVER_BOTH.si),
    Peak(ATM, "PVM", _OVER_BOTH.si),
)
TRANSFERS = (
    OneWayTransfer("TCP, by ftp", figure_of(f"{KEY}.ftp").si),
    OneWayTransfer("netperf, Fore's interface", figure_of(f"{KEY}.netperf").si),
)


def peak(network: str, library: str) -> Peak:
    """The peak of `library` over `network`."""
    return next(row for row in PEAKS if (row.network, row.library) == (network, library))


def tcp() -> OneWayTransfer:
    """What TCP alone reached over ATM."""
    return TRANSFERS[0]
