"""Emulated hosts: what is up, and what was removed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline.hosts.emulated.checking import link_caveats
from leadline.hosts.emulated.cluster import Cluster, EmulatedHost
from leadline.hosts.emulated.lifecycle import Removed
from leadline.report.document import Section, Table
from leadline.report.text.notes import note_sections
from leadline.report.text.phrases import linked, listed, share
from leadline.units import format_bit_rate, format_time

NONE_UP = "leadline hosts up makes some"
COLUMNS = ("host", "address", "state", "impairment", "clock")


def hosts_document(clusters: Sequence[Cluster], leftovers: Sequence[str] = ()) -> list[Section]:
    """A table a cluster, and below it what its link carries; then what is left of others."""
    sections = [section for cluster in clusters for section in _section(cluster)]
    notes = tuple(
        f"{prefix}1 ... aren't up, but something of them is there: another hosts up that is at it, "
        f"or one that was killed; leadline hosts down --prefix {prefix} removes it"
        for prefix in leftovers
    )
    if not sections:
        return [Section("no emulated hosts are up", None, notes or (NONE_UP,))]
    return [*sections, Section("left over", None, notes)] if notes else sections


def _section(cluster: Cluster) -> list[Section]:
    rows = tuple(
        (host.name, host.address, cluster.state(host), host.impairment.words, _clock(host))
        for host in cluster.hosts
    )
    notes = (linked(cluster.link.facts), *_found(cluster))
    return [
        Section(f"hosts on {cluster.link.name}", Table(COLUMNS, rows), notes),
        *note_sections((), link_caveats(cluster)),
    ]


def _clock(host: EmulatedHost) -> str:
    return f"{host.clock_offset_s:+} s" if host.clock_offset_s else "the machine's"


def _found(cluster: Cluster) -> Iterator[str]:
    """What it was found to achieve when it came up."""
    check = cluster.check
    if check is not None and check.achieved_bits_per_s is not None:
        achieved = check.achieved_bits_per_s
        yield (
            f"achieved when it came up: {format_bit_rate(achieved / 8)}, "
            f"{share(achieved / cluster.link.payload_bits_per_s)} of the payload rate"
        )
    if check is not None and check.late_s is not None and check.late_p99_s is not None:
        yield (
            f"{check.frames:,} frames left the switch {format_time(check.late_s)} late at the "
            f"median, 99 % of them at most {format_time(check.late_p99_s)}"
        )


def removed_text(removed: Removed) -> str:
    """What was there and is no more."""
    if removed.nothing:
        return f"no hosts {removed.prefix}1 ... are up; nothing to remove"
    hosts = listed(removed.hosts) if removed.hosts else "what was left"
    return f"removed {hosts}: {_processes(removed.processes)}, and with them all that was theirs"


def _processes(number: int) -> str:
    return "1 process" if number == 1 else f"{number} processes"
