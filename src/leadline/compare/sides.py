"""One configuration of a run as it takes part in comparisons: its block medians under its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from leadline.compare.circumstances import Circumstances
from leadline.compare.curves import Pairing
from leadline.compare.verdict import Paired, Rows, Unpaired
from leadline.record.run import Configuration, Run
from leadline.statistics.intervals import Floats


@dataclass(frozen=True, slots=True)
class Side:
    """One configuration of a run and its block medians."""

    label: str
    number: int
    """Index into Run.configurations."""
    configuration: Configuration
    logs: Floats
    """Logarithms of seconds, shape (cells, blocks), nan where not measured."""
    visit_logs: Floats
    """Likewise of each visit, shape (cells, blocks, visits)."""
    centres: Floats
    """Hodges-Lehmann estimates of `logs`, shape (cells,)."""
    circumstances: tuple[Circumstances, ...]
    """Of each cell."""
    imported: bool = False

    def measured(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Which of the cells `rows` have a time."""
        return np.asarray(~np.isnan(self.centres[rows]))

    def at(self, rows: Rows) -> Side:
        """The same in the cells `rows` alone."""
        return replace(
            self,
            logs=self.logs[rows],
            visit_logs=self.visit_logs[rows],
            centres=self.centres[rows],
            circumstances=tuple(self.circumstances[row] for row in rows),
        )


def paired(baseline: Side, candidate: Side, rows: Rows) -> Paired:
    """Two sides of one run in the cells `rows`, visit by visit."""
    return Paired(baseline.visit_logs[rows], candidate.visit_logs[rows])


def unpaired(baseline: Side, candidate: Side, rows: Rows) -> Unpaired:
    """Sides of two runs in the cells `rows`."""
    return Unpaired(baseline.logs[rows], candidate.logs[rows])


def pairing_of(base: Side, other: Side, rows: Rows) -> Pairing:
    """The two by name in the cells `rows`, and in which of them their verdicts count."""
    return Pairing(
        base.label,
        other.label,
        base.configuration,
        tuple((base.circumstances[row], other.circumstances[row]) for row in rows),
        imported=base.imported or other.imported,
    )


def run_names(runs: Sequence[Run]) -> tuple[str, ...]:
    """Short names of runs: the last part of their paths, or all of it where two are equal."""
    short = tuple(run.path.rstrip("/").rpartition("/")[2] for run in runs)
    return short if len(set(short)) == len(short) else tuple(run.path for run in runs)


def in_run(variant: str, run_name: str) -> str:
    """What a variant is called among those of several runs."""
    return f"{variant} ({run_name})"


def side_in_run(side: Side, run_name: str) -> Side:
    """`side` under its name among those of several runs."""
    return replace(side, label=in_run(side.label, run_name))
