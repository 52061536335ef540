"""A job: a communication pattern and the slots of a machine that it got."""

from __future__ import annotations

import math
from dataclasses import dataclass

from leadline.errors import UsageError
from leadline.topology.allocation import Allocation
from leadline.topology.communication import Communication, Grid


@dataclass(frozen=True, slots=True)
class Job:
    """One program on a machine."""

    name: str
    pattern: Communication
    allocation: Allocation


def ranks_of(pattern: Communication) -> int:
    """How many ranks communicate."""
    return math.prod(pattern.dims) if isinstance(pattern, Grid) else len(pattern.starts) - 1


def label_of(pattern: Communication) -> str:
    """E.g. "8x4x1 grid", "8x4 grid, periodic along axis 0", "graph of 32 ranks"."""
    if not isinstance(pattern, Grid):
        return f"graph of {ranks_of(pattern):,} ranks"
    closed = [str(axis) for axis, periodic in enumerate(pattern.periodic) if periodic]
    where = "" if len(closed) == len(pattern.dims) else f" along {' and '.join(closed)}"
    return f"{'x'.join(map(str, pattern.dims))} grid{f', periodic{where}' if closed else ''}"


def check_fit(pattern: Communication, allocation: Allocation) -> None:
    """UsageError unless there is exactly one slot for each rank."""
    ranks, slots = ranks_of(pattern), len(allocation)
    if ranks != slots:
        raise UsageError(
            f"the {label_of(pattern)} has {ranks:,} ranks, the allocation {slots:,} slots of "
            f"{allocation.name}; there must be as many, e.g. by --allocation first:{ranks}"
        )
