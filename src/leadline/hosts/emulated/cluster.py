"""Emulated clusters that are up: their hosts, and the words that enter them."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from leadline.errors import UsageError, unknown_name
from leadline.hosts.emulated.impairment import HEALTHY, Impairment
from leadline.hosts.emulated.link import EmulatedLink, parse_link
from leadline.hosts.emulated.namespaces import CLUSTER, check_root, is_alive
from leadline.hosts.placement import Hosts

RUNNING = Path("/run/leadline/hosts")
"""A folder a cluster, called by its prefix."""
DEFAULT_PREFIX = "h"
MOST_HOSTS = 250
_PREFIX = re.compile(r"[A-Za-z]([A-Za-z0-9-]{0,30}[A-Za-z])?")
"""Ends with a letter: else "h1" and "h" would both have a host h11."""
STATE = "state.json"


class HostState(StrEnum):
    """Whether a host can be entered."""

    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class EmulatedHost:
    """One host: the namespaces that its keeper holds."""

    name: str
    address: str
    """On its only device, eth0."""
    pid: int
    """Of its keeper."""
    clock_offset_s: int = 0
    """By how much its CLOCK_MONOTONIC is ahead of the machine's."""
    impairment: Impairment = HEALTHY
    is_stopped: bool = False
    """Whether it was told to go down; its keeper lives."""

    @property
    def namespaces(self) -> tuple[str, ...]:
        """The words of nsenter that name the keeper and what is entered."""
        words = ("-t", str(self.pid), "--net", "--uts", "--ipc", "--mount")
        return (*words, "--time") if self.clock_offset_s else words


@dataclass(frozen=True, slots=True)
class LinkCheck:
    """What a link was found to achieve when it came up."""

    achieved_bits_per_s: float | None
    """That TCP carries; None where nothing could tell."""
    frames: int
    """Of which the switch in user space has told; 0 where there is none."""
    late_s: float | None
    """By how much the switch gave them to their receivers late, at the median."""
    late_p99_s: float | None
    """Likewise, of 99 of 100 at most."""
    refused: tuple[str, ...]
    """What the machine didn't grant the switch, and why: a place ahead of others, memory."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Hosts that are up, joined by one link."""

    prefix: str
    hosts: tuple[EmulatedHost, ...]
    link: EmulatedLink
    wire_pid: int
    """Of what keeps the namespace between the hosts."""
    check: LinkCheck | None = None
    """None where nobody has looked."""

    @property
    def folder(self) -> Path:
        """Where its state lies."""
        return folder_of(self.prefix)

    @property
    def agent(self) -> Path:
        """A program called like ssh: AGENT [OPTION ...] HOST COMMAND ..."""
        return self.folder / "agent"

    def host(self, name: str) -> EmulatedHost:
        """The host called `name`; UsageError names the nearest."""
        found = next((host for host in self.hosts if host.name == name), None)
        if found is None:
            raise unknown_name("host", name, [host.name for host in self.hosts])
        return found

    def number(self, host: EmulatedHost) -> int:
        """Of the host among the cluster's, from 1."""
        return [one.name for one in self.hosts].index(host.name) + 1

    def entrance(self, name: str) -> tuple[str, ...]:
        """The words that run what follows them inside host `name`, in this working directory."""
        host = self.host(name)
        mark = f"{CLUSTER}={self.prefix}"
        return ("env", mark, "nsenter", *host.namespaces, f"--wdns={Path.cwd()}")

    def state(self, host: EmulatedHost) -> HostState:
        """A host is up while its keeper lives and nobody has stopped it."""
        is_there = not host.is_stopped and is_alive(host.pid, self.prefix, host.name)
        return HostState.UP if is_there else HostState.DOWN


def folder_of(prefix: str) -> Path:
    """Where the state of the cluster of `prefix` lies, be it up or not."""
    return RUNNING / prefix


def checked_prefix(prefix: str) -> str:
    """`prefix`, if hosts can be called so; UsageError."""
    if not _PREFIX.fullmatch(prefix):
        raise UsageError(
            f"--prefix {prefix!r}: give up to 32 letters, or digits between letters, e.g. node"
        )
    return prefix


def clusters() -> list[Cluster]:
    """All that are up, by prefix."""
    found = (_read(path) for path in sorted(RUNNING.glob(f"*/{STATE}")))
    return [cluster for cluster in found if cluster is not None]


def leftovers() -> list[str]:
    """Prefixes of clusters that aren't up, but begun or not wholly removed."""
    up = {cluster.prefix for cluster in clusters()}
    return sorted(path.name for path in RUNNING.glob("*/") if path.name not in up)


def cluster_with(host: str) -> Cluster:
    """The cluster that has a host of this name; UsageError names the nearest that is up."""
    up = clusters()
    found = next((one for one in up if host in {other.name for other in one.hosts}), None)
    if found is not None:
        return found
    names = [other.name for one in up for other in one.hosts]
    if not names:
        raise UsageError(f"unknown host {host!r}: none are up; leadline hosts up makes some")
    raise unknown_name("host", host, names)


def cluster_of(names: Sequence[str]) -> Cluster | None:
    """The cluster that has all hosts of these `names`; None where none has any.

    UsageError where a cluster has some of them only.
    """
    for cluster in clusters():
        mine = {host.name for host in cluster.hosts}
        missing = [name for name in names if name not in mine]
        if len(missing) < len(names):
            if missing:
                raise UsageError(
                    f"--hosts: {missing[0]!r} is none of the emulated hosts {cluster.prefix}1 to "
                    f"{cluster.prefix}{len(mine)}, which no link joins with others; name hosts of "
                    "one cluster, or give --agent"
                )
            return cluster
    return None


def state_of(cluster: Cluster) -> dict[str, object]:
    """What is stored of `cluster`."""
    return asdict(cluster) | {"link": cluster.link.name}


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Keeps others from changing what is up meanwhile; ends with this process at the latest."""
    RUNNING.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(RUNNING, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def write_state(cluster: Cluster) -> None:
    """Makes `cluster` one that is up; all at once."""
    new = cluster.folder / f".{STATE}"
    new.write_text(json.dumps(state_of(cluster)))
    new.replace(cluster.folder / STATE)


def _read(path: Path) -> Cluster | None:
    """The cluster in the file at `path`; None where it is no more, or of another version of this.

    One that can't be read must not be in the way of others: `hosts down` removes it all the same.
    """
    try:
        state: dict[str, Any] = json.loads(path.read_text())
        cluster = _restored(state)
    except (OSError, ValueError, KeyError, TypeError, UsageError):
        return None
    return cluster if is_alive(cluster.wire_pid, cluster.prefix) else None


def _restored(state: dict[str, Any]) -> Cluster:
    hosts = tuple(
        EmulatedHost(**host | {"impairment": Impairment(**host["impairment"])})
        for host in state["hosts"]
    )
    check = state["check"] and LinkCheck(
        **state["check"] | {"refused": (*state["check"]["refused"],)}
    )
    return Cluster(state["prefix"], hosts, parse_link(state["link"]), state["wire_pid"], check)


def emulated(hosts: Hosts) -> Hosts:
    """`hosts` as those of the cluster that has all of these names, with its agent and its link.

    As they are where none has any; UsageError where only some are of a cluster, MachineError where
    this user can't enter them.
    """
    cluster = cluster_of(hosts.names)
    if cluster is None:
        return hosts
    check_root()
    return replace(hosts_of(cluster), names=hosts.names)


def hosts_of(cluster: Cluster) -> Hosts:
    """All hosts of `cluster`, with its agent and its link."""
    return Hosts(
        tuple(host.name for host in cluster.hosts),
        str(cluster.agent),
        emulated=True,
        link=cluster.link.facts,
    )
