"""Traces for programs: who sends what to whom, in which phase."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypedDict

from leadline.measure.tracing import TracedCell, Traces
from leadline.record.caveats import Caveat
from leadline.report.programs.notes import comments
from leadline.report.records import Records


class WorkRow(TypedDict):
    """What one rank computes in one phase."""

    rank: int
    phase: int
    flop: int
    size_bytes: int
    """Read and written."""


class TraceRow(TypedDict):
    """What one pattern did at one size, with one number of ranks."""

    pattern: str
    """With its options."""
    size_bytes: int
    """Payload, as in a measured row."""
    ranks: int
    repetitions: int
    algorithm: str
    """As in a measured row."""
    operations: Sequence[str]
    """The collectives that it calls, each with how it is done."""
    messages: int
    """In all phases."""
    message_bytes: int
    """Of all of them."""
    phases: Sequence[Sequence[Sequence[int]]]
    """For each phase its messages, each [source, destination, bytes]: by source, each one's in
    their order."""
    work: Sequence[WorkRow]
    """Between messages, where the pattern says so; by phase and rank."""


class TracesContent(TypedDict):
    """What patterns do."""

    traces: Sequence[TraceRow]
    warnings: Sequence[Caveat]


COLUMNS = (
    "pattern",
    "size_bytes",
    "ranks",
    "repetitions",
    "phase",
    "source",
    "destination",
    "message_bytes",
    "kind",
    "tag",
    "operation",
)


def traces_content(found: Traces) -> TracesContent:
    """Everything that was traced."""
    return {"traces": [_row(cell) for cell in found.cells], "warnings": found.caveats}


def _row(cell: TracedCell) -> TraceRow:
    trace = cell.trace
    return {
        "pattern": cell.pattern,
        "size_bytes": cell.size_bytes,
        "ranks": cell.ranks,
        "repetitions": cell.repetitions,
        "algorithm": cell.algorithm,
        "operations": trace.operations,
        "messages": trace.messages,
        "message_bytes": trace.whole.size_bytes,
        "phases": [
            [[one.source, one.destination, one.size_bytes] for one in phase.deliveries]
            for phase in trace.phases
        ],
        "work": [
            {"rank": one.rank, "phase": number, "flop": one.flop, "size_bytes": one.size_bytes}
            for number, phase in enumerate(trace.phases)
            for one in phase.work
        ],
    }


def traces_records(found: Traces) -> Records:
    """A row a message."""
    rows = [row for cell in found.cells for row in _messages(cell)]
    return Records(COLUMNS, rows, comments([], found.caveats))


def _messages(cell: TracedCell) -> Iterator[Sequence[object]]:
    for number, phase in enumerate(cell.trace.phases):
        for one in phase.deliveries:
            yield (
                cell.pattern, cell.size_bytes, cell.ranks, cell.repetitions, number, one.source,
                one.destination, one.size_bytes, one.kind, one.tag, one.operation,
            )  # fmt: skip
