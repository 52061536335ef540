"""Ranking of several libraries in one run, size by size, and by how much the fastest is ahead.

At every size the two with the shortest times are compared, paired block by block; their verdict is
that of a test over all pairs of libraries and all sizes of the curve, so they may be chosen by
their times. Raw backends are limits, not competitors; where any library has more ranks than cores,
and no link is the limit, there is no verdict. What wasn't measured isn't ranked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, pairwise, product

import numpy as np

from leadline.compare.analysis import THRESHOLD, Analysis
from leadline.compare.curves import Comparison, Crossing, Curve, Range, ranges_of
from leadline.compare.overheads import Overhead
from leadline.compare.sides import Side
from leadline.compare.verdict import Rows, Verdict
from leadline.record.curve import CurveKey, OnCurve
from leadline.record.warnings import RunWarning


@dataclass(frozen=True, slots=True)
class Front:
    """Fastest library at one size, and those that aren't shown to be slower than it."""

    size_bytes: int
    tied: tuple[str, ...]
    """Labels, the fastest first, the others by their times."""
    equal: bool
    """All of `tied` are shown to be as fast as the first; else at least one is undecided."""
    rest: Comparison | None
    """Comparison of the first of `tied` with the fastest of the slower ones; None: there are
    none."""

    @property
    def decided(self) -> bool:
        """Whether the fastest is known: one alone, or several that are shown to be as fast."""
        return self.equal if len(self.tied) > 1 else self.rest is not None


@dataclass(frozen=True, slots=True)
class Ranking(OnCurve):
    """Ranking of the libraries over one curve."""

    curve: CurveKey
    libraries: int
    """Number of libraries."""
    top: tuple[Comparison, ...]
    """Comparison of the fastest two by size; sizes that fewer than two libraries have are left
    out."""
    fronts: tuple[Front, ...]
    """Fronts at the sizes of `top`."""
    leads: tuple[Range, ...]
    """Consecutive sizes at which the same two are the fastest, with the same judgement."""
    wholes: tuple[Comparison, ...]
    """Comparisons over all sizes that count, one for each pair of libraries."""
    groups: tuple[tuple[str, ...], ...]
    """Groups of libraries over all sizes that count, the fastest first, as from `groups_of`."""
    crossings: tuple[Crossing, ...]
    warnings: tuple[RunWarning, ...]
    """Warnings about the pairs' blocks."""


@dataclass(frozen=True, slots=True)
class Rankings:
    """Rankings on all curves of a run with two libraries or more, and overheads over raw."""

    curves: tuple[Ranking, ...]
    overheads: tuple[Overhead, ...]


def rankings_of(analysis: Analysis, threshold: float = THRESHOLD) -> Rankings:
    """Rank a run's libraries; without curves where there is only one."""
    rankings: list[Ranking] = []
    for ranks in sorted({side.configuration.ranks for side in analysis.sides}):
        libraries = analysis.libraries(ranks)
        for rows in analysis.curve_rows:
            alike = [side for side in libraries if side.measured(rows).any()]
            if len(alike) < 2:
                continue
            ranking = _ranking(analysis, alike, rows, threshold)
            if ranking is not None:
                rankings.append(ranking)
    return Rankings(tuple(rankings), analysis.overheads)


def _ranking(
    analysis: Analysis, sides: Sequence[Side], rows: Rows, threshold: float
) -> Ranking | None:
    """Ranking of `sides` over one curve; None where no two libraries have a size in common."""
    rows = rows[np.any([side.measured(rows) for side in sides], axis=0)]
    tops = [(place, pair) for place, row in enumerate(rows) if (pair := _fastest_two(sides, row))]
    if not tops:
        return None
    curves = {
        (i, j): analysis.curve(sides[i], sides[j], rows, threshold, chosen=True)
        for i, j in combinations(range(len(sides)), 2)
    }
    top = {place: curves[pair].cells[place] for place, pair in tops}
    fronts = tuple(_front(sides, rows[place], place, curves) for place in top)
    wholes = tuple(curve.whole for curve in curves.values() if curve.whole.counted)
    # mark the crossovers at which the fastest of all changes from the one to the other
    fastest: dict[int, str] = {}
    for place in top:
        row = rows[place]
        first = sides[int(np.nanargmin([side.centres[row] for side in sides]))]
        fastest[analysis.run.cells[row].size_bytes] = first.label
    crossings: list[Crossing] = []
    for crossing in chain.from_iterable(curve.crossings for curve in curves.values()):
        inside = [
            label
            for size, label in fastest.items()
            if crossing.below_bytes <= size <= crossing.above_bytes
        ]
        both = {crossing.baseline, crossing.candidate}
        ahead = crossing.ahead_below, crossing.ahead_above
        leads = {*inside} == both and (inside[0], inside[-1]) == ahead
        crossings.append(replace(crossing, leads=leads))
    return Ranking(
        curve=CurveKey.of(analysis.run.cells[rows[0]], sides[0].configuration),
        libraries=len(sides),
        top=tuple(top.values()),
        fronts=fronts,
        leads=ranges_of(top.get(place) for place in range(rows.size)),
        wholes=wholes,
        groups=groups_of(wholes),
        crossings=tuple(crossings),
        warnings=tuple(warning for curve in curves.values() for warning in curve.warnings),
    )


def _fastest_two(sides: Sequence[Side], row: int) -> tuple[int, int] | None:
    """Rising indices of the two sides with the shortest times.

    None where fewer than two have a time, and where any doesn't count: it might be the fastest.
    """
    times = np.array([side.centres[row] for side in sides])
    crowded = [side.circumstances[row].crowded for side in sides]
    if np.sum(~np.isnan(times)) < 2 or np.any(crowded & ~np.isnan(times)):
        return None
    first, second = sorted(np.argsort(times)[:2].tolist())
    return first, second


def _front(
    sides: Sequence[Side], row: int, place: int, curves: Mapping[tuple[int, int], Curve]
) -> Front:
    """Front in the cell in `row` of a run, the one at `place` of its curve."""
    times = np.array([side.centres[row] for side in sides])
    first, *others = (i for i in np.argsort(times).tolist() if not np.isnan(times[i]))
    cells = {i: curves[min(first, i), max(first, i)].cells[place] for i in others}
    slower = [i for i in others if cells[i].in_order == (sides[first].label, sides[i].label)]
    tied = [i for i in others if i not in slower]
    return Front(
        size_bytes=cells[others[0]].size_bytes or 0,
        tied=tuple(sides[i].label for i in (first, *tied)),
        equal=all(cells[i].verdict is Verdict.SAME for i in tied),
        rest=cells[slower[0]] if slower else None,
    )


def groups_of(pairs: Sequence[Comparison]) -> tuple[tuple[str, ...], ...]:
    """Ranking in groups of the libraries in `pairs`.

    Each library of a group is faster than each of all groups that follow. The finest order with
    that property: members of one group aren't shown to differ from all others in it. Within a group
    those that are faster than more of the others come first; ties stay in order of arrival. No
    pair: no group.
    """
    names = dict.fromkeys(name for pair in pairs for name in (pair.baseline, pair.candidate))
    won = {pair.in_order for pair in pairs if pair.in_order}
    lead = Counter(winner for winner, _ in won)
    lead.subtract(loser for _, loser in won)
    ordered = sorted(names, key=lambda name: -lead[name])
    cuts = [
        place
        for place in range(1, len(ordered))
        if won.issuperset(product(ordered[:place], ordered[place:]))
    ]
    return tuple(tuple(ordered[i:j]) for i, j in pairwise([0, *cuts, len(ordered)]) if i < j)
