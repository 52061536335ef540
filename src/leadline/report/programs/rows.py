"""What comparisons found as objects for programs: their published keys, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, TypedDict, TypeVar

from leadline.compare.curves import Comparison, Crossing, Range
from leadline.compare.ranking import Standing, Standings
from leadline.compare.taxes import Tax
from leadline.compare.verdict import Verdict, Why
from leadline.record.run import Origin
from leadline.statistics.estimate import Estimate

Keys = TypeVar("Keys")


class RatioRow(TypedDict):
    """One time over another."""

    ratio: float | None
    """Null: one of them wasn't measured."""
    low: float | None
    """Of the 95 % interval; null: too few blocks for one."""
    high: float | None
    blocks: int


class ComparisonRow(TypedDict):
    """One cell, or a whole curve, of one candidate against its baseline."""

    pattern: str
    ranks: int
    size_bytes: int | None
    """Null: the whole curve, each size counting the same."""
    baseline: str
    candidate: str
    ratio: float | None
    """The candidate's time over the baseline's; null: one of them wasn't measured."""
    low: float | None
    """Of the 95 % interval; null: too few blocks for one, or a side that wasn't measured."""
    high: float | None
    verdict: Verdict
    """Of the candidate."""
    why: Why | None
    """What keeps it undecided; null: it is decided."""
    blocks_needed: int | None
    """Where there are too few: how many would do; of two runs, on each side."""
    blocks: int
    buffers: str
    cadence: str
    counted: bool
    """Part of verdicts, crossovers and the exit status. With a side that wasn't measured only
    where its word was asked for."""
    baseline_run_delay_share: float | None
    """As in a measured row; null: not known."""
    candidate_run_delay_share: float | None
    """Likewise."""
    baseline_disturbed_share: float | None
    """As in a measured row; null: not known."""
    candidate_disturbed_share: float | None
    """Likewise."""
    baseline_handover_ns: float | None
    """As in a measured row; null: not known."""
    candidate_handover_ns: float | None
    """Likewise."""
    baseline_link_share: float | None
    """As in a measured row; null: not known."""
    candidate_link_share: float | None
    """Likewise."""
    baseline_communication_share: float | None
    """As in a measured row; null: the pattern is no application, or it isn't known."""
    candidate_communication_share: float | None
    """Likewise."""
    baseline_origin: Origin
    candidate_origin: Origin


class TaxRow(TypedDict):
    """A library's time over a raw transport's at the smallest payload measured."""

    pattern: str
    ranks: int
    size_bytes: int
    variant: str
    effect: RatioRow
    raw: str
    """The backend that is the limit."""


class RangeRow(TypedDict):
    """Consecutive sizes at which the same two have the same verdict, for the same reason."""

    baseline: str
    candidate: str
    first_bytes: int | None
    """Null: the whole curve."""
    last_bytes: int | None
    verdict: Verdict
    why: Why | None
    """What keeps them undecided; null: they are decided."""
    blocks_needed: int | None
    lowest: RatioRow
    """The least of the sizes' ratios."""
    highest: RatioRow
    """The largest of them."""


class CrossingRow(TypedDict):
    """Two of which each is faster at one of two measured sizes, and neither in between."""

    pattern: str
    ranks: int
    buffers: str
    cadence: str
    baseline: str
    candidate: str
    below_bytes: int
    above_bytes: int
    ahead_below: str
    """The faster one at the smaller size."""
    ahead_above: str
    """The faster one at the larger size."""
    point_bytes: float | None
    """Where in between; null: blocks give no interval for it."""
    low_bytes: float | None
    """Of its 95 % interval."""
    high_bytes: float | None
    leads: bool
    """Which is the fastest of all changes there."""


class StandingRow(TypedDict):
    """The libraries' order over one curve."""

    pattern: str
    ranks: int
    buffers: str
    cadence: str
    libraries: int
    top: Sequence[ComparisonRow]
    """By size, the two fastest."""
    leads: Sequence[RangeRow]
    """Consecutive sizes at which the same two are the fastest."""
    wholes: Sequence[ComparisonRow]
    """Over all sizes, one for each pair of libraries."""
    tiers: Sequence[Sequence[str]]
    """Over all sizes, the fastest first; each library is faster than all of later tiers."""
    crossings: Sequence[CrossingRow]


class StandingsRow(TypedDict):
    """All curves of a run on which at least two libraries meet, and what each costs over raw."""

    curves: Sequence[StandingRow]
    taxes: Sequence[TaxRow]


def row_of(keys: type[Keys], found: object, **other: Any) -> Keys:
    """The attributes of `found` that `keys`, a TypedDict, names, and `other` in their places."""
    names = keys.__annotations__
    return keys(**{name: other[name] if name in other else getattr(found, name) for name in names})


AROUND = (
    "run_delay_share", "disturbed_share", "handover_ns", "link_share", "communication_share",
)  # fmt: skip
"""What is told of each side's Circumstances."""


def comparison_row(found: Comparison) -> ComparisonRow:
    """One cell, or a whole curve, and what went on while either side of it was timed."""
    sides = zip(("baseline", "candidate"), found.circumstances, strict=True)
    around = {f"{side}_{name}": getattr(one, name) for side, one in sides for name in AROUND}
    return row_of(ComparisonRow, found, **around)


def ratio_row(found: Estimate) -> RatioRow:
    """A ratio by itself."""
    return {"ratio": found.known, "low": found.low, "high": found.high, "blocks": found.n}


def tax_row(tax: Tax) -> TaxRow:
    """One library over one raw transport."""
    return row_of(TaxRow, tax, effect=ratio_row(tax.effect))


def standings_row(found: Standings) -> StandingsRow:
    """The standings of a run, its leads, crossings and taxes included."""
    return {
        "curves": [_standing(one) for one in found.curves],
        "taxes": [tax_row(tax) for tax in found.taxes],
    }


def _standing(found: Standing) -> StandingRow:
    return row_of(
        StandingRow,
        found,
        top=[comparison_row(one) for one in found.top],
        leads=[range_row(one) for one in found.leads],
        wholes=[comparison_row(one) for one in found.wholes],
        crossings=[crossing_row(one) for one in found.crossings],
    )


def range_row(found: Range) -> RangeRow:
    """Consecutive sizes with one verdict."""
    bounds = {"lowest": ratio_row(found.lowest), "highest": ratio_row(found.highest)}
    return row_of(RangeRow, found, **asdict(found.judgement), **bounds)


def crossing_row(found: Crossing) -> CrossingRow:
    """Where one overtakes another."""
    point = found.point
    return row_of(
        CrossingRow,
        found,
        point_bytes=point and point.value,
        low_bytes=point and point.low,
        high_bytes=point and point.high,
    )
