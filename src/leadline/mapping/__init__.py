"""Which rank goes on which processor, for one job and for several on one machine.

`library` calls the C library in native/mapping, whose header defines every measure; `metrics`
compares permutations by these measures, `routes` follows messages over links. `dims` chooses the
shape of a process grid, `inside` the cores within hosts, `interference` places several jobs on one
network. `launchfiles` writes rank files for launchers; `preload` builds the library that reorders
the ranks of an unmodified program; `scenes` has what pictures show.

Public:
    dims: cut_for, dims_create
    inside: arranged, HopsInside
    interference: Division, share_machine, Sharing
    launchfiles: COLUMNS, EMITTERS, Placement, placement_rows
    metrics: reaches
    preload.build: preload_library
    preload.description: ALL, among, describe, FILE, MACHINE, METRIC, MOST_INLINE, NAMES, OFF,
        on_hosts, OUT, REACHES, REPORT, SEPARATOR, SWITCH
    routes: links_of, route, UInt32
    scenes: evenly, machine_scene, medium_load, Plane, Scene, scenes, seats_of, seats_of_jobs, Tile
    here: DEFAULT_STEPS, dims_create, evaluate, map_by, map_ranks, METHODS, METRICS, Metrics,
        RankMapping, STEPS_PER_SECOND

For: cli, measure, papers, report, simulate.
Never: launches, runs, how a mapping is printed or drawn.
"""

from __future__ import annotations

import time
from ctypes import byref, c_double, c_int32
from dataclasses import dataclass

import numpy as np

from leadline.errors import UsageError, unknown_name
from leadline.mapping.dims import dims_create as dims_create
from leadline.mapping.library import (
    NOT_APPLICABLE,
    call,
    check,
    library,
    method_names,
    problem,
)
from leadline.mapping.metrics import METRICS as METRICS
from leadline.mapping.metrics import Metrics as Metrics
from leadline.mapping.metrics import measure, reaches
from leadline.native.structures import doubles, int64s
from leadline.topology.communication import Communication
from leadline.topology.networks import Float64, Int64, Machine

METHODS = (
    "identity", "fold", "hierarchical", "node bricks", "strips", "hyperplane", "k-d tree",
    "hilbert", "sort", "hierarchical sort", "bisection", "breadth first", "scotch", "swaps",
    "annealing",
)  # fmt: skip
"""The names in methods(), for use before the library is compiled."""
DEFAULT_STEPS = 300_000
"""Number of swaps that are tried in the end."""
STEPS_PER_SECOND = 16_000_000
"""Fixed speed by which a time is converted to steps, so that equal times give equal mappings."""


@dataclass(frozen=True, slots=True)
class RankMapping:
    """The best permutation that was found, beside the identity."""

    permutation: Int64
    """Shape (ranks,): the allocation's slot of each rank."""
    before: Metrics
    """Metrics of the identity."""
    after: Metrics
    method: str
    lower_bound: float
    """Lower bound of the chosen metric."""
    proven_optimal: bool
    """Whether the chosen metric is as low as its bound: no mapping has less."""
    seconds: float


def methods() -> tuple[str, ...]:
    """The names of all methods; the first is the identity."""
    return method_names()


def map_ranks(
    pattern: Communication,
    machine: Machine,
    *,
    metric: str = "hops",
    steps: int = DEFAULT_STEPS,
    seed: int = 0,
    method: str | None = None,
) -> RankMapping:
    """The best mapping by `metric` of all methods; never worse than the identity by it.

    One method's alone may be worse. Equal arguments give the same permutation on every machine.

    Args:
        pattern: Who exchanges how much with whom.
        machine: As many slots as the pattern has ranks.
        metric: One of METRICS.
        steps: Swaps tried in the end; 0: none.
        seed: Which ones; 0 to 2^64 - 1.
        method: One of methods(), which alone proposes; None: all.

    Raises:
        UsageError: The pattern or machine isn't one, they don't fit, there is no such metric or
            method, or the method knows nothing of such a pattern or machine.
    """
    number = _metric(metric)
    _check_budget(steps, seed)
    alone = None if method is None else _method(method)
    library()  # compiled at its first use, which isn't the method's time
    begin = time.perf_counter()
    with problem(pattern, machine) as made:
        permutation = np.arange(len(machine.slots), dtype=np.int64)
        before = measure(made, permutation)
        winner, bound = c_int32(), c_double()
        if alone is None:
            call("map_best", made, number, steps, seed, int64s(permutation), byref(winner))
        else:
            winner.value = alone
            status = library().map_by(made, alone, number, steps, seed, int64s(permutation))
            if status == NOT_APPLICABLE:
                missing = ", or libscotch 7 is not installed" if method == "scotch" else ""
                raise UsageError(
                    f"the method {method!r} knows nothing of such ranks on such a machine"
                    f"{missing}; name another, or none: then all are tried"
                )
            check(status)
        call("map_lower_bound", made, number, byref(bound))
        after = measure(made, permutation)
        return RankMapping(
            permutation=permutation,
            before=before,
            after=after,
            method=methods()[winner.value],
            lower_bound=bound.value,
            proven_optimal=reaches(getattr(after, METRICS[metric]), bound.value),
            seconds=time.perf_counter() - begin,
        )


def map_by(
    method: str,
    pattern: Communication,
    machine: Machine,
    *,
    metric: str = "hops",
    steps: int = DEFAULT_STEPS,
    seed: int = 0,
) -> Int64 | None:
    """The best permutation by `metric` of one method's; may be worse than the identity.

    Args:
        method: One of methods().
        pattern: As for map_ranks.
        machine: As for map_ranks.
        metric: One of METRICS.
        steps: As for map_ranks.
        seed: As for map_ranks.

    Returns:
        Shape (ranks,), or None where the method knows nothing of such a pattern or machine.

    Raises:
        UsageError: As for map_ranks, or there is no such method.
    """
    index, number = _method(method), _metric(metric)
    _check_budget(steps, seed)
    with problem(pattern, machine) as made:
        permutation = np.empty(len(machine.slots), dtype=np.int64)
        status = library().map_by(made, index, number, steps, seed, int64s(permutation))
        if status == NOT_APPLICABLE:
            return None
        check(status)
    return permutation


def evaluate(pattern: Communication, machine: Machine, permutation: Int64) -> Metrics:
    """All metrics of `permutation`, shape (ranks,); UsageError if it isn't one."""
    with problem(pattern, machine) as made:
        return measure(made, _whole(permutation, machine))


def link_loads(pattern: Communication, machine: Machine, permutation: Int64) -> Float64:
    """Shape (links,): what is sent over each directed link, numbered as map_links in mapping.h.

    In a torus that is shape (vertices, axes, 2) flattened, last down and up; in a tree all links
    of vertices, then of each level's switches, shape (ends, 2): up to the switch, down from it.

    Raises:
        UsageError: `permutation` isn't one, or as for map_ranks.
    """
    with problem(pattern, machine) as made:
        loads = np.zeros(library().map_links(made), dtype=np.float64)
        call("map_link_loads", made, int64s(_whole(permutation, machine)), doubles(loads))
        return loads


def _metric(name: str) -> int:
    if name not in METRICS:
        raise unknown_name("metric", name, METRICS)
    return list(METRICS).index(name)


def _method(name: str) -> int:
    if name not in methods():
        raise unknown_name("method", name, methods())
    return methods().index(name)


def _check_budget(steps: int, seed: int) -> None:
    if not 0 <= steps < 2**63:
        raise UsageError(f"{steps} steps are no budget; give 0 or more")
    if not 0 <= seed < 2**64:
        raise UsageError(f"the seed {seed} is not one of 0 to 2^64 - 1")


def _whole(permutation: Int64, machine: Machine) -> Int64:
    given = np.ascontiguousarray(permutation, dtype=np.int64)
    if given.shape != machine.slots.shape:
        raise UsageError(
            f"the permutation has shape {given.shape}, the allocation {machine.slots.shape}"
        )
    return given
