"""What a run says of each library's patterns: their times, what is fitted of them, and its lines.

Fitted is every other size, and where there are three numbers of ranks every other one of these; the
rest is held out.
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
from leadline.record.run import Cell, Run
from leadline.simulate.programs.collectives import ALGORITHMS
from leadline.simulate.programs.patterns import PATTERNS
from leadline.statistics.intervals import Floats
from leadline.statistics.permutation import Bools

FEWEST_TO_HOLD_OUT = 3
"""Numbers of ranks: of two both are fitted."""
FORM_LACKS = 0.05
"""Of a time, in the mean and beyond noise: a form that lacks more isn't the machine's. Of 99 curves
of four campaigns 4, 2, 25 and 21 do; without this the last two's medians held out would be off by
11 and 10 %, not 4 and 3 %."""


@dataclass(frozen=True, slots=True)
class SizeLine:
    """What times are taken to be from one size to another."""

    sizes_bytes: tuple[int, int]
    """Both fitted; the same where there is but one."""
    seconds: tuple[float, float]
    """At these."""


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredPattern:
    """One library's pattern, in its default form."""

    variant: str
    pattern: str
    algorithm: str
    """That the run knows it is carried out by; "": it doesn't."""
    cells: Mapping[int, Cell]
    """By size."""
    observations: Observations

    @property
    def ranks(self) -> tuple[int, ...]:
        """Numbers of them, rising."""
        return self.observations.ranks

    @property
    def sizes_bytes(self) -> tuple[int, ...]:
        """Rising."""
        return self.observations.sizes_bytes

    @property
    def seconds(self) -> Floats:
        """Shape (ranks, sizes): the median of the blocks; nan: not measured."""
        found = np.full(self.observations.seconds.shape[:2], np.nan)
        known = ~np.isnan(self.observations.seconds).all(axis=2)
        found[known] = np.nanmedian(self.observations.seconds[known], axis=1)
        return found

    @property
    def fitted(self) -> Bools:
        """Shape (ranks, sizes); of sizes that these ranks have, so that there always are some."""
        known = ~np.isnan(self.seconds)
        rows = np.arange(0, len(self.ranks), 2 if len(self.ranks) >= FEWEST_TO_HOLD_OUT else 1)
        columns = np.flatnonzero(known[rows].any(axis=0))[::2]
        chosen = np.zeros_like(known)
        chosen[np.ix_(rows, columns)] = True
        return chosen & known

    @property
    def held_out(self) -> Bools:
        """Shape (ranks, sizes)."""
        return ~self.fitted & ~np.isnan(self.seconds)

    def lines(self) -> Mapping[int, tuple[SizeLine, ...]]:
        """By number of ranks: the closed form's pieces, or where there is none, from size to size.

        Only what is fitted counts.
        """
        rows = np.flatnonzero(self.fitted.any(axis=1)).tolist()
        return {self.ranks[row]: self._lines(row) for row in rows}

    def _lines(self, row: int) -> tuple[SizeLine, ...]:
        columns = np.flatnonzero(self.fitted[row])
        sizes = tuple(np.array(self.sizes_bytes)[columns].tolist())
        found = fit(
            replace(
                self.observations,
                ranks=self.ranks[row : row + 1],
                sizes_bytes=sizes,
                seconds=self.observations.seconds[row : row + 1, columns],
            )
        )
        if isinstance(found, Model):
            return tuple(_lines_of(found))
        seconds = self.seconds[row, columns].tolist()
        return _through(sizes, seconds)


def _lines_of(model: Model) -> Iterator[SizeLine]:
    """Each piece; one whose time would be below 0 at no bytes as lines between its sizes.

    No message costs less than nothing: such a piece is one whose rate falls with the size. Where
    the form lacks much of what predictions add to it, lines between these at its sizes.
    """
    seconds = predict(model, model.ranks[0], model.sizes_bytes).seconds
    if model.residuals and np.nanmean(np.abs(model.residuals.seconds) / seconds) > FORM_LACKS:
        yield from _through(model.sizes_bytes, seconds.tolist())
        return
    ((_, pieces),) = model.pieces
    ranks = np.array(model.ranks, dtype=np.float64)
    for piece in pieces:
        inside = [one for one in model.sizes_bytes if piece.least_bytes <= one <= piece.most_bytes]
        sizes = inside if piece.latency_s.value < 0 else [inside[0], inside[-1]]
        terms = [
            one.value.value * one.term.of(ranks, np.array(sizes)) for one in piece.coefficients
        ]
        yield from _through(sizes, np.broadcast_to(sum(terms), (len(sizes),)).tolist())


def _through(sizes_bytes: Sequence[int], seconds: Sequence[float]) -> tuple[SizeLine, ...]:
    """From each size to the next; of one alone a line of no length."""
    points = list(zip(sizes_bytes, seconds, strict=True))
    ends = list(pairwise(points)) or [(points[0], points[0])]
    return tuple(SizeLine((a, b), (first, last)) for (a, first), (b, last) in ends)


def measured_patterns(analysis: Analysis) -> dict[str, dict[str, MeasuredPattern]]:
    """By library and pattern, all that can be simulated.

    Numbers of ranks that share cores are left out, and of a pattern that was measured in several
    ways (buffers, cadence) all but the first.
    """
    found: dict[str, dict[str, MeasuredPattern]] = {}
    for every in observations_of(analysis):
        own = every.with_cores_of_their_own
        if own.pattern in PATTERNS and own.ranks:
            patterns = found.setdefault(own.variant, {})
            patterns.setdefault(own.pattern, _measured(analysis.run, own))
    return found


def _measured(run: Run, of: Observations) -> MeasuredPattern:
    alike = of.pattern, of.buffers, of.cadence, of.whose_time
    cells = {
        cell.size_bytes: cell
        for cell in run.cells
        if (cell.pattern, str(cell.buffers), str(cell.cadence), cell.whose_time) == alike
    }
    return MeasuredPattern(of.variant, of.pattern, _algorithm(run, of), cells, of)


def _algorithm(run: Run, of: Observations) -> str:
    """The one that the run names for all of its numbers of ranks, if it can be simulated."""
    (named, *others) = {
        one.algorithms.get(of.pattern, "")
        for one in run.configurations
        if one.variant == of.variant and one.ranks in of.ranks
    }
    return named if not others and named in ALGORITHMS.get(of.pattern, ()) else ""
