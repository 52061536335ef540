"""Each library's patterns as a run measured them: times, which of them are fitted, and lines.

Every other size is fitted, and where there are three numbers of ranks every other one of these;
the rest is held out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.models.closed_form import fit
from leadline.models.model import Model
from leadline.models.observations import Observations, observations_of
from leadline.models.prediction import predict
from leadline.patterns.programs.collectives import ALGORITHMS
from leadline.patterns.programs.patterns import PATTERNS
from leadline.record.run import Cell
from leadline.statistics.intervals import Floats
from leadline.statistics.permutation import Bools

FEWEST_TO_HOLD_OUT = 3
"""Numbers of ranks; of fewer all are fitted."""
FORM_LACKS = 0.05
"""Of a time, in the mean and beyond noise: a form that lacks more isn't the machine's. Of 99 curves
of four campaigns 4, 2, 25 and 21 do; without this the last two's medians held out would be off by
11 and 10 %, not 4 and 3 %."""


@dataclass(frozen=True, slots=True)
class SizeLine:
    """The times that are assumed from one size to another: a straight line."""

    sizes_bytes: tuple[int, int]
    """Both are fitted; they are equal where there is only one."""
    seconds: tuple[float, float]
    """The times at these sizes."""


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredPattern:
    """One library's pattern, in its default form."""

    variant: str
    pattern: str
    algorithm: str
    """The algorithm that the run names; "": none."""
    cells: Mapping[int, Cell]
    """Cells by size."""
    observations: Observations

    @property
    def ranks(self) -> tuple[int, ...]:
        """Numbers of ranks, rising."""
        return self.observations.ranks

    @property
    def sizes_bytes(self) -> tuple[int, ...]:
        """Rising."""
        return self.observations.sizes_bytes

    @property
    def seconds(self) -> Floats:
        """Shape (ranks, sizes): the median of the blocks; nan: not measured."""
        medians = np.full(self.observations.seconds.shape[:2], np.nan)
        known = ~np.isnan(self.observations.seconds).all(axis=2)
        medians[known] = np.nanmedian(self.observations.seconds[known], axis=1)
        return medians

    @property
    def fitted(self) -> Bools:
        """Shape (ranks, sizes): which times are fitted; there always are some."""
        known = ~np.isnan(self.seconds)
        rows = np.arange(0, len(self.ranks), 2 if len(self.ranks) >= FEWEST_TO_HOLD_OUT else 1)
        columns = np.flatnonzero(known[rows].any(axis=0))[::2]
        chosen = np.zeros_like(known)
        chosen[np.ix_(rows, columns)] = True
        return chosen & known

    @property
    def held_out(self) -> Bools:
        """Shape (ranks, sizes): which times are held out."""
        return ~self.fitted & ~np.isnan(self.seconds)

    def lines(self) -> Mapping[int, tuple[SizeLine, ...]]:
        """By number of ranks: the closed form's pieces, or where there is none, from size to size.

        Only what is fitted counts.
        """
        lines: dict[int, tuple[SizeLine, ...]] = {}
        for row in np.flatnonzero(self.fitted.any(axis=1)).tolist():
            columns = np.flatnonzero(self.fitted[row])
            sizes = tuple(np.array(self.sizes_bytes)[columns].tolist())
            model = fit(
                replace(
                    self.observations,
                    ranks=self.ranks[row : row + 1],
                    sizes_bytes=sizes,
                    seconds=self.observations.seconds[row : row + 1, columns],
                )
            )
            if isinstance(model, Model):
                lines[self.ranks[row]] = tuple(_model_lines(model))
            else:
                lines[self.ranks[row]] = _through(sizes, self.seconds[row, columns].tolist())
        return lines


def _model_lines(model: Model) -> Iterator[SizeLine]:
    """A line for each piece; lines between its sizes where its time at no bytes is below 0.

    No message costs less than nothing: such a piece is one whose rate falls with the size. Where
    the form deviates much from what is predicted with it, lines between the predictions.
    """
    seconds = predict(model, model.ranks[0], model.sizes_bytes).seconds
    if model.residuals and np.nanmean(np.abs(model.residuals.seconds) / seconds) > FORM_LACKS:
        yield from _through(model.sizes_bytes, seconds.tolist())
        return
    ((_, pieces),) = model.pieces
    ranks = np.array(model.ranks, dtype=np.float64)
    for piece in pieces:
        inside = [
            size for size in model.sizes_bytes if piece.least_bytes <= size <= piece.most_bytes
        ]
        sizes = inside if piece.latency_s.value < 0 else [inside[0], inside[-1]]
        terms = [
            coefficient.value.value * coefficient.term.of(ranks, np.array(sizes))
            for coefficient in piece.coefficients
        ]
        yield from _through(sizes, np.broadcast_to(sum(terms), (len(sizes),)).tolist())


def _through(sizes_bytes: Sequence[int], seconds: Sequence[float]) -> tuple[SizeLine, ...]:
    """A line from each size to the next; one of no length for a single size."""
    points = list(zip(sizes_bytes, seconds, strict=True))
    ends = list(pairwise(points)) or [(points[0], points[0])]
    return tuple(SizeLine((a, b), (first, last)) for (a, first), (b, last) in ends)


def measured_patterns(analysis: Analysis) -> dict[str, dict[str, MeasuredPattern]]:
    """By library and pattern, all that can be simulated.

    Numbers of ranks that share cores are left out, and of a pattern that was measured in several
    ways (buffers, cadence) all but the first.
    """
    run = analysis.run
    libraries: dict[str, dict[str, MeasuredPattern]] = {}
    for every in observations_of(analysis):
        own = every.with_cores_of_their_own
        if own.pattern not in PATTERNS or not own.ranks:
            continue
        patterns = libraries.setdefault(own.variant, {})
        if own.pattern in patterns:
            continue
        alike = own.pattern, own.buffers, own.cadence, own.whose_time
        cells = {
            cell.size_bytes: cell
            for cell in run.cells
            if (cell.pattern, str(cell.buffers), str(cell.cadence), cell.whose_time) == alike
        }
        (named, *others) = {  # one algorithm for all numbers of ranks, or several
            configuration.algorithms.get(own.pattern, "")
            for configuration in run.configurations
            if configuration.variant == own.variant and configuration.ranks in own.ranks
        }
        algorithm = named if not others and named in ALGORITHMS.get(own.pattern, ()) else ""
        patterns[own.pattern] = MeasuredPattern(own.variant, own.pattern, algorithm, cells, own)
    return libraries
