"""H.-H. Frese and H. Knipp, "Performance Evaluation of MPI and MPICH on the Cray T3E".

Konrad-Zuse-Zentrum Berlin: a Cray T3E-900 of 256 PEs in dedicated mode, MPICH 1.1 and the Cray MPI
of MPT 1.3. The text has numbers; of the drawings, figures 1 to 5, only which line is upper can be
told. Its MByte/s are taken for 10^6 bytes/s where messages go from one PE to another (342 times
2^20 would be faster than the hardware's own library), and for 2^20 in the broadcast, whose
bandwidths are its times only so.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from leadline.papers.published import NOT_RECOVERABLE, Contradiction, PublishedFigure

KEY = "t3e-mpi"
TITLE = "Performance Evaluation of MPI and MPICH on the Cray T3E"
SOURCE = f'H.-H. Frese, H. Knipp, "{TITLE}", Konrad-Zuse-Zentrum für Informationstechnik Berlin'
ZIB, T3E, BOTH = "Cray T3E-900 (ZIB)", "Cray T3E", "both"
LIBRARIES = {"mpich": "MPICH 1.1", "cray-mpi": "Cray MPI (MPT 1.3)"}
"""By their names in ids."""
_MODES = {
    "send": ("MPI_Send/Recv ping-pong", "s5.1.1 text"),
    "ssend": ("MPI_Ssend/Recv ping-pong", "section after 5.1.1 (printed as 1.0.1)"),
    "isend": ("MPI_Isend ping-pong", "section after Ssend (printed as 2.0.1)"),
}
_SENT = {
    "bandwidth": ("", "bandwidth", "MByte/s"),
    "latency": ("0", "latency", "us"),
    "intercept": ("1e6..2e6", "latency", "us"),
}
"""Sizes, quantity and unit of what is printed of each mode."""
_LINES = "figure only: MPICH upper, Cray lower"
_SENDS: tuple[tuple[str, float, str], ...] = (
    (
        "send.mpich.bandwidth",
        342,
        "maximum over sizes (reached at about 1 MB); MByte/s as printed; the Bcast figures imply "
        "2^20 B/s",
    ),
    ("send.mpich.latency", 7, "zero-byte (lower bound)"),
    ("send.mpich.intercept", 7, "intercept of linear regression over 1..2 MB"),
    (
        "send.cray-mpi.bandwidth",
        163,
        "maximum over sizes; default buffering (no MPI_BUFFER_MAX stated)",
    ),
    ("send.cray-mpi.latency", 8, "zero-byte (lower bound)"),
    ("send.cray-mpi.intercept", 56, "regression intercept 1..2 MB"),
    ("ssend.mpich.bandwidth", 334, "maximum over sizes"),
    ("ssend.mpich.latency", 8, "zero-byte minimum"),
    ("ssend.mpich.intercept", 10, "regression intercept, >1 MB"),
    ("ssend.cray-mpi.bandwidth", 326, "maximum over sizes"),
    (
        "ssend.cray-mpi.latency",
        29,
        'zero-byte minimum; text prints "29 s": mu lost, read as us',
    ),
    ("ssend.cray-mpi.intercept", 126, "regression intercept, >1 MB"),
    ("isend.mpich.bandwidth", 348, "maximum over sizes"),
    ("isend.mpich.latency.least", 12, "zero-byte, low end of range 12..28"),
    ("isend.mpich.latency.most", 28, "zero-byte, high end of range 12..28"),
    ("isend.mpich.intercept", 13, "regression intercept, >1 MB"),
    ("isend.cray-mpi.bandwidth", 167, "maximum over sizes"),
    ("isend.cray-mpi.latency.least", 24, "zero-byte, low end of range 24..34"),
    ("isend.cray-mpi.latency.most", 34, "zero-byte, high end of range 24..34"),
    ("isend.cray-mpi.intercept", 55, "regression intercept, >1 MB"),
)
"""Id without the key, value, condition."""


def _sends() -> Iterator[PublishedFigure]:
    for name, value, condition in _SENDS:
        mode, library, said, *_ = name.split(".")
        operation, where = _MODES[mode]
        size, quantity, unit = _SENT[said]
        yield PublishedFigure(
            id=f"{KEY}.{name}",
            system=ZIB,
            library=LIBRARIES[library],
            operation=operation,
            procs="2",
            bytes=size,
            quantity=quantity,
            value=value,
            unit=unit,
            condition=condition,
            where=where,
        )


def _bcast(library: str, time_us: float, each: float, all_of_them: tuple[float, str]) -> Figures:
    """`each`: MByte/s of a receiver; `all_of_them`: of all receivers, with its unit."""
    figure = partial(
        PublishedFigure,
        system=ZIB,
        library=LIBRARIES[library],
        operation="MPI_Bcast",
        procs="128",
        bytes="1024",
        where="s5.2 MPI_Bcast text",
    )
    name = f"{KEY}.bcast.{library}.128"
    accumulated, unit = all_of_them
    return (
        figure(
            id=f"{name}.time",
            quantity="time",
            value=time_us,
            unit="us",
            condition="root + 127 receivers; mean over repeats, max end time minus root start",
            where="s5.2 MPI_Bcast text (printed 3.1.1)",
        ),
        figure(
            id=f"{name}.bandwidth",
            quantity="bandwidth",
            value=each,
            unit="MByte/s",
            condition="per receiver = 1024/t; implies MByte = 2^20",
            binary=True,
        ),
        figure(
            id=f"{name}.accumulated",
            quantity="aggregate_bandwidth",
            value=accumulated,
            unit=unit,
            condition="accumulated = 127 x per-receiver",
            binary=True,
        ),
    )


def _reduce(library: str, time_us: float, where: str) -> PublishedFigure:
    return PublishedFigure(
        id=f"{KEY}.reduce.{library}.128.time",
        system=ZIB,
        library=LIBRARIES[library],
        operation="MPI_Reduce (DSUM)",
        procs="128",
        bytes="1024",
        quantity="time",
        value=time_us,
        unit="us",
        condition="128 reals of 8 B; time per call in a loop",
        where=where,
    )


def _sweep(name: str, operation: str, procs: str, condition: str) -> PublishedFigure:
    return PublishedFigure(
        id=f"{KEY}.{name}.procs",
        system=ZIB,
        library=BOTH,
        operation=operation,
        procs=procs,
        bytes="1024",
        quantity="config",
        value=None,
        unit="procs",
        condition=condition,
        where="s5.2",
    )


def _drawn(number: int, operation: str, condition: str = _LINES) -> PublishedFigure:
    return PublishedFigure(
        id=f"{KEY}.figure{number}",
        system=ZIB,
        library=BOTH,
        operation=operation,
        quantity=NOT_RECOVERABLE,
        value=None,
        condition=condition,
        where=f"Fig {number}",
    )


_HARDWARE: tuple[tuple[str, float, str, str, str], ...] = (
    ("most-pes", 2048, "PE", "maximum T3E size", "s2"),
    ("peak", 2.4, "Tflop/s", "aggregate peak of full system (2048 x 1200 Mflop/s = 2.458)", "s2"),
    ("memory", 2, "GByte", "max memory per node", "s2.1"),
    ("logic-clock", 75, "MHz", "system logic clock", "s2.1"),
    ("clock.300", 300, "MHz", "processor option", "s2.1"),
    ("clock.450", 450, "MHz", "processor option (T3E-900)", "s2.1"),
    ("clock.600", 600, "MHz", "processor option", "s2.1"),
    ("pe-peak.300", 600, "Mflop/s", "peak per PE at 300 MHz", "s2.1"),
    ("pe-peak.450", 900, "Mflop/s", "peak per PE at 450 MHz", "s2.1"),
    ("pe-peak.600", 1200, "Mflop/s", "peak per PE at 600 MHz", "s2.1"),
    ("l1", 8, "KByte", "each L1 (data, instruction)", "s2.1"),
    ("l2", 96, "KByte", "L2", "s2.1"),
    ("stream-buffers", 6, "count", "stream buffers", "s2.1"),
    ("link.bandwidth", 600, "MByte/s", "raw torus link, per direction", "s2.2"),
    ("network.latency", 1, "us", "nominal network latency", "s2.2"),
    ("node.bandwidth", 3.6, "GByte/s", "per node = 6 x 600 MByte/s", "s2.2"),
)
"""Id without the key, value, unit, condition, place."""
_OF_NETWORK = {
    "link.bandwidth": "bandwidth",
    "network.latency": "latency",
    "node.bandwidth": "aggregate_bandwidth",
}


def _hardware() -> Iterator[PublishedFigure]:
    for name, value, unit, condition, where in _HARDWARE:
        yield PublishedFigure(
            id=f"{KEY}.hardware.{name}",
            system=T3E,
            library="hardware",
            quantity=_OF_NETWORK.get(name, "config"),
            value=value,
            unit=unit,
            condition=condition,
            where=where,
        )


_setting = partial(PublishedFigure, quantity="config")

Figures = tuple[PublishedFigure, ...]
FIGURES: Figures = (
    *_sends(),
    *_bcast("cray-mpi", 87, 11.2, (1.4, "GByte/s")),
    *_bcast("mpich", 170, 5.8, (730, "MByte/s")),
    _reduce("cray-mpi", 1214, "s5.2 MPI_Reduce text (printed 4.0.1)"),
    _reduce("mpich", 1318, "s5.2 MPI_Reduce text"),
    _sweep("bcast", "MPI_Bcast", "2,4,...,128", "sweep grid: 1,3,5,...,127 receivers + root"),
    _sweep("reduce", "MPI_Reduce (DSUM)", "2,4,6,...,128", "sweep grid: number of processes"),
    _drawn(1, "MPI_Send/Recv bandwidth vs size"),
    _drawn(2, "MPI_Ssend bandwidth vs size"),
    _drawn(3, "MPI_Isend bandwidth vs size"),
    _drawn(4, "MPI_Bcast total time vs procs", f"{_LINES} (consistent with text)"),
    _drawn(
        5,
        "MPI_Reduce total time vs procs",
        "figure only: MPICH lower, Cray upper; 128-process end point is the reverse",
    ),
    *_hardware(),
    _setting(
        id=f"{KEY}.zib.pes",
        system=ZIB,
        library="hardware",
        value=256,
        unit="PE",
        condition="application PEs at ZIB",
        where="s2.4",
    ),
    _setting(
        id=f"{KEY}.zib.memory",
        system=ZIB,
        library="hardware",
        value=128,
        unit="MByte",
        condition="memory per PE",
        where="s2.4",
    ),
    _setting(
        id=f"{KEY}.size-of-maximum",
        system=ZIB,
        library=BOTH,
        operation="ping-pong",
        procs="2",
        bytes="1048576",
        value=1,
        unit="MByte",
        condition='size at which maximum transfer rate is reached ("about one megabyte")',
        where="s5.1 text",
    ),
    _setting(
        id=f"{KEY}.standard.functions",
        system="MPI-1.1",
        library="standard",
        value=125,
        unit="functions",
        condition="about 125 functions",
        where="s1",
    ),
    _setting(
        id=f"{KEY}.standard.basic-functions",
        system="MPI-1.1",
        library="standard",
        value=6,
        unit="functions",
        condition="basic set",
        where="s1",
    ),
)
CONTRADICTIONS = (
    Contradiction(
        (f"{KEY}.ssend.cray-mpi.latency",),
        "29 s",
        "zero-byte latencies beside it are microseconds",
        "29 us: the letter was lost",
    ),
    Contradiction(
        tuple(f"{KEY}.bcast.{library}.128.{said}" for library in LIBRARIES for said in (
            "bandwidth", "accumulated",
        )),
        "11.2 MByte/s and 1.4 GByte/s, 5.8 and 730 MByte/s",
        "1024 B in 87 and in 170 us are 11.8 and 6.0 times 10^6 B/s",
        "in these four a MByte is 2^20 bytes, 11.2 and 5.7; elsewhere 10^6",
    ),
    Contradiction(
        (f"{KEY}.bcast.mpich.128.time", f"{KEY}.bcast.mpich.128.bandwidth"),
        "170 us",
        "both of its bandwidths as printed need between 169.5 and 169.8 us",
        "the time was rounded after the bandwidths were made of it",
    ),
    Contradiction(
        (f"{KEY}.figure5", f"{KEY}.reduce.mpich.128.time", f"{KEY}.reduce.cray-mpi.128.time"),
        "MPICH is figure 5's lower line, and scales and performs better in MPI_Reduce",
        "on 128 processes it takes 1318 us, Cray MPI 1214",
        "the text says itself that 128 is the exception",
    ),
    Contradiction(
        (f"{KEY}.isend.mpich.latency.most", f"{KEY}.isend.mpich.intercept"),
        "no bytes take up to 28 us without waiting",
        "messages of 1 to 2 MB have a constant part of 13 us",
        "the low end of the range, 12 us, is taken for a message's cost",
    ),
    Contradiction(
        (f"{KEY}.hardware.peak", f"{KEY}.hardware.most-pes", f"{KEY}.hardware.pe-peak.600"),
        "2.4 Tflop/s",
        "2048 PEs at 1200 Mflop/s have 2.458",
        "rounded down",
    ),
)  # fmt: skip
