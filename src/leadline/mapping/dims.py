"""Into which grid a number of ranks is cut: what MPI_Dims_create should answer."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import byref, c_int32

import numpy as np

from leadline.errors import UsageError
from leadline.mapping.library import call, problem
from leadline.mapping.structures import MetricsStruct
from leadline.native.structures import int64s
from leadline.topology.communication import Grid
from leadline.topology.networks import Machine

TRIED_ON_MACHINE = 8
HOP_BYTES = 3
"""MAP_HOP_BYTES in mapping.h."""


def dims_create(ranks: int, ndims: int, machine: Machine | None = None) -> tuple[int, ...]:
    """The lengths, longest first, of the grid of `ranks` in which a cube's parts send least.

    The parts of a cube that is cut g times along an axis send in proportion to g along it. So
    without a machine the least sum of lengths is best; of equal ones the least longest. With a
    machine of the eight best of these the one is, once its ranks are mapped, that sends least over
    its links: weights times hops.

    Args:
        ranks: At least 1.
        ndims: How many lengths; at least 1.
        machine: As many slots as ranks, or None.

    Raises:
        UsageError: A number below 1, or the machine has more or fewer slots.
    """
    if ranks < 1 or ndims < 1:
        raise UsageError(f"{ranks} ranks can't be cut along {ndims} axes; both must be at least 1")
    balanced = sorted(_factorisations(ranks, ndims, ranks), key=lambda dims: (sum(dims), dims))
    if machine is None:
        return balanced[0]
    return min(balanced[:TRIED_ON_MACHINE], key=lambda dims: _traffic(dims, machine))


def _factorisations(ranks: int, ndims: int, longest: int) -> Iterator[tuple[int, ...]]:
    """All products of `ndims` lengths that don't rise, the first at most `longest`."""
    if ndims == 1:
        if ranks <= longest:
            yield (ranks,)
        return
    for length in _divisors(ranks):
        if length <= longest and length**ndims >= ranks:
            for rest in _factorisations(ranks // length, ndims - 1, length):
                yield (length, *rest)


def _divisors(number: int) -> list[int]:
    low = [part for part in range(1, int(number**0.5) + 1) if number % part == 0]
    return sorted({*low, *(number // part for part in low)})


def _traffic(dims: tuple[int, ...], machine: Machine) -> float:
    weights = tuple((float(length), float(length)) for length in dims)
    grid = Grid(dims, (False,) * len(dims), weights, diagonals=False)
    permutation, metrics, method = (
        np.empty(len(machine.slots), np.int64),
        MetricsStruct(),
        c_int32(),
    )
    with problem(grid, machine) as made:
        call("map_best", made, HOP_BYTES, 0, 0, int64s(permutation), byref(method))
        call("map_evaluate", made, int64s(permutation), byref(metrics))
    traffic: float = metrics.hop_bytes
    return traffic
