from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.errors import UsageError
from leadline.topology.allocation import first_slots, listed_slots, slots_without, t3e_slots
from leadline.topology.communication import Grid, Messages, messages_on
from leadline.topology.job import check_fit, label_of, ranks_of
from leadline.topology.networks import MOST_DIMS, Torus, Tree, parse_dims, t3e
from leadline.topology.words import domain_grid, open_grid, parse_grid, synthetic_machine

# -- lengths ---------------------------------------------------------------------------------------


def test_lengths_are_read_in_order() -> None:
    assert parse_dims("8x4x1", "grid") == (8, 4, 1)
    assert parse_dims("7", "grid") == (7,)


def test_lengths_that_make_no_grid_are_refused(snapshot: SnapshotAssertion) -> None:
    given = [
        "",
        "8x",
        "8,4",
        "8x4.5",
        "٣x2",
        "8x0x2",
        "8x00",
        "8x-4",
        "5000x5000",
        "9" * 5000,
        "x".join("1" * (MOST_DIMS + 1)),
    ]
    assert refusals(lambda text: parse_dims(text, "grid"), given, UsageError) == snapshot


# -- grids -----------------------------------------------------------------------------------------


def test_grid_is_open_and_of_weight_1_unless_said_otherwise() -> None:
    assert parse_grid("4x2") == open_grid((4, 2))
    assert open_grid((4, 2)).weights == ((1.0, 1.0), (1.0, 1.0))


def test_grid_has_periods_by_axis_and_weights_by_direction() -> None:
    grid = parse_grid("4x3x2", "1,0,1", "1,2:3,0.5", diagonals=True)
    assert grid.periodic == (True, False, True)
    assert grid.weights == ((1.0, 1.0), (2.0, 3.0), (0.5, 0.5))
    assert grid.diagonals


def test_wrong_word_about_a_grid_is_named(snapshot: SnapshotAssertion) -> None:
    given = [
        ("1,0", None),
        ("1,0,2", None),
        ("1,,0", None),
        (None, "1,1"),
        (None, "1,1,-1"),
        (None, "1,nan,1"),
        (None, "1,1:inf,1"),
        (None, "1,1:,1"),
        (None, "1,two,1"),
    ]
    assert refusals(lambda words: parse_grid("4x3x2", *words), given, UsageError) == snapshot


def test_diagonals_are_refused_where_there_would_be_thousands_of_neighbours(
    snapshot: SnapshotAssertion,
) -> None:
    with pytest.raises(UsageError) as caught:
        parse_grid("x".join("2" * 9), diagonals=True)
    assert str(caught.value) == snapshot


def test_weights_of_a_domains_parts_are_their_faces() -> None:
    grid = domain_grid((4, 2))
    assert grid.weights == ((0.5, 0.5), (0.25, 0.25))


def counted(grid: Grid) -> Messages:
    """Every message of `grid`, one by one."""
    steps = itertools.product((-1, 0, 1), repeat=len(grid.dims))
    sent = dict.fromkeys(itertools.product(*map(range, grid.dims)), 0)
    for vertex, step in itertools.product(sent, list(steps)):
        moved = [axis for axis, by in enumerate(step) if by]
        if not moved or (len(moved) > 1 and not grid.diagonals):
            continue
        if not any(grid.weights[moved[0]]):
            continue
        sent[vertex] += all(
            grid.dims[axis] > 1
            and (grid.periodic[axis] or 0 <= vertex[axis] + step[axis] < grid.dims[axis])
            for axis in moved
        )
    return Messages(sum(sent.values()), max(sent.values()))


@pytest.mark.parametrize(
    "dims", [(2,), (5,), (2, 2), (3, 1), (4, 2, 3), (1, 1, 6), (2, 2, 2, 2), (3, 2, 1, 4)]
)
@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("diagonals", [False, True])
def test_messages_on_a_grid_are_as_many_as_are_counted(
    dims: tuple[int, ...], periodic: bool, diagonals: bool
) -> None:
    grid = replace(open_grid(dims), periodic=(periodic,) * len(dims), diagonals=diagonals)
    assert messages_on(grid) == counted(grid)


def test_no_message_goes_along_an_axis_of_weight_0() -> None:
    first_axis = replace(open_grid((4, 3)), weights=((1.0, 1.0), (0.0, 0.0)))
    assert messages_on(first_axis) == counted(first_axis) == Messages(3 * 6, 2)


def test_label_names_the_periodic_axes(snapshot: SnapshotAssertion) -> None:
    grids = [parse_grid("8x4"), parse_grid("8x4x2", "1,0,1"), parse_grid("8x4", "1,1")]
    assert [label_of(grid) for grid in grids] == snapshot


# -- machines in a word ----------------------------------------------------------------------------


def test_torus_and_mesh_differ_in_their_ends_only() -> None:
    torus, mesh = synthetic_machine("torus:4x3"), synthetic_machine("mesh:4x3")
    assert torus.network == Torus((4, 3), (True, True))
    assert mesh.network == Torus((4, 3), (False, False))
    assert torus.vertices.tolist() == mesh.vertices.tolist() == list(range(12))
    assert torus.vertices.dtype == np.int64


def test_cores_of_a_node_follow_each_other_on_its_vertex() -> None:
    whole = synthetic_machine("torus:2x2", cores=3)
    assert whole.vertices.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert whole.cores.tolist() == [0, 1, 2] * 4
    assert whole.machine.slots.tolist() == whole.vertices.tolist()


@pytest.mark.parametrize(
    ("text", "cores"),
    [
        ("nodes:3x2", [2, 2, 2]),
        ("nodes:8,8,4", [8, 8, 4]),
        ("nodes:2x3,1", [3, 3, 1]),
        ("nodes:5", [5]),
    ],
)
def test_nodes_may_have_unequal_cores(text: str, cores: list[int]) -> None:
    whole = synthetic_machine(text)
    assert np.bincount(whole.vertices).tolist() == cores
    assert isinstance(whole.network, Tree)
    assert whole.network.ancestors.tolist() == [[0]] * len(cores)
    assert tuple(whole.hosts) == tuple(f"node{i}" for i in range(len(cores)))
    assert whole.hosts[-1:] == [f"node{len(cores) - 1}"]


def test_tree_is_written_from_the_top_down_and_ends_with_cores() -> None:
    whole = synthetic_machine("tree:2x3x4")
    assert len(whole) == 24
    assert isinstance(whole.network, Tree)
    assert whole.network.ancestors.tolist() == [[v // 3, 0] for v in range(6)]


def test_wrong_machine_is_named_with_a_remedy(snapshot: SnapshotAssertion) -> None:
    given = [
        ("torsu:8x8", None),
        ("8x8", None),
        ("torus", None),
        ("torus:", None),
        ("hosts:", None),
        ("torus:8x0", None),
        ("torus:99999x99999", None),
        ("torus:4096x4096", 8),
        ("nodes:4x2x2", None),
        ("nodes:4,,2", None),
        ("nodes:16777216,16777216", None),
        ("tree:8", None),
        ("nodes:4x2", 3),
        ("torus:4x2", 0),
    ]
    assert refusals(lambda words: synthetic_machine(*words), given, UsageError) == snapshot


# -- allocations -----------------------------------------------------------------------------------


def test_t3e_numbers_groups_of_2x4x1_along_x_then_z_then_y() -> None:
    order = t3e((8, 8, 8), 512)
    assert sorted(order.tolist()) == list(range(512))
    x, y, z = np.unravel_index(order, (8, 8, 8))
    assert x[:8].tolist() == [0, 1] * 4
    assert y[:8].tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert z[:8].tolist() == [0] * 8
    assert (x[8], y[8], z[8]) == (2, 0, 0)
    assert (x[32], y[32], z[32]) == (0, 0, 1)
    assert (x[256], y[256], z[256]) == (0, 4, 0)


def test_first_and_t3e_count_slots() -> None:
    whole = synthetic_machine("torus:8x8x8", cores=2)
    assert first_slots(whole, 3).vertices.tolist() == [0, 0, 1]
    taken = t3e_slots(whole, 5)
    assert taken.vertices.tolist() == [0, 0, 64, 64, 8]
    assert taken.cores.tolist() == [0, 1, 0, 1, 0]
    assert taken.numbers.tolist() == [0, 1, 128, 129, 16]


def test_listed_nodes_keep_their_order_and_bring_all_their_cores() -> None:
    whole = synthetic_machine("nodes:2,1,3")
    taken = listed_slots(whole, "node2  # the largest\n\n0\n", "list")
    assert taken.nodes.tolist() == [2, 2, 2, 0, 0]
    assert taken.cores.tolist() == [0, 1, 2, 0, 1]


def test_nodes_of_a_torus_are_listed_by_number_or_coordinates() -> None:
    whole = synthetic_machine("torus:4x3x2")
    taken = listed_slots(whole, "23\n1 2 0\n0,0,1\nnode2\n", "list")
    assert taken.vertices.tolist() == [23, 10, 1, 2]


def test_holes_leave_the_other_nodes_in_order() -> None:
    assert slots_without(synthetic_machine("torus:6"), "4\n0\n", "f").vertices.tolist() == [
        1,
        2,
        3,
        5,
    ]


def test_wrong_line_of_an_allocation_is_named(snapshot: SnapshotAssertion) -> None:
    given = [
        "0\n# again\n0 # same\n",
        "0 0\nnode0\n",
        "0\n12\n",
        "3 3\n",
        "1 1 1\n",
        "-1\n",
        "nodeA\n",
        "99999999999999999999\n",
        "# nothing\n",
    ]
    told = refusals(
        lambda text: listed_slots(synthetic_machine("torus:4x3"), text, "f"), given, UsageError
    )
    assert told == snapshot


def test_holes_that_leave_nothing_are_refused(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as caught:
        slots_without(synthetic_machine("nodes:2x2"), "0\n1\n", "f")
    assert str(caught.value) == snapshot


def test_more_slots_than_there_are_is_refused(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as caught:
        first_slots(synthetic_machine("torus:2x2"), 5)
    assert str(caught.value) == snapshot


@pytest.mark.parametrize("text", ["torus:8x8", "nodes:8x8"])
def test_t3e_numbering_is_refused_where_there_is_no_third_axis(
    text: str, snapshot: SnapshotAssertion
) -> None:
    with pytest.raises(UsageError) as caught:
        t3e_slots(synthetic_machine(text), 4)
    assert str(caught.value) == snapshot


def test_grid_and_allocation_must_have_as_many_ranks_as_slots(snapshot: SnapshotAssertion) -> None:
    grid, whole = open_grid((4, 2)), synthetic_machine("torus:3x3")
    check_fit(grid, first_slots(whole, ranks_of(grid)))
    with pytest.raises(UsageError) as caught:
        check_fit(grid, whole)
    assert str(caught.value) == snapshot
