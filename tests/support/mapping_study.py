"""Results of the study of mapping, with the times that a test plants."""

from __future__ import annotations

from collections.abc import Mapping

from tests.support.study_results import noisy, results

from leadline.papers.results import Measurand, Results
from leadline.papers.study import mapped
from leadline.papers.t3e_mapping.stages import (
    ALONE,
    HALO,
    NEIGHBOURS,
    OPEN,
    PAIR,
    PERIODIC,
    PES,
    QUICK_SIZES,
    TWO_STEPS,
    UNCONGESTED,
)

SIZE = QUICK_SIZES[-1]
Times = Mapping[str, tuple[float, float]]
"""By pattern, in order and mapped."""
PAPERS: Times = {
    PAIR: (2.5, 1.1),
    OPEN: (8.2, 5.9),
    PERIODIC: (8.7, 6.8),
    TWO_STEPS: (9.2, 5.4),
    HALO: (1 / 124, 1 / 154),
}
"""The pair's are any that have its sentences hold; alone it takes 1."""


def places(times: Times, library: str = "mpich", alone: float = 1.0) -> dict[Measurand, float]:
    """A pair's time `alone`, and those of all PEs."""
    found = {Measurand(UNCONGESTED, library, ALONE, PAIR, SIZE): alone}
    for pattern, seconds in times.items():
        for variant, time in zip((library, mapped(library)), seconds, strict=True):
            found[Measurand(NEIGHBOURS, variant, PES, pattern, SIZE)] = time
    return found


def measured(times: Times, cores: int = PES) -> Results:
    return results(noisy(places(times)), cores=cores)
