"""Programs: whose calls they are, what is under way together, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.rank_calls import by_rank, stuck

from leadline.errors import UsageError
from leadline.kernels.options import Chosen
from leadline.kernels.patterns import PatternChoice
from leadline.simulate.programs import calls as calls_module
from leadline.simulate.programs.calls import CallStep, SendMode, calls_in, only, received, sent
from leadline.simulate.programs.patterns import MODES, PATTERNS, calls_of
from leadline.topology.phases import Call, CallKind

IN_PAIRS = {"pair", "message_rate"}


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


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("ranks", range(2, 17))
def test_no_rank_waits_for_ever_however_messages_are_sent(pattern: str, ranks: int) -> None:
    if pattern in IN_PAIRS and ranks % 2:
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


@pytest.mark.parametrize(
    ("choice", "ranks", "words"),
    [
        (chosen("pair"), 5, "pattern pair takes an even number of ranks, seen 5; give 4 or 6"),
        (chosen("pingpong"), 1, "pattern pingpong takes at least 2 ranks, seen 1"),
        (chosen("halo", grid="2x3"), 8, "its grid 2x3 has 6 vertices, seen 8 ranks"),
        (chosen("cyclic", grid="1x8"), 8, "no rank of 8 has a neighbour on the grid 1x8"),
        (chosen("pingpog"), 2, "did you mean 'pingpong'"),
    ],
)
def test_what_cannot_be_is_refused_in_words(choice: PatternChoice, ranks: int, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        calls_of(choice, ranks, 8, {})
    assert words in str(caught.value)


def test_more_calls_than_fit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls_module, "MOST_CALLS", 15)
    with pytest.raises(UsageError, match="4 ranks make more than 15 calls"):
        calls_of(chosen("halo", grid="2x2"), 4, 8, {})


def test_modes_are_of_patterns() -> None:
    assert MODES.keys() <= PATTERNS.keys()
    assert calls_of(chosen("pingpong_sync"), 2, 8, {}).mode is SendMode.SYNCHRONOUS
