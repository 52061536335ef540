"""One pattern over all its sizes, a candidate against its baseline: rows, ranges, crossovers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from leadline.compare.crossovers import Crossover, crossovers
from leadline.compare.overlap import computes
from leadline.compare.verdict import Contrast, Effect, Rows, Verdict, effect_of, judge
from leadline.record.run import Cell


@dataclass(frozen=True, slots=True)
class Match:
    """Who is compared with whom."""

    baseline: str
    candidate: str
    ranks: int
    counted: bool
    """Part of verdicts, crossovers and the exit status; not so where ranks outnumber cores."""
    imported: bool = False
    """One of the two has values that another benchmark printed, which rest on no blocks."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One cell, or a whole curve, of one candidate against its baseline."""

    pattern: str
    ranks: int
    size_bytes: int | None
    """None: the whole curve, each size counting the same."""
    baseline: str
    candidate: str
    ratio: float | None
    """The candidate's time over the baseline's; None: one of them wasn't measured."""
    low: float | None
    """None: too few blocks for a 95 % interval."""
    high: float | None
    verdict: Verdict
    """Of the candidate."""
    blocks: int
    buffers: str
    cadence: str
    counted: bool
    """As in Match; what doesn't count is undecided."""


@dataclass(frozen=True, slots=True)
class Range:
    """Consecutive sizes with the same verdict, and the ratio averaged over them."""

    first_bytes: int
    last_bytes: int
    verdict: Verdict
    effect: Effect


@dataclass(frozen=True, slots=True)
class Curve:
    """All sizes of one pattern, one candidate against its baseline."""

    cells: tuple[Comparison, ...]
    """By size."""
    whole: Comparison
    ranges: tuple[Range, ...]
    """Empty where the curve doesn't count."""
    crossovers: tuple[Crossover, ...]
    """Between sizes with opposite verdicts."""


def grouped_by_curve(cells: Sequence[Cell]) -> list[Rows]:
    """The indices of `cells` that differ in nothing but the size, by size, in order of arrival.

    Without those that compute, which each library does for as long as its own operation takes.
    """
    curves: dict[Cell, list[int]] = {}
    for index, cell in enumerate(cells):
        if not computes(cell):
            curves.setdefault(replace(cell, size_bytes=0), []).append(index)
    return [
        np.array(sorted(rows, key=lambda row: cells[row].size_bytes)) for rows in curves.values()
    ]


def curve_of(
    contrast: Contrast, cells: Sequence[Cell], match: Match, threshold: float, seed: int
) -> Curve:
    """The curve that `contrast` shows over `cells`, which are its rows, by size."""
    every = np.arange(len(cells))
    verdicts = (Verdict.UNDECIDED,) * (len(cells) + 1)
    if match.counted:
        verdicts = judge(contrast, threshold, seed)
    effects = [effect_of(contrast, rows) for rows in (*every[:, None], every)]
    *rows, whole = (
        _comparison(cell, size, match, effect, verdict)
        for cell, size, effect, verdict in zip(
            (*cells, cells[0]),
            (*(cell.size_bytes for cell in cells), None),
            effects,
            verdicts,
            strict=True,
        )
    )
    ranges = tuple(_ranges(contrast, rows)) if match.counted else ()
    return Curve(tuple(rows), whole, ranges, _crossovers(rows))


def _comparison(
    cell: Cell, size_bytes: int | None, match: Match, effect: Effect, verdict: Verdict
) -> Comparison:
    return Comparison(
        pattern=cell.pattern,
        ranks=match.ranks,
        size_bytes=size_bytes,
        baseline=match.baseline,
        candidate=match.candidate,
        ratio=effect.ratio,
        low=effect.low,
        high=effect.high,
        verdict=verdict,
        blocks=0 if match.imported else effect.blocks,
        buffers=str(cell.buffers),
        cadence=str(cell.cadence),
        counted=match.counted,
    )


def _ranges(contrast: Contrast, rows: Sequence[Comparison]) -> Iterator[Range]:
    for _, group in groupby(range(len(rows)), lambda row: rows[row].verdict):
        yield from joined(contrast, rows, list(group))


def joined(contrast: Contrast, rows: Sequence[Comparison], places: Sequence[int]) -> list[Range]:
    """The rows at `places`, which share a verdict, as one Range.

    One Range each where they differ from the baseline and too few blocks have all of them for an
    interval of their average.
    """
    first, last = rows[places[0]], rows[places[-1]]
    effect = effect_of(contrast, np.array(places))
    decided = first.verdict in (Verdict.FASTER, Verdict.SLOWER)
    if decided and effect.low is None and len(places) > 1:
        return [one for place in places for one in joined(contrast, rows, [place])]
    return [Range(first.size_bytes or 0, last.size_bytes or 0, first.verdict, effect)]


def _crossovers(rows: Sequence[Comparison]) -> tuple[Crossover, ...]:
    decided = [row for row in rows if row.verdict in (Verdict.FASTER, Verdict.SLOWER)]
    ratios = [row.ratio or 1.0 for row in decided]  # decided: never None
    return crossovers([row.size_bytes or 0 for row in decided], ratios, [1.0] * len(decided))
