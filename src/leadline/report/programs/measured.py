"""A run for programs: a row a cell and configuration, and what was derived from the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict, cast

from leadline.compare.summaries import Summary
from leadline.models.file import ModelRow
from leadline.models.pingpong import Exceeded, FourNumbers
from leadline.record.caveats import Caveat
from leadline.record.provenance import LinkFacts
from leadline.record.run import ClockFit, Host, Origin
from leadline.report.programs.fitted import model_row
from leadline.report.programs.notes import FailureRow, comments, failure_rows
from leadline.report.programs.rows import StandingsRow, row_of, standings_row
from leadline.report.records import Records, records_of
from leadline.report.text.measured import Measured
from leadline.statistics.estimate import Estimate


class MeasuredRow(TypedDict):
    """One cell under one configuration; times are per operation or message."""

    pattern: str
    variant: str
    origin: Origin
    """Where the values come from; measured ones alone take part in verdicts."""
    backend: str
    version: str
    ranks: int
    size_bytes: int
    median_s: float
    low_s: float | None
    """Of the 95 % interval; null: too few blocks for one."""
    high_s: float | None
    stated_low_s: float | None
    """Of the interval that came with a value, without blocks behind it; null: none came."""
    stated_high_s: float | None
    blocks: int
    samples: int
    repetitions: int
    """Of the operation in each batch; 0: there are no batches."""
    algorithm: str
    buffers: str
    cadence: str
    transport: str
    """What carried the messages between ranks of one host; "unknown" where nothing said so."""
    run_delay_share: float | None
    """Of the timed part, for which ranks were ready and had no core; null: not known."""
    disturbed_share: float | None
    """Of the slices that count, those in which a rank waited for a core for over 2 % of the time;
    null: not known."""
    handover_ns: float | None
    """A cache line's round trip between the ranks' cores, the median over the slices that count;
    null: not known."""
    clock_residual_ns: float | None
    """How far hosts' clocks, by their fits, were apart at a visit's end, the median over visits;
    null: ranks read one clock or meet at no deadline, or it isn't known."""
    link: str | None
    """The busiest, host, interface and direction; null: links weren't watched."""
    link_share: float | None
    """What it carried of what its rate allows; null: not known."""
    communication_share: float | None
    """Of the time of an application's repetitions, for which its ranks communicated, the mean over
    ranks; null: the pattern is none, or it isn't known."""
    communication_most: float | None
    """The same of the rank that has most."""
    verified: str | None
    """What was checked in an application's solutions, e.g. "norm", and was furthest from what was
    expected; null: it is none, or it isn't known."""
    verified_expected: float | None
    """Of it; null: likewise."""
    verified_seen: float | None
    """Likewise."""
    warnings: Sequence[Caveat]


class TailedRow(MeasuredRow, total=False):
    """With quantiles of single operations, where they were asked for."""

    p90_s: float
    p90_low_s: float | None
    p90_high_s: float | None
    p99_s: float
    p99_low_s: float | None
    p99_high_s: float | None


class OverlapRow(TypedDict):
    """How much of one operation under one configuration computation hides."""

    pattern: str
    """With the option that says how, e.g. "ibcast:overlapped"."""
    variant: str
    origin: Origin
    ranks: int
    size_bytes: int
    buffers: str
    cadence: str
    oversubscribed: bool
    share: float
    """Between 0 and 1."""
    blocks: int
    low: float | None
    """Of the 95 % interval; null: too few blocks for one."""
    high: float | None


class EstimateRow(TypedDict):
    """A number with its interval."""

    value: float
    low: float | None
    """Of the 95 % interval; null: too few blocks for one."""
    high: float | None
    blocks: int
    """0: it comes from values that weren't measured."""


class ExceededRow(TypedDict):
    """An asymptotic bandwidth that is none: a size was measured to have more."""

    size_bytes: int
    measured_bytes_per_s: EstimateRow
    times: EstimateRow
    """How many times that of the line through the largest sizes, in the same blocks."""


class FourNumbersRow(TypedDict):
    """What the curve doesn't show is null."""

    latency_s: EstimateRow | None
    """Half the round trip of zero bytes, measured."""
    bandwidth_bytes_per_s: EstimateRow | None
    """Asymptotic: one over the slope at the largest sizes."""
    half_bandwidth_bytes: EstimateRow | None
    """n_1/2: from where on the curve has half of that for good, interpolated."""
    intercept_s: EstimateRow | None
    """Of the line through 1..2 MB."""
    exceeded: ExceededRow | None
    """Why there is neither bandwidth nor n_1/2, where a line through the largest sizes has them."""


class PingPongRow(TypedDict):
    """The four numbers of one configuration's ping-pong."""

    variant: str
    origin: Origin
    ranks: int
    buffers: str
    numbers: FourNumbersRow


class RatesRow(TypedDict):
    """What one configuration delivers in one pattern, all ranks together."""

    pattern: str
    variant: str
    origin: Origin
    ranks: int
    buffers: str
    oversubscribed: bool
    least_bytes: int
    """The smallest size."""
    messages_per_s: float
    """At it."""
    most_bytes: int
    """The largest size."""
    bytes_per_s: float
    """At it."""
    rank_bytes_per_s: float | None
    """Of these what the rank sends that sends most; null: of windows."""
    pair_bytes_per_s: float | None
    """What two ranks exchange, both ways; null: they aren't in pairs."""


class PlacementRow(TypedDict):
    """How one configuration lays ranks in the grid of a pattern."""

    variant: str
    ranks: int
    pattern: str
    metric: str
    """A word of `leadline map --metric`, or the file that says where ranks are laid."""
    machine: str
    """What the slots lie on, in the words of `leadline map --machine`."""
    before: float
    """By the metric, with ranks in their order; of a file's slots, inter-node edges."""
    after: float
    """Likewise, as they are laid."""
    slots: Sequence[int]
    """Of each vertex of the grid, row-major, the last index fastest; slot r is rank r."""


class MeasuredContent(TypedDict):
    """Everything about a run."""

    run: str
    """Its directory."""
    complete: bool
    rows: Sequence[TailedRow]
    pingpong: Sequence[PingPongRow]
    models: Sequence[ModelRow]
    """Closed forms, as `leadline fit` prints them; of a run with more than 32 variants of patterns
    those of its ping-pongs alone."""
    standings: StandingsRow
    rates: Sequence[RatesRow]
    overlaps: Sequence[OverlapRow]
    hosts: Sequence[Host]
    """As their ranks say they are; empty before format 4."""
    link: LinkFacts | None
    """Between emulated hosts; null between real ones."""
    clock_fits: Sequence[ClockFit]
    placements: Sequence[PlacementRow]
    failures: Sequence[FailureRow]
    warnings: Sequence[Caveat]


def measured_content(measured: Measured) -> MeasuredContent:
    """Everything about a run."""
    return {
        "run": measured.run.path,
        "complete": measured.run.complete,
        "rows": [measured_row(row) for row in measured.rows],
        "pingpong": [
            row_of(PingPongRow, one, numbers=_four_numbers(one.numbers))
            for one in measured.pingpongs
        ],
        "models": [model_row(one) for one in measured.forms.found],
        "standings": standings_row(measured.standings),
        "rates": [row_of(RatesRow, one) for one in measured.rates],
        "overlaps": [row_of(OverlapRow, one) for one in measured.overlaps],
        "hosts": measured.run.hosts,
        "link": measured.run.provenance.link,
        "clock_fits": measured.run.clock_fits,
        "placements": [
            row_of(PlacementRow, laid, variant=one.variant, ranks=one.ranks)
            for one in measured.run.configurations
            for laid in one.placement
        ],
        "failures": failure_rows([measured.run]),
        "warnings": measured.caveats,
    }


def measured_records(measured: Measured) -> Records:
    """The rows of a run; a row's warnings are their codes, spelt out in the comments."""
    rows: list[dict[str, object]] = [
        {**measured_row(row), "warnings": " ".join(caveat.code for caveat in row.warnings)}
        for row in measured.rows
    ]
    names = dict.fromkeys([*MeasuredRow.__annotations__, *(name for row in rows for name in row)])
    return records_of(tuple(names), rows, comments([measured.run], measured.caveats))


def measured_row(row: Summary) -> TailedRow:
    """One cell under one configuration; with its quantiles where they were asked for."""
    shown = cast(TailedRow, row_of(MeasuredRow, row))
    if row.p90 is not None:
        shown["p90_s"] = row.p90.value
        shown["p90_low_s"] = row.p90.low
        shown["p90_high_s"] = row.p90.high
    if row.p99 is not None:
        shown["p99_s"] = row.p99.value
        shown["p99_low_s"] = row.p99.low
        shown["p99_high_s"] = row.p99.high
    return shown


def _four_numbers(found: FourNumbers) -> FourNumbersRow:
    names = ("latency_s", "bandwidth_bytes_per_s", "half_bandwidth_bytes", "intercept_s")
    estimates = {name: one and _estimate(one) for name in names for one in [getattr(found, name)]}
    return row_of(FourNumbersRow, found, **estimates, exceeded=_exceeded(found.exceeded))


def _exceeded(found: Exceeded | None) -> ExceededRow | None:
    if found is None:
        return None
    return row_of(
        ExceededRow,
        found,
        measured_bytes_per_s=_estimate(found.measured_bytes_per_s),
        times=_estimate(found.times),
    )


def _estimate(found: Estimate) -> EstimateRow:
    return {"value": found.value, "low": found.low, "high": found.high, "blocks": found.n}
