"""One configuration of a run as it takes part in comparisons, alone, in pairs and in families.

A user who ranks libraries, or looks where curves cross, chooses among all pairs by what was seen.
With a separate test for each pair, two of seven equal libraries would differ in half of all runs;
so all pairs of several libraries over one curve are tested as one family.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from leadline.compare.circumstances import Circumstances
from leadline.compare.core_latencies import typical
from leadline.compare.curves import Pairing
from leadline.compare.origins import MODELS, competes, in_run
from leadline.compare.verdict import AgainstModel, Contrast, Paired, Rows, Unpaired, margins_of
from leadline.record.run import Configuration, Origin, Run
from leadline.statistics.intervals import Floats
from leadline.statistics.permutation import Significance, paired_significances
from leadline.statistics.two_samples import Spread


@dataclass(frozen=True, slots=True)
class Side:
    """One configuration of a run and its block medians."""

    label: str
    """Variant, marked with its origin where it wasn't measured."""
    number: int
    """Index into Run.configurations."""
    configuration: Configuration
    logs: Floats
    """Logarithms of block medians in s, shape (cells, blocks); nan: not measured."""
    visit_logs: Floats
    """Logarithms of visit medians in s, shape (cells, blocks, visits)."""
    visit_weights: Floats
    """Weight of each visit, shape (cells, blocks, visits)."""
    centres: Floats
    """Medians of `logs` over blocks, shape (cells,)."""
    circumstances: tuple[Circumstances, ...]
    """Conditions in each cell."""
    low: Floats
    """Logarithms of lower ends of intervals, and `high` of upper ends, shape (cells,); nan: none.
    Those reported with the values, else those of `centres`."""
    high: Floats

    @property
    def competes(self) -> bool:
        """Whether the side takes part in verdicts, rankings and overheads."""
        return competes(self.configuration)

    @property
    def repeated(self) -> bool:
        """Whether it was imported with repetitions; such sides have verdicts against each other."""
        times = np.sum(~np.isnan(self.logs), axis=1)
        return self.configuration.origin is Origin.IMPORTED and bool(times.max(initial=0) > 1)

    @property
    def core_latency_ns(self) -> float | None:
        """Median core-to-core latency of its cells, a round trip in ns; None: not known."""
        return typical(circumstance.core_latency_ns for circumstance in self.circumstances)

    def measured(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Mask of the cells `rows` that have a time."""
        return np.asarray(~np.isnan(self.centres[rows]))

    def at(self, rows: Rows) -> Side:
        """The side restricted to the cells `rows`."""
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
    """Sides with the label `name`; if there are none, those of the variant `name`."""
    called = [side for side in sides if side.label == name]
    return called or [side for side in sides if side.configuration.variant == name]


def paired(baseline: Side, candidate: Side, rows: Rows) -> Paired:
    """Contrast of two sides of one run in the cells `rows`, paired visit by visit."""
    weights = np.stack([side.visit_weights[rows] for side in (baseline, candidate)])
    return Paired(baseline.visit_logs[rows], candidate.visit_logs[rows], weights)


def against_model(baseline: Side, candidate: Side, rows: Rows, trusted: bool) -> AgainstModel:
    """Contrast in the cells `rows` of sides of which at least one wasn't measured.

    The sides may be of one run or of two.
    """
    before, after = (
        side.logs[rows] if side.competes else side.centres[rows, None]
        for side in (baseline, candidate)
    )
    base_down, base_up = _reach(baseline, rows)
    down, up = _reach(candidate, rows)
    return AgainstModel(after - before, base_up + down, base_down + up, trusted)


def _reach(side: Side, rows: Rows) -> tuple[Floats, Floats]:
    """How far the interval of `side` reaches down and up; a measured side's is in its blocks."""
    if side.competes:
        return np.zeros(rows.size), np.zeros(rows.size)
    centres = side.centres[rows]
    return np.nan_to_num(centres - side.low[rows]), np.nan_to_num(side.high[rows] - centres)


def contrast_of(baseline: Side, candidate: Side, rows: Rows, trusted: bool) -> Contrast:
    """Contrast of two sides of one run in the cells `rows`.

    `trusted`: a side that wasn't measured is taken as reference.
    """
    if baseline.competes and candidate.competes:
        return paired(baseline, candidate, rows)
    if repetitions(baseline, candidate):
        return Unpaired(baseline.logs[rows], candidate.logs[rows], _of_launches)
    return against_model(baseline, candidate, rows, trusted)


def contrast_between(
    baseline: Side, candidate: Side, trusted: bool, apart: Callable[[Rows], Spread] | None
) -> Contrast:
    """Contrast of two sides of two runs in all cells.

    `apart`: how far runs lie apart in some of the cells; None: not known.
    """
    if baseline.competes and candidate.competes:
        return Unpaired(baseline.logs, candidate.logs, apart)
    if repetitions(baseline, candidate):
        return Unpaired(baseline.logs, candidate.logs, apart or _of_launches)
    return against_model(baseline, candidate, np.arange(len(baseline.logs)), trusted)


def repetitions(baseline: Side, candidate: Side) -> bool:
    """Whether both sides are outputs of another benchmark, each repeated."""
    return baseline.repeated and candidate.repeated


def _of_launches(rows: Rows) -> Spread:
    """Zero spread: each block of repetitions is a launch, so that blocks hold that spread."""
    return Spread.stated(0.0, rows.size)


def comparable(base: Side, other: Side, against_model: bool = False) -> bool:
    """Whether there can be verdicts: both sides were measured, or both imported with repetitions.

    With `against_model` also where one was measured, and the other is simulated or predicted.
    """
    measured = base.competes + other.competes
    modelled = any(side.configuration.origin in MODELS for side in (base, other))
    if measured == 2 or repetitions(base, other):
        return True
    return against_model and measured == 1 and modelled


def pairing_of(base: Side, other: Side, rows: Rows, against_model: bool = False) -> Pairing:
    """Names and conditions of two sides in the cells `rows`, and in which cells verdicts count."""
    return Pairing(
        base.label,
        other.label,
        base.configuration,
        tuple((base.circumstances[row], other.circumstances[row]) for row in rows),
        origins=(base.configuration.origin, other.configuration.origin),
        comparable=comparable(base, other, against_model),
    )


def run_names(runs: Sequence[Run]) -> tuple[str, ...]:
    """Short names of runs: the last parts of their paths, or whole paths where two are equal."""
    short = tuple(run.path.rstrip("/").rpartition("/")[2] for run in runs)
    return short if len(set(short)) == len(short) else tuple(run.path for run in runs)


def side_in_run(side: Side, run_name: str) -> Side:
    """The side under its name among sides of several runs."""
    return replace(side, label=in_run(side.label, run_name))


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """Test result of one pair of a family."""

    rows: Rows
    """Cells of the pair that count."""
    significance: Significance
    """In each of these cells, then of their average."""

    def at(self, rows: Rows) -> Significance:
        """Significances of the cells among `rows`, and of the average.

        Cells that are left out were never measured.
        """
        kept = np.append(np.isin(self.rows, rows), True)
        significance = self.significance
        return Significance(significance.above[kept], significance.below[kept], significance.family)


Family = Mapping[tuple[int, int], Member]
"""Members by the numbers of baseline and candidate."""


def family_of(sides: Sequence[Side], rows: Rows, threshold: float, seed: int) -> Family:
    """Test all pairs of `sides`, measured in one run, in their order, in the cells `rows`.

    Pairs of which no cell counts are left out.
    """
    counted = {
        (side.number, other.number): (
            side,
            other,
            rows[np.array(pairing_of(side, other, rows).counted)],
        )
        for side, other in combinations(sides, 2)
    }
    pairs = {numbers: pair for numbers, pair in counted.items() if pair[2].size}
    contrasts = [paired(*pair) for pair in pairs.values()]
    ratios = [contrast.log_ratios for contrast in contrasts]
    wider = [contrast.autocorrelation.widening for contrast in contrasts]
    tested = paired_significances(ratios, *margins_of(threshold), seed, wider)
    return {
        numbers: Member(pair[2], significance)
        for (numbers, pair), significance in zip(pairs.items(), tested, strict=True)
    }
