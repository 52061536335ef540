"""Impairing an emulated host, or its link, stopping the host and starting it again."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

import leadline
from leadline.errors import MachineError
from leadline.hosts.emulated.agent import close_entrance, write_entrance
from leadline.hosts.emulated.cluster import (
    Cluster,
    EmulatedHost,
    HostState,
    alone,
    cluster_with,
    write_state,
)
from leadline.hosts.emulated.impairment import HEALTHY, Impairment
from leadline.hosts.emulated.namespaces import (
    check_root,
    environment_of,
    is_marked,
    marked,
    marks,
    namespaces_of,
    pids,
)
from leadline.hosts.emulated.pausing import BEGUN
from leadline.hosts.emulated.wire import impair_link
from leadline.processes import detach

PAUSER = "LEADLINE_PAUSER"
"""Mark of a process that stops those of a host again and again."""
PACKAGES = str(Path(leadline.__file__).parents[1])
PATIENCE_S = 20.0
INTERVAL_S = 0.005


def impair(cluster: Cluster, name: str, impairment: Impairment) -> Cluster:
    """Impairs host `name` by `impairment`, replacing earlier ones; returns the cluster then.

    Raises:
        UsageError: There is no such host, or its link can't be delayed.
        MachineError: The host is down.
    """
    check_root()
    host = _up(cluster, name)
    impair_link(cluster, host, impairment)
    _end_pauser(cluster, host)
    if impairment.stopped_share:
        module, share = "leadline.hosts.emulated.pausing", str(impairment.stopped_share)
        mark = marked(cluster.prefix) | {PAUSER: host.name, "PYTHONPATH": PACKAGES}
        log = cluster.folder / f"{host.name}.pausing.log"
        with log.open("wb") as output:
            detach((sys.executable, "-m", module, str(host.pid), share), mark, output)
        end = time.monotonic() + PATIENCE_S
        while (text := log.read_text(errors="replace")) != f"{BEGUN}\n":
            if text or time.monotonic() > end:
                raise MachineError(f"what is to stop {host.name!r} doesn't begin: {text.strip()}")
            time.sleep(INTERVAL_S)
    return _with(replace(host, impairment=impairment))


def stop(cluster: Cluster, name: str) -> Cluster:
    """Takes host `name` down at once: its link first, so that no peer is notified, then processes.

    MachineError where it is down already.
    """
    check_root()
    host = _up(cluster, name)
    close_entrance(cluster, host)
    impair_link(cluster, host, Impairment(cut=True))
    _end_pauser(cluster, host)
    end = time.monotonic() + PATIENCE_S
    while left := processes_in(cluster, host):
        _send(left, signal.SIGKILL)
        if time.monotonic() > end:
            raise MachineError(f"host {name!r}: processes that don't end: {sorted(left)}")
        time.sleep(INTERVAL_S)
    return _with(replace(host, is_stopped=True))


def start(cluster: Cluster, name: str) -> Cluster:
    """Brings host `name` back, healthy; MachineError where its holder was killed, too."""
    check_root()
    host = replace(cluster.host(name), is_stopped=False, impairment=HEALTHY)
    if cluster.state(host) is HostState.DOWN:
        raise MachineError(
            f"host {name!r} is gone, for its holder is; leadline hosts down --prefix "
            f"{cluster.prefix} removes the rest, hosts up makes them again"
        )
    impair_link(cluster, host, HEALTHY)
    write_entrance(cluster, host)
    return _with(host)


def _up(cluster: Cluster, name: str) -> EmulatedHost:
    """Host `name`; MachineError where it is down."""
    host = cluster.host(name)
    if cluster.state(host) is HostState.DOWN:
        raise MachineError(f"host {name!r} is down; leadline hosts start {name} brings it back")
    return host


def processes_in(cluster: Cluster, host: EmulatedHost) -> set[int]:
    """Processes in a host's namespaces without its holder; none where the holder is gone.

    Its number may be that of any process of the machine by then.
    """
    mine = namespaces_of(host.pid) - namespaces_of("self")
    if not is_marked(host.pid, cluster.prefix, host.name):
        return set()
    return {pid for pid in pids() if pid != host.pid and namespaces_of(pid) & mine}


def _with(host: EmulatedHost) -> Cluster:
    """Stores the cluster with `host` replaced, and returns it."""
    with alone():
        now = cluster_with(host.name)
        hosts = tuple(host if one.name == host.name else one for one in now.hosts)
        changed = replace(now, hosts=hosts)
        write_state(changed)
    return changed


def _end_pauser(cluster: Cluster, host: EmulatedHost) -> None:
    """Ends the process that stops those of the host, and lets these go on."""
    mine = {**marks(cluster.prefix), PAUSER: host.name}
    end = time.monotonic() + PATIENCE_S
    while left := {pid for pid in pids() if mine.items() <= environment_of(pid).items()}:
        _send(left, signal.SIGTERM if time.monotonic() < end else signal.SIGKILL)
        time.sleep(INTERVAL_S)
    _send(processes_in(cluster, host), signal.SIGCONT)


def _send(processes: set[int], number: signal.Signals) -> None:
    for pid in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
