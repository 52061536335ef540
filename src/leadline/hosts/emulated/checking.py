"""A look at a link that has just come up: what TCP achieves on it, and how late its frames are."""

from __future__ import annotations

import json
import shutil
import statistics
import time
from collections.abc import Sequence
from dataclasses import replace

from leadline.hosts.emulated.cluster import Cluster, LinkCheck, write_state
from leadline.hosts.emulated.devices import inside
from leadline.hosts.emulated.link import Shaper
from leadline.hosts.emulated.marks import marked
from leadline.hosts.emulated.switch import FrameTimes
from leadline.hosts.emulated.wiring import switch_of
from leadline.processes import Ending, run, spawn

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
