"""What libraries get out of emulated links, beside what the links can carry.

Goals: raw TCP's stream on a gigabit link that the kernel shapes within 3 % of iperf3's beside it;
MPICH's ping-pong of 64 KiB over a 10 Mbit/s Ethernet at 90 % or more of what TCP can carry there.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from bench.live import Quiet, medians_of
from leadline.hosts.emulated.cluster import Cluster
from leadline.hosts.emulated.down import down
from leadline.hosts.emulated.link import parse_link
from leadline.hosts.emulated.up import up
from leadline.hosts.placement import Hosts
from leadline.measure.conduct import conduct
from leadline.measure.order import Order
from leadline.measure.preparation import prepare
from leadline.record.run import Cadence

PREFIX = "bench"
TURNS = 6
MOST_APART, LEAST_SHARE = 0.03, 0.9
BLOCK_BYTES, MESSAGE_BYTES = 128 * 1024, 64 * 1024
"""What iperf3 writes at a time unless told otherwise; what MPICH sends."""


def measure() -> dict[str, object]:
    """Both goals' figures: the medians of turns, and the worst of them."""
    streams, messages = _streams(), _messages()
    return {
        "tcp_beside_iperf3": streams,
        "mpich_on_ethernet_10": messages,
        "reached": bool(streams["reached"]) and bool(messages["reached"]),
    }


def _streams() -> dict[str, object]:
    """Turn by turn the tool's stream and iperf3's over the same link, in Mbit/s."""
    cluster = up(2, parse_link("gigabit"), PREFIX)
    try:
        turns = [(_tool_mbit_s(cluster, seed), _iperf3_mbit_s(cluster)) for seed in range(TURNS)]
    finally:
        down(PREFIX)
    ratios = [tool / iperf3 for tool, iperf3 in turns]
    tool, iperf3 = (statistics.median(column) for column in zip(*turns, strict=True))
    middle = statistics.median(ratios)
    return {
        "tool_mbit_s": tool, "iperf3_mbit_s": iperf3, "ratio": middle,
        "lowest": min(ratios), "highest": max(ratios), "reached": abs(middle - 1) <= MOST_APART,
    }  # fmt: skip


def _messages() -> dict[str, object]:
    """MPICH's rate of 64 KiB messages over what TCP can carry on the link, turn by turn."""
    link = parse_link("ethernet-10")
    cluster = up(2, link, PREFIX)
    try:
        rates = [_pingpong_bits_s(cluster, seed) for seed in range(TURNS)]
    finally:
        down(PREFIX)
    shares = [rate / link.payload_bits_per_s for rate in rates]
    return {
        "payload_mbit_s": link.payload_bits_per_s / 1e6,
        "mbit_s": statistics.median(rates) / 1e6, "share": statistics.median(shares),
        "lowest": min(shares), "reached": min(shares) >= LEAST_SHARE,
    }  # fmt: skip


def _tool_mbit_s(cluster: Cluster, seed: int) -> float:
    took = _seconds(cluster, "tcp", "bcast", BLOCK_BYTES, seed)
    return BLOCK_BYTES * 8 / took / 1e6


def _pingpong_bits_s(cluster: Cluster, seed: int) -> float:
    return MESSAGE_BYTES * 8 / _seconds(cluster, "mpich", "pingpong", MESSAGE_BYTES, seed)


def _seconds(cluster: Cluster, backend: str, pattern: str, size_bytes: int, seed: int) -> float:
    """The median time of one repetition over the cluster's hosts."""
    names = tuple(host.name for host in cluster.hosts)
    order = Order(
        patterns=(pattern,), sizes=(size_bytes,), backends=(backend,), cadence=Cadence.STREAMING,
        budget_s=6.0, blocks=1, seed=seed, hosts=Hosts(names, str(cluster.agent), emulated=True),
    )  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="leadline-bench-") as scratch:
        medians = medians_of(conduct(prepare(order), Path(scratch) / "run", Quiet()))
    (seconds,) = medians.by_variant.values()
    return float(np.nanmedian(seconds))


def _iperf3_mbit_s(cluster: Cluster, seconds: int = 3) -> float:
    server, client = cluster.hosts
    one_off = ["timeout", "-k", "1", "30", "iperf3", "-s", "-1"]
    with subprocess.Popen([*cluster.entrance(server.name), *one_off], stdout=subprocess.DEVNULL):
        time.sleep(0.3)
        ask = ["iperf3", "-c", server.address, "-t", str(seconds), "-O", "1", "-N", "--json"]
        done = subprocess.run(
            [*cluster.entrance(client.name), "timeout", "-k", "1", "30", *ask],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    report = json.loads(done.stdout)
    return float(report["end"]["sum_received"]["bits_per_second"]) / 1e6
