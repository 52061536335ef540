"""One pattern over all its sizes, a candidate against its baseline.

From the comparisons of cells to ranges of sizes that agree, to crossovers (between two sizes with
opposite verdicts), to the curve.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import numpy as np

from leadline.compare.circumstances import Circumstances, states_apart
from leadline.compare.overlap import computes
from leadline.compare.verdict import Contrast, Judgement, Rows, Verdict, Why, judge
from leadline.record.curve import CurveKey, OnCurve
from leadline.record.run import Cell, Configuration, Origin
from leadline.record.warnings import RunWarning, WarningKind, warning_of
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats, median_rows
from leadline.statistics.permutation import Significance

OF_NO_CELL = Circumstances(), Circumstances()
"""Conditions of a whole curve: nothing is known."""


@dataclass(frozen=True, slots=True)
class Comparison(OnCurve):
    """One cell, or a whole curve, of one candidate against its baseline."""

    curve: CurveKey
    size_bytes: int | None
    """Size of the cell; None: the whole curve, each size counting the same."""
    baseline: str
    candidate: str
    effect: Estimate
    """Ratio of the candidate's time to the baseline's; nan: one of them wasn't measured."""
    judgement: Judgement
    """Judgement on the candidate."""
    counted: bool
    """Whether it counts, as in Pairing; for a whole curve whether some cell does. What doesn't
    count is undecided."""
    circumstances: tuple[Circumstances, Circumstances] = OF_NO_CELL
    """Conditions of the baseline and of the candidate in the cell."""
    origins: tuple[Origin, Origin] = (Origin.MEASURED, Origin.MEASURED)
    """Origins of the baseline and of the candidate."""

    @property
    def verdict(self) -> Verdict:
        """Verdict on the candidate."""
        return self.judgement.verdict

    @property
    def why(self) -> Why | None:
        """Reason why it is undecided; None: it is decided."""
        return self.judgement.why

    @property
    def blocks_needed(self) -> int | None:
        """Number of blocks that would do, as in Judgement."""
        return self.judgement.blocks_needed

    @property
    def in_order(self) -> tuple[str, str] | None:
        """Labels of the faster and of the slower one; None: neither is shown to be faster."""
        if self.verdict is Verdict.FASTER:
            return self.candidate, self.baseline
        return (self.baseline, self.candidate) if self.verdict is Verdict.SLOWER else None

    @property
    def baseline_origin(self) -> Origin:
        """Origin of the baseline's values."""
        return self.origins[0]

    @property
    def candidate_origin(self) -> Origin:
        """Origin of the candidate's values."""
        return self.origins[1]

    @property
    def in_simulation(self) -> bool:
        """Whether both sides are simulated: the ratio is exact, and nothing of it was measured."""
        return set(self.origins) == {Origin.SIMULATED}

    @property
    def ratio(self) -> float | None:
        """Ratio of the candidate's time to the baseline's; None: one of them wasn't measured."""
        return self.effect.known

    @property
    def low(self) -> float | None:
        """Lower end of the 95 % interval; None: too few blocks for one."""
        return self.effect.low

    @property
    def high(self) -> float | None:
        """Upper end of the 95 % interval; None: too few blocks for one."""
        return self.effect.high

    @property
    def blocks(self) -> int:
        """Number of blocks with both sides; for two runs, the smaller number of the two.

        With a side that wasn't measured those of the other; 0: the model isn't taken as reference.
        """
        return self.effect.n


@dataclass(frozen=True, slots=True)
class Range:
    """Neighbouring sizes at which the same two have the same judgement; or one whole curve."""

    cells: tuple[Comparison, ...]
    """Comparisons by size, at least one."""

    @property
    def baseline(self) -> str:
        """Label of the baseline, the same in all cells."""
        return self.cells[0].baseline

    @property
    def candidate(self) -> str:
        """Label of the candidate, the same in all cells."""
        return self.cells[0].candidate

    @property
    def first_bytes(self) -> int | None:
        """Smallest size; None: the whole curve."""
        return self.cells[0].size_bytes

    @property
    def last_bytes(self) -> int | None:
        """Largest size; None: the whole curve."""
        return self.cells[-1].size_bytes

    @property
    def judgement(self) -> Judgement:
        """Judgement that all cells share; undecided ones, for the same reason."""
        return self.cells[0].judgement

    @property
    def lowest(self) -> Estimate:
        """Smallest of the cells' ratios."""
        return min((cell.effect for cell in self.cells), key=lambda effect: effect.value)

    @property
    def highest(self) -> Estimate:
        """Largest of the cells' ratios."""
        return max((cell.effect for cell in self.cells), key=lambda effect: effect.value)


def ranges_of(cells: Iterable[Comparison | None]) -> tuple[Range, ...]:
    """Group neighbours among `cells`, which are by size, into ranges; None ends one."""

    def kind(cell: Comparison | None) -> tuple[str, str, Judgement] | None:
        return None if cell is None else (cell.baseline, cell.candidate, cell.judgement)

    groups = (tuple(filter(None, group)) for _, group in groupby(cells, kind))
    return tuple(Range(group) for group in groups if group)


STEPS = 16
"""Number of places between two sizes at which the interval of a lead is computed."""


@dataclass(frozen=True, slots=True)
class Crossing(OnCurve):
    """Crossover of two curves: each is faster at one of two measured sizes, and neither between."""

    curve: CurveKey
    baseline: str
    candidate: str
    below_bytes: int
    above_bytes: int
    ahead_below: str
    """Label of the faster one at the smaller size; the other one is faster at the larger size."""
    point: Estimate | None
    """Place in between, in bytes, over blocks; None: they give no interval for it."""
    leads: bool = True
    """Whether the fastest of all libraries changes there; always true for a pair alone."""

    @property
    def ahead_above(self) -> str:
        """Label of the faster one at the larger size."""
        return self.candidate if self.ahead_below == self.baseline else self.baseline


def crossings_of(cells: Sequence[Comparison], block_ratios: Floats | None) -> tuple[Crossing, ...]:
    """Crossovers between neighbours among the decided of `cells`, which are by size.

    `block_ratios`, shape (cells, blocks), are logarithms of the candidate's time over the
    baseline's; None where blocks aren't paired.
    """
    decided = [place for place, cell in enumerate(cells) if cell.in_order]
    crossings: list[Crossing] = []
    for i, j in pairwise(decided):
        first, last = cells[i], cells[j]
        if first.verdict is last.verdict:
            continue
        below = first.verdict is Verdict.SLOWER  # the baseline is ahead at the smaller size
        point = None
        if block_ratios is not None:
            sizes = [cell.size_bytes or 0 for cell in cells[i : j + 1]]
            leads = block_ratios[i : j + 1]
            point = overtaken_at(sizes, leads if below else -leads)
        crossing = Crossing(
            curve=first.curve,
            baseline=first.baseline,
            candidate=first.candidate,
            below_bytes=first.size_bytes or 0,
            above_bytes=last.size_bytes or 0,
            ahead_below=first.baseline if below else first.candidate,
            point=point if point is not None and point.bounds is not None else None,
        )
        crossings.append(crossing)
    return tuple(crossings)


def overtaken_at(sizes_bytes: Sequence[int], leads: Floats) -> Estimate:
    """Size in bytes at which one that leads at the first size is overtaken, over blocks.

    `leads`, shape (sizes, blocks), are logarithms of the others' time over its own, straight lines
    on a log axis between sizes, which rise; a size of 0 counts as 1 byte. The interval begins where
    the lead's own interval has come down to 0, and ends where from there on it lies below. Where it
    leads in several places, their lengths are added. A size that no block has is left out, then
    each block that lacks a size.
    """
    known = ~np.isnan(leads).all(axis=1)
    whole = leads[known][:, ~np.isnan(leads[known]).any(axis=0)]
    if whole.size == 0:
        return Estimate(math.nan)
    axis = np.log(np.maximum(sizes_bytes, 1))[known]
    places = np.append(np.linspace(axis[:-1], axis[1:], STEPS, endpoint=False).T, axis[-1])
    medians = median_rows(np.array([np.interp(places, axis, block) for block in whole.T]).T)
    # the length over which the median lead, straight lines between places, is above 0
    lead = np.array([estimate.value for estimate in medians])
    before, after = lead[:-1], lead[1:]
    ahead, all_ = np.maximum(before, 0) + np.maximum(after, 0), np.abs(before) + np.abs(after)
    shares = np.where(all_ == 0, 0.5, ahead / np.where(all_ == 0, 1, all_))
    point = places[0] + float(np.diff(places) @ shares)
    if any(estimate.bounds is None for estimate in medians):
        return Estimate(point, n=whole.shape[1]).exp()
    low, high = np.array([estimate.bounds for estimate in medians]).T
    bounds = _down_to_zero(places, low), _down_to_zero(places[::-1], -high[::-1])
    return replace(medians[0], value=point, low=bounds[0], high=bounds[1]).exp()


def _down_to_zero(places: Floats, values: Floats) -> float:
    """Place where `values`, straight lines between `places`, first aren't above 0; else the end."""
    reached = np.flatnonzero(values <= 0)
    if reached.size == 0 or reached[0] == 0:
        return float(places[-1] if reached.size == 0 else places[0])
    before, at = reached[0] - 1, reached[0]
    share = values[before] / (values[before] - values[at])
    return float(places[before] + share * (places[at] - places[before]))


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two sides that are compared, and the conditions of their cells."""

    baseline: str
    candidate: str
    configuration: Configuration
    """The baseline's configuration; the candidate's has as many ranks and threads."""
    circumstances: tuple[tuple[Circumstances, Circumstances], ...]
    """Conditions of the baseline and of the candidate in each cell."""
    origins: tuple[Origin, Origin] = (Origin.MEASURED, Origin.MEASURED)
    """Origins of the baseline and of the candidate."""
    comparable: bool = True
    """Both were measured, or a model was asked for as reference; else nothing of it counts."""

    @property
    def counted(self) -> tuple[bool, ...]:
        """Cells that are part of verdicts, crossovers and the exit status; no oversubscribed ones.

        Those that are bound by a link count all the same.
        """
        return tuple(
            self.comparable and not any(circumstances.crowded for circumstances in both)
            for both in self.circumstances
        )


@dataclass(frozen=True, slots=True)
class Curve:
    """All sizes of one pattern, one candidate against its baseline."""

    cells: tuple[Comparison, ...]
    """Comparisons by size."""
    whole: Comparison
    ranges: tuple[Range, ...]
    """Ranges of the sizes that count."""
    crossings: tuple[Crossing, ...]
    """Crossovers between sizes with opposite verdicts."""
    warnings: tuple[RunWarning, ...] = ()
    """Warnings about its blocks."""


def grouped_by_curve(cells: Sequence[Cell]) -> list[Rows]:
    """Indices of `cells` that differ only in size, by size, in order of arrival.

    Without cells that compute for as long as their own library takes, or do nothing else.
    """
    curves: dict[Cell, list[int]] = {}
    for index, cell in enumerate(cells):
        if not computes(cell):
            curves.setdefault(replace(cell, size_bytes=0), []).append(index)
    return [
        np.array(sorted(rows, key=lambda row: cells[row].size_bytes)) for rows in curves.values()
    ]


def curve_of(
    contrast: Contrast,
    cells: Sequence[Cell],
    pairing: Pairing,
    threshold: float,
    seed: int,
    significance: Significance | None = None,
) -> Curve:
    """Curve that `contrast` shows over `cells`, which are its rows, by size.

    Where only some cells count, the test and the whole curve are over these alone. `significance`
    is their result in a test over more than this curve; None: it is a family by itself.
    """
    counted = np.flatnonzero(pairing.counted)
    *estimates, average = contrast.estimates()
    # what doesn't count has no verdict
    judgement = Judgement.none(Why.OVERSUBSCRIBED if pairing.comparable else Why.STATED)
    judgements = [judgement] * len(cells)
    warnings: tuple[RunWarning, ...] = ()
    if counted.size:
        part = contrast if counted.size == len(cells) else contrast.at(counted)
        *_, average = part_estimates = part.estimates()
        warnings = tuple(_autocorrelation(part, cells[0], pairing))
        *judged, judgement = judge(part, part_estimates, threshold, seed, significance)
        around = [pairing.circumstances[place] for place in counted.tolist()]
        for place, cell_judgement, both in zip(counted.tolist(), judged, around, strict=True):
            judgements[place] = _by_cause(cell_judgement, both)
        if any(map(states_apart, around)):
            judgement = Judgement.none(Why.CORE_STATES)
    rows = _rows(cells, pairing, estimates, judgements)
    whole = replace(
        rows[0],
        size_bytes=None,
        effect=average.exp(),
        judgement=judgement,
        counted=counted.size > 0,
        circumstances=OF_NO_CELL,
    )
    ranges = ranges_of(row if row.counted else None for row in rows)
    return Curve(rows, whole, ranges, crossings_of(rows, contrast.block_ratios), warnings)


def _autocorrelation(contrast: Contrast, cell: Cell, pairing: Pairing) -> Iterator[RunWarning]:
    """Warn of autocorrelation between blocks, and by how much, where that isn't chance."""
    autocorrelation = contrast.autocorrelation
    if autocorrelation.share > 0:
        yield warning_of(
            WarningKind.AUTOCORRELATION,
            candidate=pairing.candidate,
            baseline=pairing.baseline,
            pattern=cell.pattern,
            ranks=pairing.configuration.ranks,
            share=autocorrelation.share,
            chance=autocorrelation.chance,
            widening=autocorrelation.widening,
        )


def _by_cause(judged: Judgement, sides: tuple[Circumstances, Circumstances]) -> Judgement:
    """Judgement with a disturbance of a side as its reason, where that is why nothing is decided.

    Between sides whose cores were in different states no interval decides anything.
    """
    if states_apart(sides) and judged.why is not Why.NOT_MEASURED:
        return Judgement.none(Why.CORE_STATES)
    wide = judged.why in (Why.CROSSES, Why.FAMILY)
    scarce = judged.why in (Why.FEW_BLOCKS, Why.NOT_MEASURED)
    if any((wide and side.notably_disturbed) or (scarce and side.lost) for side in sides):
        return Judgement.none(Why.DISTURBED)
    return judged


def _rows(
    cells: Sequence[Cell],
    pairing: Pairing,
    estimates: Sequence[Estimate],
    judgements: Sequence[Judgement],
) -> tuple[Comparison, ...]:
    key = CurveKey.of(cells[0], pairing.configuration)
    return tuple(
        Comparison(
            curve=key,
            size_bytes=cell.size_bytes,
            baseline=pairing.baseline,
            candidate=pairing.candidate,
            effect=estimate.exp(),
            judgement=judgement,
            counted=counted,
            circumstances=both,
            origins=pairing.origins,
        )
        for cell, estimate, judgement, counted, both in zip(
            cells, estimates, judgements, pairing.counted, pairing.circumstances, strict=True
        )
    )
