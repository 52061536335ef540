"""Grids for machines: the search leaves out only what can't win."""

from __future__ import annotations

import math
from ctypes import byref, c_double, c_int32

import numpy as np
import pytest
from harness.mapping_cases import grid, measured, nodes, random_machine, torus
from syrupy.assertion import SnapshotAssertion

from leadline.errors import UsageError
from leadline.mapping import METHODS, dims, evaluate, map_by, map_ranks
from leadline.mapping.dims import cut_for, dims_create
from leadline.mapping.library import call, pattern_struct, problem
from leadline.mapping.metrics import reaches
from leadline.native.structures import int64s
from leadline.topology.communication import Communication, Graph, Grid
from leadline.topology.networks import Machine
from leadline.topology.words import domain_grid, synthetic_machine

MACHINES = [
    (nodes(12, 8), 2),
    (nodes(80, 60), 2),
    (nodes(7, 5), 2),
    (torus(4, 6, 5), 2),
    (torus(8, 6, 4), 3),
    (synthetic_machine("mesh:12x10").machine, 3),
    (synthetic_machine("tree:3x4x8").machine, 3),
    (synthetic_machine("nodes:8,8,4,4").machine, 2),
]


@pytest.mark.parametrize(
    ("ranks", "ndims", "even"),
    [(72, 2, (9, 8)), (4800, 2, (75, 64)), (97, 2, (97, 1)), (1, 3, (1, 1, 1)), (64, 3, (4, 4, 4))],
)
def test_balanced_dims(ranks: int, ndims: int, even: tuple[int, ...]) -> None:
    assert dims_create(ranks, ndims) == even


def test_dims_for_a_machine_send_less_over_its_links() -> None:
    assert dims_create(4800, 2, nodes(80, 60)) == (80, 60)


@pytest.mark.parametrize(("machine", "ndims"), MACHINES)
def test_grids_that_are_left_out_could_not_win(
    machine: Machine, ndims: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranks = len(machine.slots)
    found = cut_for(machine, ranks, ndims)
    monkeypatch.setattr(dims, "_least_traffic", lambda made, tried: 0.0)
    assert found == cut_for(machine, ranks, ndims)
    assert found[1].metrics.hop_bytes <= found[0].metrics.hop_bytes


def test_the_cost_of_a_grid_is_that_of_its_mapping() -> None:
    machine = nodes(80, 60)
    for cut in cut_for(machine, 4800, 2):
        mapped = map_ranks(domain_grid(cut.dims), machine, metric="hop-bytes", steps=0)
        assert cut.metrics == mapped.after


def _told(what: str, machine: Machine, made_with: Grid, other: Communication) -> float:
    traffic = c_double()
    with problem(made_with, machine) as made:
        call(what, made, byref(pattern_struct(other)), byref(traffic))
    return traffic.value


def _least_traffic(machine: Machine, made_with: Grid, other: Communication) -> float:
    return _told("map_grid_traffic", machine, made_with, other)


def _forecast(machine: Machine, made_with: Grid, other: Communication) -> float:
    return _told("map_grid_forecast", machine, made_with, other)


@pytest.mark.parametrize(("machine", "ndims"), MACHINES)
def test_the_bound_of_another_grid_is_not_above_its_own(machine: Machine, ndims: int) -> None:
    ranks = len(machine.slots)
    line, even = grid(ranks), domain_grid(dims_create(ranks, ndims))
    own = map_ranks(even, machine, metric="hop-bytes", steps=0).lower_bound
    least = _least_traffic(machine, line, even)
    assert reaches(0.8 * own, least) and reaches(least, own)


def test_the_bound_of_a_grid_that_does_not_fit_is_refused(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as caught:
        _least_traffic(torus(4, 4), grid(4, 4), grid(4, 5))
    assert str(caught.value) == snapshot
    with pytest.raises(UsageError) as caught:
        _least_traffic(torus(4, 4), grid(4, 4), grid(4, 0))
    assert str(caught.value) == snapshot
    graph = Graph(np.zeros(17, np.int64), np.zeros(0, np.int64), np.zeros(0))
    with pytest.raises(UsageError) as caught:
        _least_traffic(torus(4, 4), grid(4, 4), graph)
    assert str(caught.value) == snapshot


def test_what_differs_by_rounding_alone_is_no_reason_to_search_on() -> None:
    machine, cube = nodes(1000, 8), domain_grid((20, 20, 20))
    found = map_ranks(cube, machine, metric="hop-bytes")
    assert found.method == "node bricks"
    assert math.isclose(measured(found.after, "hop-bytes"), found.lower_bound, rel_tol=1e-9)


def test_numbers_below_one_are_refused(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as caught:
        dims_create(0, 2)
    assert str(caught.value) == snapshot
    with pytest.raises(UsageError) as caught:
        cut_for(nodes(2, 2), 4, 0)
    assert str(caught.value) == snapshot


# -- many ranks ------------------------------------------------------------------------------------

FORESEEN = [
    (torus(4, 6, 5), "fold"),
    (torus(8, 6, 4), "fold"),
    (synthetic_machine("mesh:12x10").machine, "fold"),
    (nodes(12, 8), "node bricks"),
    (nodes(80, 60), "node bricks"),
    (synthetic_machine("tree:3x4x8").machine, "hierarchical"),
    (synthetic_machine("tree:2x3x2x4").machine, "hierarchical"),
    (synthetic_machine("torus:4x4x2", 4).machine, "hierarchical"),
]


@pytest.mark.parametrize("ndims", [1, 2, 3])
@pytest.mark.parametrize(("machine", "method"), FORESEEN)
def test_a_forecast_is_what_the_mapping_has(machine: Machine, method: str, ndims: int) -> None:
    ranks = len(machine.slots)
    even = domain_grid(dims_create(ranks, ndims))
    order = map_by(method, even, machine, metric="hop-bytes", steps=0)
    assert order is not None
    expected = evaluate(even, machine, order).hop_bytes
    assert _forecast(machine, grid(ranks), even) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", range(30))
def test_no_forecast_promises_what_cannot_be(seed: int) -> None:
    random = np.random.default_rng(seed)
    dims = tuple(int(length) for length in random.integers(1, 6, 3))
    machine = random_machine(random, math.prod(dims))
    rings = tuple(bool(ring) for ring in random.integers(0, 2, 3))
    pattern = Grid(dims, rings, ((1.0, 2.0), (3.0, 0.5), (1.0, 1.0)), diagonals=False)
    best = map_ranks(pattern, machine, metric="hop-bytes", steps=0).after.hop_bytes
    assert _forecast(machine, grid(math.prod(dims)), pattern) >= best * (1 - 1e-12)


def test_nothing_is_foreseen_where_nodes_differ(snapshot: SnapshotAssertion) -> None:
    uneven = synthetic_machine("nodes:8,8,4,4").machine
    assert _forecast(uneven, grid(24), grid(6, 4)) == math.inf
    with pytest.raises(UsageError) as caught:
        _forecast(uneven, grid(24), grid(4, 5))
    assert str(caught.value) == snapshot


@pytest.mark.parametrize(("machine", "ndims"), MACHINES)
def test_of_many_ranks_the_grid_that_a_forecast_prefers_is_mapped(
    machine: Machine, ndims: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dims, "MAPPED_RANKS", 0)
    first, best = cut_for(machine, len(machine.slots), ndims)
    assert best.metrics.hop_bytes <= first.metrics.hop_bytes * (1 + 1e-9)
    if machine.name == "nodes" and len(machine.slots) == 4800:
        assert best.dims == (80, 60)


def test_an_effort_that_is_used_up_leaves_methods_out() -> None:
    machine, permutation, method = torus(4, 6, 8), np.empty(192, np.int64), c_int32()
    found = []
    for effort in (1, 2**62):
        with problem(grid(8, 6, 4), machine) as made:
            call("map_within", made, 0, 0, 0, effort, int64s(permutation), byref(method))
        found.append((METHODS[method.value], evaluate(grid(8, 6, 4), machine, permutation)))
    assert found[0] == ("identity", evaluate(grid(8, 6, 4), machine, np.arange(192)))
    assert found[1][1] == map_ranks(grid(8, 6, 4), machine, steps=0).after
