"""What the tool itself costs: null's time per call, and the share of clock and loop in a batch.

Goal: at most 2.5 ns per transport call at the repetitions as run; clock and loop at most 0.5 % of
a batch of the fastest real ping-pong, raw shared memory's at 8 B.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from bench.live import local_backend, variant_of
from bench.live import measure as run_campaign
from leadline.kernels.control import Hello, Message, Result, read_records
from leadline.kernels.patterns import parse_choice
from leadline.measure.suites import SUITES
from leadline.measure.variants import Variant

PINGPONGS = tuple(
    name for name in SUITES["p2p"].patterns if name.startswith(("pingpong", "unexpected"))
)
TWICE = (
    *PINGPONGS, "pingpong_packed", "ibarrier", "ibcast", "iallreduce", "iallgather",
    "itotal_exchange", "put_flag",
)  # fmt: skip
SEVERAL = {
    "put_window": 65, "get_window": 65, "stream": 66, "message_rate": 66,
    "pingpong_nonblocking": 4, "pingpong_persistent": 4,
    "pair": 3, "cyclic": 5, "cyclic_two_step": 6, "halo": 3, "halo:periodic": 5,
}  # fmt: skip
"""Of patterns on grids those of two ranks: a send and a receive a message, a wait a phase."""
GRIDS = ("pair", "cyclic", "cyclic_two_step", "halo", "halo:periodic")
COMPUTING = (":overlapped", ":computing")
"""Not the tool's cost but the computation asked for."""
CALLS = {
    name: SEVERAL.get(name, 2 if name in TWICE else 1)
    for name in (*SUITES["all"].patterns, "pack", "unpack", "pingpong_packed", *GRIDS)
    if not name.endswith(COMPUTING)
}
"""Transport calls of one repetition."""
LIMIT_NS, LIMIT_SHARE = 2.5, 0.005
FASTEST = "shm"
"""Whose ping-pong of 8 B is the shortest round trip, so that the shares are the largest."""


def measure() -> dict[str, object]:
    """Nanoseconds per call of each pattern, median and worst of 7 trials, and the share."""
    said = _obey_null()
    clock_ns = next(m.clock_ns for m in said if isinstance(m, Hello))
    per_call: dict[str, list[float]] = {name: [] for name in CALLS}
    names = list(CALLS)
    for result in (m for m in said if isinstance(m, Result)):
        name = names[result.id % len(names)]
        elapsed = statistics.median((result.batches[:, 1] - result.batches[:, 0]).tolist())
        per_call[name].append(elapsed / result.repetitions / CALLS[name])
    medians = {name: statistics.median(values) for name, values in per_call.items()}
    round_trip_ns, batch_ns = _fastest_ns()
    loop_share = CALLS["pingpong"] * medians["pingpong"] / round_trip_ns
    clock_share = clock_ns / batch_ns
    return {
        "ns_per_call": medians,
        "worst_ns_per_call": max(max(values) for values in per_call.values()),
        "clock_ns": clock_ns,
        "clock_share_of_batch": clock_share,
        "loop_share_of_batch": loop_share,
        "limit_ns": LIMIT_NS,
        "limit_share": LIMIT_SHARE,
        "reached": max(medians.values()) <= LIMIT_NS and clock_share + loop_share <= LIMIT_SHARE,
    }


def _fastest_ns() -> tuple[float, float]:
    """The round trip of the fastest real ping-pong, and its batches; medians."""
    fastest = variant_of(local_backend(FASTEST), FASTEST)
    medians = run_campaign([fastest], ["pingpong"], [8], budget_s=5.0, blocks=6)
    seconds = np.nanmedian(medians.by_variant[FASTEST])
    batches = medians.run.batches
    return float(seconds) * 2e9, float(np.median(batches.end_ns - batches.start_ns))


def _command(name: str, variant: Variant) -> str:
    """What the kernel is told to measure the pattern `name`, options included."""
    return parse_choice(name, variant.capability.patterns).command


def _obey_null(trials: int = 7) -> list[Message]:
    null = variant_of(local_backend("null"), "null")
    lines = [
        f"id={trial * len(CALLS) + k} {_command(name, null)} size=8 cadence=streaming "
        "slice_ns=10000000"
        for trial in range(trials)
        for k, name in enumerate(CALLS)
    ]
    with tempfile.TemporaryDirectory() as scratch:
        script, records = Path(scratch) / "script", Path(scratch) / "records"
        script.write_text("\n".join([*lines, "end"]) + "\n")
        argv = [str(null.kernel), "--script", str(script), "--records", str(records)]
        subprocess.run(argv, env=os.environ | {"LEADLINE_RANKS": "2"}, check=True, timeout=60)
        return read_records(Path(f"{records}.0"))
