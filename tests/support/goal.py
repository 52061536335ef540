"""GOAL as LogGOPSim's txt2bin reads it, word by word, and carried out by latencies alone.

Computations take time where that is asked for.
"""

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


Place = tuple[int, str]
"""A rank and the label of one of its operations."""


@dataclass(slots=True)
class Machine:
    """Carries programs out."""

    programs: list[Program]
    rendezvous: bool
    """Whether a send ends only when its receive has begun."""
    latency: int = 1
    """What a message takes, however long."""
    computes: bool = False
    """A computation takes what it says; else no time."""
    begun: dict[Place, int] = field(default_factory=dict)
    ended: dict[Place, int] = field(default_factory=dict)
    sends: defaultdict[tuple[int, int, int], deque[Place]] = field(
        default_factory=lambda: defaultdict(deque)
    )
    """Without a receive, by source, destination and tag, in the order they began."""
    receives: defaultdict[tuple[int, int, int], deque[Place]] = field(
        default_factory=lambda: defaultdict(deque)
    )
    """Without a message, likewise."""

    def run(self) -> None:
        """Until nothing more can begin."""
        waiting = [(rank, label) for rank, one in enumerate(self.programs) for label in one]
        before = 0
        while len(waiting) != before:
            before = len(waiting)
            waiting = [place for place in waiting if not self._began(place)]

    def _began(self, place: Place) -> bool:
        rank, label = place
        one = self.programs[rank][label]
        try:
            times = [self.ended[rank, other] for other in one.ended]
            times += [self.begun[rank, other] for other in one.begun]
        except KeyError:
            return False
        now = self.begun[place] = max(times, default=0)
        if one.kind == "calc":
            self.ended[place] = now + self.computes * one.size_bytes
        elif one.kind == "send" and not self.rendezvous:
            self.ended[place] = now
        if one.kind != "calc":
            self._post(place, one)
        return True

    def _post(self, place: Place, one: Operation) -> None:
        """Puts a message or a receive into its queue, and ends what then has both."""
        ends = (place[0], one.peer) if one.kind == "send" else (one.peer, place[0])
        key = (*ends, one.tag)
        (self.sends if one.kind == "send" else self.receives)[key].append(place)
        if self.sends[key] and self.receives[key]:
            sender, receiver = self.sends[key].popleft(), self.receives[key].popleft()
            sizes = {self.programs[rank][label].size_bytes for rank, label in (sender, receiver)}
            assert len(sizes) == 1, f"{sender} and {receiver} differ in size: {sizes}"
            leaves = max(self.begun[sender], self.begun[receiver] if self.rendezvous else 0)
            self.ended[receiver] = max(self.begun[receiver], leaves + self.latency)
            self.ended.setdefault(sender, leaves)


def ended_at(text: str, latency: int) -> int:
    """When the last operation has ended, if computations take what they say."""
    machine = Machine(parsed(text), rendezvous=False, latency=latency, computes=True)
    machine.run()
    assert len(machine.ended) == sum(map(len, machine.programs))
    return max(machine.ended.values())


def sent_at(text: str, rendezvous: bool = False) -> dict[tuple[int, int, int, int], list[int]]:
    """When each message leaves, by (source, destination, bytes, tag).

    AssertionError: something never ends, or a message and its receive differ in size.
    """
    machine = Machine(parsed(text), rendezvous)
    machine.run()
    everything = {
        (rank, label) for rank, program in enumerate(machine.programs) for label in program
    }
    assert everything == set(machine.ended), (
        f"never end: {sorted(everything - set(machine.ended))[:5]}"
    )
    found = defaultdict(list)
    for rank, label in everything:
        one = machine.programs[rank][label]
        if one.kind == "send":
            found[rank, one.peer, one.size_bytes, one.tag].append(machine.begun[rank, label])
    return {key: sorted(times) for key, times in found.items()}
