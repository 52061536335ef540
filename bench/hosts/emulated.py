"""Emulated hosts for benchmarks: campaigns and iperf3 between them."""

from __future__ import annotations

import json
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from bench.live import Medians, Quiet, medians_of
from leadline.hosts.emulated.cluster import Cluster, hosts_of
from leadline.measure.conduct import conduct
from leadline.measure.preparation import prepare
from leadline.measure.spec import Request
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
    request = Request(
        patterns=(pattern,), sizes=sizes, backends=(backend,), cadence=Cadence.STREAMING,
        budget_s=budget_s, blocks=blocks, seed=seed, hosts=hosts_of(cluster),
    )  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="leadline-bench-") as scratch:
        return medians_of(conduct(prepare(request), Path(scratch) / "run", Quiet()))


@dataclass(frozen=True)
class Iperf3:
    """What iperf3 says of a stream from the second host to the first, in Mbit/s."""

    mean: float
    """Over all the time, at the receiver: its own figure."""
    usual: float
    """The median of tenths of a second, at the sender, as the tool's figure is one of slices."""


def iperf3(cluster: Cluster, *words: str, seconds: int = 3) -> Iperf3:
    """`words` are the client's; each end is on a core of its own, as ranks are."""
    server, client = cluster.hosts
    serve = [*cluster.entrance(server.name), *LIMIT, "iperf3", "-s", "-1"]
    with subprocess.Popen(serve, stdout=subprocess.DEVNULL):
        time.sleep(0.3)
        where = ("-c", server.address, "-A", "1,0")
        ask = ("iperf3", *where, "-t", str(seconds), "-i", "0.1", "--json", *words)
        done = subprocess.run(
            [*cluster.entrance(client.name), *LIMIT, *ask],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    report = json.loads(done.stdout)
    if not report.get("end"):
        raise RuntimeError(f"iperf3 said: {report.get('error', done.stderr)}")
    received = report["end"].get("sum_received") or report["end"]["sum"]
    tenths = [float(one["sum"]["bits_per_second"]) for one in report["intervals"]]
    return Iperf3(float(received["bits_per_second"]) / 1e6, statistics.median(tenths) / 1e6)
