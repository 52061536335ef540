"""Comparisons for programs: cells, whole curves, and the ranking of a run's libraries.

The keys stand in the order in which they are published.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TypedDict

from leadline.compare.curves import Comparison, Crossing, Range
from leadline.compare.overheads import Overhead
from leadline.compare.ranking import Rankings
from leadline.compare.verdict import Verdict, Why
from leadline.record.run import Origin
from leadline.record.warnings import RunWarning
from leadline.report.programs.rows import FailureRow, comments, failure_rows, row_of
from leadline.report.records import Records, records_of
from leadline.report.text.comparison import Compared
from leadline.statistics.estimate import Estimate


class RatioRow(TypedDict):
    """One time over another."""

    ratio: float | None
    """Null: one of the times is missing."""
    low: float | None
    """Lower bound of the 95 % interval; null: too few blocks for one."""
    high: float | None
    """Upper bound of that interval; null: too few blocks for one."""
    blocks: int


class ComparisonRow(TypedDict):
    """One cell, or a whole curve, of one candidate compared with its baseline."""

    pattern: str
    """The pattern with its options, e.g. "allreduce:max:int64"."""
    ranks: int
    """Number of ranks of both."""
    size_bytes: int | None
    """Null: the whole curve, in which all sizes have the same weight."""
    baseline: str
    """The variant compared with; of two runs with its run's name."""
    candidate: str
    """The other variant."""
    ratio: float | None
    """The candidate's time over the baseline's; null: one of them is missing."""
    low: float | None
    """Lower bound of the 95 % interval; null: too few blocks for one, or a side wasn't measured."""
    high: float | None
    """Upper bound of that interval; null: as `low`."""
    verdict: Verdict
    """Whether the candidate is faster or slower than the baseline."""
    why: Why | None
    """Why it is undecided; null: it is decided."""
    blocks_needed: int | None
    """The number of blocks that would do where there are too few; for two runs, in each."""
    blocks: int
    """Number of blocks that hold both."""
    buffers: str
    """Buffer policy: echo, separate or cold."""
    cadence: str
    """streaming or isolated."""
    counted: bool
    """Whether it takes part in verdicts, crossovers and the exit status. With a side that wasn't
    measured only where a model was requested as reference."""
    baseline_run_delay_share: float | None
    """As in a measured row; null: not known."""
    candidate_run_delay_share: float | None
    """Likewise."""
    baseline_disturbed_share: float | None
    """As in a measured row; null: not known."""
    candidate_disturbed_share: float | None
    """Likewise."""
    baseline_core_latency_ns: float | None
    """As in a measured row; null: not known."""
    candidate_core_latency_ns: float | None
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
    """Where the baseline's values come from, as in a measured row."""
    candidate_origin: Origin
    """Likewise."""


class OverheadRow(TypedDict):
    """A library's overhead: its time over a raw transport's at the smallest payload measured."""

    pattern: str
    ranks: int
    size_bytes: int
    variant: str
    effect: RatioRow
    raw: str
    """The backend of the raw transport."""


class RangeRow(TypedDict):
    """Consecutive sizes at which the same two have the same verdict, for the same reason."""

    baseline: str
    candidate: str
    first_bytes: int | None
    """Null: the whole curve."""
    last_bytes: int | None
    verdict: Verdict
    why: Why | None
    """Why they are undecided; null: they are decided."""
    blocks_needed: int | None
    lowest: RatioRow
    """The least ratio of the sizes."""
    highest: RatioRow
    """The largest ratio of the sizes."""


class CrossingRow(TypedDict):
    """A crossover: each of two is faster at one of two sizes, between which none was measured."""

    pattern: str
    ranks: int
    buffers: str
    cadence: str
    baseline: str
    candidate: str
    below_bytes: int
    above_bytes: int
    ahead_below: str
    """The one that is faster at the smaller size."""
    ahead_above: str
    """The one that is faster at the larger size."""
    point_bytes: float | None
    """The size at which they cross; null: the blocks give no interval for it."""
    low_bytes: float | None
    """Lower bound of its 95 % interval; null: there is none."""
    high_bytes: float | None
    """Upper bound of its 95 % interval; null: there is none."""
    leads: bool
    """Whether the fastest of all libraries changes there."""


class RankingRow(TypedDict):
    """The ranking of the libraries over one curve."""

    pattern: str
    ranks: int
    buffers: str
    cadence: str
    libraries: int
    top: Sequence[ComparisonRow]
    """The two fastest compared, at each size."""
    leads: Sequence[RangeRow]
    """Consecutive sizes at which the same two are the fastest."""
    wholes: Sequence[ComparisonRow]
    """Comparisons over all sizes, one for each pair of libraries."""
    groups: Sequence[Sequence[str]]
    """Groups over all sizes, the fastest first; each library is faster than all in later groups."""
    crossings: Sequence[CrossingRow]


class RankingsRow(TypedDict):
    """All curves of a run with at least two libraries, and their overheads over raw transports."""

    curves: Sequence[RankingRow]
    overheads: Sequence[OverheadRow]


class ComparedContent(TypedDict):
    """Everything about a comparison."""

    runs: Sequence[str]
    """The directories of the runs."""
    threshold: float
    """Ratios that differ from 1 by less are equal."""
    exit_status: int
    rows: Sequence[ComparisonRow]
    curves: Sequence[ComparisonRow]
    """Comparisons of whole curves, which have no size."""
    slowdowns: Sequence[RangeRow]
    """Ranges where a candidate is slower, the largest ratio first."""
    crossings: Sequence[CrossingRow]
    overheads: Sequence[OverheadRow]
    failures: Sequence[FailureRow]
    warnings: Sequence[RunWarning]


def compared_content(compared: Compared) -> ComparedContent:
    """Everything about a comparison."""
    result = compared.result
    return {
        "runs": [run.path for run in compared.runs],
        "threshold": compared.threshold,
        "exit_status": result.exit_status,
        "rows": [comparison_row(row) for row in result.rows],
        "curves": [comparison_row(curve.whole) for curve in result.curves],
        "slowdowns": [range_row(slowdown) for slowdown in result.slowdowns],
        "crossings": [
            crossing_row(crossing) for curve in result.curves for crossing in curve.crossings
        ],
        "overheads": [overhead_row(overhead) for overhead in result.overheads],
        "failures": failure_rows(compared.runs),
        "warnings": compared.warnings,
    }


def compared_records(compared: Compared) -> Records:
    """The rows of a comparison, those of whole curves, which have no size, last."""
    wholes = [curve.whole for curve in compared.result.curves]
    rows = [comparison_row(row) for row in (*compared.result.rows, *wholes)]
    columns = tuple(ComparisonRow.__annotations__)
    return records_of(columns, rows, comments(compared.runs, compared.warnings))


AROUND = (
    "run_delay_share", "disturbed_share", "core_latency_ns", "link_share", "communication_share",
)  # fmt: skip
"""The keys of each side's Circumstances, with the side's name before them."""


def comparison_row(comparison: Comparison) -> ComparisonRow:
    """One cell, or a whole curve, with the circumstances in which each side was timed."""
    sides = zip(("baseline", "candidate"), comparison.circumstances, strict=True)
    around = {
        f"{side}_{name}": getattr(circumstances, name)
        for side, circumstances in sides
        for name in AROUND
    }
    return row_of(ComparisonRow, comparison, **around)


def ratio_row(estimate: Estimate) -> RatioRow:
    """A ratio with its interval."""
    return {
        "ratio": estimate.known,
        "low": estimate.low,
        "high": estimate.high,
        "blocks": estimate.n,
    }


def overhead_row(overhead: Overhead) -> OverheadRow:
    """The overhead of one library over one raw transport."""
    return row_of(OverheadRow, overhead, effect=ratio_row(overhead.effect))


def rankings_row(rankings: Rankings) -> RankingsRow:
    """The ranking of a run's libraries, with leads, crossovers and overheads."""
    return {
        "curves": [
            row_of(
                RankingRow,
                ranking,
                top=[comparison_row(comparison) for comparison in ranking.top],
                leads=[range_row(lead) for lead in ranking.leads],
                wholes=[comparison_row(whole) for whole in ranking.wholes],
                crossings=[crossing_row(crossing) for crossing in ranking.crossings],
            )
            for ranking in rankings.curves
        ],
        "overheads": [overhead_row(overhead) for overhead in rankings.overheads],
    }


def range_row(range_: Range) -> RangeRow:
    """Consecutive sizes with one verdict, and the bounds of their ratios."""
    bounds = {"lowest": ratio_row(range_.lowest), "highest": ratio_row(range_.highest)}
    return row_of(RangeRow, range_, **asdict(range_.judgement), **bounds)


def crossing_row(crossing: Crossing) -> CrossingRow:
    """A crossover, with its interval if it has one."""
    point = crossing.point
    return row_of(
        CrossingRow,
        crossing,
        point_bytes=point and point.value,
        low_bytes=point and point.low,
        high_bytes=point and point.high,
    )
