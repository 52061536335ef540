"""What libraries get out of emulated links, beside what the links can carry.

Goals: raw TCP's stream on a gigabit link that the kernel shapes within 3 % of iperf3's beside it;
ping-pong of 64 KiB by MPICH, and by raw TCP, over a 10 Mbit/s Ethernet at 90 % or more of what TCP
can carry there.
"""

from __future__ import annotations

import statistics

import numpy as np

from bench.hosts.emulated import FROM_THE_SECOND_ON, iperf3, medians_over
from leadline.hosts.emulated.cluster import Cluster
from leadline.hosts.emulated.lifecycle import hosts_up
from leadline.hosts.emulated.link import parse_link

PREFIX = "benchr"
TURNS = 6
MOST_APART, LEAST_SHARE = 0.03, 0.9
BLOCK_BYTES, MESSAGE_BYTES = 128 * 1024, 64 * 1024
"""What iperf3 writes at a time unless told otherwise; what ping-pongs send."""


def measure() -> dict[str, object]:
    """Both goals' figures: the medians of turns, and the worst of them."""
    streams = _streams()
    messages = {f"{backend}_on_ethernet_10": _messages(backend) for backend in ("mpich", "tcp")}
    parts = (streams, *messages.values())
    return {
        "tcp_beside_iperf3": streams, **messages,
        "reached": all(bool(part["reached"]) for part in parts),
    }  # fmt: skip


def _streams() -> dict[str, object]:
    """Turn by turn the tool's stream and iperf3's over the same link, in Mbit/s.

    The goal is by iperf3's own figure, a mean; medians beside medians say what the mean hides.
    """
    with hosts_up(2, parse_link("gigabit"), PREFIX) as cluster:
        turns = [
            (
                _mbit_s(cluster, "tcp", "bcast", BLOCK_BYTES, seed),
                iperf3(cluster, *FROM_THE_SECOND_ON, "-N"),
            )
            for seed in range(TURNS)
        ]
    ratios = [tool / beside.mean for tool, beside in turns]
    middle = statistics.median(ratios)
    return {
        "tool_mbit_s": statistics.median(tool for tool, _ in turns),
        "iperf3_mbit_s": statistics.median(beside.mean for _, beside in turns),
        "ratio": middle, "lowest": min(ratios), "highest": max(ratios),
        "ratio_of_medians": statistics.median(tool / beside.usual for tool, beside in turns),
        "reached": abs(middle - 1) <= MOST_APART,
    }  # fmt: skip


def _messages(backend: str) -> dict[str, object]:
    """The rate of `backend`'s 64 KiB messages over what TCP can carry on the link, turn by turn."""
    link = parse_link("ethernet-10")
    with hosts_up(2, link, PREFIX) as cluster:
        rates = [
            _mbit_s(cluster, backend, "pingpong", MESSAGE_BYTES, seed) for seed in range(TURNS)
        ]
    payload = link.payload_bits_per_s / 1e6
    shares = [rate / payload for rate in rates]
    return {
        "payload_mbit_s": payload, "mbit_s": statistics.median(rates),
        "share": statistics.median(shares), "lowest": min(shares),
        "reached": min(shares) >= LEAST_SHARE,
    }  # fmt: skip


def _mbit_s(cluster: Cluster, backend: str, pattern: str, size_bytes: int, seed: int) -> float:
    """A message's bytes over the median time of one repetition."""
    medians = medians_over(
        cluster, backend, pattern, (size_bytes,), budget_s=6.0, blocks=1, seed=seed
    )
    (seconds,) = medians.by_variant.values()
    return size_bytes * 8 / float(np.nanmedian(seconds)) / 1e6
