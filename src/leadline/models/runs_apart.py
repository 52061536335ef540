"""How far the runs of a machine lie apart, beyond what blocks of one show.

A campaign's blocks are of one hour: clocks, memory's layout and neighbours on the host change from
one to the next, and all times of a run with them. What lies beside a run tells how much, where it
is of the same machine in the same state of its cores; or somebody states it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.compare.between import RunsApart, comparable, recorded
from leadline.models.model import RunSpread, subject_of
from leadline.models.observations import Observations, observations_of
from leadline.models.resampling import medians
from leadline.models.scatter import student_quantile
from leadline.statistics.intervals import Floats

NORMAL = 1e9
"""Degrees of freedom of what is known."""
_Place = tuple[object, ...]
_Times = Mapping[_Place, float]
"""Logarithms of medians, by what they are of, number of ranks and size."""


def apart_of(analysis: Analysis, known: RunsApart) -> RunSpread | None:
    """By what `known` states, else by the runs beside that are comparable; None: nothing tells."""
    if known.deviation is not None:
        return RunSpread(known.deviation, student_quantile(NORMAL), 0)
    first = _times(observations_of(analysis))
    beside = (one for one in known.beside if _comparable(analysis, one))
    return apart_by(first, [_times(observations_of(one)) for one in beside])


def apart_by(first: _Times, others: Sequence[_Times]) -> RunSpread | None:
    """By the levels of a run and others, of what all have in common; None: by too few.

    Curves of a run move together, so that their variances are averaged, and known by as many
    degrees of freedom as those of a single one. Runs that have nothing of the first don't count.
    """
    runs = [first, *(one for one in others if first.keys() & one.keys())]
    places = set.intersection(*(set(one) for one in runs))
    spread = recorded([[_levels(one, places) for one in runs]]) if places else None
    if spread is None:
        return None
    deviation = math.sqrt(float(np.mean(spread.sizes[:-1] ** 2)))
    return RunSpread(deviation, student_quantile(spread.freedom), len(runs))


def _levels(times: _Times, places: Iterable[_Place]) -> Floats:
    """Shape (curves, 1): the mean of each curve's `places`, in the order of the curves."""
    curves: dict[_Place, list[float]] = {}
    for place in sorted(places, key=repr):
        curves.setdefault(place[:-1], []).append(times[place])
    return np.array([[np.mean(of)] for of in curves.values()])


def _comparable(first: Analysis, second: Analysis) -> bool:
    states = (one.visits.states.counted.handover_ns for one in (first, second))
    return comparable(first.run, second.run, *states)


def _times(observations: Iterable[Observations]) -> _Times:
    found = {}
    for one in observations:
        subject = tuple(subject_of(one).values())
        for (p, m), seconds in np.ndenumerate(medians(one.seconds)):
            if seconds > 0:
                place = (*subject, one.ranks[p], one.sizes_bytes[m])
                found[place] = math.log(seconds)
    return found
