"""Every pattern traced for real: by ranks of backend `trace`, each a process."""

from __future__ import annotations

import itertools
import os

from harness.traces import FOLLOWED, chains
from tests.support.goal import sent_at
from tests.support.seen_calls import traceable

from leadline.measure.spec import Request
from leadline.measure.system import background_load
from leadline.measure.tracing import TracedCell, Traces, traced
from leadline.report.programs.trace import goal_text
from leadline.topology.phases import Trace
from leadline.topology.schedules import schedule_of

RANKS = tuple(range(2, 17))
SIZE = 960
"""A multiple of what every pattern's elements take."""
RUNS = 20


def patterns() -> list[str]:
    """All but applications, which have a problem instead of a size."""
    return [name for name, one in traceable().items() if not one.application]


def trace_all(*names: str, ranks: tuple[int, ...], repetitions: int = 1) -> Traces:
    return traced(Request(patterns=names, sizes=(SIZE,), ranks=ranks), repetitions)


def phases(found: Traces) -> dict[tuple[str, int], object]:
    return {(cell.pattern, cell.ranks): cell.trace.phases for cell in found.cells}


def check(cell: TracedCell) -> None:
    """Every call's phase is the longest chain that ends in it, and the schedule sends in phases."""
    kinds = {call.kind for calls in cell.trace.calls for call in calls}
    text = goal_text(schedule_of(cell.trace), cell.pattern)
    assert sent_at(text, rendezvous=True) or not cell.trace.messages
    sent = sent_at(text)
    if kinds <= FOLLOWED:
        logged = [[call.depth for call in calls] for calls in cell.trace.calls]
        assert logged == chains(cell.trace), cell.pattern
        assert sorted(itertools.chain(*sent.values())) == phases_of_messages(cell.trace)


def phases_of_messages(trace: Trace) -> list[int]:
    return [number for number, phase in enumerate(trace.phases) for _ in phase.deliveries]


def test_every_pattern_is_traced_with_2_to_16_ranks() -> None:
    found = trace_all(*patterns(), ranks=RANKS, repetitions=2)
    seen = {cell.pattern for cell in found.cells}
    assert seen == set(patterns())
    for cell in found.cells:
        assert len(cell.trace.calls) == cell.ranks
        check(cell)
    silent = {cell.pattern for cell in found.cells if not cell.trace.messages}
    assert silent <= {"pack", "unpack"}
    assert bool(silent) == ("no_messages" in [warning.code for warning in found.warnings])


def test_applications_are_traced_where_ranks_can_share_their_problem() -> None:
    names = [name for name, one in traceable().items() if one.application]
    found = trace_all(*names, ranks=RANKS)
    takers: dict[str, list[int]] = {cell.pattern: [] for cell in found.cells}
    for cell in found.cells:
        takers[cell.pattern].append(cell.ranks)
        check(cell)
    by_twos = [2, 4, 8, 16]
    assert takers == {"mg:S": by_twos, "mg_puts:S": by_twos, "stap:small": list(RANKS)}


def test_traces_are_equal_in_20_runs_under_load() -> None:
    first = {ranks: phases(trace_all(*patterns(), ranks=(ranks,))) for ranks in (5, 8)}
    with background_load(sorted(os.sched_getaffinity(0))):
        for ranks, _ in zip(itertools.cycle(first), range(RUNS), strict=False):
            assert phases(trace_all(*patterns(), ranks=(ranks,))) == first[ranks]


def test_64_ranks_of_every_pattern_are_traced() -> None:
    found = trace_all(*patterns(), ranks=(64,))
    assert {cell.pattern for cell in found.cells} == set(patterns())
