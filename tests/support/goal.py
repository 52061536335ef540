"""GOAL as LogGOPSim's txt2bin reads it, word by word, and carried out with a latency of 1."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from dataclasses import dataclass, field

LABEL = r"[a-zA-Z][a-zA-Z0-9_]*"
OPERATION = re.compile(rf"({LABEL}): (?:(send|recv) (\d+)b (to|from) (\d+) tag (\d+)|calc (\d+))")
DEPENDENCY = re.compile(rf"({LABEL}) (i?requires) ({LABEL})")


@dataclass(slots=True)
class Operation:
    """One line and those that it waits for, by label."""

    kind: str
    size_bytes: int = 0
    peer: int = -1
    tag: int = 0
    ended: list[str] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)


Program = dict[str, Operation]
"""Of one rank, by label."""


def parsed(text: str) -> list[Program]:
    """The program of each rank; AssertionError where txt2bin would refuse or misread a line."""
    assert text.endswith("\n")
    lines = [line for line in text.splitlines() if line and not line.startswith("//")]
    first = re.fullmatch(r"num_ranks (\d+)", lines[0])
    assert first
    ranks = int(first[1])
    programs: list[Program] = []
    inside = False
    for line in lines[1:]:
        if line == "}":
            inside = False
        elif line.startswith("rank "):
            assert line == f"rank {len(programs)} {{" and not inside
            programs.append({})
            inside = True
        else:
            assert inside
            _add(programs[-1], line, ranks)
    assert len(programs) == ranks and not inside
    return programs


def _add(program: Program, line: str, ranks: int) -> None:
    if found := DEPENDENCY.fullmatch(line):
        label, word, before = found.groups()
        assert before in program, line
        operation = program[label]
        (operation.ended if word == "requires" else operation.begun).append(before)
        return
    found = OPERATION.fullmatch(line)
    assert found, line
    label, kind, size, word, peer, tag, calc = found.groups()
    assert label not in program, line
    if calc is not None:
        program[label] = Operation("calc", int(calc))
        return
    assert (kind, word) in {("send", "to"), ("recv", "from")}, line
    assert int(size) >= 1 and int(peer) < ranks, line
    program[label] = Operation(kind, int(size), int(peer), int(tag))


Times = dict[tuple[int, str], int]


def sent_at(text: str, rendezvous: bool = False) -> dict[tuple[int, int, int, int], list[int]]:
    """When each message leaves, by (source, destination, bytes, tag): only latency takes time, 1.

    AssertionError: something never begins, or a message and its receive differ in size. With
    `rendezvous` a send ends only when its receive has begun.
    """
    programs = parsed(text)
    begun: Times = {}
    ended: Times = {}
    while _advance(programs, begun, ended, rendezvous):
        pass
    everything = {(rank, label) for rank, program in enumerate(programs) for label in program}
    assert everything == set(ended), f"never end: {sorted(everything - set(ended))[:5]}"
    found = defaultdict(list)
    for rank, program in enumerate(programs):
        for label, one in program.items():
            if one.kind == "send":
                found[rank, one.peer, one.size_bytes, one.tag].append(begun[rank, label])
    return dict(found)


def _advance(programs: list[Program], begun: Times, ended: Times, rendezvous: bool) -> bool:
    """Begins and ends what can be; whether anything was."""
    before = len(begun) + len(ended)
    for rank, program in enumerate(programs):
        for label, one in program.items():
            if (rank, label) not in begun and _may_begin(one, rank, begun, ended):
                waits = [ended[rank, other] for other in one.ended]
                begun[rank, label] = max([0, *waits, *(begun[rank, other] for other in one.begun)])
                if one.kind == "calc" or (one.kind == "send" and not rendezvous):
                    ended[rank, label] = begun[rank, label]
    _match(programs, begun, ended)
    return len(begun) + len(ended) > before


def _may_begin(one: Operation, rank: int, begun: Times, ended: Times) -> bool:
    return all((rank, other) in ended for other in one.ended) and all(
        (rank, other) in begun for other in one.begun
    )


def _match(programs: list[Program], begun: Times, ended: Times) -> None:
    """Ends receives whose message is there: of each source and tag in the order they began."""
    queues: defaultdict[tuple[int, int, int], deque[str]] = defaultdict(deque)
    for rank, program in enumerate(programs):
        for label, one in program.items():
            if one.kind == "send" and (rank, label) in begun:
                queues[rank, one.peer, one.tag].append(label)
    for rank, program in enumerate(programs):
        for label, one in program.items():
            queue = queues[one.peer, rank, one.tag]
            if one.kind != "recv" or (rank, label) not in begun or not queue:
                continue
            sender = queue.popleft()
            assert programs[one.peer][sender].size_bytes == one.size_bytes
            arrived = max(begun[rank, label], begun[one.peer, sender] + 1)
            ended.setdefault((rank, label), arrived)
            ended.setdefault((one.peer, sender), arrived)
