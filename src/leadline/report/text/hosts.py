"""Emulated hosts: what is up, and what was removed."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.hosts.emulated.checking import link_warnings
from leadline.hosts.emulated.cluster import Cluster
from leadline.hosts.emulated.lifecycle import Removed
from leadline.report.document import Section, Table
from leadline.report.text.catalogue import HostWords
from leadline.report.text.notes import note_sections
from leadline.report.text.phrases import linked, listed, share
from leadline.units import format_bit_rate

COLUMNS = ("host", "address", "state", "impairment", "clock")


def hosts_document(clusters: Sequence[Cluster], leftovers: Sequence[str] = ()) -> list[Section]:
    """A table for each cluster, with what its link carries, then what is left over of others.

    Args:
        clusters: All that are up.
        leftovers: Prefixes of host names of which something is there without being up.
    """
    sections: list[Section] = []
    for cluster in clusters:
        rows = tuple(
            (
                host.name,
                host.address,
                cluster.state(host),
                host.impairment.words,
                f"{host.clock_offset_s:+} s" if host.clock_offset_s else "the machine's",
            )
            for host in cluster.hosts
        )
        carries = [linked(cluster.link.facts)]
        check = cluster.check
        if check is not None and check.achieved_bits_per_s is not None:
            achieved = check.achieved_bits_per_s
            carries.append(
                HostWords.ACHIEVED(
                    rate=format_bit_rate(achieved / 8),
                    share=share(achieved / cluster.link.payload_bits_per_s),
                )
            )
        if check is not None and check.late_s is not None and check.late_p99_s is not None:
            carries.append(
                HostWords.LATE(
                    frames=check.frames, late_s=check.late_s, late_p99_s=check.late_p99_s
                )
            )
        table = Table(COLUMNS, rows)
        sections.append(Section(f"hosts on {cluster.link.name}", table, tuple(carries)))
        sections += note_sections((), link_warnings(cluster))
    notes = tuple(HostWords.LEFT_OVER(prefix=prefix) for prefix in leftovers)
    if not sections:
        return [Section("no emulated hosts are up", None, notes or (HostWords.NONE_UP(),))]
    return [*sections, Section("left over", None, notes)] if notes else sections


def removed_text(removed: Removed) -> str:
    """Hosts and processes that were removed, or that there was nothing."""
    if removed.nothing:
        return HostWords.NOTHING_TO_REMOVE(prefix=removed.prefix)
    hosts = listed(removed.hosts) if removed.hosts else None
    return HostWords.REMOVED(hosts=hosts, processes=removed.processes)
