"""The machine with its libraries, and emulated hosts, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from leadline.backends.backend import Backend
from leadline.hosts.cleanup.sweep import Swept
from leadline.hosts.emulated.checking import link_warnings
from leadline.hosts.emulated.cluster import Cluster, EmulatedHost, HostState, LinkCheck
from leadline.record.machine import HostFacts
from leadline.record.provenance import LinkFacts
from leadline.record.warnings import RunWarning
from leadline.report.programs.rows import row_of
from leadline.report.records import Records, records_of


class DoctorContent(TypedDict):
    """What is on this machine, and what is missing."""

    machine: HostFacts
    backends: Sequence[Backend]
    warnings: Sequence[RunWarning]
    removed: Swept | None
    """Processes and files of killed front-ends that were removed; null without --clean."""


class HostRow(TypedDict):
    """An emulated host."""

    name: str
    address: str
    """The address of its device eth0."""
    state: HostState
    impairment: str
    """As `hosts impair` takes it; "none": the host is healthy."""
    clock_offset_s: int
    """Offset of its monotonic clock from the machine's, in seconds."""
    pid: int
    """The process that holds its namespaces."""


class ClusterRow(TypedDict):
    """Hosts and the link between them."""

    prefix: str
    agent: str
    """A program called like ssh."""
    link: LinkFacts
    check: LinkCheck | None
    """What `hosts up` measured; null: it hasn't."""
    hosts: Sequence[HostRow]
    warnings: Sequence[RunWarning]


class HostsContent(TypedDict):
    """All emulated hosts that are up."""

    clusters: Sequence[ClusterRow]
    leftovers: Sequence[str]
    """Prefixes of clusters that were only partly created, or only partly removed."""


def hosts_content(clusters: Sequence[Cluster], leftovers: Sequence[str] = ()) -> HostsContent:
    """All emulated hosts that are up, and the prefixes of `leftovers`."""
    return {
        "leftovers": leftovers,
        "clusters": [
            row_of(
                ClusterRow,
                cluster,
                agent=str(cluster.agent),
                link=cluster.link.facts,
                hosts=[_host(cluster, host) for host in cluster.hosts],
                warnings=link_warnings(cluster),
            )
            for cluster in clusters
        ],
    }


def hosts_records(clusters: Sequence[Cluster]) -> Records:
    """One row for each host."""
    columns = (*HostRow.__annotations__, "link")
    rows = [
        {**_host(cluster, host), "link": cluster.link.name}
        for cluster in clusters
        for host in cluster.hosts
    ]
    return records_of(columns, rows)


def _host(cluster: Cluster, host: EmulatedHost) -> HostRow:
    return row_of(HostRow, host, state=cluster.state(host), impairment=host.impairment.words)
