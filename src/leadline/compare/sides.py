"""One configuration of a run as it takes part in comparisons: its block medians under its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from leadline.compare.circumstances import Circumstances
from leadline.compare.curves import Pairing
from leadline.compare.handovers import typical
from leadline.compare.origins import MODELS, competes, in_run
from leadline.compare.verdict import AtItsWord, Contrast, Paired, Rows, Unpaired
from leadline.record.run import Configuration, Origin, Run
from leadline.statistics.intervals import Floats
from leadline.statistics.two_samples import Spread


@dataclass(frozen=True, slots=True)
class Side:
    """One configuration of a run and its block medians."""

    label: str
    """The variant, marked with its origin where it wasn't measured."""
    number: int
    """Index into Run.configurations."""
    configuration: Configuration
    logs: Floats
    """Logarithms of seconds, shape (cells, blocks), nan where not measured."""
    visit_logs: Floats
    """Likewise of each visit, shape (cells, blocks, visits)."""
    visit_weights: Floats
    """What each visit counts for."""
    centres: Floats
    """Medians of `logs` over blocks, shape (cells,)."""
    circumstances: tuple[Circumstances, ...]
    """Of each cell."""
    low: Floats
    """Logarithms of lower ends of intervals, and `high` of upper ones, shape (cells,); nan: none.
    Those that came with the values, else of `centres`."""
    high: Floats

    @property
    def competes(self) -> bool:
        """Whether it takes part in verdicts, rankings and taxes."""
        return competes(self.configuration)

    @property
    def repeated(self) -> bool:
        """Whether it was imported with repetitions, which have verdicts against others' alone."""
        times = np.sum(~np.isnan(self.logs), axis=1)
        return self.configuration.origin is Origin.IMPORTED and bool(times.max(initial=0) > 1)

    @property
    def handover_ns(self) -> float | None:
        """The median of its cells'; None: not known."""
        return typical(one.handover_ns for one in self.circumstances)

    def measured(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Which of the cells `rows` have a time."""
        return np.asarray(~np.isnan(self.centres[rows]))

    def at(self, rows: Rows) -> Side:
        """The same in the cells `rows` alone."""
        return replace(
            self,
            logs=self.logs[rows],
            visit_logs=self.visit_logs[rows],
            visit_weights=self.visit_weights[rows],
            centres=self.centres[rows],
            circumstances=tuple(self.circumstances[row] for row in rows),
            low=self.low[rows],
            high=self.high[rows],
        )


def sides_called(name: str, sides: Sequence[Side]) -> list[Side]:
    """Those with this label; if there are none, those of this variant."""
    called = [side for side in sides if side.label == name]
    return called or [side for side in sides if side.configuration.variant == name]


def paired(baseline: Side, candidate: Side, rows: Rows) -> Paired:
    """Two sides of one run in the cells `rows`, visit by visit."""
    weights = np.stack([side.visit_weights[rows] for side in (baseline, candidate)])
    return Paired(baseline.visit_logs[rows], candidate.visit_logs[rows], weights)


def at_its_word(baseline: Side, candidate: Side, rows: Rows, trusted: bool) -> AtItsWord:
    """Sides in the cells `rows` of which at least one wasn't measured, of one run or two."""
    before, after = (
        side.logs[rows] if side.competes else side.centres[rows, None]
        for side in (baseline, candidate)
    )
    base_down, base_up = _reach(baseline, rows)
    down, up = _reach(candidate, rows)
    return AtItsWord(after - before, base_up + down, base_down + up, trusted)


def _reach(side: Side, rows: Rows) -> tuple[Floats, Floats]:
    """How far its interval reaches down and up; a measured side's is in its blocks."""
    if side.competes:
        return np.zeros(rows.size), np.zeros(rows.size)
    centres = side.centres[rows]
    return np.nan_to_num(centres - side.low[rows]), np.nan_to_num(side.high[rows] - centres)


def contrast_of(baseline: Side, candidate: Side, rows: Rows, trusted: bool) -> Contrast:
    """What two sides of one run show in the cells `rows`.

    `trusted`: one that wasn't measured is taken at its word.
    """
    if baseline.competes and candidate.competes:
        return paired(baseline, candidate, rows)
    if repetitions(baseline, candidate):
        return Unpaired(baseline.logs[rows], candidate.logs[rows], _of_launches)
    return at_its_word(baseline, candidate, rows, trusted)


def contrast_between(
    baseline: Side, candidate: Side, trusted: bool, apart: Callable[[Rows], Spread] | None
) -> Contrast:
    """Likewise of two runs in all cells; `apart`: how far runs lie apart in some, if known."""
    if baseline.competes and candidate.competes:
        return Unpaired(baseline.logs, candidate.logs, apart)
    if repetitions(baseline, candidate):
        return Unpaired(baseline.logs, candidate.logs, apart or _of_launches)
    return at_its_word(baseline, candidate, np.arange(len(baseline.logs)), trusted)


def repetitions(baseline: Side, candidate: Side) -> bool:
    """Whether both are outputs of another benchmark, each made more than once."""
    return baseline.repeated and candidate.repeated


def _of_launches(rows: Rows) -> Spread:
    """Nought: each block of repetitions is a launch, so that what lies between these is in them."""
    return Spread.stated(0.0, rows.size)


def comparable(base: Side, other: Side, against_model: bool = False) -> bool:
    """Whether there can be verdicts: both sides were measured, or both imported with repetitions.

    With `against_model` also where one was, and the other is simulated or predicted.
    """
    measured = base.competes + other.competes
    modelled = any(side.configuration.origin in MODELS for side in (base, other))
    if measured == 2 or repetitions(base, other):
        return True
    return against_model and measured == 1 and modelled


def pairing_of(base: Side, other: Side, rows: Rows, against_model: bool = False) -> Pairing:
    """The two by name in the cells `rows`, and in which of them their verdicts count."""
    return Pairing(
        base.label,
        other.label,
        base.configuration,
        tuple((base.circumstances[row], other.circumstances[row]) for row in rows),
        origins=(base.configuration.origin, other.configuration.origin),
        comparable=comparable(base, other, against_model),
    )


def run_names(runs: Sequence[Run]) -> tuple[str, ...]:
    """Short names of runs: the last part of their paths, or all of it where two are equal."""
    short = tuple(run.path.rstrip("/").rpartition("/")[2] for run in runs)
    return short if len(set(short)) == len(short) else tuple(run.path for run in runs)


def side_in_run(side: Side, run_name: str) -> Side:
    """`side` under its name among those of several runs."""
    return replace(side, label=in_run(side.label, run_name))
