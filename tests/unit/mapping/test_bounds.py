"""Lower bounds of mappings: no mapping is below, every ring reaches its own."""

from __future__ import annotations

import math

import numpy as np
import pytest
from harness.mapping_cases import (
    edges_of,
    grid,
    measured,
    nodes,
    random_graph,
    random_machine,
    random_pattern,
    torus,
)
from tests.support.brute_force import best_of_all

from leadline.mapping import METRICS, evaluate, map_ranks
from leadline.mapping.library import library
from leadline.mapping.metrics import ROUNDING, reaches
from leadline.topology.communication import Communication, Graph, Grid
from leadline.topology.networks import Machine, Torus, Tree
from leadline.topology.words import synthetic_machine

RANDOM_CASES, MOST_RANKS = 150, 7


# -- rounding --------------------------------------------------------------------------------------


@pytest.mark.parametrize("bound", [0.0, 1.0, 1 / 3, 7e9])
@pytest.mark.parametrize("share", [-1.0, 0.0, 0.9, 1.1, 50.0])
def test_values_are_rounded_in_c_as_in_python(bound: float, share: float) -> None:
    value = bound * (1 + share * ROUNDING)
    assert bool(library().map_reaches(value, bound)) == reaches(value, bound)
    assert reaches(value, bound) == (share < 1 or bound == 0)


def test_nothing_reaches_a_bound_that_is_not_known() -> None:
    assert not library().map_reaches(0.0, float("nan"))
    assert not reaches(0.0, float("nan"))


# -- of every mapping there is ---------------------------------------------------------------------


def bounds_of(pattern: Communication, machine: Machine) -> dict[str, float]:
    """Metric -> its bound; what was found is never below, and no more than proven is said."""
    bounds = {}
    for metric in METRICS:
        found = map_ranks(pattern, machine, metric=metric, steps=2000)
        value = measured(found.after, metric)
        assert found.lower_bound <= value * (1 + ROUNDING)
        assert found.proven_optimal == reaches(value, found.lower_bound)
        bounds[metric] = found.lower_bound
    return bounds


def shuffled(graph: Graph) -> Graph:
    """The same edges between ranks with other numbers."""
    ranks = len(graph.starts) - 1
    names = np.random.default_rng(ranks).permutation(ranks)
    rows: list[list[int]] = [[] for _ in range(ranks)]
    for rank in range(ranks):
        to = graph.neighbours[graph.starts[rank] : graph.starts[rank + 1]]
        rows[names[rank]] = names[to].tolist()
    starts = np.cumsum([0, *map(len, rows)])
    return Graph(starts, np.array([to for row in rows for to in row]), graph.weights)


def ring_of_edges(ranks: int) -> Graph:
    """A ring as a list of edges, its ranks in any order."""
    return shuffled(edges_of(grid(ranks, periodic=True)))


def hosts_of(ranks: int, hosts: int) -> list[list[int]]:
    """Ranks of each host: as even as can be, and all but one alone."""
    even = [len(part) for part in np.array_split(np.arange(ranks), hosts)]
    return [even, [ranks - hosts + 1] + [1] * (hosts - 1)]


def machines_of(cores: list[int]) -> list[Machine]:
    """These hosts at one switch, at two, in a ring and in a row."""
    hosts = len(cores)
    vertices = np.repeat(np.arange(hosts, dtype=np.int64), cores)
    one, two = np.zeros((hosts, 1), dtype=np.int64), np.arange(hosts).reshape(-1, 1) // 2
    networks: list[Torus | Tree] = [
        Tree(one),
        Tree(np.hstack([two, one])),
        Torus((hosts,), (True,)),
        Torus((hosts,), (False,)),
    ]
    return [Machine(network, vertices, str(cores)) for network in networks]


@pytest.mark.parametrize("hosts", [2, 3])
@pytest.mark.parametrize("ranks", range(4, 10))
@pytest.mark.parametrize("periodic", [False, True], ids=["row", "ring"])
def test_bound_of_a_ring_or_row_on_hosts_is_what_the_best_mapping_has(
    periodic: bool, ranks: int, hosts: int
) -> None:
    pattern = grid(ranks, periodic=periodic)
    for cores in hosts_of(ranks, hosts):
        for machine in machines_of(cores):
            best = pytest.approx(dict(best_of_all(pattern, machine)), rel=ROUNDING)
            assert bounds_of(pattern, machine) == best
            assert bounds_of(shuffled(edges_of(pattern)), machine) == best


@pytest.mark.parametrize("ranks", range(4, 9))
def test_bound_of_a_ring_of_unequal_weights_is_what_the_best_mapping_has(ranks: int) -> None:
    ring = Grid((ranks,), (True,), ((2.0, 0.5),), diagonals=False)
    for machine in machines_of(hosts_of(ranks, 3)[0]):
        best = best_of_all(ring, machine)
        assert bounds_of(ring, machine) == pytest.approx(dict(best), rel=ROUNDING)


@pytest.mark.parametrize(
    "word", ["torus:8", "torus:4x2", "torus:2x2x2", "mesh:7", "mesh:2x3", "torus:7", "tree:2x2x2"]
)
def test_bound_of_a_ring_on_a_network_is_what_the_best_mapping_has(word: str) -> None:
    machine = synthetic_machine(word).machine
    ring = grid(len(machine.slots), periodic=True)
    best = best_of_all(ring, machine)
    assert bounds_of(ring, machine) == pytest.approx(dict(best), rel=ROUNDING)


@pytest.mark.parametrize(
    ("around", "places"),
    [
        (8, (0, 1, 4, 5)),
        (8, (0, 3, 4, 7)),
        (7, (0, 1, 3, 4)),
        (10, (0, 0, 2, 5, 7)),
        (2, (0, 0, 1)),
    ],
)
def test_bound_of_a_ring_on_a_ring_with_holes_is_what_the_best_mapping_has(
    around: int, places: tuple[int, ...]
) -> None:
    machine = Machine(Torus((around,), (True,)), np.array(places), "with holes")
    ring = grid(len(places), periodic=True)
    best, bounds = best_of_all(ring, machine), bounds_of(ring, machine)
    assert bounds == pytest.approx(dict(best), rel=ROUNDING)


def test_hops_around_a_ring_of_odd_length_are_bound_by_planes_opposite_each_other() -> None:
    machine = Machine(Torus((9,), (True,)), np.array([0, 1, 6, 7, 8]), "with holes")
    found = map_ranks(grid(5, periodic=True), machine)
    assert (found.lower_bound, found.proven_optimal) == (1.6, True)


def test_a_way_around_an_odd_mesh_needs_one_hop_more_than_it_has_edges() -> None:
    found = map_ranks(grid(9, periodic=True), synthetic_machine("mesh:3x3").machine)
    assert found.lower_bound == pytest.approx(10 / 9)
    assert found.proven_optimal


@pytest.mark.parametrize(
    ("pattern", "machine"),
    [
        (grid(4, 2, periodic=True), torus(8)),
        (grid(2, 2, 2, periodic=True), torus(4, 2)),
        (grid(4, 2), torus(2, 2, 2)),
        (grid(4, 2), nodes(2, 4)),
        (grid(3, 3, periodic=True), nodes(3, 3)),
        (grid(8), synthetic_machine("mesh:4x2").machine),
        (Grid((3, 3), (False, False), ((1.0, 1.0),) * 2, diagonals=True), nodes(3, 3)),
    ],
)
def test_no_mapping_of_a_grid_is_below_its_bounds(pattern: Grid, machine: Machine) -> None:
    best, bounds = best_of_all(pattern, machine), bounds_of(pattern, machine)
    assert all(reaches(bounds[metric], best[metric]) for metric in METRICS), (bounds, best)


def random_case(seed: int) -> tuple[Communication, Machine]:
    """A few ranks of any pattern on a machine of any kind."""
    random = np.random.default_rng(seed)
    pattern: Communication | None = random_graph(random, MOST_RANKS) if seed % 2 else None
    while pattern is None:
        other = random_pattern(random)
        if isinstance(other, Grid) and math.prod(other.dims) <= MOST_RANKS:
            pattern = other
    ranks = len(pattern.starts) - 1 if isinstance(pattern, Graph) else math.prod(pattern.dims)
    return pattern, random_machine(random, ranks)


def test_no_mapping_of_random_ranks_is_below_their_bounds() -> None:
    reached = dict.fromkeys(METRICS, 0)
    for seed in range(RANDOM_CASES):
        pattern, machine = random_case(seed)
        best, bounds = best_of_all(pattern, machine), bounds_of(pattern, machine)
        for metric in METRICS:
            assert reaches(bounds[metric], best[metric]), (seed, metric)
            reached[metric] += reaches(best[metric], bounds[metric])
    least = {"hops": 0.8, "load": 0.5, "internode": 0.95, "hop-bytes": 0.75}
    assert all(reached[metric] >= least[metric] * RANDOM_CASES for metric in METRICS), reached


def test_a_bound_that_is_too_high_would_be_found() -> None:
    """A row's mappings are below the bounds of a ring."""
    best, bounds = best_of_all(grid(6), nodes(2, 3)), bounds_of(grid(6, periodic=True), nodes(2, 3))
    assert not any(reaches(bounds[metric], best[metric]) for metric in ("internode", "hop-bytes"))


@pytest.mark.parametrize(
    ("pattern", "machine"),
    [
        (grid(4, 4, 4, periodic=True), nodes(8, 8)),
        (grid(8, 4, 2, periodic=True), nodes(4, 16)),
        (grid(16, 8, 4, periodic=True), nodes(64, 8)),
        (grid(8, 8, 8, periodic=True), nodes(32, 16)),
        (Grid((8, 8, 8), (True, False, True), ((1.0, 1.0),) * 3, diagonals=False), nodes(64, 8)),
        (Grid((8, 8), (True, False), ((0.1, 0.3), (0.2, 0.1)), diagonals=False), nodes(16, 4)),
        (Grid((12, 12), (True, True), ((1.0, 4096.0), (1.0, 8.0)), diagonals=False), nodes(12, 12)),
    ],
)
def test_rings_of_several_axes_are_cut_at_the_bound(pattern: Grid, machine: Machine) -> None:
    for metric in ("internode", "hop-bytes"):
        assert map_ranks(pattern, machine, metric=metric).proven_optimal, metric


def least_cuts_of_box(pattern: Grid) -> list[int]:
    """For each number of ranks the least cut of any set of them: of all sets there are."""
    graph, ranks = edges_of(pattern), math.prod(pattern.dims)
    sets = np.arange(1 << (ranks - 1))
    cut, size = np.zeros_like(sets), np.zeros_like(sets)
    for rank in range(ranks):
        size += sets >> rank & 1
        for to in graph.neighbours[graph.starts[rank] : graph.starts[rank + 1]]:
            cut += (sets >> rank ^ sets >> int(to)) & 1
    half = [int(cut[size == few].min()) for few in range(1, ranks)]
    return [min(pair) for pair in zip(half, reversed(half), strict=True)]


@pytest.mark.parametrize("weights", [(0.1, 0.1), (0.1, 0.7), (1.1, 0.3), (0.07, 0.9)])
def test_fractions_that_add_up_to_more_are_rounded_down_before_up(
    weights: tuple[float, float],
) -> None:
    for hosts in range(2, 24):
        ring = Grid((3 * hosts,), (True,), (weights,), diagonals=False)
        for metric in ("internode", "hop-bytes"):
            found = map_ranks(ring, nodes(hosts, 3), metric=metric, steps=0)
            assert reaches(found.lower_bound, measured(found.after, metric)), (hosts, metric)
            assert found.proven_optimal


def nodes_of(*cores: int) -> Machine:
    """Nodes at one switch, with so many cores each."""
    vertices = np.repeat(np.arange(len(cores), dtype=np.int64), cores)
    return Machine(Tree(np.zeros((len(cores), 1), dtype=np.int64)), vertices, str(cores))


@pytest.mark.parametrize(
    ("dims", "rings"),
    [
        ((3, 3, 2), (True, True, False)),
        ((3, 3, 2), (False, False, False)),
        ((3, 3, 2), (True, False, True)),
        ((6, 3), (True, True)),
        ((9, 2), (True, False)),
        ((17,), (True,)),
    ],
)
def test_no_set_of_18_ranks_cuts_less_than_its_bound(
    dims: tuple[int, ...], rings: tuple[bool, ...]
) -> None:
    """So many that sets are no longer enumerated where the bound is made."""
    ranks = math.prod(dims)
    pattern = Grid(dims, rings, ((1.0, 1.0),) * len(dims), diagonals=False)
    reached = 0
    for few, least in enumerate(least_cuts_of_box(pattern), start=1):
        found = map_ranks(pattern, nodes_of(few, ranks - few), metric="internode")
        assert found.lower_bound <= least
        reached += found.lower_bound == least
    assert reached >= 0.4 * (ranks - 1)


# -- of more ranks ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("half", "cut"), [(nodes(2, 32), 32), (nodes(2, 128), 64)])
def test_halves_of_a_torus_told_by_its_edges_alone_are_bound_exactly(
    half: Machine, cut: float
) -> None:
    """By congestion: all edges carry as much if all ranks send each other as much."""
    side = math.isqrt(len(half.slots))
    found = map_ranks(edges_of(grid(side, side, periodic=True)), half, metric="internode")
    assert found.lower_bound == cut
    assert found.proven_optimal


def test_parts_of_a_torus_told_by_its_edges_alone_are_bound_within_a_quarter() -> None:
    told, pattern = edges_of(grid(16, 16, periodic=True)), grid(16, 16, periodic=True)
    bounds = [
        map_ranks(one, nodes(16, 16), metric="internode", steps=0).lower_bound
        for one in (told, pattern)
    ]
    assert 0.75 * bounds[1] < bounds[0] <= bounds[1]


def test_rings_that_share_nodes_are_cut_where_none_fits_beside_another() -> None:
    """Three rings of 20: two nodes of 30 must cut one of them, three nodes of 20 none."""
    ring, parts = ring_of_edges(20), range(3)
    starts = np.concatenate([ring.starts[:1], *(ring.starts[1:] + 40 * k for k in parts)])
    rings = Graph(starts, np.concatenate([ring.neighbours + 20 * k for k in parts]), np.ones(120))
    cut = [map_ranks(rings, nodes(*shape), metric="internode") for shape in ((2, 30), (3, 20))]
    assert [one.lower_bound for one in cut] == [4, 0]
    assert all(one.proven_optimal for one in cut)


def test_a_star_has_no_more_near_than_there_are_slots() -> None:
    """Its centre has 4 of 24 others one hop away, 8 two, and 12 three or more."""
    star = Graph(np.array([0, *[24] * 25]), np.arange(1, 25), np.ones(24))
    found = map_ranks(star, torus(5, 5), metric="hop-bytes")
    assert found.lower_bound == 4 * 1 + 8 * 2 + 8 * 3 + 4 * 4
    assert found.proven_optimal
    assert map_ranks(star, torus(5, 5), metric="load").lower_bound == 6


def test_bounds_of_a_large_graph_know_that_it_hangs_together() -> None:
    ring = ring_of_edges(4096)
    assert map_ranks(ring, nodes(64, 64), metric="internode", steps=0).lower_bound == 128
    row = Graph(np.append(np.arange(4096), 4095), np.arange(1, 4096), np.ones(4095))
    found = map_ranks(row, nodes(64, 64), metric="internode", steps=0)
    assert found.lower_bound == 63
    assert evaluate(row, nodes(64, 64), np.arange(4096)).internode_edges == 63
