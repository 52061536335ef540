"""Published figures that simulate can give, all of them, beside what machine files make of them.

"fitted": the file's values were chosen to reach it, or are it; "chosen by it": an algorithm was,
among those that there are; "predicted": with the same values. None has a goal. Left out: figures
that are only drawn, the slower ends of two ranges of latencies (MPI_Isend, 28 and 34 us), netperf's
stream, whose rate is a station's, and NAS MG. Those of contention are in bench/simulate_papers.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from bench.simulate_papers import FITTED, LIBRARY, LONG_BYTES, PREDICTED, seconds
from leadline.simulate.shipped import machine_named

CHOSEN = "chosen by it"
SLOPE_BYTES = 1_000_000, 2_000_000
"""Between which rates and intercepts are taken, as Frese and Knipp did."""
DOUBLING = (2, 4, 8, 16)
KIB_64 = 65_536
MULTICOMPUTERS = ("cray-t3d", "intel-paragon", "ibm-sp2")
COLLECTIVES = ("bcast", "gather", "scatter", "reduce", "scan", "total_exchange")
"""Those that move 64 KiB a message."""


@dataclass(frozen=True)
class Figure:
    """A published figure, and what it is simulated as."""

    machine: str
    library: str
    pattern: str
    ranks: int
    size_bytes: int
    quantity: str
    """One of QUANTITIES, whose unit `printed` has."""
    printed: float
    kind: str

    def seconds(self, size_bytes: int) -> float:
        """What the pattern takes."""
        machine = machine_named(self.machine)
        return seconds(machine, self.library, self.pattern, self.ranks, size_bytes)


def _time_us(figure: Figure) -> float:
    return 1e6 * figure.seconds(figure.size_bytes)


def _intercept_us(figure: Figure) -> float:
    first, second = map(figure.seconds, SLOPE_BYTES)
    return 1e6 * (2 * first - second)


def _slope_mb_per_s(figure: Figure) -> float:
    first, second = map(figure.seconds, SLOPE_BYTES)
    return 1.0 / (second - first)


def _mbit_per_s(figure: Figure) -> float:
    return 8e-6 * figure.size_bytes / figure.seconds(figure.size_bytes)


def _aggregate_gb_per_s(figure: Figure) -> float:
    messages = figure.ranks * (figure.ranks - 1)
    return 1e-9 * messages * figure.size_bytes / figure.seconds(figure.size_bytes)


QUANTITIES: dict[str, Callable[[Figure], float]] = {
    "us": _time_us,
    "us at least": _time_us,
    "us, intercept": _intercept_us,
    "MB/s, slope": _slope_mb_per_s,
    "Mbit/s": _mbit_per_s,
    "GB/s of all": _aggregate_gb_per_s,
}


def measure() -> dict[str, Any]:
    """Every figure; there are no goals."""
    return {"published": [*map(figure_row, figures()), *range_rows()], "reached": True}


def figures() -> Iterator[Figure]:
    """Of all papers, but for what they say of ranges."""
    for part in (t3e, mpt, multicomputers, suns):
        yield from part()


def figure_row(figure: Figure) -> dict[str, object]:
    found = QUANTITIES[figure.quantity](figure)
    return {
        "figure": f"{figure.machine} {figure.library} {figure.pattern}, {figure.quantity}",
        "ranks": figure.ranks,
        "size_bytes": figure.size_bytes,
        "in_paper": figure.printed,
        "simulated": found,
        "off": found / figure.printed - 1,
        "kind": figure.kind,
    }


# -- the T3E ---------------------------------------------------------------------------------------

POINT_TO_POINT: dict[tuple[str, str], tuple[float, ...]] = {
    ("mpich", "pingpong"): (7, 7, 342),
    ("mpich", "pingpong_sync"): (8, 10, 334),
    ("mpich", "pingpong_nonblocking"): (12, 13, 348),
    ("cray-mpi", "pingpong"): (8, 56, 163),
    ("cray-mpi", "pingpong_sync"): (29, 126, 326),
    ("cray-mpi", "pingpong_nonblocking"): (24, 55, 167),
}
"""us of no bytes, us of the intercept of 1 to 2 MB, MB/s: Frese and Knipp, 5.1."""


def t3e() -> Iterator[Figure]:
    """Frese and Knipp; at the end Müller and Resch, 3.1.2 and 3.1.3."""
    name = "cray-t3e-900"
    for (library, pattern), printed in POINT_TO_POINT.items():
        for quantity, value in zip(("us", "us, intercept", "MB/s, slope"), printed, strict=True):
            yield Figure(name, library, pattern, 2, 0, quantity, value, FITTED)
    yield Figure(name, "mpich", "bcast", 128, 1024, "us", 170, PREDICTED)
    yield Figure(name, "cray-mpi", "bcast", 128, 1024, "us", 87, PREDICTED)
    yield Figure(name, "mpich", "reduce", 128, 1024, "us", 1318, CHOSEN)
    yield Figure(name, "cray-mpi", "reduce", 128, 1024, "us", 1214, CHOSEN)
    yield Figure(name, LIBRARY, "pingpong", 2, 0, "MB/s, slope", 300, PREDICTED)
    yield Figure(name, "cray-mpi", "pingpong", 2, LONG_BYTES, "us", 27_000, PREDICTED)


# -- T3D and J90 -----------------------------------------------------------------------------------

TABLE_1: dict[tuple[str, str], tuple[float, float]] = {
    ("cray-t3d", "pvm"): (230, 26),
    ("cray-t3d", "shmem"): (2, 130),
    ("cray-j90", "pvm"): (450, 340),
    ("cray-j90", "shmem"): (15, 700),
}
"""us of no bytes, MB/s."""
TABLES: dict[tuple[str, str], tuple[float, ...]] = {
    ("cray-t3d", "barrier"): (0.65, 0.67, 0.72, 0.74),
    ("cray-j90", "barrier"): (7.6, 10.6, 27.0, 46.6),
    ("cray-t3d", "gsum_master"): (27, 27, 30, 34),
    ("cray-t3d", "gmax_master"): (12, 14, 16, 22),
    ("cray-t3d", "gland_master"): (8, 10, 11, 16),
    ("cray-j90", "gsum_master"): (39, 44, 79, 98),
    ("cray-j90", "gmax_master"): (39, 44, 58, 90),
    ("cray-j90", "gland_master"): (39, 44, 58, 90),
    ("cray-t3d", "vector_sum_log2"): (43_530, 87_710, 133_300, 178_070),
    ("cray-j90", "vector_sum_log2"): (17_890, 30_670, 64_710, 181_880),
}
"""Tables 2 to 4: us on 2, 4, 8 and 16 processors."""
TABLE_SIZES = {"barrier": 0, "vector_sum_log2": 800_000}
"""Of others: a word."""


def mpt() -> Iterator[Figure]:
    """Lopez-Pineda, tables 1 to 4."""
    for (machine, library), printed in TABLE_1.items():
        for quantity, value in zip(("us", "MB/s, slope"), printed, strict=True):
            yield Figure(machine, library, "pingpong", 2, 0, quantity, value, FITTED)
    for (machine, pattern), took_us in TABLES.items():
        for ranks, value in zip(DOUBLING, took_us, strict=True):
            fitted = pattern == "barrier" or (pattern == "vector_sum_log2" and ranks == 2)
            size_bytes = TABLE_SIZES.get(pattern, 8)
            kind = FITTED if fitted else PREDICTED
            yield Figure(machine, "shmem", pattern, ranks, size_bytes, "us", value, kind)


# -- others ----------------------------------------------------------------------------------------


def multicomputers() -> Iterator[Figure]:
    """Hwang, Wang and Wang; of the barriers of SP2 and Paragon the least that it can be."""
    for machine, printed in zip(MULTICOMPUTERS, (1.745, 0.879, 0.818), strict=True):
        yield Figure(machine, "mpi", "total_exchange", 64, KIB_64, "GB/s of all", printed, FITTED)
    for machine, printed in zip(MULTICOMPUTERS, (3.0, 90.0, 90.0), strict=True):
        fitted = machine == "cray-t3d"
        quantity, kind = ("us", FITTED) if fitted else ("us at least", PREDICTED)
        yield Figure(machine, "mpi", "barrier", 64, 0, quantity, printed, kind)


def suns() -> Iterator[Figure]:
    """Ortiz Zuazaga; ATM's rate once more at the largest size, of which its figure isn't."""
    ethernet, atm = "sun-ethernet-10", "sun-atm-155"
    for machine, library, size_bytes, printed, kind in (
        (ethernet, "mpich", 10_240, 8, FITTED),
        (atm, "mpich", 8_192, 19, FITTED),
        (atm, "mpich", 10_240, 19, PREDICTED),
        (atm, "mpich", 13_000_000, 25, FITTED),
        (ethernet, "pvm", 10_240, 6, FITTED),
        (atm, "pvm", 10_240, 6, FITTED),
    ):
        yield Figure(machine, library, "pingpong", 2, size_bytes, "Mbit/s", printed, kind)


def range_rows() -> list[dict[str, object]]:
    """Over all of COLLECTIVES and MULTICOMPUTERS, 64 KiB on 64: the shortest and the longest."""
    took_s = {
        f"{machine} {pattern}": seconds(machine_named(machine), "mpi", pattern, 64, KIB_64)
        for machine in MULTICOMPUTERS
        for pattern in COLLECTIVES
    }
    ends = (
        (min(took_s, key=took_s.__getitem__), 5_120),
        (max(took_s, key=took_s.__getitem__), 675_000),
    )
    return [
        {
            "figure": f"{label}, us",
            "ranks": 64,
            "size_bytes": KIB_64,
            "in_paper": printed_us,
            "simulated": 1e6 * took_s[label],
            "off": 1e6 * took_s[label] / printed_us - 1,
            "kind": PREDICTED,
        }
        for label, printed_us in ends
    ]
