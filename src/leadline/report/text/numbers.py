"""Numbers beside the curves: tails of single operations, and a ping-pong's four."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from leadline.compare.origins import labelled
from leadline.compare.summaries import Summary
from leadline.models.pingpong import Exceeded, PingPong
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.text.measured import Measured
from leadline.report.text.phrases import MISSING, estimated, plural
from leadline.report.text.ratios import in_words
from leadline.statistics.estimate import Estimate
from leadline.units import format_bandwidth, format_rough_size, format_size, format_time


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
    """The ping-pong's numbers of all variants, as far as the sizes measured show them.

    Nothing where they show none but the latency, which is in the table of times.
    """
    order = [labelled(one.variant, one.origin) for one in measured.run.configurations]
    found = sorted(measured.pingpongs, key=lambda pingpong: order.index(pingpong.label))
    for ranks, buffers in dict.fromkeys((p.ranks, p.buffers) for p in found):
        mine = [p for p in found if (p.ranks, p.buffers) == (ranks, buffers)]
        rows = [(p.label, *_numbers(p)) for p in mine]
        notes = tuple(_exceeded(p.label, p.numbers.exceeded) for p in mine if p.numbers.exceeded)
        shown = [0, *(i for i in range(1, 5) if any(row[i] != MISSING for row in rows))]
        if {*shown} <= {0, 1} and not notes:
            continue
        table = Table(
            tuple(COLUMNS[i] for i in shown), tuple(tuple(row[i] for i in shown) for row in rows)
        )
        parts = ["pingpong in four numbers", plural(ranks, "rank"), f"{buffers} buffers"]
        yield Section(SEPARATOR.join(parts), table, notes)


COLUMNS = ("", "latency\nat 0 B", "bandwidth\nasymptotic", "n_1/2", "intercept\nof 1..2 MB")


def _numbers(pingpong: PingPong) -> Iterator[str]:
    numbers = pingpong.numbers
    for found, words in (
        (numbers.latency_s, format_time),
        (numbers.bandwidth_bytes_per_s, format_bandwidth),
        (numbers.half_bandwidth_bytes, format_rough_size),
        (numbers.intercept_s, format_time),
    ):
        yield MISSING if found is None else _estimated(found, words)


def _estimated(found: Estimate, words: Callable[[float], str]) -> str:
    return estimated(found, words, plural(found.n, "block") * (found.n > 0))


def _exceeded(label: str, found: Exceeded | None) -> str:
    """Why there is no asymptotic bandwidth."""
    if found is None:
        return ""
    measured = estimated(found.measured_bytes_per_s, format_bandwidth, "")
    few = found.times.bounds is None and found.times.n > 0
    blocks = f" ({plural(found.times.n, 'block')})" * few
    return (
        f"{label} has no asymptotic bandwidth: {measured} were measured at "
        f"{format_size(found.size_bytes)}, {in_words(found.times, threshold=0)} times that of the "
        f"line through its largest sizes{blocks}."
    )
