"""What ranks deliver that send at once, as tables: a pattern each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from leadline.compare.summaries import Rates
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.text.phrases import MISSING, plural
from leadline.units import format_bandwidth, format_rate, format_size


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
        yield Section(SEPARATOR.join(parts), _table(members))


def _table(members: Sequence[Rates]) -> Table:
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
