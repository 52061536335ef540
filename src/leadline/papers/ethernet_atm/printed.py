"""H. Ortiz Zuazaga's "A performance comparison of MPICH and PVM over Ethernet and ATM networks".

Two Sun SPARCstations of the University of Texas at San Antonio, May 1996, joined by both networks;
TCP everywhere, over ATM by Fore's adapters. Its four figures are drawings without a table: what
the text says of them is all that there is, and no round trip is printed. A bandwidth is twice the
message over its round trip. Its Mbps are taken for 10^6 bits/s, but for netperf's, which it says
are 2^20: of the others "less than 13 %" of the rated 155 holds either way.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from leadline.papers.published import NOT_RECOVERABLE, Contradiction, PublishedFigure

KEY = "ethernet-atm"
TITLE = "A performance comparison of MPICH and PVM over Ethernet and ATM networks"
SOURCE = f'H. Ortiz Zuazaga, "{TITLE}", 1996'
ETHERNET, ATM = "Ethernet", "ATM"
NETWORKS = (ETHERNET, ATM)

# -- as printed ------------------------------------------------------------------------------------

_PAIR = "Sun SparcStation pair, "
_OVER_ATM = f"{_PAIR}155 Mbps ATM (Fore TCP)"
_mbps = partial(PublishedFigure, procs="2", quantity="bandwidth", unit="Mbps", where="Results")


def _drawn(number: int, what: str) -> PublishedFigure:
    return PublishedFigure(
        id=f"{KEY}.figure{number}",
        system="Sun pair",
        library="MPICH and PVM",
        operation="ping-pong",
        procs="2",
        quantity=NOT_RECOVERABLE,
        value=None,
        condition="figure only; no latency number is printed in text",
        where=f"Figure: {what}",
    )


def _setting(name: str, value: float, unit: str, condition: str) -> PublishedFigure:
    return PublishedFigure(
        id=f"{KEY}.{name}",
        system="testbed",
        library="code/config",
        quantity="config",
        value=value,
        unit=unit,
        condition=condition,
        where="Introduction/Methods/code",
    )


FIGURES: tuple[PublishedFigure, ...] = (
    _mbps(
        id=f"{KEY}.peak.atm.mpich",
        system=_OVER_ATM,
        library="MPICH",
        operation="ping-pong (client/server echo)",
        bytes="8192",
        value=19,
        condition='peak, "about"; bps counts both directions over round trip = one-way rate',
        where='Results; abstract "only 19 Mbps"',
    ),
    _mbps(
        id=f"{KEY}.peak.ethernet.mpich",
        system=f"{_PAIR}10 Mbps Ethernet",
        library="MPICH",
        operation="ping-pong",
        value=8,
        condition='"nearly 8" of 10 rated; size not given',
    ),
    _mbps(
        id=f"{KEY}.peak.pvm",
        system=f"{_OVER_ATM} and Ethernet",
        library="PVM3",
        operation="ping-pong",
        value=6,
        condition='peak of the two PVM curves, "only 6"',
    ),
    _mbps(
        id=f"{KEY}.netperf",
        system=_OVER_ATM,
        library="netperf FORE_STREAM",
        operation="stream",
        value=60,
        condition='"nearly 60", author states 60 x 2^20 bit/s',
        binary=True,
    ),
    _mbps(
        id=f"{KEY}.ftp",
        system=_OVER_ATM,
        library="ftp (TCP)",
        operation="13 MB file",
        bytes="13000000",
        value=25,
        condition='"nearly 25"; abstract calls this TCP-over-ATM benchmarks',
        where="Results; abstract",
    ),
    PublishedFigure(
        id=f"{KEY}.crossover",
        system="MPICH Ethernet vs ATM",
        library="MPICH",
        operation="ping-pong",
        procs="2",
        bytes="1024",
        quantity="config",
        value=1024,
        unit="bytes",
        condition="below this size Ethernet bandwidth exceeds ATM (crossover)",
        where="Results",
    ),
    PublishedFigure(
        id=f"{KEY}.share-of-atm",
        system=_OVER_ATM,
        library="MPICH",
        operation="ping-pong",
        procs="2",
        bytes="8192",
        quantity="ratio",
        value=13,
        unit="%",
        condition='"less than 13%" of rated 155 Mbps (19/155=12.3%; 19x2^20/155e6=12.9%)',
        where="Conclusions",
    ),
    _setting("rated.ethernet", 10, "Mbps", "Ethernet rating"),
    _setting("rated.atm", 155, "Mbps", "ATM rating"),
    _setting("rated.fast-ethernet", 100, "Mbps", "Fast Ethernet mentioned as alternative"),
    _setting("largest-message", 10240, "bytes", "BUFSIZE/BLOCKSIZE = 1024*10, maximum size"),
    _setting("iterations", 1024, "iterations", "MAX_ITER(S)"),
    _setting("warm-up", 10, "exchanges", "MPI warm-up round trips; none in PVM program"),
    _setting("procs", 2, "procs", "required"),
    _setting("timer", 1e9, "ticks/s", "TIMERS_PER_SEC with gethrtime"),
    _drawn(1, "bandwidth vs size (4 curves)"),
    _drawn(2, "bandwidth inset for small sizes"),
    _drawn(3, "round-trip latency vs size (4 curves)"),
    _drawn(4, "latency inset for small sizes"),
)
CONTRADICTIONS = (
    Contradiction(
        (f"{KEY}.netperf", f"{KEY}.peak.atm.mpich", f"{KEY}.ftp"),
        "netperf's 60 Mbps are 60 times 2^20 bits/s",
        "the programs divide bits by seconds, without a word on what a megabit of theirs is",
        "all others are taken for 10^6 bits/s; 19 of 155 are below 13 % either way",
    ),
    Contradiction(
        (f"{KEY}.peak.atm.mpich", f"{KEY}.largest-message"),
        "8 KB are the extremely large messages, and 8192 bytes the peak over ATM",
        "the programs send up to 10,240 bytes",
        "the peak isn't at the largest size: what lies beyond it is only drawn",
    ),
)

# -- as studies take them --------------------------------------------------------------------------

_PRINTED = {figure.id.removeprefix(f"{KEY}."): figure for figure in FIGURES}
RATED_BYTES_PER_S = {ETHERNET: _PRINTED["rated.ethernet"].si, ATM: _PRINTED["rated.atm"].si}
HOSTS = {"Sun SPARCstation, one of two": 1}
"""By what is known: they had several processors, and a process ran on each of two machines."""
LARGEST_BYTES = int(_PRINTED["largest-message"].si)
"""The largest message that the programs could send; the smallest isn't printed."""
SMALL_BYTES = 1024
"""The insets, figures 2 and 4, show sizes up to about here."""
CROSSOVER_BYTES = int(_PRINTED["crossover"].si)
"""MPI is faster over Ethernet below this size, faster over ATM above it."""
MOST_OF_ATM = _PRINTED["share-of-atm"].si
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


_OVER_ETHERNET, _OVER_BOTH = _PRINTED["peak.ethernet.mpich"], _PRINTED["peak.pvm"]
_AT_8_KIB = _PRINTED["peak.atm.mpich"]
PEAKS = (
    Peak(ETHERNET, "MPICH", _OVER_ETHERNET.si, "nearly 8"),
    Peak(ATM, "MPICH", _AT_8_KIB.si, "about 19", int(_AT_8_KIB.bytes)),
    Peak(ETHERNET, "PVM", _OVER_BOTH.si, "only 6, of both networks"),
    Peak(ATM, "PVM", _OVER_BOTH.si, "only 6, of both networks"),
)
TRANSFERS = (
    OneWayTransfer("TCP, by ftp", _PRINTED["ftp"].si, "nearly 25"),
    OneWayTransfer("netperf, Fore's interface", _PRINTED["netperf"].si, "nearly 60"),
)


def peak(network: str, library: str) -> Peak:
    """The peak of `library` over `network`."""
    return next(row for row in PEAKS if (row.network, row.library) == (network, library))


def tcp() -> OneWayTransfer:
    """What TCP alone reached over ATM."""
    return TRANSFERS[0]
