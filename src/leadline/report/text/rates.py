"""What windows of messages deliver, as tables: a pattern each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline.compare.rates import Rates
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.text.phrases import MISSING, plural
from leadline.units import format_bandwidth, format_rate, format_size


def rate_sections(found: Sequence[Rates]) -> Iterator[Section]:
    """One table for each pattern, number of ranks and buffers policy."""
    by_key: dict[tuple[str, int, str], list[Rates]] = {}
    for one in found:
        by_key.setdefault((one.pattern, one.ranks, one.buffers), []).append(one)
    for (pattern, ranks, buffers), members in by_key.items():
        parts = [pattern, "what it delivers", plural(ranks, "rank"), f"{buffers} buffers"]
        parts += ["oversubscribed"] * members[0].oversubscribed
        yield Section(SEPARATOR.join(parts), _table(members))


def _table(members: Sequence[Rates]) -> Table:
    least = format_size(min(one.least_bytes for one in members))
    most = format_size(max(one.most_bytes for one in members))
    rows = tuple((one.variant, _messages(one, least), _bandwidth(one, most)) for one in members)
    return Table(("", f"messages\nat {least}", f"bandwidth\nat {most}"), rows)


def _messages(one: Rates, size: str) -> str:
    return format_rate(one.messages_per_s) if format_size(one.least_bytes) == size else MISSING


def _bandwidth(one: Rates, size: str) -> str:
    there = format_size(one.most_bytes) == size and one.most_bytes > 0
    return format_bandwidth(one.bytes_per_s) if there else MISSING
