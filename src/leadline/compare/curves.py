"""One pattern over all its sizes, a candidate against its baseline: rows, ranges, crossovers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from leadline.compare.circumstances import Circumstances
from leadline.compare.crossovers import Crossover, crossovers
from leadline.compare.overlap import computes
from leadline.compare.verdict import Contrast, Judgement, Rows, Verdict, Why, judge
from leadline.record.curve import CurveKey, OnCurve
from leadline.record.run import Cell, Configuration, Origin
from leadline.statistics.estimate import Estimate

OF_NO_CELL = Circumstances(), Circumstances()
"""Of a whole curve: nothing is known."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who is compared with whom."""

    baseline: str
    candidate: str
    configuration: Configuration
    """The baseline's; the candidate's has as many ranks and threads."""
    circumstances: tuple[tuple[Circumstances, Circumstances], ...]
    """The baseline's and the candidate's in each cell."""
    origins: tuple[Origin, Origin] = (Origin.MEASURED, Origin.MEASURED)
    """The baseline's and the candidate's."""
    comparable: bool = True
    """Both were measured, or a model's word was asked for; else nothing of it counts."""

    @property
    def counted(self) -> tuple[bool, ...]:
        """Which cells are part of verdicts, crossovers and the exit status; no crowded ones."""
        return tuple(
            self.comparable and not any(one.crowded for one in both) for both in self.circumstances
        )


@dataclass(frozen=True, slots=True)
class Comparison(OnCurve):
    """One cell, or a whole curve, of one candidate against its baseline."""

    curve: CurveKey
    size_bytes: int | None
    """None: the whole curve, each size counting the same."""
    baseline: str
    candidate: str
    effect: Estimate
    """The candidate's time over the baseline's; nan: one of them wasn't measured."""
    judgement: Judgement
    """Of the candidate."""
    counted: bool
    """As in Pairing, of a whole curve that some cell does; what doesn't count is undecided."""
    circumstances: tuple[Circumstances, Circumstances] = OF_NO_CELL
    """The baseline's and the candidate's in the cell."""
    origins: tuple[Origin, Origin] = (Origin.MEASURED, Origin.MEASURED)
    """The baseline's and the candidate's."""

    @property
    def verdict(self) -> Verdict:
        """Of the candidate."""
        return self.judgement.verdict

    @property
    def why(self) -> Why | None:
        """What keeps it undecided; None: it is decided."""
        return self.judgement.why

    @property
    def blocks_needed(self) -> int | None:
        """As in Judgement."""
        return self.judgement.blocks_needed

    @property
    def baseline_origin(self) -> Origin:
        """Where the baseline's values come from."""
        return self.origins[0]

    @property
    def candidate_origin(self) -> Origin:
        """Where the candidate's values come from."""
        return self.origins[1]

    @property
    def ratio(self) -> float | None:
        """The candidate's time over the baseline's; None: one of them wasn't measured."""
        return self.effect.known

    @property
    def low(self) -> float | None:
        """None: too few blocks for a 95 % interval."""
        return self.effect.low

    @property
    def high(self) -> float | None:
        """None: too few blocks for a 95 % interval."""
        return self.effect.high

    @property
    def baseline_run_delay_share(self) -> float | None:
        """As Circumstances has it."""
        return self.circumstances[0].run_delay_share

    @property
    def candidate_run_delay_share(self) -> float | None:
        """As Circumstances has it."""
        return self.circumstances[1].run_delay_share

    @property
    def baseline_link_share(self) -> float | None:
        """As Circumstances has it."""
        return self.circumstances[0].link_share

    @property
    def candidate_link_share(self) -> float | None:
        """As Circumstances has it."""
        return self.circumstances[1].link_share

    @property
    def blocks(self) -> int:
        """How many hold both; of two runs, the smaller number of the two.

        With a side that wasn't measured those of the other; 0: it isn't taken at its word.
        """
        return self.effect.n


@dataclass(frozen=True, slots=True)
class Range:
    """Consecutive sizes with the same verdict, and the ratio averaged over them."""

    first_bytes: int
    last_bytes: int
    judgement: Judgement
    """That all of them share; undecided ones, for the same reason."""
    effect: Estimate

    @property
    def verdict(self) -> Verdict:
        """Of the candidate."""
        return self.judgement.verdict

    @property
    def why(self) -> Why | None:
        """What keeps it undecided; None: it is decided."""
        return self.judgement.why

    @property
    def blocks_needed(self) -> int | None:
        """As in Judgement."""
        return self.judgement.blocks_needed


@dataclass(frozen=True, slots=True)
class Curve:
    """All sizes of one pattern, one candidate against its baseline."""

    cells: tuple[Comparison, ...]
    """By size."""
    whole: Comparison
    ranges: tuple[Range, ...]
    """Of the sizes that count."""
    crossovers: tuple[Crossover, ...]
    """Between sizes with opposite verdicts."""


def grouped_by_curve(cells: Sequence[Cell]) -> list[Rows]:
    """The indices of `cells` that differ in nothing but the size, by size, in order of arrival.

    Without those that compute for as long as their own library takes, or do nothing else.
    """
    curves: dict[Cell, list[int]] = {}
    for index, cell in enumerate(cells):
        if not computes(cell):
            curves.setdefault(replace(cell, size_bytes=0), []).append(index)
    return [
        np.array(sorted(rows, key=lambda row: cells[row].size_bytes)) for rows in curves.values()
    ]


def curve_of(
    contrast: Contrast, cells: Sequence[Cell], pairing: Pairing, threshold: float, seed: int
) -> Curve:
    """The curve that `contrast` shows over `cells`, which are its rows, by size.

    Where only some cells count, the test and the whole curve are over these alone.
    """
    counted = np.flatnonzero(pairing.counted)
    *estimates, average = contrast.estimates()
    judgements = [Judgement.none(_uncounted(pairing))] * len(cells)
    judgement = judgements[0]
    if counted.size:
        part = contrast if counted.size == len(cells) else contrast.at(counted)
        *_, average = found = part.estimates()
        *judged, judgement = judge(part, found, threshold, seed)
        for place, one in zip(counted.tolist(), judged, strict=True):
            judgements[place] = one
    rows = _rows(cells, pairing, estimates, judgements)
    whole = replace(
        rows[0],
        size_bytes=None,
        effect=average.exp(),
        judgement=judgement,
        counted=counted.size > 0,
        circumstances=OF_NO_CELL,
    )
    return Curve(rows, whole, tuple(_ranges(contrast, rows)), _crossovers(rows))


def _uncounted(pairing: Pairing) -> Why:
    """Why a cell has no verdict that doesn't count."""
    return Why.OVERSUBSCRIBED if pairing.comparable else Why.STATED


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


def _ranges(contrast: Contrast, rows: Sequence[Comparison]) -> Iterator[Range]:
    def kind(row: int) -> tuple[bool, Judgement]:
        return rows[row].counted, rows[row].judgement

    for (counted, _), group in groupby(range(len(rows)), kind):
        if counted:
            yield from joined(contrast, rows, list(group))


def joined(contrast: Contrast, rows: Sequence[Comparison], places: Sequence[int]) -> list[Range]:
    """The rows at `places`, which share a judgement, as one Range.

    One Range each where they differ from the baseline and too few blocks have all of them for an
    interval of their average.
    """
    first, last = rows[places[0]], rows[places[-1]]
    effect = contrast.estimate(np.array(places)).exp() if len(places) > 1 else first.effect
    decided = first.verdict in (Verdict.FASTER, Verdict.SLOWER)
    if decided and effect.bounds is None and len(places) > 1:
        return [one for place in places for one in joined(contrast, rows, [place])]
    return [Range(first.size_bytes or 0, last.size_bytes or 0, first.judgement, effect)]


def _crossovers(rows: Sequence[Comparison]) -> tuple[Crossover, ...]:
    decided = [row for row in rows if row.verdict in (Verdict.FASTER, Verdict.SLOWER)]
    ratios = [row.ratio or 1.0 for row in decided]  # decided: never None
    return crossovers([row.size_bytes or 0 for row in decided], ratios, [1.0] * len(decided))
