"""Relays of scripted launches: each speaks for the ranks of its host, as native/kernels/relay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from leadline.hosts.cores import Site
from leadline.kernels.connections import Credentials
from leadline.scripted.clock import VirtualClock
from leadline.scripted.processes import HUNG_UP, ScriptedProcess, SocketLine

REDUCED_COLUMNS = 10


class RelayedRank(Protocol):
    """A rank that a relay speaks for."""

    number: int
    process: ScriptedProcess

    def obey(self, line: str) -> None:
        """Takes a line of the campaign."""


@dataclass(frozen=True, slots=True)
class MemberLine:
    """What a rank speaks to its relay by."""

    relay: ScriptedRelay
    rank: int

    def say(self, text: bytes) -> None:
        """Hands `text` to the relay."""
        self.relay.take(self.rank, text)

    def close(self) -> None:
        """Leaves it."""
        self.relay.lose(self.rank)


class ScriptedRelay:
    """The relay of one host and one launch."""

    def __init__(
        self,
        clock: VirtualClock,
        site: Site,
        environment: Mapping[str, str],
        ranks: int,
        pid: int,
    ) -> None:
        """Will speak for so many `ranks`, told by `environment` who asks for them."""
        self.process = ScriptedProcess(pid, on_end=self._leave)
        self._clock, self._site, self._environment, self._ranks = clock, site, environment, ranks
        self._front: SocketLine | None = None
        self._members: dict[int, RelayedRank] = {}
        self._answers: dict[int, bytes] = {}
        self._awaited = range(0)
        self._reduces = self._ending = False
        self.reduced = 0
        """How many commands' answers it was told to reduce."""

    def connect(self) -> None:
        """Reaches for the campaign; one that can't ends with status 1."""
        if self.process.poll() is not None:
            return
        try:
            address = self._environment["LEADLINE_CONTROL"]
            self._front = SocketLine(
                self._clock, address, self._obey, lambda: self.process.end(HUNG_UP)
            )
        except OSError:
            self.process.end(1)

    def join(self, member: RelayedRank) -> MemberLine:
        """Lets a rank in, which then says hello; OSError where the relay has ended."""
        if self.process.poll() is not None:
            raise ConnectionRefusedError
        self._members[member.number] = member
        return MemberLine(self, member.number)

    def take(self, rank: int, text: bytes) -> None:
        """Hands on a hello; keeps answers until all that are awaited have come, and sends them."""
        if text.startswith(b"hello "):
            self._say(text)
            return
        self._answers[rank] = text
        if self._missing():
            return
        answers = [self._answers[rank] for rank in sorted(self._answers)]
        self.reduced += self._reduces
        self._answers, self._awaited = {}, range(0)
        for answer in reduced_answers(answers) if self._reduces else answers:
            self._say(answer)

    def lose(self, rank: int) -> None:
        """Says that `rank` has ended, unless it was told to."""
        del self._members[rank]
        if not self._ending:
            self._say(f"lost rank={rank} how=silent\n".encode())
        elif not self._members:
            self.process.end(0)

    def _obey(self, line: str) -> None:
        command, *words = line.split()
        if command == "challenge":
            around = self._environment
            own = Credentials(around["LEADLINE_LAUNCH"], around["LEADLINE_SECRET"], "")
            about = f"ranks={self._ranks} host={self._site.name} pid={self.process.pid}"
            self._say(f"launch {own.name} {own.proof(words[0])}\n".encode())
            self._say(f"relay {about}\n".encode())
        elif command == "missing":
            self._say(f"missing ranks={_listed(self._missing())}\n".encode())
        elif command == "await":
            fields = dict(word.split("=", 1) for word in words)
            self._awaited, self._reduces = range(int(fields["below"])), fields["reduce"] == "1"
        else:
            self._ending |= command == "end"
            for member in list(self._members.values()):
                member.obey(line)

    def _missing(self) -> list[int]:
        return sorted(self._members.keys() & set(self._awaited) - self._answers.keys())

    def _say(self, text: bytes) -> None:
        if self._front is not None:
            self._front.say(text)

    def _leave(self) -> None:
        if self._front is not None:
            self._front.close()
        for member in list(self._members.values()):
            member.process.end(HUNG_UP)


def reduced_answers(answers: list[bytes]) -> list[bytes]:
    """`answers`, one a rank, with one table of batches for all of those that recorded any."""
    split = [answer.partition(b"\n") for answer in answers]
    heads = [head.decode() for head, _, _ in split]
    fields = [dict(word.split("=", 1) for word in head.split()[1:]) for head in heads]
    own = {
        int(one["rank"]): np.frombuffer(body, np.int64).reshape(-1, 3)
        for one, (_, _, body) in zip(fields, split, strict=True)
        if body
    }
    if not own or not all(head.startswith("result ") for head in heads):
        return answers
    rows = reduced_batches(own).tobytes()
    lowest = heads[[int(one["rank"]) for one in fields].index(min(own))]
    return [
        _with_body(head, rows, f" columns={REDUCED_COLUMNS} over={_listed(sorted(own))}")
        if head is lowest
        else _with_body(head, b"", "")
        for head in heads
    ]


def _with_body(head: str, body: bytes, words: str) -> bytes:
    before, _, rest = head.partition(" bytes=")
    after = rest.partition(" ")[2]
    return f"{before} bytes={len(body)}{words} {after}\n".encode() + body


def reduced_batches(own: Mapping[int, npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    """The slowest rank's batches and the spread over ranks, shape (n, 10); `own` by rank."""
    ranks = sorted(own)
    fewest = min(len(own[rank]) for rank in ranks)
    start, end, flags = np.stack([own[rank][:fewest] for rank in ranks]).transpose(2, 0, 1)
    elapsed = end - start
    slowest = np.argmax(elapsed, axis=0)
    batch = np.arange(fewest)
    columns = (
        start[slowest, batch],
        end[slowest, batch],
        np.bitwise_or.reduce(flags, axis=0),
        np.array(ranks)[slowest],
        elapsed.min(axis=0),
        start.min(axis=0),
        start.max(axis=0),
        end.min(axis=0),
        end.max(axis=0),
        start[0],
    )
    return np.stack(columns, axis=1)


def _listed(ranks: list[int]) -> str:
    return ",".join(map(str, ranks))
