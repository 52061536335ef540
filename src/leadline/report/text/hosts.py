"""Emulated hosts: what is up, and what was removed."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.hosts.emulated.cluster import Cluster
from leadline.hosts.emulated.down import Removed
from leadline.report.document import Section, Table
from leadline.report.text.phrases import listed
from leadline.units import format_bit_rate, format_time

COLUMNS = ("host", "address", "state")


def hosts_document(clusters: Sequence[Cluster]) -> list[Section]:
    """A table a cluster, and below it what its link carries."""
    if not clusters:
        return [Section("no emulated hosts are up", None, ("leadline hosts up makes some",))]
    return [_section(cluster) for cluster in clusters]


def _section(cluster: Cluster) -> Section:
    rows = tuple((host.name, host.address, cluster.state(host)) for host in cluster.hosts)
    return Section(f"hosts on {cluster.link.name}", Table(COLUMNS, rows), _link(cluster))


def _link(cluster: Cluster) -> tuple[str, ...]:
    link = cluster.link
    delay = f", delay {format_time(link.delay_s)}" if link.delay_s else ""
    return (
        f"{link.medium} {link.framing}, MTU {link.mtu} bytes{delay}, shaped by the {link.shaper}: "
        f"rated {format_bit_rate(link.rated_bits_per_s / 8)}, payload of TCP at most "
        f"{format_bit_rate(link.payload_bits_per_s / 8)}",
    )


def removed_text(removed: Removed) -> str:
    """What was there and is no more."""
    if removed.nothing:
        return f"no hosts {removed.prefix}1 ... are up; nothing to remove"
    hosts = listed(removed.hosts) or "what was left"
    return f"removed {hosts}: {_processes(removed.processes)}, and with them all that was theirs"


def _processes(number: int) -> str:
    return "1 process" if number == 1 else f"{number} processes"
