"""One pattern over all its sizes, a candidate against its baseline: rows, ranges, crossovers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from leadline.compare.circumstances import Circumstances, states_apart
from leadline.compare.comparisons import OF_NO_CELL, Comparison, Range, ranges_of
from leadline.compare.crossovers import Crossing, crossings_of
from leadline.compare.overlap import computes
from leadline.compare.verdict import Contrast, Judgement, Rows, Why, judge
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.curve import CurveKey
from leadline.record.run import Cell, Configuration, Origin
from leadline.statistics.estimate import Estimate
from leadline.statistics.permutation import Significance


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
class Curve:
    """All sizes of one pattern, one candidate against its baseline."""

    cells: tuple[Comparison, ...]
    """By size."""
    whole: Comparison
    ranges: tuple[Range, ...]
    """Of the sizes that count."""
    crossings: tuple[Crossing, ...]
    """Between sizes with opposite verdicts."""
    caveats: tuple[Caveat, ...] = ()
    """What its blocks are to be warned of."""


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
    contrast: Contrast,
    cells: Sequence[Cell],
    pairing: Pairing,
    threshold: float,
    seed: int,
    significance: Significance | None = None,
) -> Curve:
    """The curve that `contrast` shows over `cells`, which are its rows, by size.

    Where only some cells count, the test and the whole curve are over these alone. `significance`
    is what a test over more than this curve says of those; None: it is a family by itself.
    """
    counted = np.flatnonzero(pairing.counted)
    *estimates, average = contrast.estimates()
    judgements = [Judgement.none(_uncounted(pairing))] * len(cells)
    judgement = judgements[0]
    caveats: tuple[Caveat, ...] = ()
    if counted.size:
        part = contrast if counted.size == len(cells) else contrast.at(counted)
        *_, average = found = part.estimates()
        caveats = tuple(_leaning(part, cells[0], pairing))
        *judged, judgement = judge(part, found, threshold, seed, significance)
        around = [pairing.circumstances[place] for place in counted.tolist()]
        for place, one, both in zip(counted.tolist(), judged, around, strict=True):
            judgements[place] = _by_cause(one, both)
        if any(map(states_apart, around)):
            judgement = Judgement.none(Why.HANDOVER)
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
    return Curve(rows, whole, ranges, crossings_of(rows, contrast.block_ratios), caveats)


def _leaning(contrast: Contrast, cell: Cell, pairing: Pairing) -> Iterator[Caveat]:
    """Says by how much blocks lean on the ones before, where that isn't chance."""
    found = contrast.leaning
    if found.share > 0:
        yield CaveatKind.LEANING.because(
            f"{pairing.candidate} against {pairing.baseline}, {cell.pattern} on "
            f"{pairing.configuration.ranks} ranks: of what a block's ratio is off its level the "
            f"next is off by {100 * found.share:.0f} % (by chance in {100 * found.chance:.1f} % of "
            f"runs), so that intervals are {found.widening:.1f} times as wide"
        )


def _uncounted(pairing: Pairing) -> Why:
    """Why a cell has no verdict that doesn't count."""
    return Why.OVERSUBSCRIBED if pairing.comparable else Why.STATED


def _by_cause(judged: Judgement, sides: tuple[Circumstances, Circumstances]) -> Judgement:
    """`judged`, or what disturbed a side as the reason for which an interval decides nothing.

    Of sides whose cores were in different states no interval decides anything.
    """
    if states_apart(sides) and judged.why is not Why.NOT_MEASURED:
        return Judgement.none(Why.HANDOVER)
    wide = judged.why in (Why.CROSSES, Why.FAMILY)
    scarce = judged.why in (Why.FEW_BLOCKS, Why.NOT_MEASURED)
    if any((wide and one.notably_disturbed) or (scarce and one.lost) for one in sides):
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
