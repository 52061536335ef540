"""Lazy analysis of one run: everything that is computed from its batches, each step once.

Reports of all kinds take an Analysis instead of a run, so that whatever several of them need is
computed when the first one asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from leadline.backends.kinds import is_raw
from leadline.compare.circumstances import CircumstancesByCell, circumstances_of
from leadline.compare.curves import Curve, curve_of, grouped_by_curve
from leadline.compare.medians import BlockMedians, Visits, block_medians, visit_medians
from leadline.compare.origins import labelled
from leadline.compare.overheads import Overhead, overheads_of
from leadline.compare.overlap import HiddenShare, hidden_shares
from leadline.compare.samples import Samples, block_means, reduce_ranks
from leadline.compare.sides import Family, Side, contrast_of, family_of, pairing_of
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
from leadline.compare.verdict import Rows, logarithms
from leadline.compare.warnings import untimed
from leadline.record.run import Cell, Run
from leadline.record.warnings import RunWarning
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats, median_rows

THRESHOLD = 0.02
"""Ratios within this share of 1 count as equal, unless a user gives another threshold."""


class Analysis:
    """A run and what follows from it; all arrays are over the indices of the run."""

    def __init__(self, run: Run, seed: int = 0) -> None:
        """Take `run` without computing anything yet; `seed` makes random draws reproducible."""
        self.run = run
        self.seed = seed
        self._curves: dict[tuple[int, int, bytes, float, bool, bool], Curve] = {}
        self._families: dict[tuple[tuple[int, ...], bytes, float], Family] = {}

    @cached_property
    def samples(self) -> Samples:
        """Samples: one time for each batch, reduced over ranks."""
        return reduce_ranks(self.run)

    @cached_property
    def medians(self) -> BlockMedians:
        """Block medians for each configuration, cell and block."""
        return block_medians(self.run, self.samples, self.visits)

    @cached_property
    def means_s(self) -> Floats:
        """Block means of single operations, in s.

        Shape (configurations, cells, blocks); nan: not measured.
        """
        return block_means(self.run, self.samples)

    @cached_property
    def visits(self) -> Visits:
        """Visit medians for each configuration, cell, block and visit."""
        return visit_medians(self.run, self.samples)

    @cached_property
    def log_times(self) -> tuple[tuple[Estimate, ...], ...]:
        """Estimates of the logarithm of the time over block medians, by configuration and cell."""
        return tuple(map(median_rows, logarithms(self.medians.seconds)))

    @cached_property
    def circumstances(self) -> CircumstancesByCell:
        """Conditions under which each cell was timed, and whether the cell counts."""
        return circumstances_of(self.run, self.visits)

    @cached_property
    def summaries(self) -> tuple[Summary, ...]:
        """Measured times and what they rest on, by configuration and cell."""
        return summarise(self.run, self.medians, self.log_times, self.circumstances)

    @cached_property
    def summaries_with_tails(self) -> tuple[Summary, ...]:
        """The summaries with p90 and p99 of single operations, from a bootstrap."""
        return with_tails(self.summaries, self.run, self.samples, self.medians, self.seed)

    @cached_property
    def untimed(self) -> tuple[RunWarning, ...]:
        """Warnings for cells that were measured but have no time, with the cause."""
        return untimed(self.run, self.samples, self.medians)

    @cached_property
    def hidden_shares(self) -> tuple[HiddenShare, ...]:
        """Share of each non-blocking operation that is hidden by computation."""
        return hidden_shares(self.run, self.visits)

    @cached_property
    def rates(self) -> tuple[Rates, ...]:
        """Message rates and bandwidths of windows of messages and of grid neighbours."""
        return rates(self.run, self.summaries)

    @cached_property
    def distributions(self) -> tuple[Distribution, ...]:
        """Distribution of the samples of each cell."""
        return distributions_of(self.samples, self.medians.seconds)

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """The configurations as sides of comparisons, in the order of the run."""
        logs, visits = logarithms(self.medians.seconds), logarithms(self.visits.seconds)
        centres = np.array([[estimate.value for estimate in row] for row in self.log_times])
        # ends of intervals: those reported with a value, else those of log_times; nan: none
        bounds = np.full((2, len(self.run.configurations), len(self.run.cells)), np.nan)
        for c, row in enumerate(self.log_times):
            for k, estimate in enumerate(row):
                bounds[:, c, k] = estimate.bounds or (np.nan, np.nan)
        for (c, k), interval in stated_bounds(self.run).items():
            bounds[:, c, k] = np.log(interval)
        return tuple(
            Side(
                label=labelled(configuration.variant, configuration.origin),
                number=i,
                configuration=configuration,
                logs=logs[i],
                visit_logs=visits[i],
                visit_weights=self.visits.weights[i],
                centres=centres[i],
                circumstances=self.circumstances[i],
                low=bounds[0, i],
                high=bounds[1, i],
            )
            for i, configuration in enumerate(self.run.configurations)
        )

    def sides_in(self, cells: Sequence[Cell]) -> tuple[Side, ...]:
        """The sides restricted to `cells` of the run, in this order."""
        index = {cell: row for row, cell in enumerate(self.run.cells)}
        rows = np.array([index[cell] for cell in cells], dtype=np.intp)
        return tuple(side.at(rows) for side in self.sides)

    @cached_property
    def curve_rows(self) -> tuple[Rows, ...]:
        """Indices of the cells of each curve, by size."""
        return tuple(grouped_by_curve(self.run.cells))

    @cached_property
    def overheads(self) -> tuple[Overhead, ...]:
        """Overhead of libraries over raw transports."""
        return overheads_of(self.sides, self.run.cells, self.curve_rows)

    def curve(
        self,
        baseline: Side,
        candidate: Side,
        rows: Rows,
        threshold: float,
        against_model: bool = False,
        chosen: bool = False,
    ) -> Curve:
        """Compare two sides of this run in the cells `rows`, which are of one curve.

        `chosen`: the two were picked among all libraries on that curve, and all their pairs are one
        family of tests; else the two are a family by themselves.
        """
        key = (baseline.number, candidate.number, rows.tobytes(), threshold, against_model, chosen)
        if key in self._curves:
            return self._curves[key]
        significance = None
        if chosen:
            # test all libraries on the whole curve; the two may not be among them
            whole = next(known for known in self.curve_rows if rows[0] in known)
            ranks = baseline.configuration.ranks
            rivals = [side for side in self.libraries(ranks) if side.measured(whole).any()]
            ordered = rivals if baseline.number < candidate.number else rivals[::-1]
            family = (tuple(side.number for side in ordered), whole.tobytes(), threshold)
            if family not in self._families:
                self._families[family] = family_of(ordered, whole, threshold, self.seed)
            member = self._families[family].get((baseline.number, candidate.number))
            significance = None if member is None else member.at(rows)
        pairing = pairing_of(baseline, candidate, rows, against_model)
        self._curves[key] = curve_of(
            contrast_of(baseline, candidate, rows, pairing.comparable),
            [self.run.cells[row] for row in rows],
            pairing,
            threshold,
            self.seed,
            significance,
        )
        return self._curves[key]

    def libraries(self, ranks: int) -> list[Side]:
        """Sides on `ranks` ranks that are ranked: measured, and not of raw backends."""
        return [
            side
            for side in self.sides
            if side.competes
            and side.configuration.ranks == ranks
            and not is_raw(side.configuration.backend)
        ]
