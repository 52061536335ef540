"""Models sampled as curves against size and ranks, densely enough to be drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np

from leadline.compare.origins import Labelled
from leadline.models.forms import Numbers
from leadline.models.model import Breakpoint, Model
from leadline.models.prediction import predict
from leadline.patterns.powers_of_two import is_power_of_two
from leadline.record.curve import CurveKey, OnCurve
from leadline.record.run import Origin
from leadline.statistics.estimate import Estimate

POINTS = 60
"""Points besides the sizes fitted and the ends of pieces: one to ten pixels apart."""


@dataclass(frozen=True, slots=True)
class FittedCurve(OnCurve, Labelled):
    """Model at one of its numbers of ranks, at rising sizes from the least to the most fitted."""

    curve: CurveKey
    variant: str
    origin: Origin
    sizes_bytes: tuple[int, ...]
    times: tuple[Estimate, ...]
    """Predicted at each size; intervals are those of another campaign's median."""
    form_s: tuple[float, ...]
    """Times of the form alone, which predictions may add to."""
    breakpoints: tuple[Breakpoint, ...]

    @property
    def xs(self) -> tuple[int, ...]:
        """Abscissae of the times: sizes."""
        return self.sizes_bytes


class SweepKind(NamedTuple):
    """Properties that sweeps of one chart have in common."""

    pattern: str
    size_bytes: int
    buffers: str
    cadence: str


@dataclass(frozen=True, slots=True)
class FittedSweep(Labelled):
    """Model at one of its sizes, at rising numbers of ranks from the least to the most fitted."""

    measured: tuple[CurveKey, ...]
    """Curves that have measured points of it."""
    variant: str
    origin: Origin
    size_bytes: int
    ranks: tuple[int, ...]
    times: tuple[Estimate, ...]
    """Predicted at each number of ranks."""
    form_s: tuple[float, ...]
    """Times of the form alone."""
    powers: bool | None
    """Whether it is of powers of two, or of others, where coefficients differ; None: of all."""

    @property
    def xs(self) -> tuple[int, ...]:
        """Abscissae of the times: numbers of ranks."""
        return self.ranks

    @property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        """Empty: breakpoints lie between sizes."""
        return ()

    @property
    def kind(self) -> SweepKind:
        """Kind that all sweeps of one chart share."""
        curve = self.measured[0]
        return SweepKind(curve.pattern, self.size_bytes, curve.buffers, curve.cadence)


def fitted_curves(models: Sequence[Model]) -> tuple[FittedCurve, ...]:
    """One curve for each number of ranks of each model; none for models of a single size."""
    curves = []
    for model in models:
        if len(model.sizes_bytes) == 1:
            continue
        drawn, ranks = sizes_drawn(model), np.array(model.ranks, dtype=np.int64)
        sizes = tuple(drawn.tolist())
        for p, row in zip(model.ranks, _rows(model, ranks[:, None], drawn), strict=True):
            key = _key(model, p)
            curves.append(
                FittedCurve(key, model.variant, model.origin, sizes, *row, model.breakpoints)
            )
    return tuple(curves)


def _rows(
    model: Model, ranks: Numbers, sizes: Numbers
) -> Iterator[tuple[tuple[Estimate, ...], tuple[float, ...]]]:
    """Predicted times, and times of the form alone, for each row of a table of points."""
    predicted = alone = predict(model, ranks, sizes)
    if model.residuals is not None:
        alone = predict(replace(model, residuals=None), ranks, sizes)
    times, width = iter(predicted.estimates(model.blocks)), predicted.seconds.shape[1]
    for form_s in alone.seconds.tolist():
        yield tuple(islice(times, width)), tuple(form_s)


def fitted_sweeps(models: Sequence[Model]) -> tuple[FittedSweep, ...]:
    """One sweep for each size of each model of several numbers of ranks.

    Powers of two and other numbers of ranks have a sweep each where their coefficients differ.
    """
    return tuple(sweep for model in models if len(model.ranks) > 1 for sweep in _sweeps(model))


def _sweeps(model: Model) -> Iterator[FittedSweep]:
    sizes, every = np.array(model.sizes_bytes, dtype=np.int64), ranks_drawn(model)
    families = []
    for powers in (True, False) if model.form.powers_apart else (None,):
        ranks = every if powers is None else every[is_power_of_two(every) == powers]
        fitted = [p for p in model.ranks if p in ranks]
        drawn = ranks[(ranks >= fitted[0]) & (ranks <= fitted[-1])]
        rows = list(_rows(model, drawn, sizes[:, None]))
        families.append((powers, fitted, tuple(drawn.tolist()), rows))
    for place, size_bytes in enumerate(model.sizes_bytes):
        for powers, fitted, numbers, rows in families:
            measured = tuple(_key(model, p) for p in fitted)
            yield FittedSweep(
                measured, model.variant, model.origin, size_bytes, numbers, *rows[place], powers
            )


def _key(model: Model, ranks: int) -> CurveKey:
    return CurveKey(model.pattern, ranks, model.buffers, model.cadence, model.threads)


def ranks_drawn(model: Model) -> Numbers:
    """Numbers of ranks fitted, and others evenly on a logarithmic axis that the model covers."""
    even = np.geomspace(model.ranks[0], model.ranks[-1], POINTS).round().astype(np.int64)
    ranks = np.unique(np.concatenate([model.ranks, even]).astype(np.int64))
    return ranks[is_power_of_two(ranks)] if model.of_powers_alone else ranks


def sizes_drawn(model: Model) -> Numbers:
    """Sizes fitted, the next beyond either end of a gap, and others evenly on a logarithmic axis.

    Gaps lie between pieces, where intervals hold both.
    """
    least, most = min(size for size in model.sizes_bytes if size), model.sizes_bytes[-1]
    gaps = [
        edge
        for below, above in pairwise(model.pieces[0][1])
        for edge in (below.most_bytes + 1, above.least_bytes - 1)
    ]
    even = np.geomspace(least, most, POINTS).round().astype(np.int64)
    return np.unique(np.concatenate([model.sizes_bytes, gaps, even]).astype(np.int64))
