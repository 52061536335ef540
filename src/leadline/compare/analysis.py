"""What one run says: everything that is computed from its batches, each step once.

Reports of all kinds take an Analysis in the place of a run, so that whatever several of them need
is computed when the first one asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from leadline.backends.kinds import is_raw
from leadline.compare.circumstances import CircumstancesByCell, circumstances_of
from leadline.compare.curves import Curve, curve_of, grouped_by_curve
from leadline.compare.families import Family, family_of
from leadline.compare.medians import BlockMedians, Visits, block_medians, visit_medians
from leadline.compare.origins import labelled
from leadline.compare.overlap import HiddenShare, hidden_shares
from leadline.compare.samples import Samples, block_means, reduce_ranks
from leadline.compare.sides import Side, contrast_of, pairing_of
from leadline.compare.summaries import (
    Distribution,
    Rates,
    Summary,
    distributions_of,
    rates,
    stated_bounds,
    summarise,
    with_tails,
)
from leadline.compare.taxes import Tax, taxes_of
from leadline.compare.verdict import Rows, logarithms
from leadline.compare.warnings import untimed
from leadline.record.caveats import Caveat
from leadline.record.run import Cell, Run
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats, median_rows
from leadline.statistics.permutation import Significance

THRESHOLD = 0.02
"""Ratios within it of 1 are the same, unless a user says otherwise."""


class Analysis:
    """A run and what follows from it; all arrays are over the indices of the run."""

    def __init__(self, run: Run, seed: int = 0) -> None:
        """`seed` makes what is drawn at random repeatable; nothing is computed yet."""
        self.run = run
        self.seed = seed
        self._curves: dict[tuple[int, int, bytes, float, bool, bool], Curve] = {}
        self._families: dict[tuple[tuple[int, ...], bytes, float], Family] = {}

    @cached_property
    def samples(self) -> Samples:
        """One time for each batch, reduced over ranks."""
        return reduce_ranks(self.run)

    @cached_property
    def medians(self) -> BlockMedians:
        """Of each configuration, cell and block."""
        return block_medians(self.run, self.samples, self.visits)

    @cached_property
    def means_s(self) -> Floats:
        """Of the single operations, shape (configurations, cells, blocks); nan: not measured."""
        return block_means(self.run, self.samples)

    @cached_property
    def visits(self) -> Visits:
        """Of each configuration, cell and block."""
        return visit_medians(self.run, self.samples)

    @cached_property
    def log_times(self) -> tuple[tuple[Estimate, ...], ...]:
        """The logarithm of each configuration's time in each cell, over its block medians."""
        return tuple(map(median_rows, logarithms(self.medians.seconds)))

    @cached_property
    def circumstances(self) -> CircumstancesByCell:
        """What went on while each cell was timed, and whether it counts."""
        return circumstances_of(self.run, self.visits)

    @cached_property
    def summaries(self) -> tuple[Summary, ...]:
        """What was measured, by configuration and cell."""
        return summarise(self.run, self.medians, self.log_times, self.circumstances)

    @cached_property
    def summaries_with_tails(self) -> tuple[Summary, ...]:
        """Likewise, with p90 and p99 of single operations by a bootstrap."""
        return with_tails(self.summaries, self.run, self.samples, self.medians, self.seed)

    @cached_property
    def untimed(self) -> tuple[Caveat, ...]:
        """Of cells that were measured and aren't among these: why."""
        return untimed(self.run, self.samples, self.medians)

    @cached_property
    def hidden_shares(self) -> tuple[HiddenShare, ...]:
        """Which share of each non-blocking operation computation hides."""
        return hidden_shares(self.run, self.visits)

    @cached_property
    def rates(self) -> tuple[Rates, ...]:
        """What windows of messages deliver."""
        return rates(self.run, self.summaries)

    @cached_property
    def distributions(self) -> tuple[Distribution, ...]:
        """How the samples of each cell are distributed."""
        return distributions_of(self.samples, self.medians.seconds)

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """The configurations, by their place in the run, as they take part in comparisons."""
        logs, visits = logarithms(self.medians.seconds), logarithms(self.visits.seconds)
        centres = np.array([[one.value for one in row] for row in self.log_times])
        low, high = self._log_bounds
        return tuple(
            Side(
                label=labelled(one.variant, one.origin),
                number=i,
                configuration=one,
                logs=logs[i],
                visit_logs=visits[i],
                visit_weights=self.visits.weights[i],
                centres=centres[i],
                circumstances=self.circumstances[i],
                low=low[i],
                high=high[i],
            )
            for i, one in enumerate(self.run.configurations)
        )

    @cached_property
    def _log_bounds(self) -> tuple[Floats, Floats]:
        """Of the intervals that came with values, else of `log_times`; nan: none."""
        shape = (2, len(self.run.configurations), len(self.run.cells))
        bounds = np.full(shape, np.nan)
        for c, row in enumerate(self.log_times):
            for k, one in enumerate(row):
                bounds[:, c, k] = one.bounds or (np.nan, np.nan)
        for (c, k), found in stated_bounds(self.run).items():
            bounds[:, c, k] = np.log(found)
        return bounds[0], bounds[1]

    def sides_in(self, cells: Sequence[Cell]) -> tuple[Side, ...]:
        """The sides in `cells` of the run, in this order."""
        index = {cell: row for row, cell in enumerate(self.run.cells)}
        rows = np.array([index[cell] for cell in cells], dtype=np.intp)
        return tuple(side.at(rows) for side in self.sides)

    @cached_property
    def curve_rows(self) -> tuple[Rows, ...]:
        """The cells of each curve, by size."""
        return tuple(grouped_by_curve(self.run.cells))

    @cached_property
    def taxes(self) -> tuple[Tax, ...]:
        """What libraries cost over raw transports."""
        return taxes_of(self.sides, self.run.cells, self.curve_rows)

    def curve(
        self,
        baseline: Side,
        candidate: Side,
        rows: Rows,
        threshold: float,
        against_model: bool = False,
        chosen: bool = False,
    ) -> Curve:
        """The verdicts of one side against another, both of this run, in the cells `rows`.

        `rows` are of one curve. `chosen`: the two are some of all libraries there, whose pairs are
        one family; else they are a family by themselves.
        """
        key = (baseline.number, candidate.number, rows.tobytes(), threshold, against_model, chosen)
        if key not in self._curves:
            pairing = pairing_of(baseline, candidate, rows, against_model)
            self._curves[key] = curve_of(
                contrast_of(baseline, candidate, rows, pairing.comparable),
                [self.run.cells[row] for row in rows],
                pairing,
                threshold,
                self.seed,
                self._among_all(baseline, candidate, rows, threshold) if chosen else None,
            )
        return self._curves[key]

    def _among_all(
        self, baseline: Side, candidate: Side, rows: Rows, threshold: float
    ) -> Significance | None:
        """As members of the family of all libraries' pairs; None: the two aren't in it."""
        curve = next(known for known in self.curve_rows if rows[0] in known)
        ranks = baseline.configuration.ranks
        rivals = [side for side in self.libraries(ranks) if side.measured(curve).any()]
        ordered = rivals if baseline.number < candidate.number else rivals[::-1]
        key = (tuple(side.number for side in ordered), curve.tobytes(), threshold)
        if key not in self._families:
            self._families[key] = family_of(ordered, curve, threshold, self.seed)
        member = self._families[key].get((baseline.number, candidate.number))
        return None if member is None else member.at(rows)

    def libraries(self, ranks: int) -> list[Side]:
        """Those on `ranks` ranks that are ranked: measured, and no raw backends."""
        return [
            side
            for side in self.sides
            if side.competes
            and side.configuration.ranks == ranks
            and not is_raw(side.configuration.backend)
        ]
