"""Jobs: a communication pattern, the slots of a machine that it got, and ways to divide slots.

Slots are divided so that those of each job lie together: in boxes of a torus or mesh, or below a
switch.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt

from leadline.errors import UsageError
from leadline.topology.allocation import Allocation
from leadline.topology.communication import Communication, Grid
from leadline.topology.networks import Int64, Torus, hops


@dataclass(frozen=True, slots=True)
class Job:
    """One program on a machine."""

    name: str
    pattern: Communication
    allocation: Allocation


def ranks_of(pattern: Communication) -> int:
    """The number of ranks that communicate."""
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


Mask = npt.NDArray[np.bool_]


def free_box(network: Torus, free: Int64, shape: tuple[int, ...]) -> Int64 | None:
    """The vertices of the first box of `shape`, turned any way, that are all in `free`; or None.

    Along periodic axes a box may reach across the end. Axes of length 1 in `shape` don't count.
    """
    lengths = [length for length in shape if length > 1]
    missing = len(network.dims) - len(lengths)
    if missing < 0:
        return None
    mask = np.zeros(math.prod(network.dims), dtype=np.bool_)
    mask[free] = True
    for turned in dict.fromkeys(permutations([*lengths, *[1] * missing])):
        origins = np.flatnonzero(_origins(network, mask.reshape(network.dims), turned))
        if origins.size:
            corner = np.unravel_index(int(origins[0]), network.dims)
            steps = np.indices(turned).reshape(len(turned), -1)
            inside = [
                (int(start) + step) % extent
                for start, step, extent in zip(corner, steps, network.dims, strict=True)
            ]
            return np.ravel_multi_index(inside, network.dims).astype(np.int64)
    return None


def _origins(network: Torus, mask: Mask, shape: tuple[int, ...]) -> Mask:
    """Where the lowest corner of a free box of `shape` may be."""
    fits = mask
    for axis, (length, extent) in enumerate(zip(shape, network.dims, strict=True)):
        if length > extent:
            return np.zeros_like(mask)
        along = fits
        for step in range(1, length):
            along = along & np.roll(fits, -step, axis)
        if not network.periodic[axis]:  # no box may reach across the end
            inside = np.arange(extent) <= extent - length
            others = [-1 if other == axis else 1 for other in range(len(network.dims))]
            along = along & inside.reshape(others)
        fits = along
    return fits


Partition = tuple[Int64, ...]
"""For each job the indices of its slots in the pool."""
MOST_ORDERED_JOBS = 4
"""Up to so many jobs choose in every order; more only in the given one and largest first."""
MOST_SEEDS = 256
"""Most vertices from which a job is grown on trial."""


def partitions(pool: Allocation, jobs: Sequence[Job]) -> Iterator[Partition]:
    """Candidates: consecutive slots along each order of axes, bisection, boxes, and growth.

    Args:
        pool: The slots that may be given to jobs, at least as many as all have ranks.
        jobs: Their patterns count; their present allocations don't.
    """
    sizes = [ranks_of(job.pattern) for job in jobs]
    orders: Iterable[tuple[int, ...]] = permutations(range(len(jobs)))
    if len(jobs) > MOST_ORDERED_JOBS:
        given = tuple(range(len(jobs)))
        orders = dict.fromkeys([given, tuple(sorted(given, key=lambda job: -sizes[job]))])
    for order in orders:
        ordered = [jobs[number] for number in order]
        for parts in _ordered_partitions(pool, ordered):
            by_job = dict(zip(order, parts, strict=True))
            yield tuple(by_job[number] for number in range(len(jobs)))


def _ordered_partitions(pool: Allocation, jobs: Sequence[Job]) -> Iterator[Partition]:
    """Candidates in which jobs choose in their order."""
    sizes = [ranks_of(job.pattern) for job in jobs]
    if isinstance(pool.network, Torus):
        axes = list(np.unravel_index(pool.vertices, pool.network.dims))
    else:  # switches from the top down
        axes = [*pool.network.ancestors[pool.vertices].T[::-1], pool.vertices]
    for order in permutations(range(len(axes))) if len(axes) <= 3 else [range(len(axes))]:
        sequence = np.lexsort([axes[axis] for axis in reversed(order)])
        yield tuple(np.split(sequence, np.cumsum(sizes))[: len(sizes)])
    yield tuple(_bisected(axes, np.arange(len(pool)), sizes))
    for choose in (_box_or_grown, _grown):  # one job after the other
        free = np.arange(len(pool), dtype=np.int64)
        parts: list[Int64] = []
        for job in jobs:
            parts.append(choose(pool, free, job))
            free = np.setdiff1d(free, parts[-1])
        yield tuple(parts)


def _bisected(axes: Sequence[Int64], slots: Int64, sizes: Sequence[int]) -> Iterator[Int64]:
    """Halves of the jobs get halves of the slots, cut across the axis that spreads most."""
    if len(sizes) == 1:
        yield slots[: sizes[0]]
        return
    half = len(sizes) // 2
    spread = [int(np.ptp(axis[slots])) for axis in axes]
    along = slots[np.argsort(axes[int(np.argmax(spread))][slots], kind="stable")]
    cut = sum(sizes[:half])
    yield from _bisected(axes, along[:cut], sizes[:half])
    yield from _bisected(axes, along[cut:], sizes[half:])


def _box_or_grown(pool: Allocation, free: Int64, job: Job) -> Int64:
    """A free box of the grid's shape where there is one, else the slots of `_grown`."""
    if isinstance(job.pattern, Grid) and isinstance(pool.network, Torus):
        vertices = pool.vertices[free]
        box = free_box(pool.network, vertices, job.pattern.dims)
        if box is not None and len(np.unique(vertices)) == len(vertices):
            return free[np.isin(vertices, box)]
    return _grown(pool, free, job)


def _grown(pool: Allocation, free: Int64, job: Job) -> Int64:
    """The free slots nearest to one of them: the one with the least distance to its nearest."""
    count = ranks_of(job.pattern)
    seeds = free[:: max(1, len(free) // MOST_SEEDS)]
    away = hops(pool.network, pool.vertices[seeds], pool.vertices[free])
    nearest = np.sort(away, axis=1)[:, :count].sum(axis=1)
    return np.sort(free[np.argsort(away[int(np.argmin(nearest))], kind="stable")[:count]])
