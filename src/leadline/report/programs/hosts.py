"""Emulated hosts for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from leadline.hosts.emulated.checking import link_caveats
from leadline.hosts.emulated.cluster import Cluster, EmulatedHost, HostState, LinkCheck
from leadline.record.caveats import Caveat
from leadline.record.provenance import LinkFacts
from leadline.report.records import Records, records_of


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
    link: LinkFacts
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
                "link": cluster.link.facts,
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


def _host(cluster: Cluster, host: EmulatedHost) -> HostRow:
    return {
        "name": host.name,
        "address": host.address,
        "state": cluster.state(host),
        "impairment": host.impairment.words,
        "clock_offset_s": host.clock_offset_s,
        "pid": host.pid,
    }
