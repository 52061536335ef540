"""The closed forms of a run: of each variant and pattern, with all that follows from them.

Some of them are shown by reports that nobody asked for any.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from leadline.compare.analysis import Analysis
from leadline.compare.warnings import OVERSUBSCRIBED
from leadline.models.aggregate import aggregates, contributions
from leadline.models.closed_form import fit_each
from leadline.models.model import Model, NotFitted, RunSpread
from leadline.models.observations import Observations, observations_of
from leadline.models.recognition import recognise
from leadline.record.caveats import CaveatKind
from leadline.record.run import Origin, WhoseTime

LINK = "pingpong"
"""The pattern that tells what a message between two ranks takes."""
MEAN_OF_RANKS = CaveatKind.MEAN_OF_RANKS.because(
    "its times are means over the ranks; the slowest one takes as long or longer"
)


def fitted(
    analysis: Analysis,
    patterns: Collection[str] | None = None,
    crowded: bool = False,
    apart: RunSpread | None = None,
) -> tuple[Model | NotFitted, ...]:
    """The models of a run, by variant and pattern, and what has none, in the order of its cells.

    `patterns` with their options; None: all. Numbers of ranks that share cores are refused unless
    `crowded` asks for them. Intervals allow for runs that lie `apart`; None: nobody knows.
    """
    found = fitted_to(analysis, observations_of(analysis), patterns, crowded)
    return tuple(_allowing_for(one, apart) if isinstance(one, Model) else one for one in found)


def _allowing_for(model: Model, apart: RunSpread | None) -> Model:
    if model.scatter is None:
        return model
    return replace(model, scatter=replace(model.scatter, runs_apart=apart))


def fitted_to(
    analysis: Analysis,
    every: Sequence[Observations],
    patterns: Collection[str] | None = None,
    crowded: bool = False,
) -> tuple[Model | NotFitted, ...]:
    """Likewise, to `every` observation of the run of `analysis`."""
    return tuple(_Fits(analysis, every, crowded).of(patterns))


class _Fits:
    """Of one run; each fit is made once, though others rest on it."""

    def __init__(self, analysis: Analysis, every: Sequence[Observations], crowded: bool) -> None:
        self.analysis = analysis
        self.every = every
        self.crowded = crowded
        self._known: dict[int, tuple[Model | NotFitted, ...]] = {}

    def of(self, patterns: Collection[str] | None) -> Iterator[Model | NotFitted]:
        """All that is asked for."""
        for i, observations in enumerate(self.every):
            if patterns is not None and observations.pattern not in patterns:
                continue
            for found in self._fit(i):
                yield self._completed(found, i) if isinstance(found, Model) else found
            if observations.crowded and not self.crowded and not observations.computes:
                yield _refused(observations)

    @cached_property
    def counted(self) -> Sequence[Observations]:
        """What of it is fitted."""
        if self.crowded:
            return self.every
        return tuple(one.with_cores_of_their_own for one in self.every)

    @cached_property
    def _handover_ns(self) -> float | None:
        """Of the state of the cores that the run's times are of."""
        return self.analysis.visits.states.counted.handover_ns

    def _fit(self, i: int) -> tuple[Model | NotFitted, ...]:
        if i not in self._known:
            self._known[i] = fit_each(self.counted[i], self.analysis.seed)
        return self._known[i]

    def _completed(self, model: Model, i: int) -> Model:
        observations, caveats = self.counted[i], model.caveats
        if set(observations.crowded) & set(model.ranks):
            caveats = (*caveats, OVERSUBSCRIBED)
        if model.whose_time is WhoseTime.MEAN:
            caveats = (*caveats, MEAN_OF_RANKS)
        return replace(
            model,
            algorithms=recognise(observations, model, self._link(observations), self.analysis.seed),
            aggregate=aggregates(model, lambda ranks: self._payload(model.pattern, ranks)),
            handover_ns=self._handover_ns if model.origin is Origin.MEASURED else None,
            caveats=caveats,
        )

    def _link(self, observations: Observations) -> Model | None:
        """The model of messages between two ranks alone, otherwise of the same kind."""
        kind = _kind(observations)
        for i, one in enumerate(self.counted):
            if one.pattern == LINK and _kind(one) == kind:
                return next((model for model in self._fit(i) if isinstance(model, Model)), None)
        return None

    def _payload(self, pattern: str, ranks: int) -> float | None:
        sends = self.analysis.run.sends_of(pattern, ranks)
        return sends.all_ranks if sends else contributions(pattern, ranks)


def _kind(one: Observations) -> tuple[object, ...]:
    return one.variant, one.origin, one.threads, one.buffers


def _refused(observations: Observations) -> NotFitted:
    named = ", ".join(map(str, observations.crowded))
    reason = f"of {named} ranks some share cores: give --oversubscribed to fit them all the same"
    return NotFitted(observations.variant, observations.pattern, reason)


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
        """Without what was refused."""
        return tuple(one for one in self.models if isinstance(one, Model))


def overview(analysis: Analysis) -> Overview:
    """All models of a run, or of one with many curves those of its ping-pongs."""
    every = observations_of(analysis)
    if len(every) <= MOST_FITTED:
        return Overview(fitted_to(analysis, every), 0)
    left_out = sum(one.pattern != LINK for one in every)
    return Overview(fitted_to(analysis, every, [LINK]), left_out)
