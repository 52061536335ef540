"""Whether a link that has just come up is what it is to be: its rate, how late its frames are."""

from __future__ import annotations

import json
import shutil
import statistics
import time
from collections.abc import Sequence
from dataclasses import replace

from leadline.hosts.emulated.cluster import Cluster, LinkCheck, write_state
from leadline.hosts.emulated.link import Shaper
from leadline.hosts.emulated.namespaces import marked
from leadline.hosts.emulated.switch import FrameTimes
from leadline.hosts.emulated.wire import inside, switch_of
from leadline.processes import Ending, run, spawn
from leadline.record.caveats import Caveat, CaveatKind

SENDING_S = 1
PATIENCE_S = 20.0
ATTEMPTS, INTERVAL_S = 200, 0.02
"""For a server to listen."""
CHECKER = "iperf3"


def checked(cluster: Cluster) -> Cluster:
    """The cluster with what its link, on which nothing is sent yet, was found to achieve."""
    done = replace(
        cluster,
        check=LinkCheck(_achieved_bits_per_s(cluster), *_frames(cluster), _refused(cluster)),
    )
    write_state(done)
    return done


def _achieved_bits_per_s(cluster: Cluster) -> float | None:
    """What TCP carries from the first host to the second; None where nothing can tell."""
    if len(cluster.hosts) == 1 or shutil.which(CHECKER) is None:
        return None
    first, second = cluster.hosts[:2]
    mark = marked(cluster.prefix)
    server = spawn((*inside(second), CHECKER, "--server", "--one-off"), mark, bound=True)
    try:
        sending = ("--client", second.address, "--time", str(SENDING_S), "--json")
        return _received(_tried((*inside(first), CHECKER, *sending)))
    finally:
        server.kill()
        server.wait()


def _tried(command: Sequence[str]) -> Ending:
    """How the client ended, once there was a server."""
    for _ in range(ATTEMPTS):
        ending = run(command, PATIENCE_S)
        if "refused" not in ending.output:
            break
        time.sleep(INTERVAL_S)
    return ending


def _received(ending: Ending) -> float | None:
    try:
        return float(json.loads(ending.output)["end"]["sum_received"]["bits_per_second"])
    except (ValueError, KeyError, TypeError):
        return None


def _frames(cluster: Cluster) -> tuple[int, float | None, float | None]:
    """How many frames the switch tells of, by how much they were late at the median, and 99 %."""
    if cluster.link.shaper is not Shaper.SWITCH:
        return 0, None, None
    frames = switch_of(cluster).frames()
    return len(frames), *_lateness_s(frames)


def _refused(cluster: Cluster) -> tuple[str, ...]:
    if cluster.link.shaper is not Shaper.SWITCH:
        return ()
    return tuple(f"{what}: {why}" for what, why in switch_of(cluster).refused().items())


def _lateness_s(frames: Sequence[FrameTimes]) -> tuple[float | None, float | None]:
    if len(frames) < 2:
        return None, None
    late = [frame.late_ns * 1e-9 for frame in frames]
    return statistics.median(late), statistics.quantiles(late, n=100)[98]


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
