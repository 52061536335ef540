"""Predictions point by point: the models that cover a point, gaps, and the fastest variant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, product

import numpy as np

from leadline.errors import UsageError, unknown_name
from leadline.models.file import ModelFile
from leadline.models.model import Model, NotFitted, Subject, subject_of
from leadline.models.prediction import predict
from leadline.models.reasons import Refusal
from leadline.patterns.names import measured_pattern
from leadline.record.run import Origin
from leadline.record.warnings import RunWarning, WarningKind, warning_of
from leadline.statistics.estimate import Estimate
from leadline.units import format_size

MOST_NAMED = 8


def some(names: Sequence[str]) -> str:
    """Text of all of a few names, e.g. "3, 5 and 6"; of more, e.g. "2 to 64 (63 of them)"."""
    *most, last = names
    if len(most) >= MOST_NAMED:
        return f"{most[0]} to {last} ({len(names):,} of them)"
    return f"{', '.join(most)} and {last}" if most else last


@dataclass(frozen=True, slots=True)
class PredictedTime(Subject):
    """Time of one operation or message, predicted by a model."""

    ranks: int
    size_bytes: int
    seconds: Estimate
    """Median of a new campaign."""
    extrapolated: bool
    """Whether it lies outside of the sizes or numbers of ranks that were fitted."""
    floored: bool
    """Whether the form falls below the shortest time of its piece, which is used instead."""


@dataclass(frozen=True, slots=True)
class Predictions:
    """Predictions of one pattern."""

    points: tuple[PredictedTime, ...]
    """Predictions by ranks, size and model."""
    unknown: tuple[NotFitted, ...]
    """Points that no model covers, by variant."""
    models: tuple[Model, ...]
    """Models of the pattern, among them those that the points were predicted by."""
    warnings: tuple[RunWarning, ...]
    """Warnings of the points, not of the models."""


def points_of(
    file: ModelFile,
    pattern: str,
    variant: str | None,
    ranks: Sequence[int],
    sizes_bytes: Sequence[int],
) -> Predictions:
    """Predictions of the models of a pattern, for one variant or for all.

    A model of one number of ranks covers no others, and one of a single size no other size.

    Raises:
        UsageError: There is no such variant or pattern, or none of the points is covered.
    """
    models, refused = models_of(file, pattern, variant)
    points = [point for model in models for point in _points(model, ranks, sizes_bytes)]
    by_label: dict[str, list[Model]] = {}
    for model in models:
        by_label.setdefault(model.label, []).append(model)
    unknown = [
        NotFitted(label, pattern, reason)
        for label, each in by_label.items()
        for reason in _unknown(each, ranks, sizes_bytes)
    ]
    if not points:
        raise UsageError(f"{unknown[0].variant}'s {pattern} was {unknown[0].reason}")
    warnings = []
    if outside := [point for point in points if point.extrapolated]:
        without = sum(point.seconds.bounds is None for point in outside)
        numbers = {"outside": len(outside), "number": len(points)}
        if without < len(outside):
            numbers["without"] = without
        warnings.append(warning_of(WarningKind.EXTRAPOLATED, **numbers))
    return Predictions(
        tuple(sorted(points, key=lambda point: (point.ranks, point.size_bytes))),
        (*unknown, *refused),
        models,
        tuple(warnings),
    )


def by_variant(file: ModelFile, variant: str | None) -> list[list[Model | NotFitted]]:
    """Models and refusals of one variant, or of each; UsageError where there is no such variant."""
    variants: dict[str, list[Model | NotFitted]] = {}
    every: list[Model | NotFitted] = [*file.models, *file.refused]
    for fitted in every:
        variants.setdefault(fitted.variant, []).append(fitted)
    if not variants:
        raise UsageError("the model file has no model; fit a run in which more sizes were measured")
    if variant is None:
        return list(variants.values())
    if variant not in variants:
        raise unknown_name("variant", variant, variants)
    return [variants[variant]]


def pattern_of(file: ModelFile, name: str, variant: str | None) -> str:
    """Pattern that `name` means among those that a file has of one variant, or of all.

    Raises:
        UsageError: There is no such variant, or it has no such pattern.
    """
    measured = (fitted.pattern for each in by_variant(file, variant) for fitted in each)
    return measured_pattern(name, measured, file.run + (f" over {variant}" if variant else ""))


def models_of(
    file: ModelFile, pattern: str, variant: str | None
) -> tuple[tuple[Model, ...], tuple[NotFitted, ...]]:
    """Models of a pattern, for one variant or for all, and what was refused of the pattern.

    The pattern may have the name that other benchmarks give it.

    Raises:
        UsageError: There is no such variant, or no model of the pattern.
    """
    every = [fitted for each in by_variant(file, variant) for fitted in each]
    pattern = pattern_of(file, pattern, variant)
    of_pattern = [fitted for fitted in every if fitted.pattern == pattern]
    models = tuple(model for model in of_pattern if isinstance(model, Model))
    refused = tuple(fitted for fitted in of_pattern if isinstance(fitted, NotFitted))
    if not models:
        raise UsageError(f"no model of {refused[0].variant}'s {pattern}: {refused[0].reason}")
    return models, refused


def _points(
    model: Model, ranks: Sequence[int], sizes_bytes: Sequence[int]
) -> Iterator[PredictedTime]:
    """Predictions of `model` at the points that it covers."""
    known = _known(ranks, model.ranks), _known(sizes_bytes, model.sizes_bytes)
    places = list(product(*known))
    if not places:
        return
    prediction = predict(model, *np.array(places).T)
    times = prediction.estimates(model.blocks)
    flags = prediction.extrapolated.tolist(), prediction.floored.tolist()
    for (p, size_bytes), seconds, extrapolated, floored in zip(places, times, *flags, strict=True):
        yield PredictedTime(
            **subject_of(model),
            ranks=p,
            size_bytes=size_bytes,
            seconds=seconds,
            extrapolated=extrapolated,
            floored=floored,
        )


def _known(wanted: Sequence[int], fitted: Sequence[int]) -> list[int]:
    """Values of `wanted` that a model covers: one fitted to a single value covers no others."""
    return [value for value in wanted if len(fitted) > 1 or value == fitted[0]]


def _unknown(
    models: Sequence[Model], ranks: Sequence[int], sizes_bytes: Sequence[int]
) -> Iterator[str]:
    """Reasons why none of a variant's models covers some of the points."""
    spoken = {rank for model in models for rank in _known(ranks, model.ranks)}
    if others := [f"{rank:,}" for rank in ranks if rank not in spoken]:
        fitted = some([f"{number:,}" for number in sorted({model.ranks[0] for model in models})])
        yield Refusal.OTHER_RANKS(fitted=fitted, others=some(others))
    sized = {size for model in models for size in _known(sizes_bytes, model.sizes_bytes)}
    if larger := [format_size(size) for size in sizes_bytes if size not in sized]:
        least = models[0].sizes_bytes[0]
        yield Refusal.OTHER_SIZES(fitted=least, others=some(larger), zero=least == 0)


RanksAndSize = tuple[int, int]
"""Number of ranks, and size in bytes."""


@dataclass(frozen=True, slots=True)
class Fastest:
    """Places where one variant is the fastest."""

    label: str | None
    """Variant; None: no interval lies below all others."""
    places: tuple[RanksAndSize, ...]


def fastest(points: Sequence[PredictedTime]) -> tuple[Fastest, ...]:
    """Places by the variant that is fastest there, where two or more measured ones are predicted.

    Variants must have been measured in the same way. One is the fastest where its interval lies
    below all others'.
    """

    def place_of(point: PredictedTime) -> RanksAndSize:
        return point.ranks, point.size_bytes

    places: dict[str | None, list[RanksAndSize]] = {}
    measured = [point for point in points if point.origin is Origin.MEASURED]
    for place, each in groupby(sorted(measured, key=place_of), key=place_of):
        rivals = sorted(each, key=lambda point: point.seconds.value)
        ways = {(point.buffers, point.cadence, point.threads) for point in rivals}
        if len({point.label for point in rivals}) < 2 or len(ways) > 1:
            continue
        first, *others = rivals
        high, lows = first.seconds.high, [point.seconds.low for point in others]
        surely = high is not None and all(low is not None and high < low for low in lows)
        places.setdefault(first.label if surely else None, []).append(place)
    return tuple(Fastest(label, tuple(each)) for label, each in places.items())
