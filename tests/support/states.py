"""Made runs whose times follow the state of the ranks' cores, which changes as a test says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from harness.blocks import cell, configuration
from tests.support.disturbed import slice_at

from leadline.record.batches import batches_of, conditions_of, strips_of
from leadline.record.quantities import UNKNOWN
from leadline.record.run import Run
from leadline.record.slices import Slice

NEAR, FAR = "near", "far"
CORE_LATENCY_NS = {NEAR: 100, FAR: 400}
"""Of a cache line, to and fro."""
TIMES: Mapping[str, Mapping[str, int]] = {
    "a": {NEAR: 1000, FAR: 2500},
    "b": {NEAR: 6500, FAR: 9000},
}
"""Nanoseconds of a library's message in either state: b takes 6.5 or 3.6 times as long as a."""
StateAt = Callable[[int, int, str], str]
"""The state in a block and visit while a library is measured."""


def handed(taken: Slice, *core_latency_ns: int) -> Slice:
    """`taken`, whose ranks' cores handed a line over in so many nanoseconds."""
    assert taken.disturbance is not None
    values = np.array(core_latency_ns, np.int64)
    return replace(taken, disturbance=replace(taken.disturbance, core_latency_ns=values))


def slice_in(state: str, library: str, when: tuple[int, int], attempt: int = 0) -> Slice:
    """Of one library, whose times and hand-over are those of the state."""
    number, took = "ab".index(library), TIMES[library][state]
    # noise of which the median is nought, so that times are exact
    times = [took - 9, took - 4, took, took, took, took + 4, took + 9]
    taken = handed(slice_at(number, when, times), *[CORE_LATENCY_NS[state]] * 2)
    return replace(taken, attempt=attempt)


def slices_in(state_at: StateAt, blocks: int = 8, visits: int = 4) -> Iterator[Slice]:
    """Those of a campaign that measures a, then b in each visit."""
    for block in range(blocks):
        for visit in range(visits):
            for library in "ab":
                yield slice_in(state_at(block, visit, library), library, (block, visit))


def run_of(slices: Sequence[Slice], path: str = "runs/one") -> Run:
    """The run of a and b that has these slices of one cell."""
    run = Run(path, True, {}, tuple(map(configuration, "ab")), (cell(8),), batches_of(slices))
    return replace(run, strips=strips_of(slices), conditions=conditions_of(slices))


def run_in(state_at: StateAt, blocks: int = 8, path: str = "runs/one") -> Run:
    """The run of slices_in."""
    return run_of([*slices_in(state_at, blocks)], path)


def unsaid(run: Run) -> Run:
    """`run` as a format would have it that doesn't know hand-overs."""
    assert run.conditions is not None
    nothing = np.full(run.conditions.core_latency_ns.shape, UNKNOWN)
    return replace(run, conditions=replace(run.conditions, core_latency_ns=nothing))
