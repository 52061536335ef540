"""What comes over the control channel: from strangers, and from ranks that say what they shouldn't.

A stranger that knows no secret is never let in, and who does come in disturbs nobody. What a rank
answers is measured by the code of campaigns; what is recorded of it can be read back, and is all.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
from harness.answered import SliceError, answered, not_read_back
from harness.callers import OURS, Caller, Front, hello, proof

from bench.faults_bytes import damaged, with_other_words
from bench.faults_case import Attack, SilentLossError
from leadline.kernels.credentials import Credentials

SERVED = 100
"""Strangers of one server."""
LOOKS = 8
SHARE_OF_STRANGERS = 0.3
BATCHES = 5
RESULT = (
    "result id=1 rank={rank} repetitions=9 bytes={bytes} warm_up=1970000:812:1 contends=0 "
    "window_ns=40000 run_delay_ns=12000 switches=3 faults=-1 handover_ns=97 links_ns=5000 "
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


def channelled(folder: Path) -> Attack:
    """Strangers' bytes to the front-end's listener, and answers of ranks."""
    server = _Served()

    def attack(rng: random.Random) -> str:
        if rng.random() < SHARE_OF_STRANGERS:
            return _as_stranger(server.front(), rng)
        return _as_rank(folder, rng)

    return attack


# -- strangers -------------------------------------------------------------------------------------


class _Served:
    """A server for so many strangers, then another one."""

    def __init__(self) -> None:
        self._front: Front | None = None
        self._strangers = 0

    def front(self) -> Front:
        """The one that listens."""
        if self._front is None or self._strangers % SERVED == 0:
            if self._front is not None:
                self._front.close()
            self._front = Front.listening(())
        self._strangers += 1
        return self._front


def _as_stranger(server: Front, rng: random.Random) -> str:
    """Says something mutated and, mostly, hangs up; then a rank comes in as ever."""
    before = sum(server.strangers.values())
    caller = Caller(server)
    nonce = caller.nonce()
    caller.line.sendall(_strange(nonce, rng))
    if rng.random() < 0.8:
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
    return "refused" if sum(server.strangers.values()) > before else "left by itself"


def _strange(nonce: str, rng: random.Random) -> bytes:
    """What nobody says who knows the secret."""
    forged = Credentials(OURS.name, f"{rng.getrandbits(256):064x}", OURS.job)
    words = proof(forged, nonce) + rng.choice((hello(), *OTHERS))
    return damaged(words, rng, b"".join(OTHERS))


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


def _as_rank(folder: Path, rng: random.Random) -> str:
    """Rank 1 of two answers what is mutated: a slice that can be read back, or an error."""
    said = [_answer(0), _mutated(rng)]
    try:
        results = answered(folder, [hello(rank, 2) for rank in range(2)], said)
    except SliceError as error:
        if not str(error).strip():
            raise SilentLossError(f"{error.code} without a word") from None
        return error.code
    problem = not_read_back(results)
    if problem:
        raise SilentLossError(f"recorded, and can't be read back: {problem}")
    return "recorded"


def _answer(rank: int, batches: int = BATCHES) -> bytes:
    """What a rank says of a slice."""
    start = 10**9 + np.arange(batches) * 1000
    body = np.stack([start, start + 900 + rank, (np.arange(batches) == 0)], axis=1)
    numbers = body.astype(np.int64).tobytes()
    return RESULT.format(rank=rank, bytes=len(numbers)).encode() + numbers


def _mutated(rng: random.Random) -> bytes:
    """Rank 1's answer, mutated: in its words, its numbers, or anywhere."""
    how: tuple[Callable[[random.Random], bytes], ...] = (_words, _numbers, _anywhere, _other)
    return rng.choice(how)(rng)


def _words(rng: random.Random) -> bytes:
    line, _, body = _answer(1).partition(b"\n")
    return with_other_words(line.decode(), rng).encode() + b"\n" + body


def _numbers(rng: random.Random) -> bytes:
    """Times that can't be: negative, past each other, of the far future; or flags."""
    answer = _answer(1)
    line, _, body = answer.partition(b"\n")
    numbers = np.frombuffer(body, np.int64).copy()
    extremes = (-1, 0, 2**31, 2**62, 2**63 - 1, -(2**63), rng.getrandbits(62))
    numbers[rng.randrange(numbers.size)] = rng.choice(extremes)
    return line + b"\n" + numbers.tobytes()


def _anywhere(rng: random.Random) -> bytes:
    return damaged(_answer(1), rng, b"".join(OTHERS))


def _other(rng: random.Random) -> bytes:
    """Another message than asked for, before or in place of it; or one of another size."""
    other = damaged(rng.choice(OTHERS), rng, _answer(0))
    big = f"result id=1 rank=1 bytes={rng.choice((2**24, 2**40, -8, 10**30))}\n".encode()
    return rng.choice((other, other + _answer(1), big + bytes(1000), _answer(1, 2), _answer(1, 0)))
