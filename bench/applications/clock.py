"""What it costs to tell an application's communication apart: two readings of the clock a phase.

Goal: at most 1 % of an iteration of MG's smallest class on two ranks over shared memory, which
communicates the most for its time.
"""

from __future__ import annotations

import itertools

import numpy as np

from bench.cost import clock_reading_ns
from bench.live import carried_out, local_backend, variant_of
from leadline.measure.spec import Request
from leadline.measure.tracing import traced
from leadline.topology.phases import CallKind

PATTERN, RANKS, LIMIT = "mg:S", 2, 0.01


def measure(budget_s: float = 5.0, blocks: int = 6) -> dict[str, object]:
    """Phases of communication in an iteration, and its clock readings' share of it."""
    request = Request(patterns=(PATTERN,), ranks=(RANKS,), budget_s=budget_s, blocks=blocks)
    medians = carried_out(request, [variant_of(local_backend("shm"), "shm")])
    seconds = float(np.nanmedian(medians.by_variant["shm"]))
    phases, reading_ns = phases_of(request), clock_reading_ns()
    share = 2 * phases * reading_ns / (seconds * 1e9)
    return {
        "pattern": PATTERN,
        "ranks": RANKS,
        "iteration_s": seconds,
        "phases": phases,
        "reading_ns": reading_ns,
        "share": share,
        "limit": LIMIT,
        "reached": share <= LIMIT,
    }


def phases_of(request: Request) -> int:
    """How often rank 0 begins to communicate in a repetition: calls with no work between them."""
    (cell,) = traced(request, 1).cells
    computes = (call.kind is CallKind.WORK for call in cell.trace.calls[0])
    return sum(not work for work, _ in itertools.groupby(computes))
