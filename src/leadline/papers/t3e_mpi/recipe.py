"""Frese and Knipp on the T3E: messages of three kinds, a broadcast and a reduction.

Their latency is half of a round trip without bytes; their intercept the constant of a line through
1 to 2 MB; their bandwidth the highest of any size. Collective calls follow each other in a loop,
whose time is divided by their number. Most of what they say of messages in words follows from
figures that the machine file is fitted to, and is labelled so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from leadline.papers.catalogue import figure_of, paper_of
from leadline.papers.recipe import (
    ONLY_DRAWN,
    CellAt,
    DrawnCurve,
    DrawnPoint,
    FigureRecipe,
    PaperRecipes,
    Recipe,
    SentenceRecipe,
    rated,
    timed,
)
from leadline.papers.simulation import (
    LINE_BYTES,
    CellSpec,
    Machines,
    Seconds,
    in_a_loop,
    intercept,
    least_ratio,
    only,
    ratio,
    ratio_of,
    ratio_of_ratios,
    ratios,
)
from leadline.papers.t3e_mpi import KEY
from leadline.papers.t3e_mpi import LIBRARIES as NAMES
from leadline.papers.units import Unit

MACHINE = "cray-t3e-900"
PATTERNS = {"send": "pingpong", "ssend": "pingpong_sync", "isend": "pingpong_nonblocking"}
SIZES = tuple(1 << power for power in range(4, 22))
"""Sizes at which bandwidths are simulated: 16 B to 2 MiB."""
MPICH, CRAY = NAMES
ALIKE, AS_MUCH = 0.10, 0.05
"""How far apart bandwidths may be that are alike, or the same."""
MORE = 1 + 1e-9


def ping_pongs(mode: str, library: str, sizes: tuple[int, ...]) -> tuple[CellSpec, ...]:
    """Between two PEs, one of each size."""
    return tuple(in_a_loop((MACHINE, library), PATTERNS[mode], 2, size) for size in sizes)


def rates(seconds: Seconds) -> list[float]:
    """B/s of each of SIZES."""
    return [size / time_s for size, time_s in zip(SIZES, seconds, strict=True)]


def most(seconds: Seconds) -> float:
    """The highest of `rates`."""
    return max(rates(seconds))


MEASURED: dict[str, tuple[tuple[int, ...], Callable[[Seconds], float]]] = {
    "bandwidth": (SIZES, most),
    "latency": ((0,), only),
    "intercept": (LINE_BYTES, intercept),
}
"""By the word of a figure's id: which sizes it takes, and what is made of them."""


def figure(mode: str, library: str, quantity: str) -> str:
    """Its id; of MPI_Isend's latencies the paper has a least and a most."""
    end = ".least" if (mode, quantity) == ("isend", "latency") else ""
    return f"{KEY}.{mode}.{library}.{quantity}{end}"


@dataclass(frozen=True, slots=True)
class Contrasted:
    """A sentence: one quantity of a kind of message over a library, over that of another."""

    name: str
    text: str
    quantity: str
    one: tuple[str, str]
    """Kind and library."""
    other: tuple[str, str]
    least: float = MORE
    most: float = float("inf")

    def recipe(self) -> SentenceRecipe:
        """With the figures that it is about."""
        sizes, made = MEASURED[self.quantity]
        return SentenceRecipe(
            id=f"{KEY}.sentence.{self.name}",
            text=self.text,
            cells=(*ping_pongs(*self.one, sizes), *ping_pongs(*self.other, sizes)),
            ours=ratio_of(made),
            least=self.least,
            most=self.most,
            over=(figure(*self.one, self.quantity), figure(*self.other, self.quantity)),
        )


CONTRASTS = (
    Contrasted(
        "send.latency", "MPICH's MPI_Send has the lower latency",
        "latency", ("send", CRAY), ("send", MPICH),
    ),
    Contrasted(
        "send.intercept", "MPICH's MPI_Send has the lower intercept",
        "intercept", ("send", CRAY), ("send", MPICH),
    ),
    Contrasted(
        "ssend.latency", "MPICH's MPI_Ssend has the lower latency",
        "latency", ("ssend", CRAY), ("ssend", MPICH),
    ),
    Contrasted(
        "ssend.mpich.latency", "MPICH's MPI_Ssend has a higher latency than its MPI_Send",
        "latency", ("ssend", MPICH), ("send", MPICH),
    ),
    Contrasted(
        "ssend.cray-mpi.latency", "Cray MPI's MPI_Ssend has a higher latency than its MPI_Send",
        "latency", ("ssend", CRAY), ("send", CRAY),
    ),
    Contrasted(
        "isend.latency", "MPICH's MPI_Isend has the lower latency",
        "latency", ("isend", CRAY), ("isend", MPICH),
    ),
    Contrasted(
        "isend.bandwidth", "MPICH's MPI_Isend has more bandwidth than Cray MPI's",
        "bandwidth", ("isend", MPICH), ("isend", CRAY),
    ),
    Contrasted(
        "isend.mpich.latency", "MPICH's MPI_Isend has a higher latency than its MPI_Send",
        "latency", ("isend", MPICH), ("send", MPICH),
    ),
    Contrasted(
        "isend.mpich.bandwidth",
        "MPICH's MPI_Isend has the bandwidth of its MPI_Send, within a twentieth",
        "bandwidth", ("isend", MPICH), ("send", MPICH), 1 - AS_MUCH, 1 + AS_MUCH,
    ),
    Contrasted(
        "isend.cray-mpi.latency", "Cray MPI's MPI_Isend has a higher latency than its MPI_Send",
        "latency", ("isend", CRAY), ("send", CRAY),
    ),
    Contrasted(
        "isend.cray-mpi.bandwidth",
        "Cray MPI's MPI_Isend has the bandwidth of its MPI_Send, within a twentieth",
        "bandwidth", ("isend", CRAY), ("send", CRAY), 1 - AS_MUCH, 1 + AS_MUCH,
    ),
    Contrasted(
        "ssend.bandwidth",
        "both have about the same bandwidth by MPI_Ssend, within a tenth",
        "bandwidth", ("ssend", MPICH), ("ssend", CRAY), 1 - ALIKE, 1 + ALIKE,
    ),
    Contrasted(
        "ssend.cray-mpi.bandwidth", "Cray MPI has more bandwidth by MPI_Ssend than by MPI_Send",
        "bandwidth", ("ssend", CRAY), ("send", CRAY),
    ),
)  # fmt: skip
OF_MESSAGES = (
    SentenceRecipe(
        id=f"{KEY}.sentence.send.later",
        text="in Cray MPI large messages have a longer latency than empty ones (intercept over "
        "latency)",
        cells=ping_pongs("send", CRAY, (0, *LINE_BYTES)),
        ours=lambda seconds: intercept(seconds[1:]) / seconds[0],
        least=MORE,
        over=(figure("send", CRAY, "intercept"), figure("send", CRAY, "latency")),
    ),
    *(contrast.recipe() for contrast in CONTRASTS),
    *(
        SentenceRecipe(
            id=f"{KEY}.sentence.{mode}.order",
            text=f"MPICH's MPI_{mode.capitalize()} has more bandwidth at every size (figure "
            f"{number})",
            cells=(*ping_pongs(mode, CRAY, SIZES), *ping_pongs(mode, MPICH, SIZES)),
            ours=least_ratio,
            least=MORE,
            rests_on=tuple(
                figure(mode, library, quantity)
                for library in (MPICH, CRAY)
                for quantity in MEASURED
            ),
        )
        for number, mode in enumerate(PATTERNS, 1)
    ),
)
"""What the paper says of messages; captions of figures 1 to 3 say whose curve is the upper one."""


# -- figures and sentences -------------------------------------------------------------------------


LIBRARIES = tuple(NAMES)
FLAT_BYTES = 1 << 20
"""About one megabyte, where bandwidths have reached their maximum."""
BCAST = figure_of(f"{KEY}.bcast.mpich.128.time")
"""As large and on as many as Cray MPI's."""
POWERS = (2, 4, 8, 16, 32, 64)
OTHERS = (6, 12, 24, 48, 96, 120)
"""Even numbers of processes that are no powers of two."""
SAME = 0.10
"""How far apart "nearly the same" may be."""


def _call(figure: str, library: str, ranks: int | None = None) -> CellSpec:
    """A collective of as many bytes as the figure's, on its ranks unless others are given."""
    published = figure_of(figure)
    pattern = figure.split(".")[1]
    size = int(published.bytes)
    return in_a_loop((MACHINE, library), pattern, ranks or published.ranks, size)


def _each(seconds: Seconds) -> float:
    """B/s that a receiver gets of a broadcast."""
    return int(BCAST.bytes) / seconds[0]


OVERLAP = (
    "which algorithm the library took isn't printed: a binomial tree is assumed; the simulation "
    "lets the broadcasts of the loop overlap at no cost; seven of the paper's own messages one "
    "after the other would take 70 us over MPICH, 100 over Cray MPI: the second is explained, the "
    "first by no tree of them"
)
LINEAR = (
    "no tree's time: a linear reduction was chosen by it; the simulation has other ranks run ahead "
    "in the loop, so that the root waits for nothing; 127 of the paper's own messages one after "
    "the other would take 1270 us over MPICH, which explains it, and 1810 over Cray MPI, which "
    "doesn't"
)


COLLECTIVES: tuple[tuple[str, str, Callable[[Seconds], float], str], ...] = (
    ("bcast", "time", only, OVERLAP),
    ("bcast", "bandwidth", _each, OVERLAP),
    ("bcast", "accumulated", lambda seconds: (BCAST.ranks - 1) * _each(seconds), OVERLAP),
    ("reduce", "time", only, LINEAR),
)
"""Pattern, word of the figure's id, what is made of the time of a call, and why that deviates."""
FIGURES = (
    *(
        Recipe(
            figure=figure(mode, library, quantity),
            cells=ping_pongs(mode, library, sizes),
            ours=ours,
        )
        for mode in PATTERNS
        for library in LIBRARIES
        for quantity, (sizes, ours) in MEASURED.items()
    ),
    *(
        Recipe(
            figure=f"{KEY}.{pattern}.{library}.128.{quantity}",
            cells=(_call(f"{KEY}.{pattern}.{library}.128.time", library),),
            ours=ours,
            reason=reason,
        )
        for library in LIBRARIES
        for pattern, quantity, ours, reason in COLLECTIVES
    ),
)


# -- sentences -------------------------------------------------------------------------------------


def _flattest(seconds: Seconds) -> float:
    """The least share of its maximum that any curve has at FLAT_BYTES."""
    curves = [rates(seconds[i : i + len(SIZES)]) for i in range(0, len(seconds), len(SIZES))]
    return min(curve[SIZES.index(FLAT_BYTES)] / max(curve) for curve in curves)


def _reductions(ranks: tuple[int, ...]) -> tuple[CellSpec, ...]:
    """Cray MPI's, then MPICH's."""
    return tuple(
        _call(f"{KEY}.reduce.{library}.128.time", library, number)
        for library in reversed(LIBRARIES)
        for number in ranks
    )


def _both(figure: str) -> tuple[str, str]:
    """MPICH's and Cray MPI's."""
    mpich, cray = (f"{KEY}.{figure.format(library)}" for library in LIBRARIES)
    return mpich, cray


SENTENCES = (
    SentenceRecipe(
        id=f"{KEY}.sentence.twice-the-bandwidth",
        text="MPICH's MPI_Send has twice the bandwidth of Cray MPI's",
        cells=(*ping_pongs("send", MPICH, SIZES), *ping_pongs("send", CRAY, SIZES)),
        ours=ratio_of(most),
        least=1.9,
        most=2.3,
        over=_both("send.{}.bandwidth"),
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.flat-at-a-megabyte",
        text="all bandwidths have reached their maximum at about a megabyte",
        cells=tuple(
            spec for mode in PATTERNS for lib in LIBRARIES for spec in ping_pongs(mode, lib, SIZES)
        ),
        ours=_flattest,
        least=0.95,
        rests_on=(f"{KEY}.size-of-maximum",),
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.bcast",
        text="Cray MPI's broadcast performs better than MPICH's on 128 processes",
        cells=tuple(_call(name, name.split(".")[2]) for name in _both("bcast.{}.128.time")),
        ours=ratio,
        least=1.0,
        over=_both("bcast.{}.128.time"),
        reason=OVERLAP,
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.bcast-scales",
        text="Cray MPI's broadcast scales better: from 2 to 128 processes MPICH's grows more",
        cells=tuple(
            _call(f"{KEY}.bcast.{library}.128.time", library, ranks)
            for ranks in (128, 2)
            for library in LIBRARIES
        ),
        ours=ratio_of_ratios,
        least=1.0,
        reason=OVERLAP,
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.reduce",
        text="MPICH reduces faster than Cray MPI on numbers of processes that are no power of two",
        cells=_reductions(OTHERS),
        ours=least_ratio,
        least=1.0,
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.reduce-powers-of-two",
        text="on powers of two below 128 both reduce in nearly the same time",
        cells=_reductions(POWERS),
        ours=lambda seconds: max(max(factor, 1 / factor) for factor in ratios(seconds)),
        most=1 + SAME,
        reason="a linear reduction knows no powers of two; which one Cray MPI took isn't printed",
    ),
    SentenceRecipe(
        id=f"{KEY}.sentence.reduce-128",
        text="on 128 processes Cray MPI reduces faster than MPICH",
        cells=tuple(reversed(_reductions((128,)))),
        ours=ratio,
        least=1.0,
        over=_both("reduce.{}.128.time"),
        reason=LINEAR,
    ),
    *OF_MESSAGES,
)


# -- what isn't there ------------------------------------------------------------------------------

HARDWARE = "the machine's own, by its maker: nothing is measured or simulated of it"
ONE_TIME = "a simulated message takes the same time whenever it is sent: there is no range"
LACKING = {
    **{f"{KEY}.isend.{library}.latency.most": ONE_TIME for library in LIBRARIES},
    **{f"{KEY}.figure{number}": ONLY_DRAWN for number in range(1, 6)},
    **{f"{KEY}.hardware.{name}.bandwidth": HARDWARE for name in ("link", "node")},
    f"{KEY}.hardware.network.latency": f"{HARDWARE}; the machine file takes it as it is",
}


# -- drawings --------------------------------------------------------------------------------------


MAXIMUM_BYTES = int(figure_of(f"{KEY}.size-of-maximum").bytes)
CALLS = {"send": "MPI_Send", "ssend": "MPI_Ssend", "isend": "MPI_Isend"}
PES = (*range(2, 32, 2), *range(32, 64, 4), *range(64, 129, 8))
"""Even numbers up to 128, as the paper has: every power of two, and fewer of the large ones."""
SIZE_BYTES = int(BCAST.bytes)


def figures(_: Machines) -> Iterator[FigureRecipe]:
    """Figures 1 to 5, and figure 4 as the bandwidth that the text makes of it."""
    for number, mode in enumerate(PATTERNS, 1):
        yield FigureRecipe(
            id=f"{KEY}.figure{number}",
            where=f"Figure {number}",
            title=f"{CALLS[mode]}'s bandwidth against message size",
            quantity="bandwidth",
            unit=Unit.MEGABYTES_PER_SECOND,
            curves=tuple(
                DrawnCurve(
                    NAMES[library],
                    library,
                    MACHINE,
                    rated(partial(in_a_loop, (MACHINE, library), PATTERNS[mode], 2), SIZES),
                    ((MAXIMUM_BYTES, f"{KEY}.{mode}.{library}.bandwidth"),),
                )
                for library in LIBRARIES
            ),
            logarithmic=True,
            note="The printed points are the maxima, which are reached at about a megabyte.",
        )
    yield _times(4, "bcast", "MPI_Bcast")
    yield FigureRecipe(
        id=f"{KEY}.figure4.accumulated",
        where="Figure 4 and its text",
        title=f"MPI_Bcast's accumulated bandwidth, {SIZE_BYTES} B, against PEs",
        quantity="accumulated bandwidth",
        unit=Unit.MEBIBYTES_PER_SECOND,
        curves=tuple(
            DrawnCurve(
                NAMES[library],
                library,
                MACHINE,
                tuple(
                    DrawnPoint(pes, (_calling("bcast", library)(pes),), _to_all(pes)) for pes in PES
                ),
                ((BCAST.ranks, f"{KEY}.bcast.{library}.{BCAST.ranks}.accumulated"),),
            )
            for library in LIBRARIES
        ),
        against_pes=True,
        note="All receivers times the message over the time; a MByte is 2^20 bytes here.",
    )
    yield _times(5, "reduce", "MPI_Reduce")


def _times(number: int, pattern: str, call: str) -> FigureRecipe:
    return FigureRecipe(
        id=f"{KEY}.figure{number}",
        where=f"Figure {number}",
        title=f"{call}'s time in a loop, {SIZE_BYTES} B, against PEs",
        quantity="time",
        unit=Unit.MICROSECONDS,
        curves=tuple(
            DrawnCurve(
                NAMES[library],
                library,
                MACHINE,
                timed(_calling(pattern, library), PES),
                ((BCAST.ranks, f"{KEY}.{pattern}.{library}.{BCAST.ranks}.time"),),
            )
            for library in LIBRARIES
        ),
        against_pes=True,
    )


def _calling(pattern: str, library: str) -> CellAt:
    return lambda pes: in_a_loop((MACHINE, library), pattern, pes, SIZE_BYTES)


def _to_all(pes: int) -> Callable[[Seconds], float]:
    """B/s that all receivers get together."""
    return lambda seconds: (pes - 1) * SIZE_BYTES / seconds[0]


RECIPES = PaperRecipes(
    paper=paper_of(KEY),
    recipes=FIGURES,
    sentences=SENTENCES,
    lacking=LACKING,
    drawings=figures,
)
