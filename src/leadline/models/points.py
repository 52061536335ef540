"""Predictions point by point: which model speaks of which, where none does, who is fastest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, product

import numpy as np

from leadline.errors import UsageError, unknown_name
from leadline.models.model import Model, NotFitted, Subject, subject_of
from leadline.models.prediction import predict
from leadline.models.reading import ModelFile
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.foreign.names import measured_pattern
from leadline.record.run import Origin
from leadline.statistics.estimate import Estimate
from leadline.units import format_size

MOST_NAMED = 8


def some(names: Sequence[str]) -> str:
    """All of a few, e.g. "3, 5 and 6"; of more the ends, e.g. "2 to 64 (63 of them)"."""
    *most, last = names
    if len(most) >= MOST_NAMED:
        return f"{most[0]} to {last} ({len(names):,} of them)"
    return f"{', '.join(most)} and {last}" if most else last


@dataclass(frozen=True, slots=True)
class PredictedTime(Subject):
    """What one operation or message takes, as a model says."""

    ranks: int
    size_bytes: int
    seconds: Estimate
    """Of a new campaign's median."""
    extrapolated: bool
    """Outside of the sizes or numbers of ranks that were fitted."""
    floored: bool
    """Whether the form falls below the shortest time of its piece, which stands in its place."""


@dataclass(frozen=True, slots=True)
class Predictions:
    """Predictions of one pattern."""

    points: tuple[PredictedTime, ...]
    """By ranks, size and model."""
    unknown: tuple[NotFitted, ...]
    """What models say nothing of, by variant."""
    models: tuple[Model, ...]
    """By which the points were predicted, among others of the pattern."""
    caveats: tuple[Caveat, ...]
    """Of the points, not of the models."""


def points_of(
    file: ModelFile,
    pattern: str,
    variant: str | None,
    ranks: Sequence[int],
    sizes_bytes: Sequence[int],
) -> Predictions:
    """What the models of a pattern say, of one variant or of all.

    A model of one number of ranks says nothing of others, and one of a single size of no other.
    UsageError: there is no such variant or pattern, or nothing is said of any of the points.
    """
    models, refused = models_of(file, pattern, variant)
    found = [point for one in models for point in _points(one, ranks, sizes_bytes)]
    by_label: dict[str, list[Model]] = {}
    for one in models:
        by_label.setdefault(one.label, []).append(one)
    unknown = [
        NotFitted(label, pattern, reason)
        for label, each in by_label.items()
        for reason in _unknown(each, ranks, sizes_bytes)
    ]
    if not found:
        raise UsageError(f"{unknown[0].variant}'s {pattern} was {unknown[0].reason}")
    return Predictions(
        tuple(sorted(found, key=lambda one: (one.ranks, one.size_bytes))),
        (*unknown, *refused),
        models,
        tuple(_caveats(found)),
    )


def by_variant(file: ModelFile, variant: str | None) -> list[list[Model | NotFitted]]:
    """What a file has of one variant, or of each; UsageError where there is no such variant."""
    variants: dict[str, list[Model | NotFitted]] = {}
    every: list[Model | NotFitted] = [*file.models, *file.refused]
    for one in every:
        variants.setdefault(one.variant, []).append(one)
    if not variants:
        raise UsageError("the model file has no model; fit a run in which more sizes were measured")
    if variant is None:
        return list(variants.values())
    if variant not in variants:
        raise unknown_name("variant", variant, variants)
    return [variants[variant]]


def pattern_of(file: ModelFile, name: str, variant: str | None) -> str:
    """The pattern that `name` means of those that a file has of one variant, or of all.

    UsageError where there is no such variant, or it has no such pattern.
    """
    measured = (one.pattern for each in by_variant(file, variant) for one in each)
    return measured_pattern(name, measured, file.run + (f" over {variant}" if variant else ""))


def models_of(
    file: ModelFile, pattern: str, variant: str | None
) -> tuple[tuple[Model, ...], tuple[NotFitted, ...]]:
    """The models of a pattern, of one variant or of all, and what of these was refused.

    The pattern may have the name that it has elsewhere. UsageError where there is no such variant,
    or no model of the pattern.
    """
    mine = [one for each in by_variant(file, variant) for one in each]
    pattern = pattern_of(file, pattern, variant)
    found = [one for one in mine if one.pattern == pattern]
    models = tuple(one for one in found if isinstance(one, Model))
    refused = tuple(one for one in found if isinstance(one, NotFitted))
    if not models:
        raise UsageError(f"no model of {refused[0].variant}'s {pattern}: {refused[0].reason}")
    return models, refused


def _points(
    model: Model, ranks: Sequence[int], sizes_bytes: Sequence[int]
) -> Iterator[PredictedTime]:
    known = _known(ranks, model.ranks), _known(sizes_bytes, model.sizes_bytes)
    places = list(product(*known))
    if not places:
        return
    found = predict(model, *np.array(places).T)
    times = found.estimates(model.blocks)
    flags = found.extrapolated.tolist(), found.floored.tolist()
    for (p, size_bytes), seconds, extrapolated, floored in zip(places, times, *flags, strict=True):
        yield PredictedTime(
            **subject_of(model),
            ranks=p,
            size_bytes=size_bytes,
            seconds=seconds,
            extrapolated=extrapolated,
            floored=floored,
        )


def _known(asked: Sequence[int], fitted: Sequence[int]) -> list[int]:
    """Those of `asked` that a model speaks of: a single number says nothing of others."""
    return [one for one in asked if len(fitted) > 1 or one == fitted[0]]


def _unknown(
    models: Sequence[Model], ranks: Sequence[int], sizes_bytes: Sequence[int]
) -> Iterator[str]:
    """Why none of a variant's models speaks of some of the points."""
    spoken = {one for model in models for one in _known(ranks, model.ranks)}
    if others := [f"{one:,}" for one in ranks if one not in spoken]:
        fitted = some([f"{one:,}" for one in sorted({model.ranks[0] for model in models})])
        yield (
            f"fitted to {fitted} ranks alone, which says nothing of {some(others)}: measure three "
            "numbers of ranks or more (leadline run --ranks 2,3,4)"
        )
    sized = {one for model in models for one in _known(sizes_bytes, model.sizes_bytes)}
    if larger := [format_size(one) for one in sizes_bytes if one not in sized]:
        least = models[0].sizes_bytes[0]
        none = "leave --size out if it has none, else " * (least == 0)
        yield (
            f"fitted to {format_size(least)} alone, which says nothing of {some(larger)}: "
            f"{none}measure more sizes (leadline run --sizes)"
        )


def _caveats(found: Sequence[PredictedTime]) -> Iterator[Caveat]:
    outside = [one for one in found if one.extrapolated]
    if outside:
        yield CaveatKind.EXTRAPOLATED.because(
            f"{len(outside):,} of {len(found):,} predictions lie outside of the sizes or numbers "
            f"of ranks that were fitted; {_widened(outside)}"
        )


def _widened(outside: Sequence[PredictedTime]) -> str:
    """What their intervals say of that."""
    without = sum(one.seconds.bounds is None for one in outside)
    if without == len(outside):
        return "they have no intervals"
    some = f"; {without:,} of them {'have' if without > 1 else 'has'} none" * bool(without)
    return f"intervals widen with the distance{some}"


RanksAndSize = tuple[int, int]
"""Ranks, and size in bytes."""


@dataclass(frozen=True, slots=True)
class Fastest:
    """Where one variant is the fastest."""

    label: str | None
    """None: no interval lies below all others."""
    places: tuple[RanksAndSize, ...]


def fastest(points: Sequence[PredictedTime]) -> tuple[Fastest, ...]:
    """By variant, where at least two that were measured, and in the same way, are predicted.

    One is the fastest where its interval lies below all others'.
    """
    found: dict[str | None, list[RanksAndSize]] = {}
    measured = [one for one in points if one.origin is Origin.MEASURED]
    for place, each in groupby(sorted(measured, key=_place), key=_place):
        rivals = list(each)
        if len({one.label for one in rivals}) > 1 and len(set(map(_way, rivals))) == 1:
            found.setdefault(_first(rivals), []).append(place)
    return tuple(Fastest(label, tuple(places)) for label, places in found.items())


def _place(one: PredictedTime) -> RanksAndSize:
    return one.ranks, one.size_bytes


def _way(one: PredictedTime) -> tuple[str, str, int]:
    return one.buffers, one.cadence, one.threads


def _first(rivals: Sequence[PredictedTime]) -> str | None:
    """The one that is surely before all others; None: it isn't told."""
    first, *others = sorted(rivals, key=lambda one: one.seconds.value)
    known = [one.seconds.low for one in others if one.seconds.low is not None]
    if first.seconds.high is None or len(known) < len(others):
        return None
    return first.label if first.seconds.high < min(known) else None
