"""How far the runs of a machine lie apart, beyond what blocks of one show.

A campaign's blocks are of one hour: clocks, memory's layout and neighbours on the host change from
one to the next, and all times of a run with them. What lies beside a run tells how much, where it
is of the same machine in the same state of its cores; or somebody states it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.compare.between import FEWEST_FREEDOM, RunsApart
from leadline.compare.handovers import are_apart
from leadline.compare.hidden_differences import same_machine
from leadline.models.model import RunSpread
from leadline.models.observations import Observations, observations_of
from leadline.models.resampling import medians
from leadline.models.scatter import student_quantile
from leadline.models.subject import subject_of

NORMAL = 1e9
"""Degrees of freedom of what is known."""
_Times = Mapping[tuple[object, ...], float]
"""Logarithms of medians, by what they are of, number of ranks and size."""


def apart_of(analysis: Analysis, known: RunsApart) -> RunSpread | None:
    """By what `known` states, else by the runs beside that are comparable; None: nothing tells."""
    if known.stated is not None:
        return RunSpread(math.log1p(known.stated), student_quantile(NORMAL), 0)
    first = _times(observations_of(analysis))
    beside = (one for one in known.beside if _comparable(analysis, one))
    return apart_by(first, [_times(observations_of(one)) for one in beside])


def apart_by(first: _Times, others: Sequence[_Times]) -> RunSpread | None:
    """By the levels of a run and others, of what each has in common with it; None: by too few.

    Curves of a run move together, so that their variances are averaged, and known by as many
    degrees of freedom as those of a single one.
    """
    found = [list(_levels(first, one)) for one in others]
    runs = 1 + sum(bool(levels) for levels in found)
    if runs - 1 < FEWEST_FREEDOM:
        return None
    curves: dict[object, list[float]] = {}
    for curve, level in (pair for levels in found for pair in levels):
        curves.setdefault(curve, [0.0]).append(level)
    variances = [np.var(levels, ddof=1) for levels in curves.values()]
    deviation = math.sqrt(float(np.mean(variances)))
    return RunSpread(deviation, student_quantile(runs - 1), runs)


def _levels(first: _Times, other: _Times) -> Iterator[tuple[object, float]]:
    """Of each curve that both have, by how much the other lies above the first."""
    curves: dict[object, list[float]] = {}
    for place in first.keys() & other.keys():
        curves.setdefault(place[:-1], []).append(other[place] - first[place])
    yield from ((curve, float(np.mean(apart))) for curve, apart in curves.items())


def _comparable(first: Analysis, second: Analysis) -> bool:
    """Whether nothing is known that differs between the machines of two runs, or its state."""
    states = (one.visits.states.counted.handover_ns for one in (first, second))
    return same_machine(first.run, second.run) and not are_apart(*states)


def _times(observations: Iterable[Observations]) -> _Times:
    found = {}
    for one in observations:
        subject = tuple(subject_of(one).values())
        for (p, m), seconds in np.ndenumerate(medians(one.seconds)):
            if seconds > 0:
                place = (*subject, one.ranks[p], one.sizes_bytes[m])
                found[place] = math.log(seconds)
    return found
