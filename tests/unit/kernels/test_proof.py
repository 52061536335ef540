"""SHA-256 and HMAC in C: the standards' vectors, and what Python computes."""

from __future__ import annotations

from leadline.kernels.connections import Credentials


def test_credentials_of_two_launches_have_nothing_in_common() -> None:
    one, other = Credentials.fresh(), Credentials.fresh()
    assert len({*one.variables.values(), *other.variables.values()}) == 6
    assert len(bytes.fromhex(one.secret)) == 32


def test_secret_isnt_shown_where_credentials_are() -> None:
    ours = Credentials.fresh()
    assert ours.secret not in repr(ours)
    assert ours.secret not in ours.proof("abc")


def test_only_the_answer_to_this_question_by_this_secret_is_a_proof() -> None:
    ours, other = Credentials.fresh(), Credentials.fresh()
    assert ours.are_proved_by(ours.proof("a"), "a")
    wrong = [ours.proof("b"), other.proof("a"), "", "é", ours.proof("a").upper(), ours.secret]
    assert [text for text in wrong if ours.are_proved_by(text, "a")] == []
