"""Programs: whose calls they are, what is under way together, and what is refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from harness.examples import share
from harness.places import ROOT
from harness.rank_calls import by_rank, stuck
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.errors import UsageError
from leadline.patterns.pattern import Chosen, PatternChoice
from leadline.patterns.powers_of_two import is_power_of_two
from leadline.patterns.programs import calls as calls_module
from leadline.patterns.programs.calls import CallStep, SendMode, calls_in, only, received, sent
from leadline.patterns.programs.collectives import ALGORITHMS
from leadline.patterns.programs.patterns import MODES, PATTERNS, calls_of
from leadline.topology.phases import Call, CallKind

IN_PAIRS = {"pair", "message_rate"}
BY_TWOS = {"mg", "mg_puts"}


def chosen(name: str, **options: str) -> PatternChoice:
    return PatternChoice(name, tuple(Chosen(key, one, one) for key, one in options.items()))


def test_a_pingpong_is_four_calls_of_two_ranks_each_waited_for() -> None:
    calls = calls_of(chosen("pingpong"), 3, 8, {})
    assert by_rank(calls) == [
        [Call(CallKind.SEND, 1, 8, 1, 0, ""), Call(CallKind.RECEIVE, 1, 8, 1, 0, "")],
        [Call(CallKind.RECEIVE, 0, 8, 1, 0, ""), Call(CallKind.SEND, 0, 8, 1, 0, "")],
        [],
    ]
    assert calls.step.tolist() == [0, 1, 0, 1]


def test_all_messages_of_a_phase_of_a_halo_are_under_way_together() -> None:
    calls = calls_of(chosen("halo", grid="2x2"), 4, 8, {}, 2)
    assert calls.step[calls.of(0)].tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert calls.repetition[calls.of(0)].tolist() == [0] * 4 + [1] * 4
    at_once = calls_of(chosen("halo", grid="2x2", steps="at_once"), 4, 8, {})
    assert at_once.step.tolist() == [0] * 16


def test_a_window_is_under_way_together_and_answered_when_it_has_come() -> None:
    calls = calls_of(chosen("stream"), 2, 8, {})
    assert calls.step[calls.of(0)].tolist() == [0] * 64 + [1]
    assert calls.size_bytes[calls.of(1)].tolist() == [8] * 64 + [0]


ALGORITHM_NAMES = [(op, name) for op, known in ALGORITHMS.items() for name in known]


@pytest.mark.parametrize(("collective", "algorithm"), ALGORITHM_NAMES)
def test_no_rank_waits_for_ever_by_whatever_algorithm(collective: str, algorithm: str) -> None:
    for ranks in (*range(2, 17), 24):
        size = 0 if collective == "barrier" else 960
        try:
            calls = calls_of(chosen(collective), ranks, size, {collective: algorithm}, 2)
        except UsageError:
            continue  # not an algorithm for so many ranks
        assert stuck(calls) == [], ranks


@pytest.mark.parametrize("ranks", [2, 4, 5, 6, 8, 13, 16])
@pytest.mark.parametrize("algorithm", ALGORITHMS["allgather"])
def test_each_rank_receives_every_block_once_however_long_they_are(
    algorithm: str, ranks: int
) -> None:
    try:
        calls = calls_of(
            chosen("allgatherv", counts="skewed"), ranks, 960, {"allgather": algorithm}
        )
    except UsageError:
        return  # not an algorithm for so many ranks
    steps = np.arange(1, ranks + 1)
    ends = 960 * steps * (steps + 1) // (ranks + 1) // 8 * 8
    own = np.diff(ends, prepend=0)
    come = [sum(c.size_bytes for c in one if c.kind == "receive") for one in by_rank(calls)]
    assert come == (own.sum() - own).tolist()


@pytest.mark.parametrize("ranks", [2, 5, 8, 13])
@pytest.mark.parametrize("algorithm", ALGORITHMS["alltoall"])
def test_blocks_of_a_alltoall_travel_as_often_as_their_distance_has_bits(
    algorithm: str, ranks: int
) -> None:
    choice = chosen("alltoallv", counts="skewed")
    direct, found = (
        [
            (call, (call.peer - rank) % ranks)
            for rank, calls in enumerate(by_rank(calls_of(choice, ranks, 960, {"alltoall": name})))
            for call in calls
            if call.kind is CallKind.SEND
        ]
        for name in ("pairwise", algorithm)
    )
    hops = [far.bit_count() if algorithm == "Bruck" else 1 for _, far in direct]
    travelled = [call.size_bytes * times for (call, _), times in zip(direct, hops, strict=True)]
    assert sum(call.size_bytes for call, _ in found) == sum(travelled)


@pytest.mark.parametrize("root", [0, 1, 5])
@pytest.mark.parametrize(
    ("collective", "algorithm"),
    [one for one in ALGORITHM_NAMES if one[0] in ("bcast", "gather", "scatter", "reduce")],
)
def test_what_a_root_does_its_rank_does(collective: str, algorithm: str, root: int) -> None:
    def of(root: int) -> list[list[Call]]:
        choice = PatternChoice(collective, (), root)
        return by_rank(calls_of(choice, 8, 960, {collective: algorithm}))

    turned = [
        [replace(one, peer=(one.peer + root) % 8 if one.peer >= 0 else -1) for one in calls]
        for calls in of(0)
    ]
    for rank, calls in enumerate(of(root)):
        assert Counter(calls) == Counter(turned[rank - root])


@pytest.mark.parametrize("pattern", PATTERNS)
@share(0.1)
@given(ranks=st.integers(2, 16))
def test_no_rank_waits_for_ever_however_messages_are_sent(pattern: str, ranks: int) -> None:
    if (pattern in IN_PAIRS and ranks % 2) or (pattern in BY_TWOS and not is_power_of_two(ranks)):
        return
    calls = calls_of(chosen(pattern), ranks, 960, {}, 2)
    assert stuck(calls) == []
    for rank in range(ranks):
        assert (np.diff(calls.step[calls.of(rank)]) >= 0).all()


def test_ranks_that_all_send_first_are_found_out() -> None:
    both = np.arange(2)
    ring = (CallStep((sent(both, 1 - both, 8, 0),)), CallStep((received(both, 1 - both, 8, 0),)))
    assert stuck(calls_in(ring, 2, SendMode.STANDARD)) == [0, 1]


def test_calls_one_by_one_have_a_step_each() -> None:
    steps = (
        CallStep((sent(only(0, 3), 1, 8, 0),), one_by_one=True),
        CallStep((received(only(1, 3), 0, 8, 0),), one_by_one=True),
    )
    assert calls_in(steps, 2, SendMode.STANDARD).step.tolist() == [0, 1, 2, 3, 4, 5]


def test_a_million_ranks_are_put_in_order() -> None:
    calls = calls_of(chosen("halo"), 10**6, 8, {})
    assert calls.ranks == 10**6
    assert len(calls.kind) == 2 * 3 * 2 * 99 * 100**2


def test_what_cannot_be_is_refused_in_words(snapshot: SnapshotAssertion) -> None:
    given: list[tuple[str, dict[str, str], int]] = [
        ("pair", {}, 5),
        ("pingpong", {}, 1),
        ("halo", {"grid": "2x3"}, 8),
        ("cyclic", {"grid": "1x8"}, 8),
        ("ibcast", {"overlap": "tested"}, 4),
        ("pingpog", {}, 2),
    ]

    def called(case: tuple[str, dict[str, str], int]) -> None:
        name, options, ranks = case
        calls_of(chosen(name, **options), ranks, 8, {})

    assert refusals(called, given, UsageError) == snapshot


def test_an_algorithm_that_cannot_be_is_refused_in_words(snapshot: SnapshotAssertion) -> None:
    given = [
        ("bcast", "binomal"),
        ("bcast", "scatter + recursive doubling"),
        ("allgather", "neighbor exchange"),
    ]
    told = refusals(lambda pair: calls_of(chosen(pair[0]), 5, 8, dict([pair])), given, UsageError)
    assert told == snapshot


def test_an_algorithm_is_of_the_collective_not_of_patterns_that_name_theirs() -> None:
    linear = {"barrier": "linear"}
    assert calls_of(chosen("barrier"), 4, 0, linear).operations == ("", "barrier: linear")
    fixed = calls_of(chosen("barrier_dissemination"), 4, 0, linear)
    assert fixed.operations == ("", "barrier_dissemination: dissemination")
    inside = calls_of(chosen("gsum_master"), 4, 0, linear)
    assert inside.operations == ("", "barrier: linear")


def test_more_calls_than_fit_are_refused(
    monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setattr(calls_module, "MOST_CALLS", 15)
    with pytest.raises(UsageError) as caught:
        calls_of(chosen("halo", grid="2x2"), 4, 8, {})
    assert str(caught.value) == snapshot


@pytest.mark.parametrize("collective", ALGORITHMS)
def test_the_reference_lists_every_algorithm_the_fallback_first(collective: str) -> None:
    names = ", ".join(f"`{name}`" for name in ALGORITHMS[collective])
    assert f"| `{collective}` | {names} |\n" in (ROOT / "docs" / "reference.md").read_text()


def test_modes_are_of_patterns() -> None:
    assert MODES.keys() <= PATTERNS.keys()
    assert calls_of(chosen("pingpong_sync"), 2, 8, {}).mode is SendMode.SYNCHRONOUS
