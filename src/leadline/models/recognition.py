"""Which algorithm a library appears to use, by how its times grow with ranks and size.

Each algorithm's T = o A(p) + l H(p) + beta m B(p) + gamma m C(p) is fitted with coefficients that
aren't negative, and judged by how far it misses numbers of ranks that were left out. One is named
only where it fits and no other comes near; else the algorithm is undecided. That all algorithms
miss by much shows one that isn't known, or links that change with the ranks that use them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from leadline.models.algorithms import MIMICS, Cost, CostForm, forms_of
from leadline.models.closed_form import FEWEST_BLOCKS
from leadline.models.forms import is_power_of_two
from leadline.models.lower_bounds import least_time, link_at, over
from leadline.models.model import Algorithm, Model
from leadline.models.nonnegative import nonnegative
from leadline.models.observations import Observations
from leadline.models.resampling import drawn_medians, medians, spread
from leadline.models.segments import Indices
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, Floats, median

FEWEST_RANKS = 4
"""Numbers of ranks: fewer don't tell how times grow."""
FITS = 0.08
"""An algorithm that misses times by no more, beyond noise, fits: no link is exactly linear."""
DIFFERS = 0.15
"""One that misses them by as much isn't it."""
CLEARLY = 4.0
"""Nor is one that misses them by so many times what the best does, or what noise lets be told."""
EXACT = 0.015
"""No fit is taken to be better."""
LEAST_SHARE = 1e-3
"""Of a time, that a fit is taken to say at least: its logarithm is judged."""

_Decision = tuple[str | None, float | None, str]
"""The name, how sure, and why; no name: undecided."""


@dataclass(frozen=True, eq=False)
class _Campaign:
    """What a model was fitted to, and what it might have been fitted to as well."""

    observations: Observations
    """On the model's numbers of ranks."""
    seed: int

    @classmethod
    def of(cls, observations: Observations, model: Model, seed: int) -> _Campaign:
        """Those of `observations` that `model` was fitted to; `seed` as its fit had it."""
        rows = [row for row, one in enumerate(observations.ranks) if one in model.ranks]
        kept = replace(
            observations,
            ranks=tuple(observations.ranks[row] for row in rows),
            seconds=observations.seconds[rows],
            crowded=tuple(one for one in observations.crowded if one in model.ranks),
        )
        return cls(kept, seed)

    @cached_property
    def drawn(self) -> Floats | None:
        """Medians of resampled campaigns, those of the fit; None: too few blocks."""
        found = self.observations
        return drawn_medians(found.seconds, self.seed) if found.blocks >= FEWEST_BLOCKS else None

    def within(self, least_bytes: int, most_bytes: int) -> _Times:
        """What was measured at these sizes and between them."""
        sizes = np.asarray(self.observations.sizes_bytes)
        columns = np.flatnonzero((sizes >= least_bytes) & (sizes <= most_bytes))
        missing = np.isnan(self.observations.seconds[:, columns]).all(axis=(1, 2))
        return _Times(self, np.flatnonzero(~missing), columns)


@dataclass(frozen=True, eq=False)
class _Times:
    """What algorithms are held to: of one range of sizes."""

    campaign: _Campaign
    rows: Indices
    """That have any time at these sizes."""
    columns: Indices

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """Of each row."""
        return tuple(self.campaign.observations.ranks[row] for row in self.rows)

    @cached_property
    def sizes_bytes(self) -> Floats:
        """Of each column."""
        return np.asarray(self.campaign.observations.sizes_bytes, dtype=np.float64)[self.columns]

    @cached_property
    def blocks(self) -> Floats:
        """In s, shape (ranks, sizes, blocks), nan where missing."""
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
        """The standard error of a median, in logarithms, root mean square."""
        if self.drawn is None:
            return 0.0
        return math.sqrt(float(np.nanmean(spread(np.log(self.drawn)) ** 2)))


@dataclass(frozen=True, slots=True)
class _Candidate:
    """How an algorithm does."""

    name: str
    misfit: float
    """Root mean square of what it misses times by at ranks left out, beyond noise; logarithms."""
    wins: float | None
    """Share of resampled campaigns in which it fits best; None: nothing was resampled."""


def recognise(
    observations: Observations, model: Model, pingpong: Model | None, seed: int = 0
) -> tuple[Algorithm, ...]:
    """Of each piece of `model`, fitted to these; empty: the pattern has no known algorithms.

    `pingpong` is the model of what messages between two ranks take, of the same variant.
    """
    pieces = model.pieces[0][1] if forms_of(observations.pattern) else ()
    campaign = _Campaign.of(observations, model, seed)
    return tuple(
        _recognised(campaign, piece.least_bytes, piece.most_bytes, pingpong) for piece in pieces
    )


def _recognised(
    campaign: _Campaign, least_bytes: int, most_bytes: int, pingpong: Model | None
) -> Algorithm:
    observations, times = campaign.observations, campaign.within(least_bytes, most_bytes)
    name, confidence, why = _decided(observations, times)
    bound = None if pingpong is None else _over_bound(observations, times, pingpong)
    return Algorithm(least_bytes, most_bytes, name, confidence, why, bound)


def _decided(observations: Observations, times: _Times) -> _Decision:
    if observations.crowded:
        return None, None, "ranks shared cores, so that times are of their work, not of messages"
    if len(times.ranks) < FEWEST_RANKS:
        fewest = f"it takes {FEWEST_RANKS} numbers of ranks or more to tell how times grow"
        there = f"there {'is' if len(times.ranks) == 1 else 'are'} {len(times.ranks)}"
        return None, None, f"{fewest}, and here {there}"
    fits = sorted(_fits(forms_of(observations.pattern), times), key=lambda fit: fit.misfit)
    return _named(fits, times)


def _named(fits: Sequence[_Candidate], times: _Times) -> _Decision:
    """Of algorithms in the order of their misfits."""
    best = fits[0]
    if best.misfit > FITS:
        nearest = f"the nearest, {best.name}, misses times by {_percent(best.misfit)}"
        return None, None, f"none of {len(fits)} that are known fits: {nearest}"
    bar = min(DIFFERS, CLEARLY * max(best.misfit, times.noise, EXACT))
    near = [fit.name for fit in fits if fit.misfit < bar]
    if len(near) > 1:
        named = f"{', '.join(near[:-1])} or {near[-1]}"
        return None, None, f"{named}: these times don't tell them apart{_remedy(times.ranks)}"
    if best.name in MIMICS:
        other = f"{MIMICS[best.name]} over links that slow down with the ranks"
        return None, None, f"{best.name}, or {other}: these times don't tell them apart"
    if best.wins is not None and best.wins < CONFIDENCE:
        share = f"in {100 * best.wins:.0f} of 100 resampled campaigns"
        return None, best.wins, f"{best.name} fits best only {share}"
    return best.name, best.wins, _grounds(fits)


def _remedy(ranks: Sequence[int]) -> str:
    powers = all(map(is_power_of_two, ranks))
    return "; ranks that are no powers of two may" if powers else ""


def _grounds(fits: Sequence[_Candidate]) -> str:
    best, *others = fits
    grounds = f"misses times by {_percent(best.misfit)}"
    return f"{grounds}, {others[0].name} by {_percent(others[0].misfit)}" if others else grounds


def _percent(misfit: float) -> str:
    """A logarithm as what it makes of a time."""
    return f"{100 * math.expm1(misfit):.0f} %"


def _fits(forms: Mapping[str, CostForm], times: _Times) -> Iterator[_Candidate]:
    """Of the algorithms that are defined on all numbers of ranks."""
    terms = dict(_terms(forms, times))
    misfits = [_misfit(one, times) for one in terms.values()]
    wins: Sequence[float | None] = [None] * len(terms)
    if times.drawn is not None:
        errors = np.array([_squares(one, times.drawn) for one in terms.values()])
        best = np.argmin(errors, axis=0)
        wins = [float(np.mean(best == k)) for k in range(len(terms))]
    yield from map(_Candidate, terms, misfits, wins)


def _terms(forms: Mapping[str, CostForm], times: _Times) -> Iterator[tuple[str, Floats]]:
    """What the coefficients are multiplied by, shape (terms, ranks, sizes), by algorithm."""
    for name, form in forms.items():
        costs = [form(ranks) for ranks in times.ranks]
        found = [cost for cost in costs if cost]
        if len(found) == len(costs):
            yield name, np.stack(list(_different(found, times.sizes_bytes)))


def _different(costs: Sequence[Cost], sizes_bytes: Floats) -> Iterator[Floats]:
    """Messages, and phases, bytes and bytes combined where they aren't in proportion to others."""
    once, known = np.ones_like(sizes_bytes), list[Floats]()
    for of, size in (
        ([cost.messages for cost in costs], once),
        ([cost.messages if cost.phases is None else cost.phases for cost in costs], once),
        ([cost.contributions for cost in costs], sizes_bytes),
        ([cost.combined for cost in costs], sizes_bytes),
    ):
        term = np.outer(of, size)
        if term.any() and not any(_in_proportion(term, one) for one in known):
            known.append(term)
            yield term


def _in_proportion(term: Floats, other: Floats) -> bool:
    return bool(np.allclose(term * other.max(), other * term.max()))


def _equations(terms: Floats, seconds: Floats) -> tuple[Floats, Floats]:
    """Of relative errors, by ranks: (..., ranks, terms, terms) and (..., ranks, terms)."""
    relative = np.nan_to_num(terms / seconds[..., None, :, :])
    products = np.einsum("...apm,...bpm->...pab", relative, relative)
    return products, np.moveaxis(relative.sum(axis=-1), -1, -2)


def _misfit(terms: Floats, times: _Times) -> float:
    """By fits without each number of ranks in turn."""
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
    """At the most ranks, and the largest size that they have."""
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
