"""Jobs that share links: alone and together, reckoned by hand."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from harness.simulated import RATE, cell, machine, profile

from leadline.patterns.pattern import PatternChoice
from leadline.patterns.programs.patterns import calls_of
from leadline.simulate.execution import ended_beside
from leadline.simulate.routes import fabric_of
from leadline.simulate.tasks import Tasks, tasks_of
from leadline.simulate.timing import repetitions_of, seconds_of

MIB = 2**20
ON = machine(4, links=RATE)


def pair_of(slots: list[int], size_bytes: int, repetitions: int) -> Tasks:
    """Two ranks that exchange a message, on a row of four."""
    calls = calls_of(PatternChoice("pair"), 2, size_bytes, {}, repetitions=repetitions)
    fabric = fabric_of(ON, ON.allocate(4))
    return tasks_of(calls, profile(), ON.compute, fabric, np.array(slots))


def seconds_beside(slots: list[list[int]], sizes: list[int]) -> float:
    """What the first pair takes while the others go on."""
    of = cell("pair", sizes[0])
    own, *others = (partial(pair_of, *job) for job in zip(slots, sizes, strict=True))
    tasks = own(repetitions_of(of))
    return seconds_of(tasks, ended_beside(tasks, others, "pair"), of)


def test_two_jobs_over_one_link_have_half_of_it_each() -> None:
    alone = seconds_beside([[0, 2]], [MIB])
    together = seconds_beside([[0, 2], [1, 3]], [MIB, MIB])
    assert together - alone == pytest.approx(MIB / RATE)


def test_jobs_that_share_no_link_take_no_time_from_each_other() -> None:
    together = seconds_beside([[0, 1], [2, 3]], [MIB, MIB])
    assert together == seconds_beside([[0, 1]], [MIB])


def test_a_shorter_job_goes_on_for_as_long_as_the_longer_one() -> None:
    """Eight messages of an eighth take as much from it, but for their overheads."""
    alone = seconds_beside([[0, 2]], [8 * MIB])
    together = seconds_beside([[0, 2], [1, 3]], [8 * MIB, MIB])
    assert 1.9 * alone < together < 2 * alone
