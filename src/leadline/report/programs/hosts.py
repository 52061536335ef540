"""Emulated hosts for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from leadline.hosts.emulated.caveats import link_caveats
from leadline.hosts.emulated.cluster import Cluster, EmulatedHost, HostState, LinkCheck
from leadline.hosts.emulated.link import EmulatedLink, Framing, Medium, Shaper
from leadline.record.caveats import Caveat
from leadline.report.records import Records, records_of


class LinkRow(TypedDict):
    """What joins the hosts of a cluster."""

    name: str
    """As it was asked for."""
    rated_bits_per_s: int
    """What the line is sold as."""
    rate_bits_per_s: int
    """What frames, or cells, are sent at."""
    payload_bits_per_s: float
    """The most that TCP carries in full segments."""
    delay_s: float
    mtu: int
    """The most bytes of an IP packet."""
    medium: Medium
    framing: Framing
    shaper: Shaper
    """Who makes the link as slow as it is to be."""


class HostRow(TypedDict):
    """An emulated host."""

    name: str
    address: str
    """On its device eth0."""
    state: HostState
    impairment: str
    """As `hosts impair` takes it: "none" of a healthy host."""
    clock_offset_s: int
    """By how much its monotonic clock is ahead of the machine's."""
    pid: int
    """Of the process that keeps it."""


class ClusterRow(TypedDict):
    """Hosts and what joins them."""

    prefix: str
    agent: str
    """A program called like ssh."""
    link: LinkRow
    check: LinkCheck | None
    """What `hosts up` found; null where it hasn't looked."""
    hosts: Sequence[HostRow]
    warnings: Sequence[Caveat]


class HostsContent(TypedDict):
    """All emulated hosts that are up."""

    clusters: Sequence[ClusterRow]
    leftovers: Sequence[str]
    """Prefixes of clusters that aren't up: begun, or not wholly removed."""


def hosts_content(clusters: Sequence[Cluster], leftovers: Sequence[str] = ()) -> HostsContent:
    """All emulated hosts that are up."""
    return {
        "leftovers": leftovers,
        "clusters": [
            {
                "prefix": cluster.prefix,
                "agent": str(cluster.agent),
                "link": _link(cluster.link),
                "check": cluster.check,
                "hosts": [_host(cluster, host) for host in cluster.hosts],
                "warnings": link_caveats(cluster),
            }
            for cluster in clusters
        ],
    }


def hosts_records(clusters: Sequence[Cluster]) -> Records:
    """A host a row."""
    columns = (*HostRow.__annotations__, "link")
    rows = [
        {**_host(cluster, host), "link": cluster.link.name}
        for cluster in clusters
        for host in cluster.hosts
    ]
    return records_of(columns, rows)


def _link(link: EmulatedLink) -> LinkRow:
    return {
        "name": link.name,
        "rated_bits_per_s": link.rated_bits_per_s,
        "rate_bits_per_s": link.rate_bits_per_s,
        "payload_bits_per_s": link.payload_bits_per_s,
        "delay_s": link.delay_s,
        "mtu": link.mtu,
        "medium": link.medium,
        "framing": link.framing,
        "shaper": link.shaper,
    }


def _host(cluster: Cluster, host: EmulatedHost) -> HostRow:
    return {
        "name": host.name,
        "address": host.address,
        "state": cluster.state(host),
        "impairment": host.impairment.words,
        "clock_offset_s": host.clock_offset_s,
        "pid": host.pid,
    }
