"""Generated collectives beside the cost forms of models/algorithms.py."""

from __future__ import annotations

from harness.rank_calls import by_rank
from harness.traces import chains
from leadline.models.algorithms import Cost, forms_of
from leadline.patterns.pattern import PatternChoice
from leadline.patterns.programs.calls import RankCalls
from leadline.patterns.programs.collectives import ALGORITHMS
from leadline.patterns.programs.patterns import calls_of
from leadline.topology.phases import CallKind, Trace

SIZE = 8 * 720720 * 2 * 17 * 31
"""Bytes that every number of ranks divides into elements."""
FORMS = {
    ("barrier", "dissemination"): "dissemination or tree",
    ("alltoall", "pairwise"): "pairwise or linear",
    ("alltoall", "linear"): "pairwise or linear",
    ("reduce_scatter", "pairwise"): "pairwise or ring",
    ("reduce_scatter", "ring"): "pairwise or ring",
}
"""Where a form isn't called as the one algorithm that has it."""
OTHERWISE = {("barrier", "tree"), ("bcast", "pipeline"), ("reduce", "pipeline")}
"""Algorithms that a form says up to a factor, or up to the length of a segment."""
HELD = [(op, name) for op, known in ALGORITHMS.items() for name in known]
EXACT = [one for one in HELD if one not in OTHERWISE]


def calls_by(collective: str, algorithm: str, ranks: int, size: int = SIZE) -> RankCalls:
    """Of one operation; UsageError where it can't be with so many ranks."""
    size = 0 if collective == "barrier" else size
    return calls_of(PatternChoice(collective), ranks, size, {collective: algorithm})


def trace_of(calls: RankCalls) -> Trace:
    """What ranks that make `calls` would log."""
    return Trace(tuple(map(tuple, by_rank(calls))), ())


def cost_of(collective: str, algorithm: str, ranks: int) -> Cost | None:
    """By the form; None: it isn't defined there."""
    return forms_of(collective)[FORMS.get((collective, algorithm), algorithm)](ranks)


def waits_in(trace: Trace) -> int:
    """How many messages each wait for the one before."""
    found = zip(chains(trace), trace.calls, strict=True)
    return 1 + max(
        chain
        for numbers, calls in found
        for chain, call in zip(numbers, calls, strict=True)
        if call.kind is CallKind.RECEIVE
    )
