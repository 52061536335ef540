"""Placement of a job's ranks on hosts: consecutive ranks share a host."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from leadline.errors import UsageError
from leadline.record.provenance import LinkFacts
from leadline.topology.readers.hostlist import expand_hosts
from leadline.topology.readers.lines import NumberedLine

T = TypeVar("T")

DEFAULT_AGENT = "ssh"


@dataclass(frozen=True, slots=True)
class Hosts:
    """Hosts that ranks are spread over, and the program that starts processes on them."""

    names: tuple[str, ...] = ()
    """Names of the hosts; empty: this host alone, without an agent."""
    agent: str = DEFAULT_AGENT
    """Program called like ssh: agent HOST COMMAND..."""
    emulated: bool = False
    """Whether they are emulated on this machine (hosts.emulated): they share its files, and this
    process, which is on none of them, has launchers started on the first."""
    link: LinkFacts | None = None
    """Link between emulated hosts; None: not known."""

    def __len__(self) -> int:
        """Number of hosts, at least 1."""
        return len(self.names) or 1

    @property
    def across_network(self) -> tuple[str, ...]:
        """Hosts that a Unix socket of this host doesn't reach."""
        return () if self.emulated else self.names

    @property
    def entrances(self) -> list[tuple[str, ...]]:
        """Command prefix for each host that runs what follows it there."""
        return [(self.agent, name) for name in self.names]

    def share(self, ranks: int) -> int:
        """Number of ranks on each host except perhaps the last ones, of `ranks`, at least 1."""
        return -(-ranks // len(self))

    def place(self, rank: int, ranks: int) -> int:
        """Index of the host of `rank`, of `ranks`."""
        return rank // self.share(ranks)

    def used_by(self, ranks: int) -> Hosts:
        """First hosts, which have any of `ranks` ranks, placed as on all of them.

        A launcher that gets others enters them, too, and fails where one of them is down.
        """
        return replace(self, names=self.names[: self.place(ranks - 1, ranks) + 1])

    def spread(self, each: Sequence[T], ranks: int) -> list[T]:
        """Element of `each`, which has one for every host, for each of `ranks` ranks."""
        return [each[self.place(rank, ranks)] for rank in range(ranks)]


THIS_HOST = Hosts()


def parse_hosts(text: str, agent: str) -> Hosts:
    """Hosts in "node[01-03],login"; UsageError names the word that is no host."""
    names = expand_hosts(text, NumberedLine("--hosts", None, (text,)))
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise UsageError(f"--hosts names {min(twice)!r} twice; name each host once")
    return Hosts(tuple(names), agent)
