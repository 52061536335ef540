"""Which of several variants is predicted to be the fastest, and where that can't be told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from leadline.models.points import PredictedTime
from leadline.record.run import Origin

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
