"""The switch between emulated hosts: how exact its times are, and how much it can serve.

Goals, at 155 Mbit/s: frames leave the switch at most 2 us late at the median, also beside two
processes that poll; raw TCP's ping-pong takes what its frames are computed to take on the wire,
beyond the time for no bytes, within 2 % from 8 KiB on. Below, 2 % are less than 2 us.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping

import numpy as np

from bench.hosts.emulated import FROM_THE_SECOND_ON, iperf3, medians_over
from leadline.hosts.emulated import link as links
from leadline.hosts.emulated.cluster import Cluster
from leadline.hosts.emulated.lifecycle import hosts_up
from leadline.hosts.emulated.link import EmulatedLink, parse_link
from leadline.hosts.emulated.switch import Switch
from leadline.hosts.emulated.wire import switch_of

PREFIX = "benchs"
SIZES = (0, 64, 1024, 8192, 65_536, 1_048_576)
JUDGED_FROM_BYTES = 8192
MOST_LATE_US, MOST_APART = 2.0, 0.02
RATES_MBIT_S = (100, 155, 200, 400, 600)
MTUS = (1500, 9000)
SERVED_SHARE = 0.97
"""Of the payload rate, beside processes that poll: what counts as served."""
PAYLOAD_HEADERS_BYTES, BRIEF_BYTES, LONG_BYTES, BRIEF_UP_TO_BYTES = 52, 16, 64, 4096
"""IPv4 and TCP with time stamps; the raw TCP backend's own header, which is longer beyond 4 KiB."""


def measure() -> dict[str, object]:
    """The goals' figures, and the rates that are served."""
    pingpong, lateness = _exactness()
    late = max(float(str(row["median_us"])) for row in lateness)
    apart = max(
        abs(float(str(row["ratio"])) - 1)
        for row in pingpong
        if int(str(row["size_bytes"])) >= JUDGED_FROM_BYTES
    )
    served = [_served(mtu, rate) for mtu in MTUS for rate in RATES_MBIT_S]
    return {
        "switch_pingpong": pingpong, "switch_lateness": lateness, "switch_served": served,
        "switch_small_frames_per_s": _small_frames_per_s(),
        "switch_late_us": late, "switch_apart": apart,
        "reached": late <= MOST_LATE_US and apart <= MOST_APART,
    }  # fmt: skip


# -- exactness -------------------------------------------------------------------------------------


def _exactness() -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Ping-pong beside its computed times; how late frames were, by what was sent."""
    with _hosts(parse_link("atm-155")) as cluster:
        switch = switch_of(cluster)
        pingpong = _pingpong(cluster)
        lateness = [_lateness(switch, "ping-pong of two ranks")]
        _stream_mbit_s(cluster)
        lateness.append(_lateness(switch, "stream"))
        with _pollers():
            _stream_mbit_s(cluster)
        lateness.append(_lateness(switch, "stream beside two that poll"))
    return pingpong, lateness


def _lateness(switch: Switch, of: str) -> dict[str, object]:
    """Of the last frames that the switch tells of."""
    late_us = sorted(frame.late_ns / 1000 for frame in switch.frames(10_000))
    cuts = statistics.quantiles(late_us, n=100)
    return {
        "of": of, "frames": len(late_us), "median_us": statistics.median(late_us),
        "90_percent_us": cuts[89], "99_percent_us": cuts[98],
    }  # fmt: skip


def _pingpong(cluster: Cluster) -> list[dict[str, object]]:
    """A row a size: half the round trip beyond that of 0 B, over what was computed for it."""
    medians = medians_over(cluster, "tcp", "pingpong", SIZES, budget_s=30.0, blocks=8)
    (by_cell,) = medians.by_variant.values()
    took = {
        cell.size_bytes: float(np.nanmedian(seconds))
        for cell, seconds in zip(medians.cells, by_cell, strict=True)
    }
    return [_beside_computed(cluster.link, size, took) for size in SIZES[1:]]


def _beside_computed(
    link: EmulatedLink, size_bytes: int, took: Mapping[int, float]
) -> dict[str, object]:
    beyond = took[size_bytes] - took[0]
    computed = _wire_s(link, size_bytes) - _wire_s(link, 0)
    return {
        "size_bytes": size_bytes, "half_us": took[size_bytes] * 1e6, "beyond_us": beyond * 1e6,
        "computed_us": computed * 1e6, "ratio": beyond / computed,
    }  # fmt: skip


def _wire_s(link: EmulatedLink, size_bytes: int) -> float:
    """What the frames of one message of raw TCP occupy a line for."""
    left = size_bytes + (BRIEF_BYTES if size_bytes <= BRIEF_UP_TO_BYTES else LONG_BYTES)
    segment = link.mtu - PAYLOAD_HEADERS_BYTES
    whole, rest = divmod(left, segment)
    wire_bytes = whole * link.wire_bytes(link.mtu)
    wire_bytes += link.wire_bytes(rest + PAYLOAD_HEADERS_BYTES) if rest else 0
    return wire_bytes * 8 / link.rate_bits_per_s


# -- what is served --------------------------------------------------------------------------------


def _served(mtu: int, rate_mbit_s: int) -> dict[str, object]:
    """What TCP achieves of the payload rate, by itself and beside two processes that poll."""
    with _hosts(parse_link(f"{rate_mbit_s}Mbit,mtu={mtu}")) as cluster:
        alone = _stream_mbit_s(cluster)
        with _pollers():
            beside = _stream_mbit_s(cluster)
        payload = cluster.link.payload_bits_per_s / 1e6
    return {
        "mtu": mtu, "rate_mbit_s": rate_mbit_s, "share_alone": alone / payload,
        "share_beside_pollers": beside / payload, "served": beside / payload >= SERVED_SHARE,
    }  # fmt: skip


def _small_frames_per_s() -> float:
    """How many frames of 64 B payload a second get through where the rate is no limit."""
    with _hosts(parse_link("10Gbit")) as cluster:
        switch = switch_of(cluster)
        before = switch.traffic()[0].received_frames
        begun = time.monotonic()
        iperf3(cluster, "-u", "-b", "0", "-l", "64")
        return (switch.traffic()[0].received_frames - before) / (time.monotonic() - begun)


@contextlib.contextmanager
def _hosts(link: EmulatedLink) -> Iterator[Cluster]:
    """Two hosts at a switch, whatever the rate."""
    limit, links.SWITCH_BITS_PER_S = links.SWITCH_BITS_PER_S, links.MOST_BITS_PER_S
    try:
        with hosts_up(2, link, PREFIX) as cluster:
            yield cluster
    finally:
        links.SWITCH_BITS_PER_S = limit


@contextlib.contextmanager
def _pollers() -> Iterator[None]:
    """Two processes that never wait, on the cores that this one may use."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    loop = [sys.executable, "-c", "while True: pass"]
    with contextlib.ExitStack() as stack:
        for core in cores:
            poller = stack.enter_context(subprocess.Popen(["taskset", "-c", str(core), *loop]))
            stack.callback(poller.kill)
        yield


def _stream_mbit_s(cluster: Cluster) -> float:
    return iperf3(cluster, *FROM_THE_SECOND_ON).mean
