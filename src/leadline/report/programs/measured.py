"""A run for programs: a row for each cell and configuration, and what is derived from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict, cast

from leadline.compare.summaries import Summary
from leadline.models.file import ModelRow
from leadline.models.pingpong import FourNumbers
from leadline.record.provenance import LinkFacts
from leadline.record.run import ClockFit, Host, Origin
from leadline.record.warnings import RunWarning
from leadline.report.programs.compared import RankingsRow, rankings_row
from leadline.report.programs.fitted import model_row
from leadline.report.programs.rows import FailureRow, comments, failure_rows, row_of
from leadline.report.records import Records, records_of
from leadline.report.text.measured import Measured
from leadline.statistics.estimate import Estimate


class MeasuredRow(TypedDict):
    """One cell under one configuration; times are per operation or message."""

    pattern: str
    """The pattern with its options, e.g. "allreduce:max:int64"."""
    variant: str
    """Its name in the tables."""
    origin: Origin
    """Where the values come from; only measured ones take part in verdicts."""
    backend: str
    """The library, as doctor calls it."""
    version: str
    """As the library reports it."""
    ranks: int
    """Number of ranks of the job."""
    size_bytes: int
    """Payload; 0: the pattern has none."""
    median_s: float
    """Seconds per operation or message."""
    low_s: float | None
    """Lower bound of the 95 % interval; null: too few blocks for one."""
    high_s: float | None
    """Upper bound of that interval; null: too few blocks for one."""
    stated_low_s: float | None
    """Lower bound of the interval that came with a value that has no blocks; null: none came."""
    stated_high_s: float | None
    """Upper bound of that interval; null: none came."""
    blocks: int
    """Number of blocks that hold the cell; 0: the value wasn't measured here."""
    samples: int
    """Number of samples counted in the blocks' medians."""
    repetitions: int
    """Repetitions of the operation in each batch; 0: there are no batches."""
    algorithm: str
    """"native", or how the tool built the operation."""
    buffers: str
    """Buffer policy: echo, separate or cold."""
    cadence: str
    """streaming or isolated."""
    transport: str
    """What carried messages between ranks of one host; "unknown": nothing recorded it."""
    run_delay_share: float | None
    """Share of the timed part in which ranks were ready but had no core; null: not known."""
    disturbed_share: float | None
    """Share of the slices that count in which a rank waited for a core for over 2 % of the time;
    null: not known."""
    core_latency_ns: float | None
    """Core-to-core latency, a cache line's round trip between the ranks' cores: the median over the
    slices that count; null: not known."""
    clock_residual_ns: float | None
    """Residual between hosts' fitted clocks at a visit's end, the median over visits; null: ranks
    read one clock or have no common deadline, or it isn't known."""
    link: str | None
    """Host, interface and direction of the busiest link; null: links weren't watched."""
    link_share: float | None
    """Share of the link's rate that it carried; null: not known."""
    communication_share: float | None
    """Share of the time of an application's repetitions in which its ranks communicated, the mean
    over ranks; null: the pattern is no application, or it isn't known."""
    communication_most: float | None
    """The same share for the rank with the largest one."""
    verified: str | None
    """The quantity checked in an application's solutions, e.g. "norm", that was furthest from its
    expected value; null: the pattern is no application, or it isn't known."""
    verified_expected: float | None
    """The expected value of that quantity; null: as `verified`."""
    verified_seen: float | None
    """The value of that quantity; null: as `verified`."""
    warnings: Sequence[RunWarning]
    """Code, cause and remedy of each warning about the cell; in CSV the codes."""


class TailedRow(MeasuredRow, total=False):
    """A row with quantiles of single operations, where they were requested."""

    p90_s: float
    p90_low_s: float | None
    p90_high_s: float | None
    p99_s: float
    p99_low_s: float | None
    p99_high_s: float | None


class OverlapRow(TypedDict):
    """The share of one operation under one configuration that computation hides."""

    pattern: str
    """With the option that selects the overlap, e.g. "ibcast:overlapped"."""
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
    """Lower bound of the 95 % interval; null: too few blocks for one."""
    high: float | None
    """Upper bound of that interval; null: too few blocks for one."""


class EstimateRow(TypedDict):
    """A number with its interval."""

    value: float
    low: float | None
    """Lower bound of the 95 % interval; null: too few blocks for one."""
    high: float | None
    """Upper bound of that interval; null: too few blocks for one."""
    blocks: int
    """0: the values weren't measured."""


class ExceededRow(TypedDict):
    """A size whose measured bandwidth exceeds the asymptotic one, which is therefore left out."""

    size_bytes: int
    measured_bytes_per_s: EstimateRow
    times: EstimateRow
    """Ratio to the bandwidth of the line through the largest sizes, in the same blocks."""


class FourNumbersRow(TypedDict):
    """The four numbers of a ping-pong; those that the curve doesn't show are null."""

    latency_s: EstimateRow | None
    """Half the round trip of zero bytes, measured."""
    bandwidth_bytes_per_s: EstimateRow | None
    """Asymptotic bandwidth: one over the slope at the largest sizes."""
    half_bandwidth_bytes: EstimateRow | None
    """n_1/2: the interpolated size from which on the curve stays above half of that bandwidth."""
    intercept_s: EstimateRow | None
    """Intercept of the line through 1..2 MB."""
    exceeded: ExceededRow | None
    """Why bandwidth and n_1/2 are null although a line through the largest sizes has them."""


class PingPongRow(TypedDict):
    """The four numbers of one configuration's ping-pong."""

    variant: str
    origin: Origin
    ranks: int
    buffers: str
    numbers: FourNumbersRow


class RatesRow(TypedDict):
    """The rates of one configuration in one pattern, all ranks together."""

    pattern: str
    variant: str
    origin: Origin
    ranks: int
    buffers: str
    oversubscribed: bool
    least_bytes: int
    """The smallest size."""
    messages_per_s: float
    """The rate at the smallest size."""
    most_bytes: int
    """The largest size."""
    bytes_per_s: float
    """The rate at the largest size."""
    rank_bytes_per_s: float | None
    """The part of it that the busiest rank sends; null: the pattern is a window."""
    pair_bytes_per_s: float | None
    """What two ranks exchange, both directions together; null: ranks aren't in pairs."""


class PlacementRow(TypedDict):
    """How one configuration places ranks in the grid of a pattern."""

    variant: str
    ranks: int
    pattern: str
    metric: str
    """A value of `leadline map --metric`, or the file of the placement."""
    machine: str
    """The machine of the slots, as `leadline map --machine` takes it."""
    before: float
    """The metric with ranks in their order; for slots of a file, the number of inter-node edges."""
    after: float
    """The same with ranks as they are placed."""
    slots: Sequence[int]
    """The slot of each vertex of the grid, row-major, the last index fastest; slot r is rank r."""


class MeasuredContent(TypedDict):
    """Everything about a run."""

    run: str
    """Its directory."""
    complete: bool
    rows: Sequence[TailedRow]
    pingpong: Sequence[PingPongRow]
    models: Sequence[ModelRow]
    """Closed forms, as `leadline fit` prints them; only those of ping-pongs if a run has more than
    32 pairs of pattern and variant."""
    rankings: RankingsRow
    rates: Sequence[RatesRow]
    overlaps: Sequence[OverlapRow]
    hosts: Sequence[Host]
    """The hosts, as their ranks report them; empty before format 4."""
    link: LinkFacts | None
    """The link between emulated hosts; null: hosts are real."""
    clock_fits: Sequence[ClockFit]
    placements: Sequence[PlacementRow]
    failures: Sequence[FailureRow]
    warnings: Sequence[RunWarning]


def measured_content(measured: Measured) -> MeasuredContent:
    """Everything about a run."""
    return {
        "run": measured.run.path,
        "complete": measured.run.complete,
        "rows": [measured_row(row) for row in measured.rows],
        "pingpong": [
            row_of(PingPongRow, pingpong, numbers=_four_numbers(pingpong.numbers))
            for pingpong in measured.pingpongs
        ],
        "models": [model_row(model) for model in measured.forms.found],
        "rankings": rankings_row(measured.rankings),
        "rates": [row_of(RatesRow, rate) for rate in measured.rates],
        "overlaps": [row_of(OverlapRow, overlap) for overlap in measured.overlaps],
        "hosts": measured.run.hosts,
        "link": measured.run.provenance.link,
        "clock_fits": measured.run.clock_fits,
        "placements": [
            row_of(PlacementRow, placed, variant=configuration.variant, ranks=configuration.ranks)
            for configuration in measured.run.configurations
            for placed in configuration.placement
        ],
        "failures": failure_rows([measured.run]),
        "warnings": measured.warnings,
    }


def measured_records(measured: Measured) -> Records:
    """The rows of a run, with the codes of their warnings, which the comments explain."""
    rows: list[dict[str, object]] = [
        {**measured_row(row), "warnings": " ".join(warning.code for warning in row.warnings)}
        for row in measured.rows
    ]
    names = dict.fromkeys([*MeasuredRow.__annotations__, *(name for row in rows for name in row)])
    return records_of(tuple(names), rows, comments([measured.run], measured.warnings))


def measured_row(row: Summary) -> TailedRow:
    """One cell under one configuration, with its quantiles where they were requested."""
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


def _four_numbers(numbers: FourNumbers) -> FourNumbersRow:
    names = ("latency_s", "bandwidth_bytes_per_s", "half_bandwidth_bytes", "intercept_s")
    estimates = {name: one and _estimate(one) for name in names for one in [getattr(numbers, name)]}
    exceeded = numbers.exceeded and row_of(
        ExceededRow,
        numbers.exceeded,
        measured_bytes_per_s=_estimate(numbers.exceeded.measured_bytes_per_s),
        times=_estimate(numbers.exceeded.times),
    )
    return row_of(FourNumbersRow, numbers, **estimates, exceeded=exceeded)


def _estimate(estimate: Estimate) -> EstimateRow:
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "blocks": estimate.n,
    }
