"""What the page of one run or several is computed from."""

from __future__ import annotations

from dataclasses import dataclass

from leadline.compare.baselines import BaselineContrast, Contrasts
from leadline.compare.curves import Comparison
from leadline.compare.origins import labelled
from leadline.compare.summaries import Distribution, Summary
from leadline.models.sampling import FittedCurve, FittedSweep
from leadline.record.curve import CurveKey
from leadline.record.run import Run
from leadline.record.warnings import RunWarning
from leadline.report.series import series_name
from leadline.report.text.measured import Measured
from leadline.report.text.notes import of_several


@dataclass(frozen=True, slots=True)
class MeasuredCell:
    """One cell under one configuration of one run."""

    run: int
    name: str
    """The name of its variant in charts."""
    summary: Summary
    distribution: Distribution | None
    """None where the value was stated, not measured."""


@dataclass(frozen=True, slots=True)
class Reported:
    """Everything that was computed from one run or several."""

    measured: tuple[Measured, ...]
    """One entry for each run."""
    contrasts: Contrasts
    distributions: tuple[tuple[Distribution, ...], ...]
    """The distributions of each run's cells."""
    curves: tuple[tuple[FittedCurve, ...], ...]
    """The curves of each run's models, against size."""
    sweeps: tuple[tuple[FittedSweep, ...], ...]
    """The curves of each run's models against the number of ranks."""
    threshold: float
    """Ratios that differ from 1 by less are equal."""

    @property
    def runs(self) -> tuple[Run, ...]:
        """The runs, in the order given."""
        return tuple(measured.run for measured in self.measured)

    @property
    def warnings(self) -> tuple[RunWarning, ...]:
        """The warnings, each once: those of the runs, then those of comparing them."""
        across = [
            contrast.result.warnings
            for contrast in self.contrasts.by_baseline
            if not contrast.paired
        ]
        each = of_several([(measured.run, measured.warnings) for measured in self.measured])
        parts = [each, *across, self.contrasts.warnings]
        return tuple(dict.fromkeys(warning for warnings in parts for warning in warnings))

    @property
    def keys(self) -> tuple[CurveKey, ...]:
        """The key of each curve, once."""
        return tuple(
            dict.fromkeys(row.curve for measured in self.measured for row in measured.rows)
        )

    @property
    def cells(self) -> tuple[MeasuredCell, ...]:
        """Everything measured, by run, configuration and cell."""
        cells = []
        for run, measured in enumerate(self.measured):
            distributions = {}
            for one in self.distributions[run]:
                configuration = measured.run.configurations[one.configuration]
                cell = measured.run.cells[one.cell]
                curve = CurveKey.of(cell, configuration)
                label = labelled(configuration.variant, configuration.origin)
                distributions[label, curve, cell.size_bytes] = one
            for row in measured.rows:
                name = self.name(row.label, run)
                distribution = distributions.get((row.label, row.curve, row.size_bytes))
                cells.append(MeasuredCell(run, name, row, distribution))
        return tuple(cells)

    @property
    def fitted(self) -> tuple[tuple[str, FittedCurve], ...]:
        """The curves of all models against size, each with the name of its variant in charts."""
        return tuple(
            (self.name(curve.label, run), curve)
            for run, curves in enumerate(self.curves)
            for curve in curves
        )

    @property
    def fitted_sweeps(self) -> tuple[tuple[str, FittedSweep], ...]:
        """The curves of all models against ranks, each with the name of its variant in charts."""
        return tuple(
            (self.name(sweep.label, run), sweep)
            for run, sweeps in enumerate(self.sweeps)
            for sweep in sweeps
        )

    @property
    def comparisons(self) -> tuple[tuple[BaselineContrast, Comparison], ...]:
        """All cells of all candidates, each with the contrast that has its baseline."""
        return tuple(
            (contrast, row)
            for contrast in self.contrasts.by_baseline
            for row in contrast.result.rows
        )

    @property
    def compared_once(self) -> tuple[int, ...]:
        """Indices of the comparisons in which each pair of a run's variants appears only once.

        In `comparisons` each of the two is the baseline of the other in turn.
        """
        shown: set[tuple[int, str, str]] = set()
        kept: list[int] = []
        first = 0
        for contrast in self.contrasts.by_baseline:
            rows = contrast.result.rows
            pairs = [(contrast.run, row.baseline, row.candidate) for row in rows]
            new = [i for i, pair in enumerate(pairs) if pair not in shown]
            kept += [first + i for i in new]
            shown |= {
                (run, candidate, baseline)
                for run, baseline, candidate in map(pairs.__getitem__, new)
            }
            first += len(rows)
        return tuple(kept)

    def name(self, label: str, run: int) -> str:
        """The name in charts of a variant of the run with this index."""
        return series_name(self.runs, label, run)

    def name_in(self, name: str, contrast: BaselineContrast) -> str:
        """The name in charts of a side of a comparison."""
        return self.name(name, contrast.run) if contrast.paired else name
