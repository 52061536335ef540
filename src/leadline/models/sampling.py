"""Models as points of curves against size and ranks, close enough together to be drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np

from leadline.compare.origins import Labelled
from leadline.models.forms import Numbers, is_power_of_two
from leadline.models.model import Breakpoint, Model
from leadline.models.prediction import predict
from leadline.record.curve import CurveKey, OnCurve
from leadline.record.run import Origin
from leadline.statistics.estimate import Estimate

POINTS = 60
"""Besides the sizes fitted and the ends of pieces: a pixel or ten apart."""


@dataclass(frozen=True, slots=True)
class FittedCurve(OnCurve, Labelled):
    """A model at one of its numbers of ranks, at rising sizes from the least to the most fitted."""

    curve: CurveKey
    variant: str
    origin: Origin
    sizes_bytes: tuple[int, ...]
    times: tuple[Estimate, ...]
    """Predicted at each size; intervals are those of another campaign's median."""
    form_s: tuple[float, ...]
    """What the form alone says, which predictions may add to."""
    breakpoints: tuple[Breakpoint, ...]

    @property
    def xs(self) -> tuple[int, ...]:
        """What the times go by: sizes."""
        return self.sizes_bytes


class SweepKind(NamedTuple):
    """What points of times against ranks have in common."""

    pattern: str
    size_bytes: int
    buffers: str
    cadence: str


@dataclass(frozen=True, slots=True)
class FittedSweep(Labelled):
    """A model at one of its sizes, at rising numbers of ranks from the least to the most fitted."""

    measured: tuple[CurveKey, ...]
    """Where there are points of it."""
    variant: str
    origin: Origin
    size_bytes: int
    ranks: tuple[int, ...]
    times: tuple[Estimate, ...]
    """Predicted at each number of ranks."""
    form_s: tuple[float, ...]
    """What the form alone says."""
    powers: bool | None
    """Whether it is of powers of two, or of the others, where these are apart; None: of all."""

    @property
    def xs(self) -> tuple[int, ...]:
        """What the times go by: numbers of ranks."""
        return self.ranks

    @property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        """None: these lie between sizes."""
        return ()

    @property
    def kind(self) -> SweepKind:
        """What all sweeps of one chart share."""
        curve = self.measured[0]
        return SweepKind(curve.pattern, self.size_bytes, curve.buffers, curve.cadence)


def fitted_curves(models: Sequence[Model]) -> tuple[FittedCurve, ...]:
    """Of each model one for each number of ranks; none of what has one size alone."""
    return tuple(
        curve for model in models if len(model.sizes_bytes) > 1 for curve in _curves(model)
    )


def _curves(model: Model) -> Iterator[FittedCurve]:
    sizes, ranks = sizes_drawn(model), np.array(model.ranks, dtype=np.int64)
    for one, row in zip(model.ranks, _rows(model, ranks[:, None], sizes), strict=True):
        yield FittedCurve(
            _key(model, one),
            model.variant,
            model.origin,
            tuple(sizes.tolist()),
            *row,
            model.breakpoints,
        )


def _rows(
    model: Model, ranks: Numbers, sizes: Numbers
) -> Iterator[tuple[tuple[Estimate, ...], tuple[float, ...]]]:
    """Of each row of a table of points what is predicted there, and what the form alone says."""
    found = alone = predict(model, ranks, sizes)
    if model.residuals is not None:
        alone = predict(replace(model, residuals=None), ranks, sizes)
    times, width = iter(found.estimates(model.blocks)), found.seconds.shape[1]
    for form_s in alone.seconds.tolist():
        yield tuple(islice(times, width)), tuple(form_s)


def fitted_sweeps(models: Sequence[Model]) -> tuple[FittedSweep, ...]:
    """Of each model of several numbers of ranks one for each size, two where powers are apart."""
    return tuple(sweep for model in models if len(model.ranks) > 1 for sweep in _sweeps(model))


def _sweeps(model: Model) -> Iterator[FittedSweep]:
    sizes = np.array(model.sizes_bytes, dtype=np.int64)
    families = [
        (powers, fitted, tuple(drawn.tolist()), list(_rows(model, drawn, sizes[:, None])))
        for powers, fitted, drawn in _families(model)
    ]
    for place, size_bytes in enumerate(model.sizes_bytes):
        for powers, fitted, ranks, rows in families:
            measured = tuple(_key(model, one) for one in fitted)
            yield FittedSweep(
                measured, model.variant, model.origin, size_bytes, ranks, *rows[place], powers
            )


def _families(model: Model) -> Iterator[tuple[bool | None, list[int], Numbers]]:
    """Of powers of two and others, where they are apart: whose they are, fitted and drawn ones."""
    every = ranks_drawn(model)
    for powers in (True, False) if model.form.powers_apart else (None,):
        ranks = every if powers is None else every[is_power_of_two(every) == powers]
        fitted = [one for one in model.ranks if one in ranks]
        yield powers, fitted, ranks[(ranks >= fitted[0]) & (ranks <= fitted[-1])]


def _key(model: Model, ranks: int) -> CurveKey:
    return CurveKey(model.pattern, ranks, model.buffers, model.cadence, model.threads)


def ranks_drawn(model: Model) -> Numbers:
    """Those fitted and others evenly on a logarithmic axis, as far as the model tells of them."""
    even = np.geomspace(model.ranks[0], model.ranks[-1], POINTS).round().astype(np.int64)
    ranks = np.unique(np.concatenate([model.ranks, even]).astype(np.int64))
    return ranks[is_power_of_two(ranks)] if model.of_powers_alone else ranks


def sizes_drawn(model: Model) -> Numbers:
    """Those fitted, the next beyond either end of a gap, and others evenly on a logarithmic axis.

    Gaps are between pieces, where intervals hold both.
    """
    least, most = min(size for size in model.sizes_bytes if size), model.sizes_bytes[-1]
    gaps = [
        edge
        for below, above in pairwise(model.pieces[0][1])
        for edge in (below.most_bytes + 1, above.least_bytes - 1)
    ]
    even = np.geomspace(least, most, POINTS).round().astype(np.int64)
    return np.unique(np.concatenate([model.sizes_bytes, gaps, even]).astype(np.int64))
