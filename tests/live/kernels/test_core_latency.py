"""A cache line is handed over between ranks 2k and 2k + 1, or it isn't known how long that takes.

What the two share are atomic words, and each says by itself for which slice it stands: they order
no other memory. So no ordering can be too weak here, and all that could race are words that aren't
atomic.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from harness.kernels import NATIVE, kernel
from harness.scripts import obey, results
from tests.support.core_latencies import (
    ABSENT,
    READING_NS,
    SOURCE,
    Away,
    Played,
    Rank,
    Scenario,
    ending,
    played,
    stepped,
)

from leadline.kernels.build import Additions
from leadline.record.quantities import UNKNOWN

ROUND_TRIPS, US = 20, 1000
FAR_NS = Scenario().far_ns
LIMIT_NS = 200 * US
"""What a hand-over takes at most, unless the core is taken away."""
BRIEF_NS, LONG_NS = 30 * US, 400 * US
"""Time is left for another batch; there is none."""
PLAIN_STATUS = 3


def round_trip_ns(far_ns: int = FAR_NS) -> int:
    """A batch: each way takes `far_ns`; the clock is read once."""
    batch_ns = ROUND_TRIPS * 2 * far_ns + READING_NS
    return (batch_ns + ROUND_TRIPS // 2) // ROUND_TRIPS


def planted(into: Path, text: str, instead: str) -> Path:
    """The program with a fault."""
    source = SOURCE.read_text()
    assert source.count(text) == 1
    return stepped(into, source.replace(text, instead))


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program without a fault."""
    return stepped(tmp_path_factory.mktemp("core-latency"), SOURCE.read_text())


def found_ns(came_to: Played, rank: int) -> list[int]:
    return [taken.found_ns for taken in came_to[rank].values()]


def everywhere(program: Path, *lengths_ns: int) -> list[Scenario]:
    """Three slices, one rank without a core once: before each operation of the second slice."""
    (plain,) = played(program, [Scenario()])
    return [
        Scenario(away=(Away(rank, op, ns),))
        for rank in (0, 1)
        for op in range(plain[rank][2].ops_before, plain[rank][3].ops_before)
        for ns in lengths_ns
    ]


def often(seed: int, times: int = 6, most_op: int = 1200, most_ns: int = 120 * US) -> Scenario:
    chance = random.Random(seed)
    return Scenario(
        away=tuple(
            Away(chance.randrange(2), chance.randrange(most_op), chance.randrange(most_ns))
            for _ in range(times)
        )
    )


# -- two partners ----------------------------------------------------------------------------------


@pytest.mark.parametrize("far_ns", [20, 50, 400])
def test_round_trip_is_twice_what_a_line_takes(right: Path, far_ns: int) -> None:
    (came_to,) = played(right, [Scenario(far_ns=far_ns)])
    assert found_ns(came_to, 0) == found_ns(came_to, 1) == [round_trip_ns(far_ns)] * 3


def test_partners_agree_wherever_one_loses_its_core_and_wait_no_longer_than_said(
    right: Path,
) -> None:
    scenarios = everywhere(right, US, BRIEF_NS, LONG_NS)
    assert len(scenarios) > 3000
    for scenario, came_to in zip(scenarios, played(right, scenarios), strict=True):
        first, second, third = found = found_ns(came_to, 0)
        assert found == found_ns(came_to, 1), scenario
        assert first == third == round_trip_ns(), scenario
        assert second == UNKNOWN or second >= round_trip_ns(), scenario
        waiting = came_to[1 - scenario.away[0].rank]
        assert all(taken.took_ns <= LIMIT_NS for taken in waiting.values()), scenario


def test_partners_agree_however_often_they_lose_their_cores(right: Path) -> None:
    scenarios = [often(seed) for seed in range(1000)]
    for scenario, came_to in zip(scenarios, played(right, scenarios), strict=True):
        assert found_ns(came_to, 0) == found_ns(came_to, 1), scenario


def test_brief_loss_of_a_core_changes_no_result_while_the_line_goes_to_and_fro(
    right: Path,
) -> None:
    """Before the first ball the partner is waited for; of five batches four are as ever."""
    (plain,) = played(right, [Scenario()])
    for rank in (0, 1):
        arrived = plain[rank][1].ops_before + 5
        ops = range(arrived, plain[rank][2].ops_before)
        scenarios = [Scenario(away=(Away(rank, op, BRIEF_NS),)) for op in ops]
        for scenario, came_to in zip(scenarios, played(right, scenarios), strict=True):
            assert found_ns(came_to, rank) == [round_trip_ns()] * 3, scenario


def test_result_that_no_one_agreed_to_differs_where_a_rank_loses_its_core(tmp_path: Path) -> None:
    wrong = planted(
        tmp_path, "return found >> 32 == slice ?", "return own == 0 ? said : found >> 32 == slice ?"
    )
    came_to = played(wrong, everywhere(wrong, LONG_NS))
    apart = [one for one in came_to if found_ns(one, 0) != found_ns(one, 1)]
    assert 0 < len(apart) < len(came_to)
    (undisturbed,) = played(wrong, [Scenario()])
    assert found_ns(undisturbed, 0) == found_ns(undisturbed, 1)


def test_ball_that_is_laid_down_by_a_plain_store_is_seen(tmp_path: Path) -> None:
    atomic = "atomic_store_explicit(&page->ball, word(slice, ball + 1), memory_order_release);"
    served = f"        {atomic}\n        if (!met"
    plain = "        *(int64_t *)&page->ball = word(slice, ball + 1);\n        if (!met"
    done = ending(planted(tmp_path, served, plain), [Scenario()])
    assert done.returncode == PLAIN_STATUS, done.stderr


# -- partners that are none ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "others",
    [
        lambda _: ABSENT,
        lambda number: Rank(number, count=0),
        lambda number: Rank(number, first=1000),
    ],
    ids=["never starts", "takes no slices", "takes other slices"],
)
@pytest.mark.parametrize("number", [0, 1])
def test_partner_that_does_not_come_is_not_waited_for(
    right: Path, others: Callable[[int], Rank], number: int
) -> None:
    (came_to,) = played(right, [Scenario((Rank(number), others(1 - number)))])
    assert found_ns(came_to, 0) == [UNKNOWN] * 3
    assert all(taken.took_ns <= LIMIT_NS for taken in came_to[0].values())


@pytest.mark.parametrize("place", [0, 1])
def test_partner_that_ended_is_not_waited_for(right: Path, place: int) -> None:
    """Before each operation of its second slice; its last may have said what both found."""
    (plain,) = played(right, [Scenario()])
    ops = range(plain[place][2].ops_before, plain[place][3].ops_before)
    ranks = [[Rank(0), Rank(1)] for _ in ops]
    for pair, op in zip(ranks, ops, strict=True):
        pair[place] = replace(pair[place], ends_before=op)
    for came_to in played(right, [Scenario((first, second)) for first, second in ranks]):
        assert found_ns(came_to, place) == [round_trip_ns()]
        before, meanwhile, later = found_ns(came_to, 1 - place)
        assert (before, later) == (round_trip_ns(), UNKNOWN)
        assert meanwhile in (round_trip_ns(), UNKNOWN)
        assert all(taken.took_ns <= LIMIT_NS for taken in came_to[1 - place].values())


def test_ranks_that_are_no_partners_share_nothing(right: Path) -> None:
    (came_to,) = played(right, [Scenario((Rank(1), Rank(2)))])
    assert found_ns(came_to, 0) == found_ns(came_to, 1) == [UNKNOWN] * 3


def alone_on_a_page_that_others_left(program: Path, number: int) -> list[int]:
    """What it finds in slices that two others took, and knew something of."""
    before, came_to = played(program, [Scenario(), Scenario((Rank(number), ABSENT), kept=True)])
    assert found_ns(before, number) == [round_trip_ns()] * 3
    return found_ns(came_to, 0)


@pytest.mark.parametrize("number", [0, 1])
def test_page_that_another_launch_left_says_nothing(right: Path, number: int) -> None:
    assert alone_on_a_page_that_others_left(right, number) == [UNKNOWN] * 3


def test_page_that_another_launch_left_is_believed_where_no_ball_is_asked_for(
    tmp_path: Path,
) -> None:
    wrong = planted(tmp_path, "return ball > 1;", "return true;")
    found = alone_on_a_page_that_others_left(wrong, 1)
    assert found == [UNKNOWN, UNKNOWN, round_trip_ns()]


# -- ranks of kernels ------------------------------------------------------------------------------

LINES = tuple(f"id={number} pattern=pingpong size=8" for number in range(1, 6))
ALL_RANKS = tuple(f"id={number} pattern=barrier" for number in range(1, 6))
STILL = Additions(
    sources=(NATIVE / "still_core_latencies.c",),
    link_flags=("-Wl,--wrap=core_latency_ns", "-Wl,--wrap=clock_gettime"),
)
"""Kernels whose ranks wait for their partners, and always find 0 ns."""
FOUND = dict.fromkeys(range(1, 6), 0)
NOTHING = dict.fromkeys(range(1, 6), UNKNOWN)

Said = dict[int, dict[int, int]]
"""By rank and slice how long the hand-over took, ns."""


def of_kernels(
    folder: Path, program: Path, ranks: int, lines: tuple[str, ...] = LINES, page: bool = True
) -> Said:
    around = {"LEADLINE_CORE_LATENCY": str(folder / "core-latency")} if page else {}
    output = obey(program, lines, folder, ranks, environment=around)
    return {
        rank: {number: one.around.core_latency_ns for number, one in results(messages).items()}
        for rank, messages in enumerate(output)
    }


def test_kernels_say_how_long_a_line_takes_between_their_ranks(tmp_path: Path) -> None:
    assert of_kernels(tmp_path, kernel("shm", STILL), 2) == {0: FOUND, 1: FOUND}


def test_partners_in_kernels_say_the_same(tmp_path: Path) -> None:
    text = of_kernels(tmp_path, kernel("shm"), 2)
    assert text[0] == text[1]
    assert all(found_ns == UNKNOWN or found_ns > 0 for found_ns in text[0].values())


def test_last_of_three_ranks_has_no_partner(tmp_path: Path) -> None:
    text = of_kernels(tmp_path, kernel("shm", STILL), 3, ALL_RANKS)
    assert text == {0: FOUND, 1: FOUND, 2: NOTHING}


def test_rank_of_null_has_no_partner(tmp_path: Path) -> None:
    assert of_kernels(tmp_path, kernel("null"), 2) == {0: NOTHING}


def test_ranks_that_are_told_of_no_page_know_nothing(tmp_path: Path) -> None:
    text = of_kernels(tmp_path, kernel("shm", STILL), 2, page=False)
    assert text == {0: NOTHING, 1: NOTHING}
