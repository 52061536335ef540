"""Raw TCP on loopback: the tool's ping-pong against one written by hand, its stream and iperf3's.

Goal: the upper bound of the paired ratio tool / by hand is at most 1.03, though the tool's messages
have a header more. The stream is the broadcast of two ranks: rank 0 sends, rank 1 receives, back to
back, in iperf3's block size, ranks and iperf3's ends each on a core of their own.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import time

import numpy as np

from bench.live import local_backend, variant_of
from bench.live import measure as run_campaign
from bench.loops import held_to_limit, tool_over_hand, with_loop
from leadline.backends.preparation import loopback_address
from leadline.record.run import Cadence

SIZES = (1, 8, 1024, 65_536, 1_048_576)
BLOCK_BYTES = 128 * 1024
"""What iperf3 writes at a time unless told otherwise."""


def measure(budget_s: float = 60.0, blocks: int = 16) -> dict[str, object]:
    """The ratio tool / by hand at each size with its 95 % interval, and both streams in GB/s."""
    variant = variant_of(local_backend("tcp"), "tcp", with_loop("pingpong_tcp.c"))
    rows = tool_over_hand([variant], SIZES, budget_s=budget_s, blocks=blocks)
    return held_to_limit(rows) | {"stream": _streams()}


def _streams(rounds: int = 4) -> dict[str, object]:
    """Medians over `rounds` turns, in GB/s; without iperf3 the command that installs it."""
    if shutil.which("iperf3") is None:
        return {"missing": "iperf3; install it: apt-get install iperf3"}
    turns = [(_tool_gb_s(seed), _iperf_gb_s()) for seed in range(rounds)]
    tool, iperf = (statistics.median(column) for column in zip(*turns, strict=True))
    return {"tool_GB_s": tool, "iperf3_GB_s": iperf, "iperf3_over_tool": iperf / tool}


def _tool_gb_s(seed: int) -> float:
    variant = variant_of(local_backend("tcp"), "tcp")
    medians = run_campaign(
        [variant],
        ["bcast"],
        [BLOCK_BYTES],
        budget_s=3.0,
        blocks=1,
        seed=seed,
        cadence=Cadence.STREAMING,
    )
    return BLOCK_BYTES / float(np.nanmedian(medians.by_variant["tcp"])) / 1e9


def _iperf_gb_s(seconds: int = 2) -> float:
    host, _, port = loopback_address().rpartition(":")
    place = ["-B", host, "-p", port, "--json"]
    with subprocess.Popen(
        ["timeout", "-k", "1", "30", "taskset", "-c", "1", "iperf3", "-s", "-1", *place],
        stdout=subprocess.DEVNULL,
    ):
        time.sleep(0.3)
        client = ["iperf3", "-c", host, "-t", str(seconds), "-l", str(BLOCK_BYTES), "-N", *place]
        done = subprocess.run(
            ["timeout", "-k", "1", "30", "taskset", "-c", "0", *client],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    report = json.loads(done.stdout)
    if "end" not in report or not report["end"]:
        raise RuntimeError(f"iperf3 said: {report.get('error', done.stderr)}")
    return float(report["end"]["sum_received"]["bits_per_second"]) / 8e9
