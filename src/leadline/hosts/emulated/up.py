"""Bringing an emulated cluster up: keepers, then the wire, then what says that it is there."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace

from leadline.errors import UsageError
from leadline.hosts.emulated.agent import write_agent, write_names
from leadline.hosts.emulated.cluster import (
    DEFAULT_PREFIX,
    MOST_HOSTS,
    Cluster,
    EmulatedHost,
    alone,
    checked_prefix,
    clusters,
    folder_of,
    write_state,
)
from leadline.hosts.emulated.down import down
from leadline.hosts.emulated.keepers import await_keeper, keep_host, keep_wire
from leadline.hosts.emulated.link import EmulatedLink
from leadline.hosts.emulated.machine import check_machine
from leadline.hosts.emulated.marks import CLUSTER, members
from leadline.hosts.emulated.wiring import join


def up(
    count: int,
    link: EmulatedLink,
    prefix: str = DEFAULT_PREFIX,
    clock_offsets_s: Mapping[str, int] | None = None,
) -> Cluster:
    """Makes the hosts `prefix`1 to `prefix``count`; nothing of them is left where it fails.

    Args:
        count: Of hosts.
        link: Between them.
        prefix: Of their names.
        clock_offsets_s: By how much the clocks of some hosts are to be ahead, by host.

    Raises:
        UsageError: Hosts of this name are up, or a number, a name or the link can't be.
        MachineError: This user, or this machine, can't; which feature is missing.
    """
    checked_prefix(prefix)
    if not 1 <= count <= MOST_HOSTS:
        raise UsageError(f"--count {count}: give 1 to {MOST_HOSTS} hosts")
    names = [f"{prefix}{number}" for number in range(1, count + 1)]
    offsets = dict(clock_offsets_s or {})
    for name, seconds in offsets.items():
        if name not in names:
            raise UsageError(f"--clock {name}: hosts are {names[0]} to {names[-1]}")
        if seconds < -time.monotonic():
            raise UsageError(
                f"--clock {name}={seconds}s: the machine's clock shows no more than "
                f"{time.monotonic():.0f} s since it began; give one that stays above zero"
            )
    check_machine()
    _check_outside()
    with alone():
        _check_free(prefix)
        try:
            return _made(prefix, names, link, offsets)
        except BaseException:  # Ctrl-C too
            down(prefix)
            raise


@contextlib.contextmanager
def hosts_up(
    count: int,
    link: EmulatedLink,
    prefix: str = DEFAULT_PREFIX,
    clock_offsets_s: Mapping[str, int] | None = None,
) -> Iterator[Cluster]:
    """The hosts that `up` makes, gone at the end; hosts that were up before stay."""
    cluster = up(count, link, prefix, clock_offsets_s)
    try:
        yield cluster
    finally:
        down(prefix)


def _made(prefix: str, names: list[str], link: EmulatedLink, offsets: Mapping[str, int]) -> Cluster:
    folder = folder_of(prefix)
    shutil.rmtree(folder, ignore_errors=True)  # of a cluster that the machine's halt ended
    (folder / "sys").mkdir(parents=True)
    addresses = {name: f"10.77.0.{number}" for number, name in enumerate(names, 1)}
    write_names(folder, list(addresses.items()))
    wire = keep_wire(prefix, folder)
    pids = {name: keep_host(name, prefix, folder, offsets.get(name, 0)) for name in names}
    for name, pid in {"wire": wire, **pids}.items():
        await_keeper(name, pid, folder)
    hosts = [EmulatedHost(name, addresses[name], pids[name]) for name in names]
    hosts = [replace(host, clock_offset_s=offsets.get(host.name, 0)) for host in hosts]
    cluster = Cluster(prefix, tuple(hosts), link, wire)
    join(cluster)
    write_agent(cluster)
    write_state(cluster)
    return cluster


def _check_outside() -> None:
    """UsageError inside a host: what is made there ends with it."""
    if CLUSTER in os.environ:
        raise UsageError(
            f"this is a command on a host of {os.environ[CLUSTER]!r}: make hosts from a shell "
            "outside"
        )


def _check_free(prefix: str) -> None:
    """UsageError where something of this prefix is up."""
    there = {cluster.prefix: cluster for cluster in clusters()}
    if prefix in there:
        hosts, name = there[prefix].hosts, there[prefix].link.name
        raise UsageError(
            f"hosts {hosts[0].name} to {hosts[-1].name} are up, joined by {name}; remove them by "
            f"leadline hosts down --prefix {prefix}, or give another --prefix"
        )
    if members(prefix, frozenset()):
        raise UsageError(
            f"something is left of hosts {prefix}1 ...; remove it by leadline hosts down "
            f"--prefix {prefix}"
        )
