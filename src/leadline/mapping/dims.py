"""Into which grid a number of ranks is cut: what MPI_Dims_create should answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from ctypes import byref, c_double, c_int32, c_void_p
from dataclasses import dataclass

import numpy as np

from leadline.mapping.library import call, pattern_struct, problem
from leadline.mapping.metrics import METRICS, ROUNDING, Metrics, measure, reaches
from leadline.native.structures import int64s
from leadline.topology.communication import even_grids, evenness
from leadline.topology.networks import Machine
from leadline.topology.words import domain_grid

TRIED_ON_MACHINE = 8
MAPPED_RANKS = 160_000
"""Of all grids but the first together: up to here none is left out that might win."""
EFFORT = 40_000_000
"""Looks at ranks and edges that a grid is worth, as map_within has it."""
HOP_BYTES = list(METRICS).index("hop-bytes")


@dataclass(frozen=True, slots=True)
class Cut:
    """A grid of all ranks, each with an equal part of a cube, once it is mapped."""

    dims: tuple[int, ...]
    metrics: Metrics


def dims_create(ranks: int, ndims: int, machine: Machine | None = None) -> tuple[int, ...]:
    """The lengths, longest first, of the grid of `ranks` in which a cube's parts send least.

    The parts of a cube that is cut g times along an axis send in proportion to g along it. So
    without a machine the least sum of lengths is best; of equal ones the least longest. With a
    machine it is the grid that cut_for finds.

    Args:
        ranks: At least 1.
        ndims: How many lengths; at least 1.
        machine: As many slots as ranks, or None.

    Raises:
        UsageError: A number below 1, or the machine has more or fewer slots.
    """
    if machine is None:
        return even_grids(ranks, ndims)[0]
    return cut_for(machine, ranks, ndims)[1].dims


def cut_for(machine: Machine, ranks: int, ndims: int) -> tuple[Cut, Cut]:
    """The most even grid, and of the eight most even the one that sends least over the links.

    That is weights times hops, once the grid's ranks are mapped; of equal ones the more even. Grids
    of which no mapping can have less than the best one's are not mapped. Nor are, of more than
    MAPPED_RANKS ranks in all, those that a forecast doesn't put before the most even.

    Args:
        machine: As many slots as ranks.
        ranks: As for dims_create.
        ndims: As for dims_create.

    Raises:
        UsageError: As for dims_create.
    """
    even, *others = even_grids(ranks, ndims)[:TRIED_ON_MACHINE]
    with problem(domain_grid(even), machine) as made:
        first = best = _mapped(made, even, machine)
        promising = _promising(made, first, others)
    for promise in promising:
        if _is_better(promise.least, promise.dims, best):
            with problem(domain_grid(promise.dims), machine) as made:
                cut = _mapped(made, promise.dims, machine)
            best = cut if _is_better(cut.metrics.hop_bytes, promise.dims, best) else best
    return first, best


@dataclass(frozen=True, slots=True)
class _Promise:
    dims: tuple[int, ...]
    least: float
    """Traffic that no mapping of the grid has less of; 0 where that isn't known."""
    forecast: float
    """Traffic that a mapping of it has; infinite where none is known."""

    def place(self, lowest: float) -> tuple[float, float]:
        """Lowest comes first; forecasts that only rounding parts from the `lowest` are equal."""
        forecast = lowest if reaches(self.forecast, lowest) else self.forecast
        return forecast, self.least if math.isinf(forecast) else 0.0


def _promising(made: c_void_p, first: Cut, others: Sequence[tuple[int, ...]]) -> list[_Promise]:
    """The grids that may be better than the first, the most promising first."""
    ranks = math.prod(first.dims)
    bounds = ((dims, _least_traffic(made, dims)) for dims in others)
    better = [(dims, least) for dims, least in bounds if _is_better(least, dims, first)]
    promises = [_Promise(dims, least, _forecast(made, dims)) for dims, least in better]
    lowest = min((promise.forecast for promise in promises), default=math.inf)
    promises.sort(key=lambda promise: promise.place(lowest))
    if len(promises) * ranks <= MAPPED_RANKS:
        return promises
    known = [promise for promise in promises if _is_better(promise.forecast, promise.dims, first)]
    return known[: max(1, MAPPED_RANKS // ranks)]


def _is_better(traffic: float, dims: tuple[int, ...], best: Cut) -> bool:
    """Whether a grid goes before the best: it has less traffic, or as much and is even."""
    if math.isclose(traffic, best.metrics.hop_bytes, rel_tol=ROUNDING):
        return evenness(dims) < evenness(best.dims)
    return traffic < best.metrics.hop_bytes


def _mapped(made: c_void_p, dims: tuple[int, ...], machine: Machine) -> Cut:
    permutation, method = np.empty(len(machine.slots), np.int64), c_int32()
    arguments = (HOP_BYTES, 0, 0, EFFORT, int64s(permutation), byref(method))
    call("map_within", made, *arguments)
    return Cut(dims, measure(made, permutation))


def _least_traffic(made: c_void_p, dims: tuple[int, ...]) -> float:
    """What no mapping of this grid has less of; 0 where that isn't known."""
    bound = c_double()
    call("map_grid_traffic", made, byref(pattern_struct(domain_grid(dims))), byref(bound))
    return max(0.0, bound.value)


def _forecast(made: c_void_p, dims: tuple[int, ...]) -> float:
    """What a mapping of this grid is known to have; infinite: none is known."""
    traffic = c_double()
    call("map_grid_forecast", made, byref(pattern_struct(domain_grid(dims))), byref(traffic))
    return traffic.value
