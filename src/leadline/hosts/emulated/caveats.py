"""Where an emulated link isn't all that it is to be."""

from __future__ import annotations

from leadline.hosts.emulated.cluster import Cluster
from leadline.hosts.emulated.link import Shaper
from leadline.record.caveats import Caveat, CaveatKind

TOLERATED_SHARE = 0.05
"""By so much a link may be off what it is to be."""


def link_caveats(cluster: Cluster) -> list[Caveat]:
    """Where the link isn't all that it is to be, as far as that is known."""
    return [*_shaper_caveats(cluster), *_check_caveats(cluster)]


def _shaper_caveats(cluster: Cluster) -> list[Caveat]:
    if cluster.link.shaper is Shaper.SWITCH:
        return []
    name = cluster.link.name
    return [CaveatKind.LINK_BUCKETS.because(f"the link {name} is faster than the switch can be")]


def _check_caveats(cluster: Cluster) -> list[Caveat]:
    check, link = cluster.check, cluster.link
    if check is None or len(cluster.hosts) == 1:
        return []
    refused = [CaveatKind.LINK_RIGHTS.because(what) for what in check.refused]
    if check.achieved_bits_per_s is None:
        return [
            *refused,
            CaveatKind.LINK_UNCHECKED.because("iperf3 is missing, or didn't get through"),
        ]
    found = []
    share = check.achieved_bits_per_s / link.payload_bits_per_s
    if abs(share - 1) > TOLERATED_SHARE:
        found.append(f"TCP achieves {100 * share:.0f} % of the payload rate of {link.name}")
    late_share = (check.late_s or 0.0) / (link.wire_bytes(link.mtu) * 8 / link.rate_bits_per_s)
    if late_share > TOLERATED_SHARE:
        found.append(
            f"frames are late by {100 * late_share:.0f} % of a full frame's time at the median"
        )
    return [*refused, *(CaveatKind.LINK_OFF.because(cause) for cause in found)]
