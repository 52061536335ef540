"""When flows end that share links: by hand, and what can't be."""

from __future__ import annotations

import math
import signal
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.flow_cases import Task, graph_of
from tests.support.texts import refusals

from leadline.errors import UsageError
from leadline.simulate.flow import CircleError, flow

MB = 1e6


def ended(tasks: list[Task], capacities: list[float], **more: Any) -> list[float]:
    times: list[float] = flow(graph_of(tasks, capacities, **more)).ended_s.tolist()
    return times


# -- by hand ---------------------------------------------------------------------------------------


def test_alone_a_flow_has_the_least_capacity_of_its_route() -> None:
    assert ended([Task(200, route=[0, 1, 2])], [100, 50, 400]) == [4]


def test_two_share_a_link_and_the_longer_one_has_it_alone_in_the_end() -> None:
    assert ended([Task(100, [0]), Task(300, [0])], [100]) == [2, 4]


def test_what_a_second_bottleneck_leaves_goes_to_the_others() -> None:
    # links of 100 and 40; the flow on both and the one on the second get 20, the first one 80
    tasks = [Task(80, [0]), Task(40, [0, 1]), Task(20, [1])]
    assert ended(tasks, [100, 40]) == [1, 1.5, 1]


def test_three_bottlenecks_fill_one_after_the_other() -> None:
    # 30 for three flows: 10 each; 60 for one of these and two others: 25 each; 90 - 25 - 10: 55
    tasks = [
        Task(10, [0]), Task(10, [0]), Task(10, [0, 1]),
        Task(25, [1]), Task(25, [1, 2]), Task(55, [2]),
    ]  # fmt: skip
    assert ended(tasks, [30, 60, 80]) == [1] * 6


def test_a_bus_of_400_gives_200_to_each_way_of_an_exchange() -> None:
    bus, out, into = (0, 1), (2, 3), (4, 5)
    links = (6, 7)
    tasks = [
        Task(200 * MB, [bus[0], out[0], links[0], into[1], bus[1]]),
        Task(200 * MB, [bus[1], out[1], links[1], into[0], bus[0]]),
    ]
    capacities = [400 * MB] * 2 + [342 * MB] * 4 + [340 * MB] * 2
    assert ended(tasks, capacities) == [1, 1]
    assert ended(tasks[:1], capacities) == [pytest.approx(200 / 340, rel=1e-15)]


def test_a_message_split_over_two_ways_ends_with_its_slower_half() -> None:
    halves = [Task(100, [0, 2]), Task(100, [1, 3])]
    whole = Task(after=[0, 1])
    other = Task(100, [0])
    assert ended([*halves, whole, other], [100, 100, 500, 500]) == [2, 1, 2, 2]


def test_a_flow_that_comes_later_slows_down_who_is_there() -> None:
    # 100 bytes alone until 1, then 50 B/s each until 2, then 50 bytes alone
    assert ended([Task(200, [0]), Task(50, [0], delay=1)], [100]) == [2.5, 2]


def test_who_is_held_by_his_own_limit_leaves_the_rest() -> None:
    assert ended([Task(30, [0], most=30), Task(70, [0])], [100]) == [1, 1]
    assert ended([Task(10, most=5)], []) == [2]


def test_more_flows_than_a_crowd_change_what_a_bus_can() -> None:
    tasks = [Task(80, [0])] * 3
    assert ended(tasks, [300], crowds={0: (2, 0.8)}) == [1, 1, 1]
    assert ended(tasks[:2], [160], crowds={0: (2, 0.8)}) == [1, 1]
    # 240 of 300 for three until the shortest ends at 0.5; then 150 for each of two
    shorter = [Task(40, [0]), Task(190, [0]), Task(190, [0])]
    assert ended(shorter, [300], crowds={0: (2, 0.8)}) == [0.5, 1.5, 1.5]


def test_one_who_goes_helps_who_shares_nothing_with_him() -> None:
    # 50 and 50, which leaves 100 of 150; the second's end lets the first rise to 75, and the third
    # sink to that; in the end it has all
    tasks = [Task(125, [0, 1]), Task(50, [0]), Task(325, [1])]
    assert ended(tasks, [100, 150]) == [2, 1, 3]


def test_tasks_wait_for_each_other_and_then_their_delay() -> None:
    tasks = [Task(delay=1), Task(100, [0], delay=0.5, after=[0]), Task(delay=2, after=[0, 1])]
    times = flow(graph_of(tasks, [100]))
    assert times.begun_s.tolist() == [0, 1, 2.5]
    assert times.ended_s.tolist() == [1, 2.5, 4.5]


def test_a_task_comes_before_the_one_that_it_waits_for() -> None:
    assert ended([Task(delay=1, after=[1]), Task(delay=2)], []) == [3, 2]


def test_what_nothing_limits_takes_no_time() -> None:
    assert ended([Task(100), Task(100, [0]), Task(100, [0, 1])], [math.inf, 50]) == [0, 0, 2]


def test_equal_flows_end_together() -> None:
    times = flow(graph_of([Task(1 / 3, [i % 7]) for i in range(700)], [0.1] * 7)).ended_s
    assert np.ptp(times) <= 1e-12 * times[0]
    assert times[0] == pytest.approx(100 / 3 / 0.1, rel=1e-12)


def test_nothing_to_do_takes_nothing() -> None:
    assert ended([], [100]) == []


def test_arrays_of_other_types_and_strides_are_taken_as_they_mean() -> None:
    graph = graph_of([Task(100, [0]), Task(300, [0])], [100])
    sizes: Any = np.array([100, -1, 300, -1], dtype=np.int32)[::2]
    assert flow(replace(graph, size_bytes=sizes)).ended_s.tolist() == [2, 4]


# -- watched ---------------------------------------------------------------------------------------

MANY = graph_of([Task(1 + number, [0]) for number in range(400)], [100])
"""Each end gives all others another rate."""
LONG = graph_of([Task(1 + number, [0]) for number in range(8000)], [100])
"""Seconds of it."""


def test_who_watches_is_told_how_far_it_is() -> None:
    told: list[float] = []
    times = flow(MANY, told.append)
    assert len(told) >= 3
    assert told == sorted(set(told))
    assert 0 < told[0] < told[-1] <= 1
    assert np.array_equal(times.ended_s, flow(MANY).ended_s)


def test_who_watches_can_end_it() -> None:
    told: list[float] = []

    def interrupted(part: float) -> None:
        told.append(part)
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        flow(MANY, interrupted)
    assert len(told) == 1


# -- what can't be ---------------------------------------------------------------------------------


def test_a_signal_that_comes_between_two_words_to_who_watches_ends_the_run(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Python's handler then raises before the first line of whatever is called from C."""
    told = list[float]()
    flow(MANY)  # the library is built by now

    def interrupt(_number: int, _frame: object) -> None:
        told.clear()
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            flow(LONG, told.append)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert (told, capfd.readouterr().err) == ([], "")


def test_a_circle_is_named_and_not_what_waits_behind_it(snapshot: SnapshotAssertion) -> None:
    tasks = [Task(after=[3]), Task(), Task(after=[0, 1]), Task(after=[2]), Task(after=[3])]
    with pytest.raises(CircleError) as caught:
        flow(graph_of(tasks, []))
    assert str(caught.value) == snapshot
    found = caught.value.tasks
    assert set(found) == {0, 2, 3}
    assert all(found[(i + 1) % 3] in tasks[task].after for i, task in enumerate(found))


def test_a_task_that_waits_for_itself_is_a_circle() -> None:
    with pytest.raises(CircleError) as caught:
        flow(graph_of([Task(after=[1]), Task(after=[1])], []))
    assert caught.value.tasks == (1,)


GOOD = graph_of([Task(100, [0], after=[1]), Task(100, [0, 1])], [100, 50], crowds={0: (2, 0.5)})
NAN = math.nan


def test_what_cannot_be_is_named(snapshot: SnapshotAssertion) -> None:
    given: list[tuple[str, list[float] | None]] = [
        ("capacity_bytes_per_s", [100.0, -50.0]),
        ("capacity_bytes_per_s", [0.0, 50.0]),
        ("capacity_bytes_per_s", [NAN, 50.0]),
        ("crowd", [2, -1]),
        ("crowded", [0.0, 1.0]),
        ("delay_s", [0.0, -1.0]),
        ("delay_s", [math.inf, 0.0]),
        ("size_bytes", [NAN, 0.0]),
        ("size_bytes", [0.0, -3.0]),
        ("most_bytes_per_s", [1.0, 0.0]),
        ("routes", [0, 0, 2]),
        ("routes", [-1, 0, 1]),
        ("routes", [0, 1, 1]),
        ("route_starts", [0, 4, 3]),
        ("route_starts", [1, 1, 3]),
        ("after", [2]),
        ("after_starts", [0, 2, 1]),
        ("delay_s", [0.0]),
        ("routes", [0]),
        ("route_starts", []),
        ("crowd", None),
    ]

    def wrong(case: tuple[str, list[float] | None]) -> None:
        field, values = case
        changed: Any = None if values is None else np.array(values)
        flow(replace(GOOD, **{field: changed}))

    assert refusals(wrong, given, UsageError) == snapshot


def test_a_start_that_is_not_0_is_wrong_without_tasks_too(snapshot: SnapshotAssertion) -> None:
    graph = graph_of([], [100])
    with pytest.raises(UsageError) as caught:
        flow(replace(graph, after_starts=np.array([1]), after=np.array([0])))
    assert str(caught.value) == snapshot
