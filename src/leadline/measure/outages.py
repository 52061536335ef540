"""Hosts that ranks can't be on any more, and what a campaign loses by that. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from leadline.errors import LaunchError
from leadline.kernels.progress import RankState
from leadline.record.run import HOST_DOWN

MOST_LOST = 3
"""Times in a row that a segment is lost on a link which works, however badly: TCP doubles its
patience each time, so that this takes a second and a half at least."""


@dataclass(frozen=True, slots=True)
class Outage:
    """Hosts on which no ranks can be together."""

    hosts: frozenset[str]
    """By what they call themselves: one that is down, or two between which nothing goes."""
    reason: str
    """E.g. "host h2 doesn't answer (no route to host)"."""
    code: str = HOST_DOWN
    """Of failures that come of it."""

    def concerns(self, hosts: frozenset[str]) -> bool:
        """Whether ranks on `hosts` can't be there."""
        return self.hosts <= hosts


def host_down(host: str, silence: str) -> Outage:
    """That `host` answers nobody, and how."""
    return Outage(frozenset({host}), f"host {host} {silence}")


def outages_in(states: Sequence[RankState]) -> list[Outage]:
    """What keeps ranks in `states` apart: hosts that say nothing of them, or links that are cut.

    A link is cut where what a rank sent to another host was sent again MOST_LOST times in a row.
    """
    silent = {state.host: state.silence for state in states if state.silence}
    if silent:
        return [host_down(host, silence) for host, silence in sorted(silent.items())]
    return cut_off(_cut(states))


def cut_off(cut: Collection[frozenset[str]]) -> list[Outage]:
    """The outages that pairs of hosts show which are `cut` off from each other.

    Where one host is in each of several pairs, it is the one that nobody reaches.
    """
    alone = [host for host in sorted(frozenset().union(*cut)) if all(host in one for one in cut)]
    if len(cut) > 1 and alone:
        others = ", ".join(sorted(frozenset().union(*cut) - {alone[0]}))
        how = f"isn't reached from {others}: what is sent there or from there is lost"
        return [host_down(alone[0], how)]
    return [Outage(one, _lost_between(*sorted(one))) for one in sorted(cut, key=sorted)]


def _cut(states: Sequence[RankState]) -> set[frozenset[str]]:
    """The pairs of hosts between which nothing goes, by both ends of their ranks' connections."""
    ends = {flow.local: state.host for state in states for flow in state.flows}
    return {
        frozenset({state.host, ends[flow.remote]})
        for state in states
        for flow in state.flows
        if flow.sent_again >= MOST_LOST and ends.get(flow.remote, state.host) != state.host
    }


def _lost_between(one: str, other: str) -> str:
    return f"the link between {one} and {other} carries nothing: what is sent over it is lost"


def joined(outages: Sequence[Outage]) -> str:
    """All their reasons, and what to do."""
    whose = "it is" if len(outages) == 1 else "they are"
    reasons = "; ".join(outage.reason for outage in outages)
    return f"{reasons}: when {whose} back, go on by leadline run --resume"


class HostDownError(LaunchError):
    """Ranks don't start, for hosts that they were to be on are down."""

    code = HOST_DOWN

    def __init__(self, error: LaunchError, outages: Sequence[Outage]) -> None:
        """In place of `error`, by which it showed."""
        super().__init__("", error.argv, error.status, "")
        self.outages = tuple(outages)

    def __str__(self) -> str:
        """Which hosts, and what to do."""
        return joined(self.outages)


class Losses:
    """Which configurations can't be measured any more."""

    def __init__(self, hosts: Mapping[int, frozenset[str]]) -> None:
        """`hosts` has those that the ranks of each configuration are on; none is lost yet."""
        self._hosts = hosts
        self._lost: set[int] = set()

    def take(self, outages: Iterable[Outage]) -> dict[int, Outage]:
        """What is lost by `outages` that wasn't before: by configuration, by which."""
        found = {
            configuration: outage
            for outage in outages
            for configuration, hosts in self._hosts.items()
            if outage.concerns(hosts) and configuration not in self._lost
        }
        self._lost |= found.keys()
        return found

    def __contains__(self, configuration: int) -> bool:
        """Whether it is lost."""
        return configuration in self._lost

    def __bool__(self) -> bool:
        """Whether any is lost."""
        return bool(self._lost)
