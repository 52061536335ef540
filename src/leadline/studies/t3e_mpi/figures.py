"""The paper's five figures: bandwidth against size in three modes, collectives against PEs.

Its axes are linear; these are logarithmic, since the T3E's values are beside those of machines ten
times as fast, and its 128 PEs beside few. PEs that share cores are in the tables alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from leadline.statistics.estimate import Estimate
from leadline.studies.estimates import estimate
from leadline.studies.figures import StudyCurve, StudyFigure, StudyPoint
from leadline.studies.published.t3e_mpi import LIBRARIES
from leadline.studies.results import Results, UnmeasuredError
from leadline.studies.t3e_mpi.loops import counted, looped_pes
from leadline.studies.t3e_mpi.sends import STANDING_FOR, bandwidths, printed, variants
from leadline.studies.t3e_mpi.stages import BCAST, COLLECTIVES, MEGABYTE, MODES, MessageMode
from leadline.studies.t3e_mpi.tables import PAPERS_PES
from leadline.studies.units import Unit

VariantPoints = Callable[[str], Iterable[StudyPoint]]
"""Of a variant."""


def figures(results: Results) -> tuple[StudyFigure, ...]:
    """Figures 1 to 5."""
    modes = (_mode(results, mode) for mode in MODES)
    collectives = (_collective(results, *one) for one in enumerate(COLLECTIVES, 4))
    return (*modes, *collectives)


def _mode(results: Results, mode: MessageMode) -> StudyFigure:
    points = partial(_by_size, results, mode)
    rate = partial(_printed, results, MEGABYTE, lambda library: (mode.id, library, "bandwidth"))
    return StudyFigure(
        f"{mode.figure}-{mode.id}",
        f"{mode.name}'s bandwidth against message size",
        "bandwidth",
        Unit.MEGABYTES_PER_SECOND,
        (*_curves(results, points), *rate()),
        logarithmic=True,
    )


def _collective(results: Results, number: int, pattern: str) -> StudyFigure:
    points = partial(_by_pes, results, pattern)
    time = partial(
        _printed, results, int(PAPERS_PES), lambda library: (pattern, library, PAPERS_PES, "time")
    )
    name = "MPI_Bcast" if pattern == BCAST else "MPI_Reduce"
    return StudyFigure(
        f"{number}-{pattern}",
        f"{name}'s time in a loop against PEs",
        "time",
        Unit.MICROSECONDS,
        (*_curves(results, points), *time()),
        logarithmic=True,
        against_pes=True,
    )


def _curves(results: Results, points: VariantPoints) -> Iterator[StudyCurve]:
    """Of the libraries that have a point."""
    for variant in variants(results):
        found = tuple(points(variant))
        if found:
            yield StudyCurve(variant, variant, "here", found)


def _by_size(results: Results, mode: MessageMode, variant: str) -> Iterator[StudyPoint]:
    try:
        found = bandwidths(results, variant, mode)
    except UnmeasuredError:
        return
    for size, rate in found.items():
        if not rate.crowded:
            yield StudyPoint(size, estimate(rate))


def _by_pes(results: Results, pattern: str, variant: str) -> Iterator[StudyPoint]:
    for pes in looped_pes(results):
        try:
            yield StudyPoint(pes, estimate(counted(results, variant, pattern, pes)))
        except UnmeasuredError:
            continue


def _printed(
    results: Results, at: int, words: Callable[[str], tuple[str, ...]]
) -> Iterator[StudyCurve]:
    """A point of each of the paper's libraries, in the colour of who stands for it here."""
    for library, here in STANDING_FOR.items():
        point = StudyPoint(at, Estimate(printed(*words(library))))
        name = f"{LIBRARIES[library]}, T3E (the paper)"
        yield StudyCurve(name, _colour(results, here, library), "the paper", (point,), False, True)


def _colour(results: Results, here: Callable[[Results], str], library: str) -> str:
    try:
        return here(results)
    except UnmeasuredError:
        return library
