"""Plausibility of tables: a checksum only proves that they are as they were written.

What is checked here once, no code that reads batches has to check again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from leadline.record.quantities import LONGEST_NS, MOST_INT32, MOST_NUMBERED, UNKNOWN
from leadline.record.run import Run, Stated
from leadline.record.slices import KNOWN_FLAGS, SPREAD, Batches, StripConditions, Strips
from leadline.store.parquet import WORDS, Extents

Bounds = Iterator[tuple[str, npt.NDArray[Any], float, Any]]
"""Name, column, least and most value, both allowed."""
MOST_REAL = np.finfo(float).max
LATEST_NS = 3 * LONGEST_NS
"""An origin, a start after it and an elapsed time, each at its longest."""
FEW_PLACES, MANY_PLACES = 2**22, 2**28
MOST_STATED = 2**20
"""Blocks of stated values, each with all cells under all configurations: an import has no more."""
SLICES_APART, FELL_OUT_APART = 256, 4096
"""Arrays over all visits, or ranks, have at most so many places for each slice, the latter up to
MANY_PLACES: else a campaign most of whose configurations failed early would lose what it measured.
FEW_PLACES, which are 32 MiB, and one for each cell under each configuration, are never too many."""


def beyond(run: Run, extents: Extents) -> str | None:
    """Reason why a table of batches with such `extents` can't be one of `run`; None: it can."""
    if not extents.columns:
        return None
    ranks = max((configuration.ranks for configuration in run.configurations), default=0)
    bounds = dict.fromkeys(("block", "visit", "attempt"), (0, MOST_NUMBERED))
    bounds |= dict.fromkeys(SPREAD, (UNKNOWN, LATEST_NS))
    bounds |= {
        "configuration": (0, len(run.configurations) - 1),
        "cell": (0, len(run.cells) - 1),
        "launch": (UNKNOWN, MOST_INT32),
        "batch": (0, MOST_INT32),
        "rank": (0, ranks - 1),
        "repetitions": (1, MOST_INT32),
        "start_ns": (0, LATEST_NS),
        "end_ns": (0, LATEST_NS),
        "flags": (0, KNOWN_FLAGS),
    }
    for name, (least, most) in bounds.items():
        extent = extents.columns.get(name)
        if extent is not None and not least <= extent[0] <= extent[1] <= most:
            wrong = extent[0] if extent[0] < least else extent[1]
            return f"{name} {wrong} isn't within the run's bounds"
    return None


TOO_HIGH = "has a block, visit, attempt or rank to which so few slices don't count"


def too_high(most: npt.NDArray[np.int64], pairs: int, slices: int) -> bool:
    """Whether arrays over all visits, or all ranks, would be nearly empty, and beyond memory.

    `most` are the highest block, visit, attempt and rank, `pairs` the configurations times the
    cells.
    """
    blocks, visits, attempts, ranks = (int(one) + 1 for one in most)
    places = pairs * max(blocks * visits * attempts, ranks)
    sparse = min(FELL_OUT_APART * slices, MANY_PLACES)
    return places > max(FEW_PLACES, sparse, SLICES_APART * slices, pairs)


def counted_to(numbers: npt.NDArray[np.int64], pairs: int) -> npt.NDArray[np.bool_]:
    """Mask of slices, with `numbers` in rows of four as in too_high, that can be read together.

    As long as the rest is too_high, what lies above the widest gap, or the highest, is left out.
    """
    kept = np.ones(len(numbers), np.bool_)
    while kept.any() and too_high(most := numbers[kept].max(axis=0), pairs, int(kept.sum())):
        by_rank = not too_high(most * (1, 1, 1, 0), pairs, int(kept.sum()))
        axes = [3] if by_rank else [0, 1, 2]
        known = [np.unique(numbers[kept, axis]) for axis in axes]
        chosen, last = _last(known)
        kept &= numbers[:, axes[chosen]] <= last
    return kept


def _last(known: list[npt.NDArray[np.int64]]) -> tuple[int, int]:
    """Index of the `known` numbers, each sorted, that go on too far, and the last of them to keep.

    A campaign leaves numbers out, but fewer in a row than it has: where there is no wider gap, an
    eighth of the longest goes.
    """
    gaps = [np.diff(numbers, prepend=-1) for numbers in known]
    widest = int(np.argmax([steps.max() for steps in gaps]))
    above = int(np.argmax(gaps[widest]))
    if (gap := int(gaps[widest][above])) > known[widest].size:
        return widest, int(known[widest][above]) - gap
    longest = int(np.argmax([numbers.size for numbers in known]))
    return longest, int(known[longest][-1 - max(1, known[longest].size // 8)])


def crowded(run: Run, strips: Strips | Batches) -> str | None:
    """Reason why so few `strips` can't be those of `run`, as in too_high; None: they can."""
    if not strips.rank.size:
        return None
    numbers = strips.block, strips.visit, strips.attempt, strips.rank
    most = np.array([int(number.max()) for number in numbers])
    most[0] = max(most[0], *(table.block for table in run.stated), 0)
    pairs = len(run.configurations) * len(run.cells)
    return TOO_HIGH if too_high(most, pairs, strips.rank.size) else None


def repeated_too_often(table: Stated, pairs: int) -> bool:
    """Whether arrays over the blocks up to that of `table`, times `pairs`, are too large."""
    return table.block > 0 and (table.block + 1) * pairs > MOST_STATED


def misfit(run: Run, strips: Strips, conditions: StripConditions, rows: int) -> str | None:
    """Reason why `strips` and `conditions` can't be those of `run`; None: they can.

    The run's batches have `rows` rows.
    """
    for name, column, least, most in _bounds(run, strips, conditions):
        wrong = ~((column >= least) & (column <= most))  # not a number is within no bounds
        if wrong.any():
            row = int(np.argmax(wrong))
            return f"row {row}: {name} {column[row]} isn't within the run's bounds"
    ranks = np.array([configuration.ranks for configuration in run.configurations], np.int64)
    if (strips.rank >= ranks[strips.configuration]).any():
        return "a row has a rank that its configuration doesn't have"
    ends = np.cumsum(strips.length)
    if not np.array_equal(strips.first, ends - strips.length):
        return "its rows don't follow each other"
    for name in WORDS:
        if not {*map(type, getattr(conditions, name).tolist())} <= {str}:
            return f"{name} isn't all words"
    if problem := crowded(run, strips):
        return problem
    expected = int(ends[-1]) if ends.size else 0
    return None if expected == rows else f"it tells of {expected} batches, there are {rows}"


def _bounds(run: Run, strips: Strips, conditions: StripConditions) -> Bounds:
    """Bounds of all columns of a table of slices."""
    yield "configuration", strips.configuration, 0, len(run.configurations) - 1
    yield "cell", strips.cell, 0, len(run.cells) - 1
    yield "block", strips.block, 0, MOST_NUMBERED
    yield "visit", strips.visit, 0, MOST_NUMBERED
    yield "attempt", strips.attempt, 0, MOST_NUMBERED
    yield "launch", strips.launch, UNKNOWN, MOST_INT32
    yield "rank", strips.rank, 0, MOST_INT32
    yield "repetitions", strips.repetitions, 1, MOST_INT32
    yield "length", strips.length, 0, MOST_INT32
    yield "window_ns", conditions.window_ns, UNKNOWN, LONGEST_NS
    yield "run_delay_ns", conditions.run_delay_ns, UNKNOWN, LONGEST_NS
    yield "involuntary_switches", conditions.involuntary_switches, UNKNOWN, LONGEST_NS
    yield "minor_faults", conditions.minor_faults, UNKNOWN, LONGEST_NS
    yield "core_latency_ns", conditions.core_latency_ns, UNKNOWN, LONGEST_NS
    yield "link_bytes", conditions.link_bytes, 0, LONGEST_NS
    yield "link_window_ns", conditions.link_window_ns, 0, LONGEST_NS
    yield "link_bytes_per_s", conditions.link_bytes_per_s, 0, MOST_REAL
    yield "warm_up_ns", conditions.warm_up_ns, UNKNOWN, LONGEST_NS
    yield "warm_up_operations", conditions.warm_up_operations, UNKNOWN, LONGEST_NS
    yield "warm_up_converged", conditions.warm_up_converged, UNKNOWN, 1
    yield "communication_ns", conditions.communication_ns, UNKNOWN, LONGEST_NS
    yield "repetitions_ns", conditions.repetitions_ns, UNKNOWN, LONGEST_NS
    yield "verified_expected", conditions.verified_expected, -MOST_REAL, MOST_REAL
    yield "verified_seen", conditions.verified_seen, -MOST_REAL, MOST_REAL
