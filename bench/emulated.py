"""Emulated hosts for benchmarks: campaigns and iperf3 between them."""

from __future__ import annotations

import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.live import Medians, Quiet, medians_of
from leadline.hosts.emulated.cluster import Cluster
from leadline.hosts.emulated.named import hosts_of
from leadline.measure.conduct import conduct
from leadline.measure.order import Order
from leadline.measure.preparation import prepare
from leadline.record.run import Cadence

LIMIT = ("timeout", "-k", "1", "30")
FROM_THE_SECOND_ON = ("-O", "1")
"""Words for iperf3: a second is left out, in which TCP finds its pace."""


def medians_over(
    cluster: Cluster,
    backend: str,
    pattern: str,
    sizes: tuple[int, ...],
    *,
    budget_s: float,
    blocks: int,
    seed: int = 0,
) -> Medians:
    """Of a campaign of two ranks on the first two hosts of `cluster`, back to back."""
    order = Order(
        patterns=(pattern,), sizes=sizes, backends=(backend,), cadence=Cadence.STREAMING,
        budget_s=budget_s, blocks=blocks, seed=seed, hosts=hosts_of(cluster),
    )  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="leadline-bench-") as scratch:
        return medians_of(conduct(prepare(order), Path(scratch) / "run", Quiet()))


def iperf3_mbit_s(cluster: Cluster, *words: str) -> float:
    """What the receiver got on the first host from the second; `words` are the client's."""
    end = _iperf3(cluster, *words)["end"]
    received = end.get("sum_received") or end["sum"]
    return float(received["bits_per_second"]) / 1e6


def iperf3_usual_mbit_s(cluster: Cluster, *words: str) -> float:
    """The median of tenths of a second, as the tool's figure is one of slices.

    Each end is on a core of its own, as ranks are.
    """
    intervals = _iperf3(cluster, *words, "-A", "1,0", "-i", "0.1")["intervals"]
    return statistics.median(float(one["sum"]["bits_per_second"]) for one in intervals) / 1e6


def _iperf3(cluster: Cluster, *words: str, seconds: int = 3) -> dict[str, Any]:
    server, client = cluster.hosts
    serve = [*cluster.entrance(server.name), *LIMIT, "iperf3", "-s", "-1"]
    with subprocess.Popen(serve, stdout=subprocess.DEVNULL):
        time.sleep(0.3)
        ask = ("iperf3", "-c", server.address, "-t", str(seconds), "--json", *words)
        done = subprocess.run(
            [*cluster.entrance(client.name), *LIMIT, *ask],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    report = json.loads(done.stdout)
    if not report.get("end"):
        raise RuntimeError(f"iperf3 said: {report.get('error', done.stderr)}")
    return dict(report)
