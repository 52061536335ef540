"""Bringing up an emulated cluster, and removing it, or what is left of one."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from leadline.errors import MachineError, UsageError
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
from leadline.hosts.emulated.link import EmulatedLink
from leadline.hosts.emulated.namespaces import (
    CLUSTER,
    HOST,
    await_holder,
    check_machine,
    check_root,
    environment_of,
    hold,
    is_marked,
    keep_host,
    keep_wire,
    members,
    namespaces_of,
)
from leadline.hosts.emulated.wire import join

_OFFSET = re.compile(r"(?P<host>[^=]+)=(?P<seconds>[+-]?\d{1,9})s?")


def parse_offsets(words: Sequence[str]) -> dict[str, int]:
    """Offsets by host in "h2=+3s", in whole seconds, as namespaces require; UsageError."""
    offsets: dict[str, int] = {}
    for word in words:
        match = _OFFSET.fullmatch(word)
        if match is None:
            raise UsageError(f"--clock {word!r}: write HOST=+3s, or -3s, in whole seconds")
        if match["host"] in offsets:
            raise UsageError(f"--clock names {match['host']!r} twice")
        offsets[match["host"]] = int(match["seconds"])
    return offsets


def up(
    count: int,
    link: EmulatedLink,
    prefix: str = DEFAULT_PREFIX,
    clock_offsets_s: Mapping[str, int] | None = None,
) -> Cluster:
    """Makes the hosts `prefix`1 to `prefix``count`; nothing of them is left where it fails.

    Args:
        count: Number of hosts.
        link: Link between them.
        prefix: Prefix of their names.
        clock_offsets_s: Offsets of the clocks of some hosts, by host.

    Raises:
        UsageError: Hosts of this name are up, or a number, a name or the link is invalid.
        MachineError: This user, or this machine, can't make hosts; the missing feature.
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
    if CLUSTER in os.environ:  # what is made inside a host ends with it
        raise UsageError(
            f"this is a command on a host of {os.environ[CLUSTER]!r}: make hosts from a shell "
            "outside"
        )
    with alone():
        _check_free(prefix)
        try:
            return _made(prefix, names, link, offsets)
        except BaseException:  # including Ctrl-C
            down(prefix)
            raise


@contextlib.contextmanager
def hosts_up(
    count: int,
    link: EmulatedLink,
    prefix: str = DEFAULT_PREFIX,
    clock_offsets_s: Mapping[str, int] | None = None,
) -> Iterator[Cluster]:
    """Hosts that `up` makes, removed at the end; hosts that were up before stay."""
    cluster = up(count, link, prefix, clock_offsets_s)
    try:
        yield cluster
    finally:
        down(prefix)


def _made(prefix: str, names: list[str], link: EmulatedLink, offsets: Mapping[str, int]) -> Cluster:
    """Starts the hosts `names`, joins them by `link`, and stores their cluster."""
    folder = folder_of(prefix)
    shutil.rmtree(folder, ignore_errors=True)  # left from before the machine was rebooted
    (folder / "sys").mkdir(parents=True)
    addresses = {name: f"10.77.0.{number}" for number, name in enumerate(names, 1)}
    write_names(folder, list(addresses.items()))
    wire = keep_wire(prefix, folder)
    pids = {name: keep_host(name, prefix, folder, offsets.get(name, 0)) for name in names}
    for name, pid in {"wire": wire, **pids}.items():
        await_holder(name, pid, folder)
    hosts = [
        EmulatedHost(name, addresses[name], pids[name], offsets.get(name, 0)) for name in names
    ]
    cluster = Cluster(prefix, tuple(hosts), link, wire)
    join(cluster)
    write_agent(cluster)
    write_state(cluster)
    return cluster


def _check_free(prefix: str) -> None:
    """Raises UsageError where hosts of this prefix are up, or something is left of them."""
    up_by_prefix = {cluster.prefix: cluster for cluster in clusters()}
    if prefix in up_by_prefix:
        hosts, name = up_by_prefix[prefix].hosts, up_by_prefix[prefix].link.name
        raise UsageError(
            f"hosts {hosts[0].name} to {hosts[-1].name} are up, joined by {name}; remove them by "
            f"leadline hosts down --prefix {prefix}, or give another --prefix"
        )
    if members(prefix, frozenset()):
        raise UsageError(
            f"something is left of hosts {prefix}1 ...; remove it by leadline hosts down "
            f"--prefix {prefix}"
        )


GRACE_S = 1.0
"""Time between SIGTERM and SIGKILL."""
PATIENCE_S = 10.0
INTERVAL_S = 0.01
SETTLED = 2
"""Consecutive looks that find nothing: a process just started has no mark for an instant."""


@dataclass(frozen=True, slots=True)
class Removed:
    """What was there and was removed."""

    prefix: str
    hosts: tuple[str, ...]
    """Hosts whose holders were found."""
    processes: int
    """Number of holders and of all processes in their namespaces."""
    folder: bool
    """Whether there was a folder with the cluster's state."""

    @property
    def nothing(self) -> bool:
        """Whether nothing was there."""
        return not (self.processes or self.folder)


def down(prefix: str) -> Removed:
    """Ends all processes of the cluster of `prefix`; its namespaces, devices, mounts go with them.

    Raises:
        UsageError: This process is inside the cluster.
        MachineError: Something can't be ended or removed, or this user isn't root.
    """
    check_root()
    folder = folder_of(checked_prefix(prefix))
    held: dict[str, int] = {}
    try:
        hold(prefix, held)
        if held.keys() & namespaces_of("self"):
            raise UsageError("hosts down: this process is inside of these hosts; call it outside")
        alive = members(prefix, held.keys())
        hosts = {environment_of(pid).get(HOST, "") for pid in alive if is_marked(pid, prefix)}
        removed = Removed(prefix, tuple(sorted(hosts - {""})), len(alive), folder.exists())
        _end(prefix, held)
    finally:
        for descriptor in held.values():
            os.close(descriptor)
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        raise MachineError(f"{folder}: can't be removed; see what is in it, and who owns it")
    return removed


def _end(prefix: str, held: dict[str, int]) -> None:
    """Sends SIGTERM, then SIGKILL, until nothing is found several times in a row.

    Processes that outlive their holder are known by its namespaces, which `held` keeps open.
    """
    begin, clean = time.monotonic(), 0
    while clean < SETTLED:
        hold(prefix, held)
        left = members(prefix, held.keys())
        clean = 0 if left else clean + 1
        elapsed = time.monotonic() - begin
        if left and elapsed > PATIENCE_S:
            raise MachineError(f"processes that don't end: {', '.join(map(str, sorted(left)))}")
        number = signal.SIGTERM if elapsed < GRACE_S else signal.SIGKILL
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        time.sleep(INTERVAL_S)
