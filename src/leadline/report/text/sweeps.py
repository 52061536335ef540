"""Behaviour against the number of ranks: powers of two and other numbers apart.

Algorithms that halve or double distances are at their best on powers of two, so the two families
are two curves, not one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from leadline.compare.summaries import Summary
from leadline.compare.warnings import OVERSUBSCRIBED
from leadline.patterns.powers_of_two import is_power_of_two
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.text.circumstances import COMMUNICATION, is_application, shares
from leadline.report.text.phrases import MISSING, measured_time
from leadline.units import format_size

Key = tuple[str, int, str]
"""Pattern, size in bytes, and buffers policy."""


def sweep_sections(rows: Sequence[Summary]) -> Iterator[Section]:
    """Two tables for each pattern, size and buffers policy measured with several numbers of ranks.

    More ranks than cores are marked; their cadence may differ from that of fewer, and is shown.
    Applications have two more tables of communication shares.
    """
    sized = {row.pattern for row in rows if row.size_bytes}
    for key, measured in sweeps(rows).items():
        pattern, size_bytes, buffers = key
        if is_application(measured):
            yield from _sections([pattern, "time"], measured, measured_time)
            yield from _sections([pattern, COMMUNICATION], measured, shares)
        else:
            size = [format_size(size_bytes)] * (pattern in sized)
            yield from _sections([pattern, *size, f"{buffers} buffers"], measured, measured_time)


def sweeps(rows: Sequence[Summary]) -> dict[Key, list[Summary]]:
    """The rows of each pattern, size and buffers policy measured with several numbers of ranks."""
    by_key: dict[Key, list[Summary]] = {}
    for row in rows:
        by_key.setdefault((row.pattern, row.size_bytes, row.buffers), []).append(row)
    return {
        key: measured
        for key, measured in by_key.items()
        if len({row.ranks for row in measured}) > 1
    }


def _sections(
    parts: Sequence[str], rows: Sequence[Summary], words: Callable[[Summary], str]
) -> Iterator[Section]:
    """A table for powers of two and one for other numbers of ranks, a row a number of ranks.

    Args:
        parts: What the headings begin with.
        rows: Everything that was measured of one pattern, size and buffers policy.
        words: The text of a cell.
    """
    labels = list(dict.fromkeys(row.label for row in rows))
    families = {
        "powers of two": [row for row in rows if is_power_of_two(row.ranks)],
        "other numbers of ranks": [row for row in rows if not is_power_of_two(row.ranks)],
    }
    for family, members in families.items():
        lines: list[tuple[str, ...]] = []
        for ranks in sorted({row.ranks for row in members}):
            alike = [row for row in members if row.ranks == ranks]
            crowded = ", oversubscribed" * any(map(is_crowded, alike))
            cells = {row.label: words(row) for row in alike}
            cadence = ", ".join(dict.fromkeys(row.cadence for row in alike))
            shown = (cells.get(label, MISSING) for label in labels)
            lines.append((f"{ranks}{crowded}", *shown, cadence))
        if lines:
            table = Table(("ranks", *labels, "cadence"), tuple(lines))
            yield Section(SEPARATOR.join([*parts, family]), table)


def is_crowded(row: Summary) -> bool:
    """Whether there were more ranks than cores."""
    return OVERSUBSCRIBED in row.warnings
