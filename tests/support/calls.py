"""Logs of patterns' calls, as ranks over the backend trace write them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from tests.support.kernels import kernel
from tests.support.scripts import obeyed_to_files

from leadline.kernels.build import Additions

ANSWER = re.compile(rb"(traced id=(\d+) rank=\d+ bytes=(\d+)|\w.*)\n")


class Call(NamedTuple):
    """A line of a log."""

    what: str
    peer: int
    bytes: int
    number: int
    """The tag; of work, its flop."""
    depth: int
    operation: str


def calls_in(text: str) -> list[Call]:
    """The calls of a log."""
    calls = []
    for line in text.splitlines():
        what, peer, size, number, depth, operation = line.split("\t")
        calls.append(Call(what, int(peer), int(size), int(number), int(depth), operation))
    return calls


def logs_in(said: bytes) -> tuple[dict[int, list[Call]], list[str]]:
    """The logs by their slices' ids, and the lines that are none but the hello."""
    logs: dict[int, list[Call]] = {}
    others: list[str] = []
    at = 0
    while at < len(said):
        answer = ANSWER.match(said, at)
        assert answer is not None, said[at:][:80]
        at = answer.end()
        if answer[2] is None:
            others.append(answer[0].decode().rstrip())
            continue
        end = at + int(answer[3])
        logs[int(answer[2])] = calls_in(said[at:end].decode())
        at = end
    return logs, others[1:]


def trace(
    lines: tuple[str, ...], ranks: int, folder: Path, additions: Additions | None = None
) -> tuple[list[dict[int, list[Call]]], list[str]]:
    """Each rank's logs of `lines`, by id; and all that ranks said besides."""
    commands = tuple(f"trace {line}" for line in lines)
    files = obeyed_to_files(kernel("trace", additions), commands, folder, ranks)
    answers = [logs_in(file.read_bytes()) for file in files]
    return [logs for logs, _ in answers], [line for _, others in answers for line in others]


def trace_one(words: str, ranks: int, folder: Path) -> list[list[Call]]:
    """Each rank's log of one cell, which nothing is wrong with."""
    logs, others = trace((f"id=1 {words}",), ranks, folder)
    assert others == []
    return [log[1] for log in logs]
