"""Hosts that ranks can't be on any more, and what a campaign loses by that. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from leadline.errors import LaunchError
from leadline.record.run import HOST_DOWN


@dataclass(frozen=True, slots=True)
class Outage:
    """Hosts on which no ranks can be together."""

    hosts: frozenset[str]
    """By what they call themselves: one that is down."""
    reason: str
    """E.g. "host h2 doesn't answer (no route to host)"."""
    code: str = HOST_DOWN
    """Of failures that come of it."""

    def concerns(self, hosts: frozenset[str]) -> bool:
        """Whether ranks on `hosts` can't be there."""
        return self.hosts <= hosts


def joined(outages: Sequence[Outage]) -> str:
    """All their reasons, and what to do."""
    whose = "it is" if len(outages) == 1 else "they are"
    reasons = "; ".join(outage.reason for outage in outages)
    return f"{reasons}: when {whose} back, go on by leadline run --resume"


class HostDownError(LaunchError):
    """Ranks don't start, for hosts that they were to be on are down."""

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
