"""What comes over the control channel: from strangers, and from ranks that say what they shouldn't.

A stranger that knows no secret is never let in, and who does come in disturbs nobody. What a rank
answers is measured by the code of campaigns; what is recorded of it can be read back, and is all.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from harness.answered import SliceError, answered, not_read_back
from harness.callers import OURS, Caller, Front, hello, proof
from harness.examples import share
from hypothesis import given
from hypothesis import strategies as st

from fuzz import planted
from fuzz.bounds import SilentLossError, attempt, met
from fuzz.chance import chance
from fuzz.edits import Edited, damaged, with_other_words
from leadline.kernels import messages
from leadline.kernels.connections import Credentials

LOOKS = 8
BATCHES = 5
RESULT = (
    "result id=1 rank={rank} repetitions=9 bytes={bytes} warm_up=1970000:812:1 contends=0 "
    "window_ns=40000 run_delay_ns=12000 switches=3 faults=-1 core_latency_ns=97 links_ns=5000 "
    "links=eth0/tx:700:10000,lo:9:-1 spent=100:200 verified=norm:5e-05:5.1e-05\n"
)
OTHERS = (
    b"placed id=1 rank=1\n", b"fault id=1 rank=1 pass=timed offset=5 expected=1 seen=65\n",
    b"refused id=1 rank=1 no memory\n", b"lost rank=1 how=hung\n", b"missing ranks=0-1\n",
    b"fitted id=1 rank=1 leader=0 fits=1 here_ns=5 offset_ns=5 drift=1e-6 missed_ns=1 error_ns=1 "
    b"round_trip_ns=9\n", b"traced id=1 rank=1 bytes=3\nabc", b"relay ranks=2 host=h pid=1\n",
    b"stranger forged\n", hello(1, 2), b"hello rank=1 size=2\n",
    b"fault id=1 rank=1 pass=timed quantity=norm real=1 expected=5e-05 seen=nan\n",
)  # fmt: skip

# -- strangers -------------------------------------------------------------------------------------


@st.composite
def strange_words(draw: st.DrawFn) -> Edited:
    """What nobody says who knows the secret."""
    forged = draw(st.binary(min_size=32, max_size=32)).hex()
    said = f"launch {OURS.name} {forged}\n".encode() + draw(st.sampled_from((hello(), *OTHERS)))
    return draw(damaged(said, b"".join(OTHERS)))


HANGS_UP = st.sampled_from((True, True, True, False))


@pytest.fixture(scope="module")
def server() -> Iterator[Front]:
    served = Front.listening(())
    yield served
    served.close()


@share(0.1)
@given(words=strange_words(), hangs_up=HANGS_UP)
def test_stranger_is_refused_and_disturbs_nobody(
    server: Front, words: Edited, hangs_up: bool
) -> None:
    met(_as_stranger, server, words, hangs_up)


def _as_stranger(server: Front, words: Edited, hangs_up: bool) -> str:
    """Says something mutated and, mostly, hangs up; then a rank comes in as ever."""
    before = sum(server.refused.values())
    caller = Caller(server)
    caller.nonce()
    caller.line.sendall(words)
    if hangs_up:
        caller.line.close()
    arrived = _looked(server)
    if arrived:
        raise SilentLossError(f"a stranger came in as rank {arrived[0]}")
    rank = Caller(server)
    rank.says(proof(OURS, rank.nonce()) + hello())
    if _looked(server) != [0]:
        raise SilentLossError("a rank didn't come in beside a stranger")
    for arrival in server.arrived:
        arrival.connection.close()
    server.arrived.clear()
    return "refused" if sum(server.refused.values()) > before else "left by itself"


def _looked(server: Front) -> list[int]:
    """The ranks that came in after some looks."""
    ranks: list[int] = []
    for _ in range(LOOKS):
        arrived = server.accept(0.002, {OURS.name: OURS}, 1)
        ranks += [one.hello.rank for one in arrived]
        if ranks:
            break
    return ranks


# -- ranks -----------------------------------------------------------------------------------------


def _answer(rank: int, batches: int = BATCHES) -> bytes:
    """What a rank says of a slice."""
    start = 10**9 + np.arange(batches) * 1000
    body = np.stack([start, start + 900 + rank, (np.arange(batches) == 0)], axis=1)
    numbers = body.astype(np.int64).tobytes()
    return RESULT.format(rank=rank, bytes=len(numbers)).encode() + numbers


@st.composite
def wrong_answers(draw: st.DrawFn) -> Edited:
    """Rank 1's answer, mutated: in its words, its numbers, or anywhere; or another message."""
    return draw(draw(st.sampled_from((_words(), _numbers(), _others(), _ANYWHERE))))


_ANYWHERE = damaged(_answer(1), b"".join(OTHERS))
_EXTREMES = st.sampled_from((-1, 0, 2**31, 2**62, 2**63 - 1, -(2**63))) | st.integers(0, 2**62)


@st.composite
def _words(draw: st.DrawFn) -> Edited:
    line, _, body = _answer(1).partition(b"\n")
    words = draw(with_other_words(line))
    return Edited(words + b"\n" + body, *words.how)


@st.composite
def _numbers(draw: st.DrawFn) -> Edited:
    """Times that can't be: negative, past each other, of the far future; or flags."""
    line, _, body = _answer(1).partition(b"\n")
    numbers = np.frombuffer(body, np.int64).copy()
    at = draw(st.integers(0, numbers.size - 1))
    numbers[at] = draw(_EXTREMES)
    return Edited(line + b"\n" + numbers.tobytes(), f"number {at} = {numbers[at]}")


@st.composite
def _others(draw: st.DrawFn) -> Edited:
    """Another message than asked for, before or in place of it; or one of another size."""
    if chance(draw, 50):
        size = draw(st.sampled_from((2**24, 2**40, -8, 10**30)))
        big = f"result id=1 rank=1 bytes={size}\n".encode() + bytes(1000)
        return Edited(draw(st.sampled_from((_answer(1, 0), _answer(1, 2), big))), "another size")
    other = draw(damaged(draw(st.sampled_from(OTHERS)), _answer(0)))
    return Edited(other + draw(st.sampled_from((b"", _answer(1)))), f"another: {bytes(other)!r}")


@share(0.26)
@given(wrong_answers())
def test_answer_is_refused_or_can_be_read_back(answer: Edited) -> None:
    met(_as_rank, answer)


def _as_rank(answer: Edited) -> str:
    """Rank 1 of two answers what is mutated: a slice that can be read back, or an error."""
    said = [_answer(0), answer]
    try:
        results = answered(Path(), [hello(rank, 2) for rank in range(2)], said)
    except SliceError as error:
        if not str(error).strip():
            raise SilentLossError(f"{error.code} without a word") from None
        return error.code
    if problem := not_read_back(results):
        raise SilentLossError(f"recorded, and can't be read back: {problem}")
    return "recorded"


# -- faults that they must see ---------------------------------------------------------------------


@patch.object(messages, "repetitions", planted.raises)
def test_fault_of_the_reader_of_messages_is_seen() -> None:
    with pytest.raises(IndexError):
        attempt(_as_rank, 60, wrong_answers())


@patch.object(Credentials, "are_proved_by", lambda *_: True)
def test_stranger_who_is_let_in_is_seen(server: Front) -> None:
    with pytest.raises(SilentLossError):
        attempt(_as_stranger, 300, st.just(server), strange_words(), HANGS_UP)
