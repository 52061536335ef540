"""Check of a link that has just come up: its rate, and the lateness of its frames."""

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
from leadline.processes import run, spawn
from leadline.record.warnings import RunWarning, WarningKind, warning_of

SENDING_S = 1
PATIENCE_S = 20.0
ATTEMPTS, INTERVAL_S = 200, 0.02
"""Attempts, and time between them, until a server listens."""
CHECKER = "iperf3"


def checked(cluster: Cluster) -> Cluster:
    """Cluster with the results of checking its link, on which nothing is sent yet."""
    achieved = _achieved_bits_per_s(cluster)
    frames: Sequence[FrameTimes] = ()
    refused: tuple[str, ...] = ()
    if cluster.link.shaper is Shaper.SWITCH:
        switch = switch_of(cluster)
        frames = switch.frames()
        refused = tuple(f"{what}: {why}" for what, why in switch.refused().items())
    late_s = late_p99_s = None
    if len(frames) > 1:
        late = [frame.late_ns * 1e-9 for frame in frames]
        late_s, late_p99_s = statistics.median(late), statistics.quantiles(late, n=100)[98]
    done = replace(cluster, check=LinkCheck(achieved, len(frames), late_s, late_p99_s, refused))
    write_state(done)
    return done


def _achieved_bits_per_s(cluster: Cluster) -> float | None:
    """Rate of TCP from the first host to the second; None where it can't be measured."""
    if len(cluster.hosts) == 1 or shutil.which(CHECKER) is None:
        return None
    first, second = cluster.hosts[:2]
    mark = marked(cluster.prefix)
    server = spawn((*inside(second), CHECKER, "--server", "--one-off"), mark, bound=True)
    try:
        sending = ("--client", second.address, "--time", str(SENDING_S), "--json")
        for _ in range(ATTEMPTS):  # until the server listens
            ending = run((*inside(first), CHECKER, *sending), PATIENCE_S)
            if "refused" not in ending.output:
                break
            time.sleep(INTERVAL_S)
    finally:
        server.kill()
        server.wait()
    try:
        return float(json.loads(ending.output)["end"]["sum_received"]["bits_per_second"])
    except (ValueError, KeyError, TypeError):
        return None


TOLERATED_SHARE = 0.05
"""Largest relative deviation of a link from its specification."""


def link_warnings(cluster: Cluster) -> list[RunWarning]:
    """Deviations of the link from its specification, as far as they are known."""
    check, link = cluster.check, cluster.link
    warnings: list[RunWarning] = []
    if link.shaper is not Shaper.SWITCH:
        warnings.append(warning_of(WarningKind.LINK_BUCKETS, link=link.name))
    if check is None or len(cluster.hosts) == 1:
        return warnings
    warnings += [warning_of(WarningKind.LINK_RIGHTS, refused=right) for right in check.refused]
    if check.achieved_bits_per_s is None:
        return [*warnings, warning_of(WarningKind.LINK_UNCHECKED)]
    share = check.achieved_bits_per_s / link.payload_bits_per_s
    if abs(share - 1) > TOLERATED_SHARE:
        warnings.append(warning_of(WarningKind.LINK_OFF, share=share, link=link.name))
    late_share = (check.late_s or 0.0) / (link.wire_bytes(link.mtu) * 8 / link.rate_bits_per_s)
    if late_share > TOLERATED_SHARE:
        warnings.append(warning_of(WarningKind.LINK_OFF, share=late_share))
    return warnings
