"""Whether tables can be those of a run: a checksum proves that they are as somebody wrote them.

What is found here once, nothing that reads batches has to ask again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from leadline.record.run import LONGEST_NS, Run
from leadline.record.slices import UNKNOWN, StripConditions, Strips
from leadline.store.lines import MOST_INT32, MOST_NUMBERED

Bounds = Iterator[tuple[str, npt.NDArray[Any], float, Any]]
"""Name, column, least and most, both allowed."""


def misfit(run: Run, strips: Strips, conditions: StripConditions, rows: int) -> str | None:
    """Why `strips` and `conditions` can't be those of `run`, whose batches have so many rows."""
    bounds = (*_bounds(run, strips), *_condition_bounds(conditions))
    for name, column, least, most in bounds:
        wrong = ~((column >= least) & (column <= most))  # not a number is within no bounds
        if wrong.any():
            row = int(np.argmax(wrong))
            return f"row {row}: {name} {column[row]} isn't within the run's bounds"
    ranks = np.array([one.ranks for one in run.configurations], np.int64)
    if (strips.rank >= ranks[strips.configuration]).any():
        return "a row has a rank that its configuration doesn't have"
    ends = np.cumsum(strips.length)
    if not np.array_equal(strips.first, ends - strips.length):
        return "its rows don't follow each other"
    told = int(ends[-1]) if ends.size else 0
    return None if told == rows else f"it tells of {told} batches, there are {rows}"


def _bounds(run: Run, strips: Strips) -> Bounds:
    yield "configuration", strips.configuration, 0, len(run.configurations) - 1
    yield "cell", strips.cell, 0, len(run.cells) - 1
    yield "block", strips.block, 0, MOST_NUMBERED
    yield "visit", strips.visit, 0, MOST_NUMBERED
    yield "attempt", strips.attempt, 0, MOST_NUMBERED
    yield "launch", strips.launch, UNKNOWN, MOST_INT32
    yield "rank", strips.rank, 0, MOST_INT32
    yield "repetitions", strips.repetitions, 1, MOST_INT32
    yield "length", strips.length, 0, MOST_INT32


def _condition_bounds(conditions: StripConditions) -> Bounds:
    yield "window_ns", conditions.window_ns, UNKNOWN, LONGEST_NS
    yield "run_delay_ns", conditions.run_delay_ns, UNKNOWN, LONGEST_NS
    yield "involuntary_switches", conditions.involuntary_switches, UNKNOWN, LONGEST_NS
    yield "minor_faults", conditions.minor_faults, UNKNOWN, LONGEST_NS
    yield "handover_ns", conditions.handover_ns, UNKNOWN, LONGEST_NS
    yield "link_bytes", conditions.link_bytes, 0, LONGEST_NS
    yield "link_window_ns", conditions.link_window_ns, 0, LONGEST_NS
    yield "link_bytes_per_s", conditions.link_bytes_per_s, 0, np.finfo(float).max
    yield "warm_up_ns", conditions.warm_up_ns, UNKNOWN, LONGEST_NS
    yield "warm_up_operations", conditions.warm_up_operations, UNKNOWN, LONGEST_NS
    yield "warm_up_converged", conditions.warm_up_converged, UNKNOWN, 1
