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
from leadline.compare.between import FEWEST_FREEDOM, RunsApart
from leadline.compare.handovers import are_apart
from leadline.compare.hidden_differences import same_machine
from leadline.models.model import RunSpread
from leadline.models.observations import Observations, observations_of
from leadline.models.resampling import medians
from leadline.models.scatter import student_quantile
from leadline.models.subject import subject_of
from leadline.statistics.intervals import Floats

NORMAL = 1e9
"""Degrees of freedom of what is known."""
_Times = Mapping[tuple[object, ...], float]
"""Logarithms of medians, by what they are of, number of ranks and size."""


def apart_of(analysis: Analysis, known: RunsApart) -> RunSpread | None:
    """By what `known` states, else by the runs beside that are comparable; None: nothing tells."""
    if known.stated is not None:
        return RunSpread(math.log1p(known.stated), student_quantile(NORMAL), 0)
    runs = [analysis, *(one for one in known.beside if _comparable(analysis, one))]
    return apart_by([_times(observations_of(one)) for one in runs])


def apart_by(runs: Sequence[_Times]) -> RunSpread | None:
    """By the runs' levels, each the mean of what all of them measured; None: by too few.

    Curves of a run move together, so that their variances, of the runs' mean levels, are averaged
    and known by as many degrees of freedom as those of a single one.
    """
    freedom = len(runs) - 1
    shared = sorted(set.intersection(*(set(run) for run in runs)), key=str)
    if freedom < FEWEST_FREEDOM or not shared:
        return None
    curves: dict[object, list[Floats]] = {}
    for one in shared:
        curves.setdefault(one[:-1], []).append(np.array([run[one] for run in runs]))
    variances = [np.mean(rows, axis=0).var(ddof=1) for rows in curves.values()]
    return RunSpread(math.sqrt(float(np.mean(variances))), student_quantile(freedom), len(runs))


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
