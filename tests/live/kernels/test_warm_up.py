"""Warm-up where a launch first meets a cell, in time that passes as the test says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from harness.kernels import VIRTUAL_TIME, kernel
from harness.scripts import obey, results

from leadline.kernels.messages import Result
from leadline.record.slices import BatchFlag, WarmUp

MESSAGES = "pattern=pingpong size=8 cadence=streaming"
BATCH_NS = 50_000
WARM_UP_NS = 20_000_000


Taken = Callable[..., list[Result]]


@pytest.fixture
def taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Taken:
    """The results of slices over a library that takes the `course` of virtual_time.c."""

    def take(course: str, *lines: str) -> list[Result]:
        monkeypatch.setenv("LEADLINE_COURSE", course)
        numbered = tuple(f"id={i} warm_up_ns={WARM_UP_NS} {line}" for i, line in enumerate(lines))
        output = results(obey(kernel("null", VIRTUAL_TIME), numbered, tmp_path)[0])
        return [output[i] for i in range(len(lines))]

    return take


def warm_up_of(one: Result) -> WarmUp:
    assert one.warm_up is not None
    return one.warm_up


def test_slow_start_is_over_before_the_first_batch(taken: Taken) -> None:
    (first,) = taken("4000:260:500:26:20", MESSAGES)  # Intel MPI, about
    assert warm_up_of(first).converged
    assert 500 < warm_up_of(first).operations < 4000
    assert first.repetitions == round(BATCH_NS / 260)
    lengths = first.batches[:, 1] - first.batches[:, 0]
    assert set(lengths.tolist()) == {first.repetitions * 260 + 20}


def test_library_that_is_quick_from_the_start_is_warm_soon(taken: Taken) -> None:
    (first,) = taken("260:260:0:0:20", MESSAGES)
    assert warm_up_of(first).converged
    assert warm_up_of(first).elapsed_ns < 20 * BATCH_NS


@pytest.mark.parametrize("course", ["4000:260:1000000000:26:20", "400000:260:1000000:30:20"])
def test_warm_up_that_never_settles_ends_and_says_so(course: str, taken: Taken) -> None:
    (first,) = taken(course, MESSAGES)
    assert not warm_up_of(first).converged
    assert warm_up_of(first).elapsed_ns >= WARM_UP_NS


def test_pages_that_every_operation_takes_anew_are_its_own(taken: Taken) -> None:
    (first,) = taken("1500000:260:1000000:48000:20", MESSAGES)
    assert warm_up_of(first).converged
    assert warm_up_of(first).elapsed_ns >= WARM_UP_NS


def test_operations_longer_than_a_warm_up_may_take_are_compared_as_well(taken: Taken) -> None:
    (first,) = taken("40000000:40000000:0:0:20", MESSAGES)
    assert warm_up_of(first).converged
    assert warm_up_of(first).operations == 3
    assert first.repetitions == 1


def test_operations_that_suddenly_take_milliseconds_dont_make_a_chunk_of_seconds(
    taken: Taken,
) -> None:
    (first,) = taken("260:10000000:10:0:20", MESSAGES)
    assert not warm_up_of(first).converged
    assert warm_up_of(first).elapsed_ns < 6 * WARM_UP_NS + 200_000_000


def test_launch_that_did_not_settle_tries_again_twice(taken: Taken) -> None:
    met = taken("4000:260:1000000000:26:20", *[f"{MESSAGES} repetitions=9"] * 5)
    assert [one.warm_up is not None for one in met] == [True] * 3 + [False] * 2
    slow = 9000  # messages: two warm-ups of 20 ms, and what is measured between them, take more
    later = taken(f"4000:260:{slow}:26:20", *[f"{MESSAGES} repetitions=9"] * 3)
    ended = [one.warm_up and one.warm_up.converged for one in later]
    assert ended == [False, True, None]


def test_a_launch_warms_up_where_it_first_meets_pattern_size_and_buffers(taken: Taken) -> None:
    lines = [
        MESSAGES,
        MESSAGES,
        f"{MESSAGES} repetitions=17",
        "pattern=pingpong size=9 repetitions=1",
    ]
    lines += [MESSAGES.replace("8", "8 buffers=separate"), f"{MESSAGES} repetitions=3"]
    met = taken("260:260:0:0:20", *lines)
    assert [one.warm_up is not None for one in met] == [True, True, False, True, True, False]
    assert [one.repetitions for one in met] == [192, 192, 17, 1, 192, 3]


@pytest.mark.parametrize("reading_ns", [20, 155, 750])
def test_what_reading_the_clock_costs_makes_no_sample_late(reading_ns: int, taken: Taken) -> None:
    (first,) = taken(f"260:260:0:0:{reading_ns}", "pattern=pingpong size=8 cadence=isolated")
    assert len(first.batches) > 10
    assert not np.any(first.batches[:, 2] & BatchFlag.LATE)


def test_isolated_operations_far_longer_than_their_slice_are_timed_all_the_same(
    taken: Taken,
) -> None:
    (first,) = taken("30000000:30000000:0:0:20", "pattern=pingpong size=8 cadence=isolated")
    assert np.count_nonzero(first.batches[:, 2] & BatchFlag.WARM_UP == 0) == 3
