"""Which of several libraries is the fastest in one run, size by size, and by how much.

At every size the two with the shortest times are compared, paired block by block; their verdict is
the one that they have in a test over all pairs of libraries and all sizes of the curve, so they may
be chosen by their times. Raw backends are limits, not competitors; where any library has more ranks
than cores, and no link is the limit, there is no verdict. What wasn't measured has no place in the
order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product

import numpy as np

from leadline.compare.analysis import THRESHOLD, Analysis
from leadline.compare.curves import Comparison, Crossing, Curve, Range, ranges_of
from leadline.compare.sides import Side
from leadline.compare.taxes import Tax
from leadline.compare.verdict import Rows, Verdict
from leadline.record.caveats import Caveat
from leadline.record.curve import CurveKey, OnCurve


@dataclass(frozen=True, slots=True)
class Front:
    """Who is ahead at one size: the fastest, and those who aren't shown to be slower than it."""

    size_bytes: int
    tied: tuple[str, ...]
    """The fastest first, the others by their times."""
    equal: bool
    """All of `tied` are shown to be as fast as the first; else at least one isn't decided."""
    rest: Comparison | None
    """The first of `tied` and the fastest of those who are slower; None: nobody is."""

    @property
    def decided(self) -> bool:
        """Whether it is shown who is the fastest: one alone, or several that are as fast."""
        return self.equal if len(self.tied) > 1 else self.rest is not None


@dataclass(frozen=True, slots=True)
class Standing(OnCurve):
    """The libraries' order over one curve."""

    curve: CurveKey
    libraries: int
    top: tuple[Comparison, ...]
    """By size; sizes that fewer than two libraries have are left out."""
    fronts: tuple[Front, ...]
    """At the sizes of `top`."""
    leads: tuple[Range, ...]
    """Consecutive sizes at which the same two are the fastest, with the same judgement."""
    wholes: tuple[Comparison, ...]
    """Over all sizes that count, one for each pair of libraries."""
    tiers: tuple[tuple[str, ...], ...]
    """The libraries over all sizes that count, the fastest first, as `tiers_of` has them."""
    crossings: tuple[Crossing, ...]
    caveats: tuple[Caveat, ...]
    """Of the pairs' blocks."""


@dataclass(frozen=True, slots=True)
class Standings:
    """All curves of a run on which at least two libraries meet, and what each costs over raw."""

    curves: tuple[Standing, ...]
    taxes: tuple[Tax, ...]


def standings_of(analysis: Analysis, threshold: float = THRESHOLD) -> Standings:
    """The order of a run's libraries; empty where there is only one."""
    found = (
        standing
        for ranks in sorted({side.configuration.ranks for side in analysis.sides})
        for rows in analysis.curve_rows
        if len(alike := [one for one in analysis.libraries(ranks) if one.measured(rows).any()]) >= 2
        and (standing := _standing(analysis, alike, rows, threshold)) is not None
    )
    return Standings(tuple(found), analysis.taxes)


def _standing(
    analysis: Analysis, sides: Sequence[Side], rows: Rows, threshold: float
) -> Standing | None:
    """None where no two libraries have a size in common."""
    rows = rows[np.any([side.measured(rows) for side in sides], axis=0)]
    tops = [(place, pair) for place, row in enumerate(rows) if (pair := _fastest_two(sides, row))]
    if not tops:
        return None
    curves = {
        (i, j): analysis.curve(sides[i], sides[j], rows, threshold, chosen=True)
        for i, j in combinations(range(len(sides)), 2)
    }
    top = {place: curves[pair].cells[place] for place, pair in tops}
    sizes = [analysis.run.cells[row].size_bytes for row in rows]
    fastest = {sizes[place]: _fastest(sides, rows[place]) for place in top}
    fronts = tuple(_front(sides, rows[place], place, curves) for place in top)
    wholes = tuple(curve.whole for curve in curves.values() if curve.whole.counted)
    return Standing(
        curve=CurveKey.of(analysis.run.cells[rows[0]], sides[0].configuration),
        libraries=len(sides),
        top=tuple(top.values()),
        fronts=fronts,
        leads=ranges_of(top.get(place) for place in range(rows.size)),
        wholes=wholes,
        tiers=tiers_of(wholes),
        crossings=tuple(_crossings(curves.values(), fastest)),
        caveats=tuple(caveat for curve in curves.values() for caveat in curve.caveats),
    )


def _fastest_two(sides: Sequence[Side], row: int) -> tuple[int, int] | None:
    """The indices, rising, of those with the shortest times.

    None where fewer than two have one, and where any doesn't count: it might be the fastest.
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
    """Of the cell in `row` of a run, the one at `place` of its curve."""
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


def _fastest(sides: Sequence[Side], row: int) -> str:
    """The label of the one with the shortest time."""
    return sides[int(np.nanargmin([side.centres[row] for side in sides]))].label


def _crossings(curves: Iterable[Curve], fastest: Mapping[int, str]) -> Iterator[Crossing]:
    """All, marked where the fastest of all changes from the one to the other.

    `fastest` by size, where it is known.
    """
    for curve in curves:
        for one in curve.crossings:
            pair = {one.baseline, one.candidate}
            inside = [
                name for size, name in fastest.items() if one.below_bytes <= size <= one.above_bytes
            ]
            leads = {*inside} == pair and (inside[0], inside[-1]) == (
                one.ahead_below,
                one.ahead_above,
            )
            yield replace(one, leads=leads)


def tiers_of(pairs: Sequence[Comparison]) -> tuple[tuple[str, ...], ...]:
    """Those compared in `pairs`, in tiers: each of one is faster than each of all that follow.

    The finest order of which that is true: who is in one tier isn't told apart from all others in
    it. Within a tier the more others one is faster than, the further to the front; ties stay in
    order of arrival. No pair: no tier.
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
