"""Frese and Knipp on the T3E: messages of three kinds, a broadcast and a reduction.

Their latency is half of a round trip without bytes; their intercept the constant of a line through
1 to 2 MB; their bandwidth the highest of any size. Collective calls follow each other in a loop,
whose time is divided by their number.
"""

from __future__ import annotations

from collections.abc import Iterator

from leadline.reproduce.asked import Asked, in_a_loop
from leadline.reproduce.quantities import halves, least_ratio, only, ratio, ratios
from leadline.reproduce.recipe import ONLY_DRAWN, PaperRecipes, Recipe, Seconds, SentenceRecipe
from leadline.reproduce.t3e_messages import (
    MACHINE,
    MEASURED,
    PATTERNS,
    SIZES,
    figure,
    most,
    ping_pongs,
    rates,
)
from leadline.reproduce.t3e_messages import sentences as sentences_of_messages
from leadline.studies.published import t3e_mpi as published
from leadline.studies.published.catalogue import figure_of, paper_of

KEY = published.KEY
LIBRARIES = tuple(published.LIBRARIES)
FLAT_BYTES = 1 << 20
"""About one megabyte, where bandwidths have reached their maximum."""
BCAST = figure_of(f"{KEY}.bcast.mpich.128.time")
"""As large and on as many as Cray MPI's."""
POWERS = (2, 4, 8, 16, 32, 64)
OTHERS = (6, 12, 24, 48, 96, 120)
"""Even numbers of processes that are no powers of two."""
SAME = 0.10
"""How far apart "nearly the same" may be."""


def _point_to_point() -> Iterator[Recipe]:
    for mode in PATTERNS:
        for library in LIBRARIES:
            for quantity, (sizes, ours) in MEASURED.items():
                asked = ping_pongs(mode, library, sizes)
                yield Recipe(figure=figure(mode, library, quantity), asked=asked, ours=ours)


# -- collective operations -------------------------------------------------------------------------


def _call(figure: str, library: str, ranks: int | None = None) -> Asked:
    """Of as many bytes as the figure is, on its ranks if no others are told."""
    there = figure_of(figure)
    pattern = figure.split(".")[1]
    size = int(there.bytes)
    return in_a_loop((MACHINE, library), pattern, ranks or there.ranks, size)


def _each(seconds: Seconds) -> float:
    """B/s that a receiver gets of a broadcast."""
    return int(BCAST.bytes) / seconds[0]


def _of_all(seconds: Seconds) -> float:
    """Of all receivers together: the paper's accumulated bandwidth."""
    return (BCAST.ranks - 1) * _each(seconds)


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


def _collective() -> Iterator[Recipe]:
    for library in LIBRARIES:
        name = f"{KEY}.bcast.{library}.128"
        call = (_call(f"{name}.time", library),)
        yield Recipe(figure=f"{name}.time", asked=call, ours=only, reason=OVERLAP)
        yield Recipe(figure=f"{name}.bandwidth", asked=call, ours=_each, reason=OVERLAP)
        yield Recipe(figure=f"{name}.accumulated", asked=call, ours=_of_all, reason=OVERLAP)
        time = f"{KEY}.reduce.{library}.128.time"
        yield Recipe(figure=time, asked=(_call(time, library),), ours=only, reason=LINEAR)


# -- sentences -------------------------------------------------------------------------------------


def _ratio_of_most(seconds: Seconds) -> float:
    mpich, cray = halves(seconds)
    return most(mpich) / most(cray)


def _flattest(seconds: Seconds) -> float:
    """The least share of its maximum that any curve has at FLAT_BYTES."""
    curves = [rates(seconds[i : i + len(SIZES)]) for i in range(0, len(seconds), len(SIZES))]
    return min(curve[SIZES.index(FLAT_BYTES)] / max(curve) for curve in curves)


def _furthest(seconds: Seconds) -> float:
    """The ratio that is furthest from 1, above it or below."""
    return max(max(one, 1 / one) for one in ratios(seconds))


def _growth_over(seconds: Seconds) -> float:
    """How many times MPICH's grows more than Cray MPI's."""
    mpich, cray = ratios(seconds)
    return mpich / cray


def _reductions(ranks: tuple[int, ...]) -> tuple[Asked, ...]:
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


def _sentences() -> Iterator[SentenceRecipe]:
    sends = {library: ping_pongs("send", library, SIZES) for library in LIBRARIES}
    yield SentenceRecipe(
        id=f"{KEY}.sentence.twice-the-bandwidth",
        text="MPICH's MPI_Send has twice the bandwidth of Cray MPI's",
        asked=(*sends["mpich"], *sends["cray-mpi"]),
        ours=_ratio_of_most,
        least=1.9,
        most=2.3,
        over=_both("send.{}.bandwidth"),
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.flat-at-a-megabyte",
        text="all bandwidths have reached their maximum at about a megabyte",
        asked=tuple(
            one for mode in PATTERNS for lib in LIBRARIES for one in ping_pongs(mode, lib, SIZES)
        ),
        ours=_flattest,
        least=0.95,
        rests_on=(f"{KEY}.size-of-maximum",),
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.bcast",
        text="Cray MPI's broadcast performs better than MPICH's on 128 processes",
        asked=tuple(_call(one, one.split(".")[2]) for one in _both("bcast.{}.128.time")),
        ours=ratio,
        least=1.0,
        over=_both("bcast.{}.128.time"),
        reason=OVERLAP,
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.bcast-scales",
        text="Cray MPI's broadcast scales better: from 2 to 128 processes MPICH's grows more",
        asked=tuple(
            _call(f"{KEY}.bcast.{library}.128.time", library, ranks)
            for ranks in (128, 2)
            for library in LIBRARIES
        ),
        ours=_growth_over,
        least=1.0,
        reason=OVERLAP,
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.reduce",
        text="MPICH reduces faster than Cray MPI on numbers of processes that are no power of two",
        asked=_reductions(OTHERS),
        ours=least_ratio,
        least=1.0,
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.reduce-powers-of-two",
        text="on powers of two below 128 both reduce in nearly the same time",
        asked=_reductions(POWERS),
        ours=_furthest,
        most=1 + SAME,
        reason="a linear reduction knows no powers of two; which one Cray MPI took isn't printed",
    )
    yield SentenceRecipe(
        id=f"{KEY}.sentence.reduce-128",
        text="on 128 processes Cray MPI reduces faster than MPICH",
        asked=tuple(reversed(_reductions((128,)))),
        ours=ratio,
        least=1.0,
        over=_both("reduce.{}.128.time"),
        reason=LINEAR,
    )


# -- what isn't there ------------------------------------------------------------------------------

HARDWARE = "the machine's own, by its maker: nothing is measured or simulated of it"
ONE_TIME = "a simulated message takes the same time whenever it is sent: there is no range"


def _lacking() -> Iterator[tuple[str, str]]:
    for library in LIBRARIES:
        yield f"{KEY}.isend.{library}.latency.most", ONE_TIME
    for number in range(1, 6):
        yield f"{KEY}.figure{number}", ONLY_DRAWN
    for name in ("link.bandwidth", "node.bandwidth"):
        yield f"{KEY}.hardware.{name}", HARDWARE
    yield f"{KEY}.hardware.network.latency", f"{HARDWARE}; the machine file takes it as it is"


RECIPES = PaperRecipes(
    paper=paper_of(KEY),
    recipes=(*_point_to_point(), *_collective()),
    sentences=(*_sentences(), *sentences_of_messages()),
    lacking=dict(_lacking()),
)
