"""The state of the cores as a campaign goes on, and what is taken again for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from harness.blocks import configuration
from tests.support.disturbed import slice_at
from tests.support.states import FAR, NEAR, handed, slice_in

from leadline.measure.slices import FREE_RETRIES, RETRIES_A_VISIT, CoreStates, Retries
from leadline.record.quantities import UNKNOWN
from leadline.record.slices import Slice


def visit(retries: Retries, states: CoreStates, course: Iterator[str]) -> list[Slice]:
    """What is taken in a visit while the cores' state is one after the other of `course`."""

    attempts = [slice_in(next(course), "a", (0, 0), 0)]
    while retries.again(attempts, crowded=False):
        attempts.append(slice_in(next(course), "a", (0, 0), len(attempts)))
    states.end_visit(attempts)
    return attempts


def numbers(course: str) -> list[int]:
    """How many slices each visit takes, while the state is one after the other: "nnfn"."""
    letters = iter(NEAR if letter == "n" else FAR for letter in course)
    states = known()
    retries = Retries(states)
    taken: list[int] = []
    while sum(taken) < len(course):
        taken.append(len(visit(retries, states, letters)))
    return taken


def known() -> CoreStates:
    """Of two libraries on the same cores, and c on others."""
    states = CoreStates()
    for index, one in enumerate((configuration("a"), configuration("b"))):
        states.know(index, one)
    states.know(2, configuration("c", binding=(2, 3)))
    return states


def test_ranks_with_a_host_each_take_nothing_again_for_their_cores() -> None:
    one = configuration("a")
    states = CoreStates()
    states.know(0, replace(one, hosts=tuple(f"h{n}" for n in range(one.ranks))))
    for ns in (100, 100, 1000):
        assert not states.worth_again(handed(slice_at(0, (0, 0), [100]), ns, ns))


def seen(*core_latencies: tuple[int, int]) -> CoreStates:
    """After a visit with each of these hand-overs of two ranks."""
    states = known()
    for both in core_latencies:
        taken = handed(slice_at(0, (0, 0), [100]), *both)
        states.worth_again(taken)
        states.end_visit([taken])
    return states


def test_slice_in_the_other_state_is_taken_again() -> None:
    assert numbers("nnnfnn") == [1, 1, 1, 2, 1]


def test_state_that_lasts_is_taken_again_once_until_the_first_was_seen_again() -> None:
    assert numbers("nnnn" + "ffff" + "n" + "fn") == [1, 1, 1, 1, 2, 1, 1, 1, 2]


def test_state_that_lasts_longer_is_the_one_that_most_visits_have() -> None:
    # from the third far visit on far ones are more, and the near one is the other
    assert numbers("nn" + "fffff" + "nf") == [1, 1, 2, 1, 1, 1, 2]


def test_campaign_that_begins_far_learns_it_by_the_first_that_is_near() -> None:
    assert numbers("ffff" + "nf") == [1, 1, 1, 1, 2]


def test_states_that_take_turns_are_limited_as_all_that_is_disturbed() -> None:
    letters = iter(NEAR if n % 3 else FAR for n in range(10_000))
    states = known()
    retries = Retries(states)
    taken = sum(len(visit(retries, states, letters)) for _ in range(100))
    assert 100 < taken <= 100 + FREE_RETRIES + RETRIES_A_VISIT * 100


def test_asking_of_a_slice_changes_nothing() -> None:
    states = seen((300, 300))
    near = handed(slice_at(0, (0, 0), [100]), 90, 90)
    assert not states.is_other(near)
    assert not states.is_other(handed(slice_at(0, (0, 0), [100]), 300, 300))
    states.worth_again(near)
    assert states.is_other(near), "as all so far were far"


def test_each_rank_is_held_to_its_own_least_on_its_own_cores() -> None:
    states = seen((100, 390), (101, 400))
    assert not states.is_other(handed(slice_at(0, (0, 0), [100]), 120, 390))
    assert states.is_other(handed(slice_at(0, (0, 0), [100]), 300, 390))
    assert states.is_other(handed(slice_at(1, (0, 0), [100]), 300, 390))
    assert not states.is_other(handed(slice_at(2, (0, 0), [100]), 300, 390))


def test_what_is_not_known_is_no_other_state() -> None:
    states = seen((100, 100), (100, 100))
    unknown = slice_at(0, (0, 0), [100])
    assert not states.is_other(unknown)
    assert not states.is_other(replace(unknown, disturbance=None))
    assert states.is_other(handed(unknown, UNKNOWN, 400))
