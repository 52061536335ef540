"""What `leadline trace` prints for readers."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

from leadline.measure.tracing import TracedCell, Traces
from leadline.report.document import SEPARATOR, Document, Section, Table
from leadline.report.text.notes import note_sections
from leadline.report.text.phrases import MISSING, plural
from leadline.topology.phases import Phase, Trace
from leadline.units import format_size

COLUMNS = ("phase", "messages", "bytes", "most sent\nby a rank", "most received\nby a rank")
WORK = ("computed\n(flop)", "read and\nwritten")
"""Columns of patterns that compute."""


def traces_document(found: Traces) -> Document:
    """A table a pattern, size and number of ranks, then warnings."""
    return [*map(_section, found.cells), *note_sections([], found.caveats)]


def title_of(cell: TracedCell) -> str:
    """E.g. "bcast · 1 KiB · 16 ranks · 1 repetition"."""
    words = [cell.pattern, plural(cell.ranks, "rank"), plural(cell.repetitions, "repetition")]
    if cell.size_bytes:
        words.insert(1, format_size(cell.size_bytes))
    return SEPARATOR.join(words)


def _section(cell: TracedCell) -> Section:
    trace = cell.trace
    rows = tuple(_rows(trace, cell.ranks))
    computes = any(phase.work for phase in trace.phases)
    columns = (*COLUMNS, *WORK) if computes else COLUMNS
    table = Table(columns, tuple(row[: len(columns)] for row in rows)) if trace.phases else None
    return Section(title_of(cell), table, tuple(_notes(trace)))


def _rows(trace: Trace, ranks: int) -> Iterator[tuple[str, ...]]:
    """A row for each phase, or for several with the same one after the other; then one of all."""
    rows = [_row(phase, ranks) for phase in trace.phases]
    for row, group in itertools.groupby(enumerate(rows), key=lambda numbered: numbered[1]):
        first, *others = (number for number, _ in group)
        yield (f"{first} to {others[-1]}, each" if others else str(first), *row)
    if len(rows) > 1:
        yield ("all", *_row(trace.whole, ranks))


def _row(phase: Phase, ranks: int) -> tuple[str, ...]:
    return (
        f"{len(phase.deliveries):,}",
        format_size(phase.size_bytes),
        _most(phase.sent, ranks),
        _most(phase.received, ranks),
        f"{phase.flop:,}",
        format_size(phase.worked_bytes),
    )


def _most(size_bytes: Counter[int], ranks: int) -> str:
    """E.g. "1 KiB (rank 3)", "1 KiB (4 ranks)", "1 KiB (each)"."""
    if not size_bytes:
        return MISSING
    most = max(size_bytes.values())
    who = [rank for rank, each in size_bytes.items() if each == most]
    if len(who) == ranks:
        return f"{format_size(most)} (each)"
    return f"{format_size(most)} ({plural(len(who), 'rank') if len(who) > 1 else f'rank {who[0]}'})"


def _notes(trace: Trace) -> Iterator[str]:
    if not trace.messages:
        yield "No message was sent."
    if trace.operations:
        yield f"Collectives and how they are done: {', '.join(trace.operations)}."
