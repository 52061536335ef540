"""H. Ortiz Zuazaga's "A performance comparison of MPICH and PVM over Ethernet and ATM networks".

Two Sun SPARCstations of the University of Texas at San Antonio, May 1996, joined by both networks;
TCP everywhere, over ATM by Fore's adapters. Its four figures are drawings without a table: what
the text says of them is all that there is, and no round trip is printed. A bandwidth is twice the
message over its round trip. Its Mbps are taken for 10^6 bits/s, but for netperf's, which it says
are 2^20: of the others "less than 13 %" of the rated 155 holds either way.
"""

from __future__ import annotations

from dataclasses import dataclass

SOURCE = (
    'H. Ortiz Zuazaga, "A performance comparison of MPICH and PVM over Ethernet and ATM networks", '
    "1996"
)
ETHERNET, ATM = "Ethernet", "ATM"
NETWORKS = (ETHERNET, ATM)
RATED_BYTES_PER_S = {ETHERNET: 10e6 / 8, ATM: 155e6 / 8}
HOSTS = {"Sun SPARCstation, one of two": 1}
"""By what is known: they had several processors, and a process ran on each of two machines."""
LARGEST_BYTES = 10_240
"""The largest message that the programs could send; the smallest isn't printed."""
SMALL_BYTES = 1024
"""The insets, figures 2 and 4, show sizes up to about here."""
CROSSOVER_BYTES = 1024
"""MPI is faster over Ethernet below this size, faster over ATM above it."""
MOST_OF_ATM = 0.13
"""Of the rated capacity, which even the largest messages stay below."""


@dataclass(frozen=True, slots=True)
class Peak:
    """The highest bandwidth of a curve of figure 1."""

    network: str
    library: str
    bandwidth_bytes_per_s: float
    words: str
    """That the figure is printed with."""
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
    words: str

    @property
    def of_rated(self) -> float:
        """The share of what ATM is rated at."""
        return round(self.bandwidth_bytes_per_s / RATED_BYTES_PER_S[ATM], 3)


PEAKS = (
    Peak(ETHERNET, "MPICH", 8e6 / 8, "nearly 8"),
    Peak(ATM, "MPICH", 19e6 / 8, "about 19", 8192),
    Peak(ETHERNET, "PVM", 6e6 / 8, "only 6, of both networks"),
    Peak(ATM, "PVM", 6e6 / 8, "only 6, of both networks"),
)
TRANSFERS = (
    OneWayTransfer("TCP, by ftp", 25e6 / 8, "nearly 25"),
    OneWayTransfer("netperf, Fore's interface", 60 * 2**20 / 8, "nearly 60"),
)


def peak(network: str, library: str) -> Peak:
    """The peak of `library` over `network`."""
    return next(row for row in PEAKS if (row.network, row.library) == (network, library))


def tcp() -> OneWayTransfer:
    """What TCP alone reached over ATM."""
    return TRANSFERS[0]
