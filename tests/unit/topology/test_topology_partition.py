from __future__ import annotations

import math

import numpy as np
import pytest

from leadline.topology.allocation import Allocation
from leadline.topology.job import Job, free_box, partitions, ranks_of
from leadline.topology.networks import Torus, hops
from leadline.topology.words import open_grid, synthetic_machine


def everywhere(dims: tuple[int, ...]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.arange(math.prod(dims), dtype=np.int64)


# -- hops ------------------------------------------------------------------------------------------


def test_hops_go_the_shorter_way_round_where_there_is_one() -> None:
    all_five = everywhere((5,))
    assert hops(Torus((5,), (True,)), all_five[:1], all_five).tolist() == [[0, 1, 2, 2, 1]]
    assert hops(Torus((5,), (False,)), all_five[:1], all_five).tolist() == [[0, 1, 2, 3, 4]]


def test_hops_of_a_torus_add_up_over_its_axes() -> None:
    torus = Torus((8, 8, 8), (True, True, False))
    away = hops(torus, np.array([0]), np.array([np.ravel_multi_index((7, 4, 7), torus.dims)]))
    assert away.tolist() == [[1 + 4 + 7]]


# -- boxes -----------------------------------------------------------------------------------------


def test_box_is_turned_until_it_fits() -> None:
    mesh = Torus((2, 6), (False, False))
    box = free_box(mesh, everywhere(mesh.dims), (5, 2))
    assert box is not None
    assert sorted(box.tolist()) == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10]


def test_box_reaches_across_the_end_of_a_periodic_axis_only() -> None:
    free = np.array([0, 1, 4, 5])
    torus, mesh = Torus((6,), (True,)), Torus((6,), (False,))
    found = free_box(torus, free, (4,))
    assert found is not None
    assert sorted(found.tolist()) == [0, 1, 4, 5]
    assert free_box(mesh, free, (4,)) is None


def test_axes_of_length_1_do_not_keep_a_box_from_fitting() -> None:
    torus = Torus((4, 4), (True, True))
    assert free_box(torus, everywhere(torus.dims), (2, 1, 2, 1)) is not None
    assert free_box(torus, everywhere(torus.dims), (2, 2, 2)) is None


def test_box_avoids_what_is_taken() -> None:
    torus = Torus((4, 4), (False, False))
    free = np.setdiff1d(everywhere(torus.dims), [5])
    box = free_box(torus, free, (2, 2))
    assert box is not None
    assert 5 not in box.tolist()
    assert free_box(torus, free, (4, 4)) is None


# -- partitions ------------------------------------------------------------------------------------


def jobs_of(whole: Allocation, *dims: tuple[int, ...]) -> list[Job]:
    return [Job(str(i), open_grid(each), whole) for i, each in enumerate(dims)]


@pytest.mark.parametrize("machine", ["torus:4x4x4", "mesh:64", "nodes:8x8", "tree:4x4x4"])
def test_every_candidate_gives_each_job_its_number_of_slots_and_no_slot_twice(
    machine: str,
) -> None:
    whole = synthetic_machine(machine)
    pool = whole.take(np.flatnonzero(np.arange(64) % 7 != 0))
    jobs = jobs_of(whole, (4, 3), (2, 2, 2), (20,))
    candidates = list(partitions(pool, jobs))
    assert len(candidates) >= 6 * 3
    for parts in candidates:
        assert [len(part) for part in parts] == [ranks_of(job.pattern) for job in jobs]
        together = np.concatenate(parts)
        assert len(np.unique(together)) == 12 + 8 + 20
        assert together.min() >= 0
        assert together.max() < len(pool)


def test_jobs_that_fit_as_boxes_get_boxes() -> None:
    whole = synthetic_machine("torus:8x8x8")
    jobs = jobs_of(whole, (4, 4, 4), (4, 4, 4))

    def spans(part: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[int]:
        return [len(np.unique(axis)) for axis in np.unravel_index(part, (8, 8, 8))]

    assert any(all(spans(part) == [4, 4, 4] for part in parts) for parts in partitions(whole, jobs))


def test_many_jobs_choose_in_two_orders_only() -> None:
    whole = synthetic_machine("torus:8")
    few = len(list(partitions(whole, jobs_of(whole, (1,), (2,)))))
    many = len(list(partitions(whole, jobs_of(whole, (1,), (1,), (1,), (1,), (2,)))))
    assert many == few
