"""Joining hosts, and impairing their links: by the kernel's buckets or the switch in user space."""

from __future__ import annotations

from leadline.hosts.emulated.buckets import (
    await_forwarding,
    impair_by_buckets,
    join_by_buckets,
    refuse_delay,
)
from leadline.hosts.emulated.cluster import Cluster, EmulatedHost
from leadline.hosts.emulated.devices import obeyed, set_up_devices, wire_of
from leadline.hosts.emulated.impairment import Impairment
from leadline.hosts.emulated.link import Shaper
from leadline.hosts.emulated.marks import marked
from leadline.hosts.emulated.switch import Switch, start_switch


def join(cluster: Cluster) -> None:
    """Gives each host its eth0, on the cluster's link; MachineError."""
    if cluster.link.shaper is Shaper.SWITCH:
        _join_by_switch(cluster)
    else:
        join_by_buckets(cluster)
    set_up_devices(cluster)
    if cluster.link.shaper is not Shaper.SWITCH:
        for host in cluster.hosts:
            await_forwarding(cluster, host)


def impair_link(cluster: Cluster, host: EmulatedHost, impairment: Impairment) -> None:
    """Makes the link of `host` as `impairment` says; UsageError where it can't be delayed."""
    share, delay_s, cut = impairment.rate_share, impairment.extra_delay_s, impairment.cut
    if cluster.link.shaper is Shaper.SWITCH:
        switch_of(cluster).impair(cluster.number(host), share, delay_s, cut)
        return
    if delay_s:
        refuse_delay(cluster.link)
    impair_by_buckets(cluster, host, share, cut)


def switch_of(cluster: Cluster) -> Switch:
    """The switch between the hosts of a cluster that has one."""
    return Switch(cluster.folder / "switch.socket")


def _join_by_switch(cluster: Cluster) -> None:
    """The switch makes its devices on the wire, from where each moves into its host."""
    control, mark = switch_of(cluster).control, marked(cluster.prefix)
    start_switch(cluster.link, len(cluster.hosts), control, mark, wire_of(cluster))
    moves = (
        f"link set t{number} netns {host.pid} name eth0"
        for number, host in enumerate(cluster.hosts, 1)
    )
    obeyed("ip", wire_of(cluster), cluster.folder / "wire.ip", moves)
