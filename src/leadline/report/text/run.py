"""A run as a document: tables by size, then those of everything else that was computed.

Quantiles of single operations, the ping-pong's characteristic numbers, rates of ranks that send at
once, and the share of non-blocking operations that computation hides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from leadline.compare.origins import labelled
from leadline.compare.overlap import HiddenShare
from leadline.compare.summaries import Rates, Summary
from leadline.record.curve import CurveKey
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.text.catalogue import RunWords
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
    """Everything that `show` says about a run, by size or by number of ranks."""
    if by_ranks:
        nothing = Section(RunWords.NO_SWEEP())
        return [
            run_title(measured),
            *(list(sweep_sections(measured.rows)) or [nothing]),
            *note_sections([measured.run], measured.warnings),
        ]
    return [
        run_title(measured),
        *(list(curve_sections(measured)) or [Section(RunWords.NOTHING())]),
        *tail_sections(measured.rows),
        *pingpong_sections(measured),
        *form_sections(measured.forms),
        *rate_sections(measured.rates),
        *overlap_sections(measured.overlaps),
        *placement_sections(measured.run.configurations),
        *note_sections([measured.run], measured.warnings),
    ]


def tail_sections(rows: Sequence[Summary]) -> Iterator[Section]:
    """The quantiles of single operations, where they were asked for."""
    columns = ("pattern", "size", "ranks", "variant", "median", "p90", "p99")
    shown: list[tuple[str, ...]] = []
    for row in rows:
        if row.p90 is None:
            continue
        quantiles: list[str] = []
        for quantile in filter(None, (row.p90, row.p99)):
            low_high = map(format_time, quantile.bounds or ())
            interval = f" ({' to '.join(low_high)})" if quantile.bounds is not None else ""
            quantiles.append(f"{format_time(quantile.value)}{interval}")
        shown.append(
            (
                row.pattern, format_size(row.size_bytes), str(row.ranks), row.label,
                format_time(row.median_s), *quantiles,
            )
        )  # fmt: skip
    if shown:
        table = Table(columns, tuple(shown))
        yield Section(f"tails{SEPARATOR}quantiles of single operations", table)


# -- ping-pong -------------------------------------------------------------------------------------

COLUMNS = ("", "latency\nat 0 B", "bandwidth\nasymptotic", "n_1/2", "intercept\nof 1..2 MB")


def pingpong_sections(measured: Measured) -> Iterator[Section]:
    """The ping-pong's numbers of all variants, as far as the sizes measured show them.

    Nothing where they show none but the latency, which is in the table of times. A note says why a
    variant has no asymptotic bandwidth.
    """
    order = [
        labelled(configuration.variant, configuration.origin)
        for configuration in measured.run.configurations
    ]
    ping_pongs = sorted(measured.pingpongs, key=lambda pingpong: order.index(pingpong.label))
    for ranks, buffers in dict.fromkeys((p.ranks, p.buffers) for p in ping_pongs):
        members = [p for p in ping_pongs if (p.ranks, p.buffers) == (ranks, buffers)]
        rows: list[tuple[str, ...]] = []
        notes: list[str] = []
        for pingpong in members:
            numbers = pingpong.numbers
            values: tuple[tuple[Estimate | None, Callable[[float], str]], ...] = (
                (numbers.latency_s, format_time),
                (numbers.bandwidth_bytes_per_s, format_bandwidth),
                (numbers.half_bandwidth_bytes, format_rough_size),
                (numbers.intercept_s, format_time),
            )
            cells = (
                estimated(value, words, plural(value.n, "block") * (value.n > 0))
                if value is not None
                else MISSING
                for value, words in values
            )
            rows.append((pingpong.label, *cells))
            if (exceeded := numbers.exceeded) is not None:
                rate = estimated(exceeded.measured_bytes_per_s, format_bandwidth, "")
                few = exceeded.times.bounds is None and exceeded.times.n > 0
                notes.append(
                    RunWords.NO_BANDWIDTH(
                        variant=pingpong.label,
                        rate=rate,
                        bytes=exceeded.size_bytes,
                        times=in_words(exceeded.times, threshold=0),
                        blocks=plural(exceeded.times.n, "block") if few else None,
                    )
                )
        shown = [0, *(i for i in range(1, 5) if any(row[i] != MISSING for row in rows))]
        if {*shown} <= {0, 1} and not notes:
            continue
        table = Table(COLUMNS, tuple(rows)).only(shown)
        parts = ["pingpong in four numbers", plural(ranks, "rank"), f"{buffers} buffers"]
        yield Section(SEPARATOR.join(parts), table, tuple(notes))


# -- rates -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    """Whose bytes a column counts."""

    name: str
    of: Callable[[Rates], float | None]


PARTS = (
    Part("a rank sends", lambda rates: rates.rank_bytes_per_s),
    Part("a pair, both ways", lambda rates: rates.pair_bytes_per_s),
    Part("", lambda rates: rates.bytes_per_s),
)
"""From few ranks to all of them."""


def rate_sections(all_rates: Sequence[Rates]) -> Iterator[Section]:
    """What ranks deliver that send at once: a table a pattern, number of ranks and buffers policy.

    Messages a second at the smallest size that any variant has, bytes a second at the largest; "-"
    for a variant that lacks that size.
    """
    by_key: dict[tuple[str, int, str], list[Rates]] = {}
    for rates in all_rates:
        by_key.setdefault((rates.pattern, rates.ranks, rates.buffers), []).append(rates)
    for (pattern, ranks, buffers), members in by_key.items():
        least = format_size(min(member.least_bytes for member in members))
        most = format_size(max(member.most_bytes for member in members))
        parts = [part for part in PARTS if any(part.of(member) is not None for member in members)]
        of_all = "bandwidth" if len(parts) == 1 else "all ranks send"
        columns = (f"{part.name or of_all}\nat {most}" for part in parts)
        rows: list[tuple[str, ...]] = []
        for member in members:
            has_least = format_size(member.least_bytes) == least
            has_most = format_size(member.most_bytes) == most and member.most_bytes > 0
            values = [part.of(member) if has_most else None for part in parts]
            rows.append(
                (
                    member.label,
                    format_rate(member.messages_per_s) if has_least else MISSING,
                    *(MISSING if value is None else format_bandwidth(value) for value in values),
                )
            )
        heading = [pattern, "what it delivers", plural(ranks, "rank"), f"{buffers} buffers"]
        heading += ["oversubscribed"] * members[0].oversubscribed
        table = Table(("", f"messages\nat {least}", *columns), tuple(rows))
        yield Section(SEPARATOR.join(heading), table)


# -- overlap ---------------------------------------------------------------------------------------


def overlap_sections(shares: Sequence[HiddenShare]) -> Iterator[Section]:
    """Which share of non-blocking operations computation hides.

    One table for each pattern, number of ranks, buffers policy and cadence.
    """
    by_curve: dict[CurveKey, list[HiddenShare]] = {}
    for share in shares:
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
        labels = list(dict.fromkeys(share.label for share in members))
        sizes = sorted({share.size_bytes for share in members})
        known = {(share.label, share.size_bytes): _hidden(share) for share in members}
        rows = tuple(
            (size(each, len(sizes)), *(known.get((label, each), MISSING) for label in labels))
            for each in sizes
        )
        yield Section(SEPARATOR.join(parts), Table(("size", *labels), rows))


def _hidden(share: HiddenShare) -> str:
    """E.g. "62 % (55 to 68)"; with too few blocks for an interval "62 %, 2 blocks"."""
    value = f"{100 * share.hidden.value:.0f} %"
    if share.hidden.bounds is None:
        return f"{value}, {plural(share.blocks, 'block')}"
    low, high = share.hidden.bounds
    return f"{value} ({100 * low:.0f} to {100 * high:.0f})"
