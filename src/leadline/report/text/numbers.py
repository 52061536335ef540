"""Numbers beside the curves: tails of single operations, and a ping-pong's four."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline.compare.origins import labelled
from leadline.compare.summaries import Summary
from leadline.models.pingpong import PingPong
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.text.measured import Measured
from leadline.report.text.phrases import (
    MISSING,
    plural,
)
from leadline.units import format_bandwidth, format_size, format_time


def tail_sections(rows: Sequence[Summary]) -> Iterator[Section]:
    """The quantiles of single operations, where they were asked for."""
    columns = ("pattern", "size", "ranks", "variant", "median", "p90", "p99")
    shown = tuple(
        (
            row.pattern, format_size(row.size_bytes), str(row.ranks), row.label,
            format_time(row.median_s), *_quantiles(row),
        )
        for row in rows
        if row.p90 is not None
    )  # fmt: skip
    if shown:
        yield Section(f"tails{SEPARATOR}quantiles of single operations", Table(columns, shown))


def _quantiles(row: Summary) -> Iterator[str]:
    for quantile in (row.p90, row.p99):
        if quantile is not None:
            text = format_time(quantile.value)
            if quantile.bounds is not None:
                low, high = map(format_time, quantile.bounds)
                text += f" ({low} to {high})"
            yield text


def pingpong_sections(measured: Measured) -> Iterator[Section]:
    """The ping-pong's numbers of all variants, as far as the sizes measured show them."""
    columns = ("", "latency\nat 0 B", "bandwidth\nasymptotic", "n_1/2", "intercept\nof 1..2 MB")
    order = [labelled(one.variant, one.origin) for one in measured.run.configurations]
    found = sorted(measured.pingpongs, key=lambda pingpong: order.index(pingpong.label))
    for ranks, buffers in dict.fromkeys((p.ranks, p.buffers) for p in found):
        rows = tuple(_numbers(p) for p in found if (p.ranks, p.buffers) == (ranks, buffers))
        if not any(set(row[1:]) - {MISSING} for row in rows):
            continue  # too few sizes for any of the four
        parts = ["pingpong in four numbers", plural(ranks, "rank"), f"{buffers} buffers"]
        yield Section(SEPARATOR.join(parts), Table(columns, rows))


def _numbers(pingpong: PingPong) -> tuple[str, ...]:
    numbers = pingpong.numbers
    latency, bandwidth = numbers.latency_s, numbers.bandwidth_bytes_per_s
    half, line = numbers.half_bandwidth_bytes, numbers.regression
    return (
        pingpong.label,
        MISSING if latency is None else format_time(latency),
        MISSING if bandwidth is None else format_bandwidth(bandwidth),
        MISSING if half is None else format_size(round(half)),
        MISSING if line is None else format_time(line.intercept_s),
    )
