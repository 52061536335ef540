"""Messages of patterns phase by phase, as `leadline trace` prints them."""

from __future__ import annotations

import itertools
from collections import Counter

from leadline.measure.tracing import TracedCell, Traces
from leadline.report.document import SEPARATOR, Document, Section, Table
from leadline.report.text.catalogue import TraceWords
from leadline.report.text.notes import note_sections
from leadline.report.text.phrases import MISSING, plural
from leadline.topology.phases import Phase
from leadline.units import format_size

COLUMNS = ("phase", "messages", "bytes", "most sent\nby a rank", "most received\nby a rank")
WORK = ("computed\n(flop)", "read and\nwritten")
"""Columns of patterns that compute."""


def traces_document(traces: Traces) -> Document:
    """A table for each pattern, size and number of ranks, then warnings.

    A row for each phase, or for several alike one after the other; then one of all.
    """
    sections: list[Section] = []
    for cell in traces.cells:
        trace = cell.trace
        phases = [_row(phase, cell.ranks) for phase in trace.phases]
        rows: list[tuple[str, ...]] = []
        for row, group in itertools.groupby(enumerate(phases), key=lambda numbered: numbered[1]):
            first, *others = (number for number, _ in group)
            rows.append(
                (TraceWords.PHASES(first=first, last=others[-1]) if others else str(first), *row)
            )
        if len(phases) > 1:
            rows.append(("all", *_row(trace.whole, cell.ranks)))
        columns = (*COLUMNS, *WORK) if any(phase.work for phase in trace.phases) else COLUMNS
        table = Table(columns, tuple(row[: len(columns)] for row in rows)) if rows else None
        notes: list[str] = []
        if not trace.messages:
            notes.append(TraceWords.SILENT())
        if trace.operations:
            notes.append(TraceWords.OPERATIONS(operations=trace.operations))
        sections.append(Section(title_of(cell), table, tuple(notes)))
    return [*sections, *note_sections([], traces.warnings)]


def title_of(cell: TracedCell) -> str:
    """E.g. "bcast · 1 KiB · 16 ranks · 1 repetition"."""
    words = [cell.pattern, plural(cell.ranks, "rank"), plural(cell.repetitions, "repetition")]
    if cell.size_bytes:
        words.insert(1, format_size(cell.size_bytes))
    return SEPARATOR.join(words)


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
    """The largest sum of a rank, and whose: "1 KiB (rank 3)", "1 KiB (4 ranks)", "1 KiB (each)"."""
    if not size_bytes:
        return MISSING
    most = max(size_bytes.values())
    who = [rank for rank, each in size_bytes.items() if each == most]
    if len(who) == ranks:
        return f"{format_size(most)} (each)"
    return f"{format_size(most)} ({plural(len(who), 'rank') if len(who) > 1 else f'rank {who[0]}'})"
