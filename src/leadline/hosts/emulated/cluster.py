"""Emulated clusters that are up: their hosts, their state, and how to enter them."""

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
"""Folder with one folder per cluster, named by its prefix."""
DEFAULT_PREFIX = "h"
MOST_HOSTS = 250
_PREFIX = re.compile(r"[A-Za-z]([A-Za-z0-9-]{0,30}[A-Za-z])?")
"""A prefix ends with a letter: else "h1" and "h" would both have a host h11."""
STATE = "state.json"


class HostState(StrEnum):
    """Whether a host can be entered."""

    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class EmulatedHost:
    """Host: the namespaces that its holder holds."""

    name: str
    address: str
    """Address of its only device, eth0."""
    pid: int
    """Process number of its holder."""
    clock_offset_s: int = 0
    """Offset of its CLOCK_MONOTONIC from the machine's."""
    impairment: Impairment = HEALTHY
    is_stopped: bool = False
    """Whether it was taken down; its holder lives."""

    @property
    def namespaces(self) -> tuple[str, ...]:
        """Arguments of nsenter: the holder, and the namespaces to enter."""
        words = ("-t", str(self.pid), "--net", "--uts", "--ipc", "--mount")
        return (*words, "--time") if self.clock_offset_s else words


@dataclass(frozen=True, slots=True)
class LinkCheck:
    """Results of the check of a link when it came up."""

    achieved_bits_per_s: float | None
    """Rate of TCP; None where it couldn't be measured."""
    frames: int
    """Number of frames that the switch in user space reported; 0 where there is none."""
    late_s: float | None
    """Median lateness of their delivery by the switch."""
    late_p99_s: float | None
    """99th percentile of the same."""
    refused: tuple[str, ...]
    """Rights that the machine didn't grant the switch, with the reason: priority, memory."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Hosts that are up, joined by one link."""

    prefix: str
    hosts: tuple[EmulatedHost, ...]
    link: EmulatedLink
    wire_pid: int
    """Process number of the holder of the namespace between the hosts."""
    check: LinkCheck | None = None
    """Check of the link; None: not done."""

    @property
    def folder(self) -> Path:
        """Folder of its state."""
        return folder_of(self.prefix)

    @property
    def agent(self) -> Path:
        """Program called like ssh: AGENT [OPTION ...] HOST COMMAND ..."""
        return self.folder / "agent"

    def host(self, name: str) -> EmulatedHost:
        """Host `name`; UsageError suggests the nearest name."""
        found = next((host for host in self.hosts if host.name == name), None)
        if found is None:
            raise unknown_name("host", name, [host.name for host in self.hosts])
        return found

    def number(self, host: EmulatedHost) -> int:
        """Number of the host among the cluster's, from 1."""
        return [each.name for each in self.hosts].index(host.name) + 1

    def entrance(self, name: str) -> tuple[str, ...]:
        """Command prefix that runs what follows it in host `name`, in this working directory."""
        host = self.host(name)
        mark = f"{CLUSTER}={self.prefix}"
        return ("env", mark, "nsenter", *host.namespaces, f"--wdns={Path.cwd()}")

    def state(self, host: EmulatedHost) -> HostState:
        """State of a host, which is up while its holder lives and it wasn't stopped."""
        is_there = not host.is_stopped and is_alive(host.pid, self.prefix, host.name)
        return HostState.UP if is_there else HostState.DOWN


def folder_of(prefix: str) -> Path:
    """Folder of the state of the cluster of `prefix`, whether it is up or not."""
    return RUNNING / prefix


def checked_prefix(prefix: str) -> str:
    """`prefix`, if it is valid; else UsageError."""
    if not _PREFIX.fullmatch(prefix):
        raise UsageError(
            f"--prefix {prefix!r}: give up to 32 letters, or digits between letters, e.g. node"
        )
    return prefix


def clusters() -> list[Cluster]:
    """All clusters that are up, by prefix."""
    every = (_read(path) for path in sorted(RUNNING.glob(f"*/{STATE}")))
    return [cluster for cluster in every if cluster is not None]


def leftovers() -> list[str]:
    """Prefixes of clusters that aren't up, but were begun or not completely removed."""
    up = {cluster.prefix for cluster in clusters()}
    return sorted(path.name for path in RUNNING.glob("*/") if path.name not in up)


def cluster_with(host: str) -> Cluster:
    """Cluster that has a host of this name; UsageError suggests the nearest that is up."""
    up = clusters()
    for cluster in up:
        if host in {each.name for each in cluster.hosts}:
            return cluster
    names = [each.name for cluster in up for each in cluster.hosts]
    if not names:
        raise UsageError(f"unknown host {host!r}: none are up; leadline hosts up makes some")
    raise unknown_name("host", host, names)


def cluster_of(names: Sequence[str]) -> Cluster | None:
    """Cluster that has all hosts of these `names`; None where none has any.

    Raises:
        UsageError: A cluster has only some of them.
    """
    for cluster in clusters():
        of_cluster = {host.name for host in cluster.hosts}
        missing = [name for name in names if name not in of_cluster]
        if len(missing) < len(names):
            if missing:
                raise UsageError(
                    f"--hosts: {missing[0]!r} is none of the emulated hosts {cluster.prefix}1 to "
                    f"{cluster.prefix}{len(of_cluster)}, which no link joins with others; name "
                    "hosts of one cluster, or give --agent"
                )
            return cluster
    return None


def state_of(cluster: Cluster) -> dict[str, object]:
    """Stored fields of `cluster`."""
    return asdict(cluster) | {"link": cluster.link.name}


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Locks the state of clusters against other processes; ends with this process at the latest."""
    RUNNING.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(RUNNING, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def write_state(cluster: Cluster) -> None:
    """Stores `cluster` as one that is up, atomically."""
    new = cluster.folder / f".{STATE}"
    new.write_text(json.dumps(state_of(cluster)))
    new.replace(cluster.folder / STATE)


def _read(path: Path) -> Cluster | None:
    """Cluster in the file at `path`; None where it is no more, or the file is of another version.

    One that can't be read must not be in the way of others: `hosts down` removes it all the same.
    """
    try:
        state: dict[str, Any] = json.loads(path.read_text())
        hosts = tuple(
            EmulatedHost(**host | {"impairment": Impairment(**host["impairment"])})
            for host in state["hosts"]
        )
        check = state["check"] and LinkCheck(
            **state["check"] | {"refused": (*state["check"]["refused"],)}
        )
        link = parse_link(state["link"])
        cluster = Cluster(state["prefix"], hosts, link, state["wire_pid"], check)
    except (OSError, ValueError, KeyError, TypeError, UsageError):
        return None
    return cluster if is_alive(cluster.wire_pid, cluster.prefix) else None


def emulated(hosts: Hosts) -> Hosts:
    """`hosts` as those of the cluster that has all of these names, with its agent and its link.

    Unchanged where no cluster has any of them.

    Raises:
        UsageError: Only some are of a cluster.
        MachineError: This user can't enter them.
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
