"""Traces for programs: who sends what to whom in which phase, and schedules of ranks as GOAL.

Source of GOAL, the Group Operation Assembly Language: Hoefler, Siebert and Lumsdaine 2009, "Group
Operation Assembly Language - a flexible way to express collective communication"; the words are
those of LogGOPSim's txt2bin, which ATLAHS reads too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from leadline.measure.tracing import Traces
from leadline.record.warnings import RunWarning
from leadline.report.programs.rows import comments
from leadline.report.records import Records
from leadline.topology.schedules import Action, ActionKind

LEAST_BYTES = 1
"""Least size of a message: LogGOPSim charges for all bytes but one, so 0 would be billions."""


class WorkRow(TypedDict):
    """What one rank computes in one phase."""

    rank: int
    phase: int
    flop: int
    size_bytes: int
    """Bytes read and written."""


class TraceRow(TypedDict):
    """The messages of one pattern at one size, with one number of ranks."""

    pattern: str
    """The pattern with its options."""
    size_bytes: int
    """Payload, as in a measured row."""
    ranks: int
    repetitions: int
    algorithm: str
    """The algorithm, as in a measured row."""
    operations: Sequence[str]
    """The collectives that it calls, each with its algorithm."""
    messages: int
    """Number of messages in all phases."""
    message_bytes: int
    """Bytes of all messages."""
    phases: Sequence[Sequence[Sequence[int]]]
    """The messages of each phase as [source, destination, bytes]: by source, those of one source in
    their order."""
    work: Sequence[WorkRow]
    """Computation between messages, where the pattern declares it; by phase and rank."""


class TracesContent(TypedDict):
    """The messages and computation of patterns."""

    traces: Sequence[TraceRow]
    warnings: Sequence[RunWarning]


COLUMNS = (
    "pattern", "size_bytes", "ranks", "repetitions", "phase", "source", "destination",
    "message_bytes", "kind", "tag", "operation",
)  # fmt: skip
"""The columns of CSV."""


def traces_content(traces: Traces) -> TracesContent:
    """Everything that was traced."""
    rows: list[TraceRow] = []
    for cell in traces.cells:
        trace = cell.trace
        rows.append(
            {
                "pattern": cell.pattern,
                "size_bytes": cell.size_bytes,
                "ranks": cell.ranks,
                "repetitions": cell.repetitions,
                "algorithm": cell.algorithm,
                "operations": trace.operations,
                "messages": trace.messages,
                "message_bytes": trace.whole.size_bytes,
                "phases": [
                    [
                        [delivery.source, delivery.destination, delivery.size_bytes]
                        for delivery in phase.deliveries
                    ]
                    for phase in trace.phases
                ],
                "work": [
                    {"rank": w.rank, "phase": number, "flop": w.flop, "size_bytes": w.size_bytes}
                    for number, phase in enumerate(trace.phases)
                    for w in phase.work
                ],
            }
        )
    return {"traces": rows, "warnings": traces.warnings}


def traces_records(traces: Traces) -> Records:
    """One row for each message."""
    rows = [
        (
            cell.pattern, cell.size_bytes, cell.ranks, cell.repetitions, number, delivery.source,
            delivery.destination, delivery.size_bytes, delivery.kind, delivery.tag,
            delivery.operation,
        )
        for cell in traces.cells
        for number, phase in enumerate(cell.trace.phases)
        for delivery in phase.deliveries
    ]  # fmt: skip
    return Records(COLUMNS, rows, comments([], traces.warnings))


def goal_text(ranks: Sequence[Sequence[Action]], title: str) -> str:
    """The schedule of each of `ranks` as GOAL: a line for each action and each that it waits for.

    A computation takes a nanosecond for each floating-point operation, as GOAL only knows times.
    """
    lines = [f"// {' '.join(title.split())}", f"num_ranks {len(ranks)}"]
    for rank, actions in enumerate(ranks):
        lines += ["", f"rank {rank} {{"]
        for number, action in enumerate(actions):
            lines.append(f"l{number}: {_operation(action)}")
            lines += [f"l{number} requires l{before}" for before in action.ended]
            lines += [f"l{number} irequires l{before}" for before in action.begun]
        lines.append("}")
    return "\n".join(lines) + "\n"


def _operation(action: Action) -> str:
    size_bytes = max(action.amount, LEAST_BYTES)
    match action.kind:
        case ActionKind.SEND:
            return f"send {size_bytes}b to {action.peer} tag {action.tag}"
        case ActionKind.RECEIVE:
            return f"recv {size_bytes}b from {action.peer} tag {action.tag}"
        case ActionKind.COMPUTE:
            return f"calc {action.amount}"
