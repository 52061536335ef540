"""What a page is made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from leadline.compare.baselines import BaselineContrast, Contrasts
from leadline.compare.curves import Comparison
from leadline.compare.origins import labelled
from leadline.compare.summaries import Distribution, Summary
from leadline.models.sampling import FittedCurve, FittedSweep
from leadline.record.caveats import Caveat
from leadline.record.curve import CurveKey
from leadline.record.run import Run
from leadline.report.series import series_name
from leadline.report.text.measured import Measured
from leadline.report.text.notes import of_several


@dataclass(frozen=True, slots=True)
class MeasuredCell:
    """One cell under one configuration of one run."""

    run: int
    name: str
    """What charts call its variant."""
    summary: Summary
    distribution: Distribution | None
    """None: its value was stated."""


@dataclass(frozen=True, slots=True)
class Reported:
    """Everything that was computed from one run or several."""

    measured: tuple[Measured, ...]
    """One for each run."""
    contrasts: Contrasts
    distributions: tuple[tuple[Distribution, ...], ...]
    """For each run those of its cells."""
    curves: tuple[tuple[FittedCurve, ...], ...]
    """For each run those of the models of it."""
    sweeps: tuple[tuple[FittedSweep, ...], ...]
    """Likewise against the number of ranks."""
    threshold: float

    @property
    def runs(self) -> tuple[Run, ...]:
        """In the order given."""
        return tuple(one.run for one in self.measured)

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """Each once: the runs', then those of comparing them."""
        across = [
            contrast.result.caveats
            for contrast in self.contrasts.by_baseline
            if not contrast.paired
        ]
        each = of_several([(one.run, one.caveats) for one in self.measured])
        found = [each, *across, self.contrasts.caveats]
        return tuple(dict.fromkeys(caveat for caveats in found for caveat in caveats))

    @property
    def keys(self) -> tuple[CurveKey, ...]:
        """What tells the curves apart, each once."""
        return tuple(dict.fromkeys(row.curve for one in self.measured for row in one.rows))

    @property
    def cells(self) -> tuple[MeasuredCell, ...]:
        """Everything measured, by run, configuration and cell."""
        return tuple(cell for run in range(len(self.measured)) for cell in self._cells(run))

    def _cells(self, run: int) -> Iterator[MeasuredCell]:
        measured = self.measured[run]
        configurations, cells = measured.run.configurations, measured.run.cells
        found = {}
        for one in self.distributions[run]:
            configuration, cell = configurations[one.configuration], cells[one.cell]
            curve = CurveKey.of(cell, configuration)
            label = labelled(configuration.variant, configuration.origin)
            found[label, curve, cell.size_bytes] = one
        for row in measured.rows:
            name = self.name(row.label, run)
            distribution = found.get((row.label, row.curve, row.size_bytes))
            yield MeasuredCell(run, name, row, distribution)

    @property
    def fitted(self) -> tuple[tuple[str, FittedCurve], ...]:
        """The curves of all models, each with what charts call its variant."""
        return tuple(
            (self.name(one.label, run), one) for run, mine in enumerate(self.curves) for one in mine
        )

    @property
    def fitted_sweeps(self) -> tuple[tuple[str, FittedSweep], ...]:
        """Likewise against the number of ranks."""
        return tuple(
            (self.name(one.label, run), one) for run, mine in enumerate(self.sweeps) for one in mine
        )

    @property
    def comparisons(self) -> tuple[tuple[BaselineContrast, Comparison], ...]:
        """All cells of all candidates, each with what held it to its baseline."""
        return tuple(
            (contrast, row)
            for contrast in self.contrasts.by_baseline
            for row in contrast.result.rows
        )

    @property
    def compared_once(self) -> tuple[int, ...]:
        """Which of the comparisons stay if two variants of a run are compared but once.

        Each is the baseline of the other in turn.
        """
        shown: set[tuple[int, str, str]] = set()
        kept: list[int] = []
        first = 0
        for contrast in self.contrasts.by_baseline:
            rows = contrast.result.rows
            pairs = [(contrast.run, row.baseline, row.candidate) for row in rows]
            told = [i for i, pair in enumerate(pairs) if pair not in shown]
            kept += [first + i for i in told]
            shown |= {
                (run, candidate, baseline)
                for run, baseline, candidate in map(pairs.__getitem__, told)
            }
            first += len(rows)
        return tuple(kept)

    def name(self, label: str, run: int) -> str:
        """What a variant of a run is called in charts."""
        return series_name(self.runs, label, run)

    def name_in(self, name: str, contrast: BaselineContrast) -> str:
        """Likewise of a name in a comparison."""
        return self.name(name, contrast.run) if contrast.paired else name
