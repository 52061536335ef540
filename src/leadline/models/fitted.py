"""Models of a run: one for each variant and pattern, with all that follows from them.

`fitted` gives those that were asked for, `overview` some that a report shows in any case. The
blocks of a campaign are of one hour: clocks, memory layout and neighbours on the host change from
one hour to the next, and all times of a run with them. `apart_of` estimates how much, from runs of
the same machine with its cores in the same state; or it is stated.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.compare.between import RunsApart, comparable, recorded
from leadline.compare.warnings import OVERSUBSCRIBED
from leadline.models.aggregate import aggregates, contributions
from leadline.models.closed_form import fit_each
from leadline.models.model import Model, NotFitted, RunSpread, subject_of
from leadline.models.observations import Observations, observations_of
from leadline.models.reasons import Refusal
from leadline.models.recognition import recognise
from leadline.models.resampling import medians
from leadline.models.scatter import student_quantile
from leadline.record.run import Origin, WhoseTime
from leadline.record.warnings import WarningKind, warning_of

LINK = "pingpong"
"""Pattern that gives the cost of a message between two ranks."""
MEAN_OF_RANKS = warning_of(WarningKind.MEAN_OF_RANKS)


def fitted(
    analysis: Analysis,
    patterns: Collection[str] | None = None,
    crowded: bool = False,
    apart: RunSpread | None = None,
) -> tuple[Model | NotFitted, ...]:
    """Models of a run, by variant and pattern, and what has none, in the order of its cells.

    Args:
        analysis: Of the run.
        patterns: Patterns with their options; None: all.
        crowded: Whether numbers of ranks that share cores are fitted; else they are refused.
        apart: Variation between runs that intervals allow for; None: unknown.
    """
    every = fitted_to(analysis, observations_of(analysis), patterns, crowded)
    models: list[Model | NotFitted] = []
    for result in every:
        if isinstance(result, Model) and result.scatter is not None:
            models.append(replace(result, scatter=replace(result.scatter, runs_apart=apart)))
        else:
            models.append(result)
    return tuple(models)


def fitted_to(
    analysis: Analysis,
    every: Sequence[Observations],
    patterns: Collection[str] | None = None,
    crowded: bool = False,
) -> tuple[Model | NotFitted, ...]:
    """Models as by `fitted`, of `every` observation of the run of `analysis`."""
    return tuple(_Fits(analysis, every, crowded).of(patterns))


class _Fits:
    """Fits of one run; each is made once, though others depend on it."""

    def __init__(self, analysis: Analysis, every: Sequence[Observations], crowded: bool) -> None:
        self.analysis = analysis
        self.every = every
        self.crowded = crowded
        self._known: dict[int, tuple[Model | NotFitted, ...]] = {}

    def of(self, patterns: Collection[str] | None) -> Iterator[Model | NotFitted]:
        """Models of `patterns`, and what was refused."""
        for i, observations in enumerate(self.every):
            if patterns is not None and observations.pattern not in patterns:
                continue
            for model in self._fit(i):
                yield self._completed(model, i) if isinstance(model, Model) else model
            if observations.crowded and not self.crowded and not observations.computes:
                reason = Refusal.SHARED_CORES(ranks=observations.crowded)
                yield NotFitted(observations.variant, observations.pattern, reason)

    @cached_property
    def counted(self) -> Sequence[Observations]:
        """Observations that are fitted."""
        if self.crowded:
            return self.every
        return tuple(observations.with_cores_of_their_own for observations in self.every)

    def _fit(self, i: int) -> tuple[Model | NotFitted, ...]:
        if i not in self._known:
            self._known[i] = fit_each(self.counted[i], self.analysis.seed)
        return self._known[i]

    def _completed(self, model: Model, i: int) -> Model:
        """`model` with algorithms, aggregate bandwidth, core-to-core latency and warnings."""

        def payload(ranks: int) -> float | None:
            sends = self.analysis.run.sends_of(model.pattern, ranks)
            return sends.all_ranks if sends else contributions(model.pattern, ranks)

        observations, warnings = self.counted[i], model.warnings
        if set(observations.crowded) & set(model.ranks):
            warnings = (*warnings, OVERSUBSCRIBED)
        if model.whose_time is WhoseTime.MEAN:
            warnings = (*warnings, MEAN_OF_RANKS)
        measured = model.origin is Origin.MEASURED
        states = self.analysis.visits.states if measured else None
        return replace(
            model,
            algorithms=recognise(observations, model, self._link(observations), self.analysis.seed),
            aggregate=aggregates(model, payload),
            core_latency_ns=None if states is None else states.counted.core_latency_ns,
            warnings=warnings,
        )

    def _link(self, observations: Observations) -> Model | None:
        """Model of messages between two ranks alone, otherwise of the same kind."""
        kind = _kind(observations)
        for i, other in enumerate(self.counted):
            if other.pattern == LINK and _kind(other) == kind:
                return next((model for model in self._fit(i) if isinstance(model, Model)), None)
        return None


def _kind(observations: Observations) -> tuple[object, ...]:
    return observations.variant, observations.origin, observations.threads, observations.buffers


MOST_FITTED = 32
"""Variants times patterns, of some 10 ms each: of a run with more a report would come late."""


@dataclass(frozen=True, slots=True)
class Overview:
    """Models of a run."""

    models: tuple[Model | NotFitted, ...]
    left_out: int
    """Variants times patterns for which nothing was tried."""

    @property
    def found(self) -> tuple[Model, ...]:
        """Models without what was refused."""
        return tuple(model for model in self.models if isinstance(model, Model))


def overview(analysis: Analysis) -> Overview:
    """All models of a run, or those of its ping-pongs if it has many curves."""
    every = observations_of(analysis)
    if len(every) <= MOST_FITTED:
        return Overview(fitted_to(analysis, every), 0)
    left_out = sum(observations.pattern != LINK for observations in every)
    return Overview(fitted_to(analysis, every, [LINK]), left_out)


# -- variation between runs ------------------------------------------------------------------------

NORMAL = 1e9
"""Degrees of freedom of what is known exactly."""
_Place = tuple[object, ...]
_Times = Mapping[_Place, float]
"""Logarithms of medians, by subject, number of ranks and size."""


def apart_of(analysis: Analysis, known: RunsApart) -> RunSpread | None:
    """Variation between runs that `known` states, else that of the comparable runs beside this one.

    None: there is neither.
    """
    if known.deviation is not None:
        return RunSpread(known.deviation, student_quantile(NORMAL), 0)
    first = _times(observations_of(analysis))
    others = []
    for beside in known.beside:
        states = (side.visits.states.counted.core_latency_ns for side in (analysis, beside))
        if comparable(analysis.run, beside.run, *states):
            others.append(_times(observations_of(beside)))
    return apart_by(first, others)


def apart_by(first: _Times, others: Sequence[_Times]) -> RunSpread | None:
    """Variation between a run and others, by the levels of all curves they have in common.

    None: there are too few. Curves of a run move together, so that their variances are averaged,
    and known by as many degrees of freedom as those of a single one. Runs that have nothing in
    common with the first don't count.
    """
    runs = [first, *(other for other in others if first.keys() & other.keys())]
    places = set.intersection(*(set(run) for run in runs))
    if not places:
        return None
    levels = []
    for run in runs:  # the mean of each curve's places, shape (curves, 1), in the order of curves
        curves: dict[_Place, list[float]] = {}
        for place in sorted(places, key=repr):
            curves.setdefault(place[:-1], []).append(run[place])
        levels.append(np.array([[np.mean(logs)] for logs in curves.values()]))
    spread = recorded([levels])
    if spread is None:
        return None
    deviation = math.sqrt(float(np.mean(spread.sizes[:-1] ** 2)))
    return RunSpread(deviation, student_quantile(spread.freedom), len(runs))


def _times(observations: Iterable[Observations]) -> _Times:
    times = {}
    for observation in observations:
        subject = tuple(subject_of(observation).values())
        for (p, m), seconds in np.ndenumerate(medians(observation.seconds)):
            if seconds > 0:
                place = (*subject, observation.ranks[p], observation.sizes_bytes[m])
                times[place] = math.log(seconds)
    return times
