"""A run as a document: one table per pattern, who is faster, and the ping-pong's numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from leadline.compare.origins import labelled
from leadline.compare.overlap import HiddenShare
from leadline.compare.summaries import Rates, Summary
from leadline.models.pingpong import Exceeded, PingPong
from leadline.record.curve import CurveKey
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.text.fitted import form_sections
from leadline.report.text.mapping import placement_sections
from leadline.report.text.measured import Measured, run_title
from leadline.report.text.notes import note_sections
from leadline.report.text.phrases import MISSING, estimated, plural, size
from leadline.report.text.ratios import in_words
from leadline.report.text.sweeps import sweep_sections
from leadline.report.text.times import curve_sections
from leadline.statistics.estimate import Estimate
from leadline.units import (
    format_bandwidth,
    format_rate,
    format_rough_size,
    format_size,
    format_time,
)


def run_document(measured: Measured, by_ranks: bool = False) -> list[Section]:
    """Everything that `show` says about a run; `by_ranks`: against ranks in place of sizes."""
    if by_ranks:
        nothing = Section("nothing was measured with several numbers of ranks: run --ranks 2,3,4")
        return [
            run_title(measured),
            *(list(sweep_sections(measured.rows)) or [nothing]),
            *note_sections([measured.run], measured.caveats),
        ]
    return [
        run_title(measured),
        *(list(curve_sections(measured)) or [Section("nothing was measured")]),
        *tail_sections(measured.rows),
        *pingpong_sections(measured),
        *form_sections(measured.forms),
        *rate_sections(measured.rates),
        *overlap_sections(measured.overlaps),
        *placement_sections(measured.run.configurations),
        *note_sections([measured.run], measured.caveats),
    ]


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


@dataclass(frozen=True, slots=True)
class Part:
    """Whose bytes a column counts."""

    name: str
    of: Callable[[Rates], float | None]


PARTS = (
    Part("a rank sends", lambda one: one.rank_bytes_per_s),
    Part("a pair, both ways", lambda one: one.pair_bytes_per_s),
    Part("", lambda one: one.bytes_per_s),
)
"""From few ranks to all of them."""


def rate_sections(found: Sequence[Rates]) -> Iterator[Section]:
    """One table for each pattern, number of ranks and buffers policy."""
    by_key: dict[tuple[str, int, str], list[Rates]] = {}
    for one in found:
        by_key.setdefault((one.pattern, one.ranks, one.buffers), []).append(one)
    for (pattern, ranks, buffers), members in by_key.items():
        parts = [pattern, "what it delivers", plural(ranks, "rank"), f"{buffers} buffers"]
        parts += ["oversubscribed"] * members[0].oversubscribed
        yield Section(SEPARATOR.join(parts), _rate_table(members))


def _rate_table(members: Sequence[Rates]) -> Table:
    least = format_size(min(one.least_bytes for one in members))
    most = format_size(max(one.most_bytes for one in members))
    parts = [part for part in PARTS if any(part.of(one) is not None for one in members)]
    of_all = "bandwidth" if len(parts) == 1 else "all ranks send"
    names = [part.name or of_all for part in parts]
    return Table(
        ("", f"messages\nat {least}", *(f"{name}\nat {most}" for name in names)),
        tuple(
            (one.label, _messages(one, least), *(_bandwidth(one, most, part) for part in parts))
            for one in members
        ),
    )


def _messages(one: Rates, size: str) -> str:
    return format_rate(one.messages_per_s) if format_size(one.least_bytes) == size else MISSING


def _bandwidth(one: Rates, size: str, part: Part) -> str:
    there = format_size(one.most_bytes) == size and one.most_bytes > 0
    value = part.of(one)
    return format_bandwidth(value) if there and value is not None else MISSING


def overlap_sections(found: Sequence[HiddenShare]) -> Iterator[Section]:
    """One table for each pattern, number of ranks, buffers policy and cadence."""
    by_curve: dict[CurveKey, list[HiddenShare]] = {}
    for share in found:
        by_curve.setdefault(share.curve, []).append(share)
    for curve, members in by_curve.items():
        parts = [
            curve.pattern,
            "share of the operation that computation hides",
            plural(curve.ranks, "rank"),
            curve.cadence,
            f"{curve.buffers} buffers",
        ]
        if members[0].oversubscribed:
            parts.append("oversubscribed")
        if any(share.hidden.bounds for share in members):
            parts.append("95 % intervals")
        yield Section(SEPARATOR.join(parts), _overlap_table(members))


def _overlap_table(members: Sequence[HiddenShare]) -> Table:
    labels = list(dict.fromkeys(share.label for share in members))
    sizes = sorted({share.size_bytes for share in members})
    known = {(share.label, share.size_bytes): _percent(share) for share in members}
    rows = tuple(
        (size(each, len(sizes)), *(known.get((label, each), MISSING) for label in labels))
        for each in sizes
    )
    return Table(("size", *labels), rows)


def _percent(share: HiddenShare) -> str:
    """E.g. "62 % (55 to 68)"; with too few blocks for an interval "62 %, 2 blocks"."""
    value = f"{100 * share.hidden.value:.0f} %"
    if share.hidden.bounds is None:
        return f"{value}, {plural(share.blocks, 'block')}"
    low, high = share.hidden.bounds
    return f"{value} ({100 * low:.0f} to {100 * high:.0f})"
