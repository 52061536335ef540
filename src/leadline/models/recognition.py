"""Recognition of the algorithm that a library appears to use, by the growth of its times.

Each algorithm's T = o A(p) + l H(p) + beta m B(p) + gamma m C(p) is fitted with coefficients that
aren't negative, and judged by its errors at numbers of ranks that were left out. An algorithm is
reported only where it fits and no other comes near; else it is undecided. Large errors of all
algorithms show one that isn't known, or links that change with the ranks that use them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from leadline.models.algorithms import MIMICS, Cost, CostForm, forms_of
from leadline.models.closed_form import FEWEST_BLOCKS
from leadline.models.fitting import nonnegative
from leadline.models.lower_bounds import least_time, link_at, over
from leadline.models.model import Algorithm, Model
from leadline.models.observations import Observations
from leadline.models.reasons import Grounds
from leadline.models.resampling import drawn_medians, medians, spread
from leadline.models.segments import Indices
from leadline.patterns.powers_of_two import is_power_of_two
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, Floats, median

FEWEST_RANKS = 4
"""Least number of numbers of ranks: fewer don't show how times grow."""
FITS = 0.08
"""Misfit beyond noise up to which an algorithm fits: no link is exactly linear."""
DIFFERS = 0.15
"""Misfit from which on an algorithm is ruled out."""
CLEARLY = 4.0
"""So is one whose misfit is so many times that of the best, or the noise."""
EXACT = 0.015
"""Misfit that no fit is taken to fall below."""
LEAST_SHARE = 1e-3
"""Least share of a time that a fit counts as: its logarithm is judged."""

_Decision = tuple[str | None, float | None, str]
"""Name, confidence and grounds; no name: undecided."""


@dataclass(frozen=True, eq=False)
class _Campaign:
    """Observations that a model was fitted to, and resampled campaigns of them."""

    observations: Observations
    """Observations on the model's numbers of ranks."""
    seed: int

    @classmethod
    def of(cls, observations: Observations, model: Model, seed: int) -> _Campaign:
        """Part of `observations` that `model` was fitted to; `seed` is that of its fit."""
        rows = [row for row, ranks in enumerate(observations.ranks) if ranks in model.ranks]
        kept = replace(
            observations,
            ranks=tuple(observations.ranks[row] for row in rows),
            seconds=observations.seconds[rows],
            crowded=tuple(ranks for ranks in observations.crowded if ranks in model.ranks),
        )
        return cls(kept, seed)

    @cached_property
    def drawn(self) -> Floats | None:
        """Medians of resampled campaigns, the same as in the fit; None: too few blocks."""
        if self.observations.blocks < FEWEST_BLOCKS:
            return None
        return drawn_medians(self.observations.seconds, self.seed)

    def within(self, least_bytes: int, most_bytes: int) -> _Times:
        """Times measured at these sizes and between them."""
        sizes = np.asarray(self.observations.sizes_bytes)
        columns = np.flatnonzero((sizes >= least_bytes) & (sizes <= most_bytes))
        missing = np.isnan(self.observations.seconds[:, columns]).all(axis=(1, 2))
        return _Times(self, np.flatnonzero(~missing), columns)


@dataclass(frozen=True, eq=False)
class _Times:
    """Times of one range of sizes, which algorithms are compared with."""

    campaign: _Campaign
    rows: Indices
    """Rows of the observations that have any time at these sizes."""
    columns: Indices

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """Number of ranks of each row."""
        return tuple(self.campaign.observations.ranks[row] for row in self.rows)

    @cached_property
    def sizes_bytes(self) -> Floats:
        """Size of each column."""
        return np.asarray(self.campaign.observations.sizes_bytes, dtype=np.float64)[self.columns]

    @cached_property
    def blocks(self) -> Floats:
        """Block medians in s, shape (ranks, sizes, blocks), nan where missing."""
        return self.campaign.observations.seconds[np.ix_(self.rows, self.columns)]

    @cached_property
    def seconds(self) -> Floats:
        """Medians, shape (ranks, sizes)."""
        return medians(self.blocks)

    @cached_property
    def drawn(self) -> Floats | None:
        """Medians of resampled campaigns, shape (draws, ranks, sizes); None: too few blocks."""
        drawn = self.campaign.drawn
        return None if drawn is None else drawn[:, self.rows][:, :, self.columns]

    @cached_property
    def noise(self) -> float:
        """Standard error of a median, in logarithms, root mean square."""
        if self.drawn is None:
            return 0.0
        return math.sqrt(float(np.nanmean(spread(np.log(self.drawn)) ** 2)))


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Algorithm with its errors."""

    name: str
    misfit: float
    """Root mean square of its errors at ranks left out, beyond noise, in logarithms."""
    wins: float | None
    """Share of resampled campaigns in which it fits best; None: nothing was resampled."""


def recognise(
    observations: Observations, model: Model, pingpong: Model | None, seed: int = 0
) -> tuple[Algorithm, ...]:
    """Algorithm in each piece of `model`, fitted to `observations`; may be empty.

    It is empty where the pattern has no known algorithms. `pingpong` is the model of messages
    between two ranks, of the same variant.
    """
    pieces = model.pieces[0][1] if forms_of(observations.pattern) else ()
    campaign = _Campaign.of(observations, model, seed)
    algorithms = []
    for piece in pieces:
        times = campaign.within(piece.least_bytes, piece.most_bytes)
        name, confidence, why = _decided(campaign.observations, times)
        bound = None
        if pingpong is not None:
            bound = _over_bound(campaign.observations, times, pingpong)
        algorithms.append(
            Algorithm(piece.least_bytes, piece.most_bytes, name, confidence, why, bound)
        )
    return tuple(algorithms)


def _decided(observations: Observations, times: _Times) -> _Decision:
    """Decision for one range of sizes, or the reason why there can be none."""
    if observations.crowded:
        return None, None, Grounds.SHARED_CORES()
    if len(times.ranks) < FEWEST_RANKS:
        return None, None, Grounds.FEW_RANKS(fewest=FEWEST_RANKS, ranks=len(times.ranks))
    fits = sorted(_fits(forms_of(observations.pattern), times), key=lambda fit: fit.misfit)
    return _named(fits, times)


def _named(fits: Sequence[_Candidate], times: _Times) -> _Decision:
    """Decision between algorithms in the order of their misfits."""
    best, *others = fits
    if best.misfit > FITS:
        misfit = _percent(best.misfit)
        return None, None, Grounds.NONE_FITS(number=len(fits), name=best.name, misfit=misfit)
    bar = min(DIFFERS, CLEARLY * max(best.misfit, times.noise, EXACT))
    near = [fit.name for fit in fits if fit.misfit < bar]
    if len(near) > 1:
        named = f"{', '.join(near[:-1])} or {near[-1]}"
        powers = all(map(is_power_of_two, times.ranks))
        return None, None, Grounds.ALIKE(names=named, powers=powers)
    if best.name in MIMICS:
        return None, None, Grounds.MIMIC(name=best.name, other=MIMICS[best.name])
    if best.wins is not None and best.wins < CONFIDENCE:
        return None, best.wins, Grounds.UNSURE(name=best.name, percent=100 * best.wins)
    grounds = Grounds.FITS(misfit=_percent(best.misfit))
    if others:
        grounds = Grounds.FITS_BEST(
            misfit=_percent(best.misfit),
            other=others[0].name,
            other_misfit=_percent(others[0].misfit),
        )
    return best.name, best.wins, grounds


def _percent(misfit: float) -> str:
    """Relative error of a time in percent, from its logarithm."""
    return f"{100 * math.expm1(misfit):.0f} %"


def _fits(forms: Mapping[str, CostForm], times: _Times) -> Iterator[_Candidate]:
    """Candidates: the algorithms that are defined on all numbers of ranks."""
    terms: dict[str, Floats] = {}  # design matrices of shape (terms, ranks, sizes)
    for name, form in forms.items():
        every = [form(ranks) for ranks in times.ranks]
        costs = [cost for cost in every if cost]
        if len(costs) == len(every):
            terms[name] = np.stack(list(_different(costs, times.sizes_bytes)))
    misfits = [_misfit(term, times) for term in terms.values()]
    wins: Sequence[float | None] = [None] * len(terms)
    if times.drawn is not None:
        errors = np.array([_squares(term, times.drawn) for term in terms.values()])
        best = np.argmin(errors, axis=0)
        wins = [float(np.mean(best == k)) for k in range(len(terms))]
    yield from map(_Candidate, terms, misfits, wins)


def _different(costs: Sequence[Cost], sizes_bytes: Floats) -> Iterator[Floats]:
    """Terms of messages, phases, bytes and combined bytes, unless in proportion to one before."""
    once, known = np.ones_like(sizes_bytes), list[Floats]()
    for factors, size in (
        ([cost.messages for cost in costs], once),
        ([cost.messages if cost.phases is None else cost.phases for cost in costs], once),
        ([cost.contributions for cost in costs], sizes_bytes),
        ([cost.combined for cost in costs], sizes_bytes),
    ):
        term = np.outer(factors, size)
        in_proportion = (
            np.allclose(term * earlier.max(), earlier * term.max()) for earlier in known
        )
        if term.any() and not any(in_proportion):
            known.append(term)
            yield term


def _equations(terms: Floats, seconds: Floats) -> tuple[Floats, Floats]:
    """Normal equations of relative errors, by ranks.

    Shapes (..., ranks, terms, terms) and (..., ranks, terms).
    """
    relative = np.nan_to_num(terms / seconds[..., None, :, :])
    products = np.einsum("...apm,...bpm->...pab", relative, relative)
    return products, np.moveaxis(relative.sum(axis=-1), -1, -2)


def _misfit(terms: Floats, times: _Times) -> float:
    """Misfit by fits without each number of ranks in turn."""
    seconds = times.seconds
    products, moments = _equations(terms, seconds)
    without = nonnegative(products.sum(axis=0) - products, moments.sum(axis=0) - moments)
    predicted = np.einsum("pa,apm->pm", without, terms)
    squares = float(np.nanmean(_log_errors(predicted, seconds) ** 2))
    return math.sqrt(max(squares - times.noise**2, 0.0))


def _squares(terms: Floats, drawn: Floats) -> Floats:
    """Mean squared errors of fits to each of the draws."""
    products, moments = _equations(terms, drawn)
    coefficients = nonnegative(products.sum(axis=-3), moments.sum(axis=-2))
    predicted = np.einsum("ra,apm->rpm", coefficients, terms)
    return np.asarray(np.nanmean(_log_errors(predicted, drawn) ** 2, axis=(1, 2)))


def _log_errors(predicted: Floats, seconds: Floats) -> Floats:
    return np.asarray(np.log(np.maximum(predicted / seconds, LEAST_SHARE)))


def _over_bound(observations: Observations, times: _Times, pingpong: Model) -> Estimate | None:
    """Ratio of the time to its lower bound, at the most ranks and the largest size they have."""
    last = int(np.flatnonzero(~np.isnan(times.seconds[-1]))[-1])
    size_bytes = int(times.sizes_bytes[last])
    bound = least_time(
        observations.pattern, times.ranks[-1], size_bytes, link_at(pingpong, size_bytes)
    )
    if bound is None or bound.value <= 0:
        return None
    time = median(np.log(times.blocks[-1, last])).exp()
    sampled = observations.blocks >= FEWEST_BLOCKS
    return over(time if sampled else Estimate(time.value), bound)
