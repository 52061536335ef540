from __future__ import annotations

import pytest
from tests.support.goal import sent_at

from leadline.report.programs.trace import goal_text
from leadline.topology.phases import parse_calls, trace_of
from leadline.topology.schedules import Action, ActionKind, schedule_of

SEND, RECEIVE, COMPUTE = ActionKind.SEND, ActionKind.RECEIVE, ActionKind.COMPUTE


def actions(*logs: str) -> tuple[tuple[Action, ...], ...]:
    """Of a log a rank: calls between commas, their fields between blanks."""
    return schedule_of(trace_of([parse_calls(tabbed(log)) for log in logs]))


def tabbed(log: str) -> str:
    return "\n".join("\t".join([*call.split(), ""]) for call in log.split(",") if call)


def goal(*logs: str) -> str:
    return goal_text(actions(*logs), "a test")


# -- what waits for what ---------------------------------------------------------------------------


def test_send_waits_for_what_was_received_before_and_not_for_sends() -> None:
    _, relay, _ = actions(
        "send 1 8 5 0, send 1 9 5 0",
        "receive 0 8 5 0, receive 0 9 5 0, send 2 8 5 1, send 2 9 5 1",
        "receive 1 8 5 1, receive 1 9 5 1",
    )
    assert relay == (
        Action(RECEIVE, 0, 8, 5),
        Action(RECEIVE, 0, 9, 5, begun=(0,)),
        Action(SEND, 2, 8, 5, ended=(0, 1)),
        Action(SEND, 2, 9, 5, begun=(2,)),
    )


def test_computation_waits_for_messages_and_what_follows_waits_for_it() -> None:
    _, found = actions(
        "send 1 8 0 0, receive 1 8 0 1", "receive 0 8 0 0, work -1 24 7 1, send 0 8 0 1"
    )
    assert found == (
        Action(RECEIVE, 0, 8, 0),
        Action(COMPUTE, -1, 7, 0, ended=(0,)),
        Action(SEND, 0, 8, 0, ended=(1,)),
    )


@pytest.mark.parametrize("rendezvous", [False, True])
def test_exchange_goes_on_whether_or_not_sends_wait_for_their_receivers(rendezvous: bool) -> None:
    both = "send {0} 8 1 0, receive {0} 8 1 0, send {0} 8 1 1, receive {0} 8 1 1"
    found = sent_at(goal(both.format(1), both.format(0)), rendezvous)
    assert found == {(0, 1, 8, 1): [0, 1], (1, 0, 8, 1): [0, 1]}


def test_messages_leave_in_their_phase() -> None:
    found = sent_at(
        goal(
            "send 1 8 0 0, receive 2 4 0 2, send 1 2 0 3",
            "receive 0 8 0 0, send 2 6 0 1, receive 0 2 0 3",
            "receive 1 6 0 1, send 0 4 0 2",
        )
    )
    assert found == {(0, 1, 8, 0): [0], (1, 2, 6, 0): [1], (2, 0, 4, 0): [2], (0, 1, 2, 0): [3]}


# -- one-sided -------------------------------------------------------------------------------------


def test_who_waits_for_a_flag_waits_for_what_was_put_before_it() -> None:
    origin, target = actions(
        "put 1 64 0 0, flag 1 8 0 0", "wait 0 8 0 0, put 0 32 0 1, flag 0 8 0 1"
    )
    assert target[:2] == (Action(RECEIVE, 0, 64, 0), Action(RECEIVE, 0, 8, 1))
    assert target[2:] == (Action(SEND, 0, 32, 2, ended=(0, 1)), Action(SEND, 0, 8, 3, begun=(2,)))
    assert origin[:2] == (Action(RECEIVE, 1, 32, 2), Action(RECEIVE, 1, 8, 3))


def test_flags_of_a_rank_are_waited_for_in_its_order() -> None:
    waits = "wait 0 8 0 0, send 0 1 0 1, wait 0 8 0 0, send 0 1 0 1"
    _, target = actions("flag 1 8 0 0, flag 1 8 0 0", waits)
    assert [action.ended for action in target[2:]] == [(0,), (1,)]


def test_flags_of_a_rank_are_told_apart_by_their_phases() -> None:
    _, target = actions(
        "flag 1 8 0 0, flag 1 8 0 2", "wait 0 8 0 2, send 0 1 0 3, wait 0 8 0 0, send 0 1 0 3"
    )
    assert [one.ended for one in target[2:]] == [(1,), (0,)]


def test_wait_that_nobody_was_needed_for_waits_for_nothing() -> None:
    (alone,) = actions("wait -1 8 0 0, wait 0 8 0 0, work -1 0 1 0")
    assert alone == (Action(COMPUTE, -1, 1, 0),)


def test_get_is_asked_for_and_answered_by_its_target() -> None:
    origin, target = actions("get 1 64 0 0, send 1 8 9 1", "receive 0 8 9 1")
    assert target[:2] == (Action(RECEIVE, 0, 8, 10), Action(SEND, 0, 64, 10, ended=(0,)))
    assert origin == (
        Action(SEND, 1, 8, 10),
        Action(RECEIVE, 1, 64, 10, begun=(0,)),
        Action(SEND, 1, 8, 9, ended=(1,)),
    )


def test_gets_under_way_together_dont_wait_for_each_other() -> None:
    origin, _ = actions("get 1 64 0 0, get 1 64 0 0", "")
    assert [action.ended for action in origin] == [(), (), (), ()]


def test_atomic_is_answered() -> None:
    origin, target = actions("atomic 1 8 0 0, atomic 1 8 0 1", "")
    assert [action.kind for action in target] == [RECEIVE, SEND, RECEIVE, SEND]
    assert origin[2] == Action(SEND, 1, 8, 1, ended=(1,))


def test_one_sided_operations_have_tags_of_their_own() -> None:
    origin, _ = actions("send 1 8 41 0, put 1 8 0 0, put 1 8 0 0", "receive 0 8 41 0")
    assert [action.tag for action in origin] == [41, 42, 43]


@pytest.mark.parametrize("rendezvous", [False, True])
def test_one_sided_schedule_comes_to_an_end(rendezvous: bool) -> None:
    sent_at(goal("put 1 64 0 0, flag 1 8 0 0, wait 1 8 0 1, get 1 3 0 2, atomic 1 8 0 3",
                 "wait 0 8 0 0, put 0 64 0 1, flag 0 8 0 1"), rendezvous)  # fmt: skip


# -- the text --------------------------------------------------------------------------------------


def test_goal_names_each_step_and_what_it_waits_for() -> None:
    text = goal("send 1 8 3 0, receive 1 8 3 1", "receive 0 8 3 0, work -1 24 7 1, send 0 8 3 1")
    assert text == (
        "// a test\nnum_ranks 2\n\n"
        "rank 0 {\nl0: send 8b to 1 tag 3\nl1: recv 8b from 1 tag 3\nl1 irequires l0\n}\n\n"
        "rank 1 {\nl0: recv 8b from 0 tag 3\nl1: calc 7\nl1 requires l0\n"
        "l2: send 8b to 0 tag 3\nl2 requires l1\n}\n"
    )


def test_message_of_no_bytes_is_written_as_one() -> None:
    text = goal("send 1 0 3 0", "receive 0 0 3 0")
    assert "send 1b to 1" in text and "recv 1b from 0" in text


def test_title_stays_on_its_line_of_comment() -> None:
    assert goal_text([()], "a\nb").splitlines()[:2] == ["// a b", "num_ranks 1"]


@pytest.mark.parametrize(
    "fault",
    [
        ("l1 irequires l0", "l1 requires l9"),
        ("recv 8b", "recv 9b"),
        ("tag 3\nl1: recv", "tag 4\nl1: recv"),
        ("num_ranks 2", "num_ranks 3"),
        ("l0: send 8b", "l0: send 0b"),
    ],
)
def test_fault_in_a_schedule_is_seen(fault: tuple[str, str]) -> None:
    text = goal("send 1 8 3 0, receive 1 8 3 0", "send 0 8 3 0, receive 0 8 3 0")
    assert sent_at(text)
    assert fault[0] in text
    with pytest.raises(AssertionError):
        sent_at(text.replace(*fault, 1))


def test_schedule_in_which_sends_are_waited_for_is_seen_to_stand_still() -> None:
    text = goal("send 1 8 3 0, receive 1 8 3 0", "send 0 8 3 0, receive 0 8 3 0")
    with pytest.raises(AssertionError, match="never end"):
        sent_at(text.replace("irequires", "requires"), rendezvous=True)
