from __future__ import annotations

import random
from functools import partial

import numpy as np
import pytest

from leadline.mapping import RankMapping, map_ranks
from leadline.mapping.interference import share_machine
from leadline.topology.allocation import Allocation
from leadline.topology.job import Job, ranks_of
from leadline.topology.words import open_grid, synthetic_machine


def mapper(job: Job, steps: int) -> RankMapping:
    return map_ranks(job.pattern, job.allocation.machine, steps=steps)


ROUGH, THOROUGH = partial(mapper, steps=0), partial(mapper, steps=20_000)


def line_job(name: str, whole: Allocation, slots: list[int]) -> Job:
    return Job(name, open_grid((len(slots),)), whole.take(np.array(slots)))


def test_load_on_the_links_of_another_is_counted_by_hand() -> None:
    """On a line, A at 0 and 3 sends over all three links, B at 1 and 2 over the middle one."""
    whole = synthetic_machine("mesh:4")
    jobs = [line_job("A", whole, [0, 3]), line_job("B", whole, [1, 2])]
    before = share_machine(whole, jobs, ROUGH, THOROUGH).before
    assert before.traffic.tolist() == [[6.0, 2.0], [2.0, 2.0]]
    assert before.foreign == 4.0


def test_best_division_of_a_line_has_no_shared_links() -> None:
    whole = synthetic_machine("mesh:4")
    jobs = [line_job("A", whole, [0, 3]), line_job("B", whole, [1, 2])]
    divided = share_machine(whole, jobs, ROUGH, THOROUGH).divided
    assert divided.foreign == 0.0
    assert sorted(divided.jobs[0].allocation.numbers.tolist()) in ([0, 1], [2, 3])


def fragmented(seed: int) -> tuple[Allocation, list[Job]]:
    """Three jobs of 4x4x4, each in eight cubes of 2x2x2 scattered over a torus of 8x8x8."""
    whole = synthetic_machine("torus:8x8x8")
    corners = [(x, y, z) for x in range(0, 8, 2) for y in range(0, 8, 2) for z in range(0, 8, 2)]
    random.Random(seed).shuffle(corners)
    cubes = np.array(corners).reshape(-1, 1, 3) + np.indices((2, 2, 2)).reshape(3, -1).T
    x, y, z = cubes.reshape(-1, 3).T
    slots = 64 * x + 8 * y + z
    grid = open_grid((4, 4, 4))
    jobs = [
        Job(name, grid, whole.take(slots[64 * i : 64 * i + 64])) for i, name in enumerate("ABC")
    ]
    return whole, jobs


@pytest.mark.parametrize("seed", range(3))
def test_fragmented_jobs_disturb_each_other_less_divided_anew_among_their_own_slots(
    seed: int,
) -> None:
    whole, jobs = fragmented(seed)
    own = whole.take(np.sort(np.concatenate([job.allocation.numbers for job in jobs])))
    sharing = share_machine(own, jobs, ROUGH, THOROUGH)
    assert sharing.before.foreign > 0
    assert sharing.divided.foreign < sharing.mapped.foreign
    used = np.concatenate([job.allocation.numbers for job in sharing.divided.jobs])
    assert sorted(used.tolist()) == own.numbers.tolist()


def test_jobs_with_the_whole_machine_get_boxes_at_one_hop_that_share_no_link() -> None:
    whole, jobs = fragmented(0)
    divided = share_machine(whole, jobs, ROUGH, THOROUGH).divided
    assert divided.foreign == 0.0
    assert [metrics.average_hops for metrics in divided.metrics] == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("machine", ["nodes:6x4", "tree:2x3x4", "torus:24"])
def test_best_division_is_never_worse_than_the_one_there_is(machine: str) -> None:
    whole = synthetic_machine(machine)
    shuffled = np.random.default_rng(1).permutation(24)
    jobs = [
        Job("A", open_grid((4, 3)), whole.take(np.sort(shuffled[:12]))),
        Job("B", open_grid((8,)), whole.take(np.sort(shuffled[12:20]))),
    ]
    sharing = share_machine(whole, jobs, ROUGH, THOROUGH)
    assert sharing.divided.cost <= sharing.mapped.cost
    for job, permutation in zip(sharing.divided.jobs, sharing.divided.permutations, strict=True):
        assert sorted(permutation.tolist()) == list(range(ranks_of(job.pattern)))
