"""Unmodified programs with and without the library that maps their ranks, on emulated hosts.

Goals: the open 4x4 halo on 4 hosts of 4 ranks has 24 edges between hosts and then 16, of the
busiest 8 and then 4, and is so much faster, with its 95 % interval, over MPICH and Open MPI; its
link is at least 70 % used both ways, and at half the rate it takes at least 1.7 times as long. On
a periodic grid, where nothing can be gained, the library says so and changes nothing.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench import mapping_overhead
from bench.halo_programs import HaloProgram, programs
from leadline.hosts.emulated.cluster import Cluster
from leadline.hosts.emulated.entering import launcher_variables
from leadline.hosts.emulated.link import parse_link
from leadline.hosts.emulated.up import hosts_up
from leadline.statistics.intervals import median

PREFIX = "benchm"
HOSTS, RANKS = 4, 16
GRID = "4x4"
EXEC_MAP = (str(Path(sys.executable).with_name("leadline")), "exec", "--map", "--")
RATE, HALF_RATE = "10Mbit/s,switched", "5Mbit/s,switched"
MESSAGE_BYTES, EXCHANGES, WARMUP = 64 * 1024, 8, 2
TURNS, TURNS_AT_HALF = 8, 3
"""Six at least: below, a median has no interval of 95 %."""
BUSIEST = {"default": 8, "mapped": 4}
"""Edges that leave the host with most of them: counted by hand on the grid."""
LEAST_USED, LEAST_SLOWER = 0.7, 1.7
LINE = re.compile(r"edges between nodes (\d+) -> (\d+), of the busiest node (\d+) -> (\d+)")
LIMIT_S = "180"

Row = dict[str, object]


@dataclass(frozen=True)
class Ran:
    """What a program said."""

    seconds: float
    """Of EXCHANGES exchanges."""
    said: str
    """On stderr."""


def measure() -> dict[str, object]:
    """The figures of each library and language, at one rate and at half of it."""
    whole = parse_link(RATE)
    with hosts_up(HOSTS, whole, PREFIX) as cluster:
        rows = [_compared(cluster, one, whole.payload_bits_per_s) for one in programs()]
        periodic = [_where_nothing_is_gained(cluster, one) for one in programs()]
    with hosts_up(HOSTS, parse_link(HALF_RATE), PREFIX) as cluster:
        for row, program in zip(rows, programs(), strict=True):
            row["slower_at_half"] = _slower_at_half(cluster, program, row)
    overhead = mapping_overhead.measure()
    return {
        "halo": rows, "periodic": periodic, "overhead": overhead,
        "reached": all(_holds(row) for row in rows)
        and all(one["reached"] for one in periodic)
        and bool(overhead["reached"]),
    }  # fmt: skip


def _compared(cluster: Cluster, program: HaloProgram, payload_bits_per_s: float) -> Row:
    """Turns of both mappings in random order, paired turn by turn."""
    order = random.Random(0)
    seconds: dict[str, list[float]] = {mapping: [] for mapping in BUSIEST}
    said = ""
    for _ in range(TURNS):
        for mapping in order.sample(list(seconds), len(seconds)):
            ran = _run(cluster, program, mapping)
            seconds[mapping].append(ran.seconds)
            said = ran.said or said
    edges = _edges(said)
    ratio = median(np.log(np.array(seconds["default"]) / np.array(seconds["mapped"]))).exp()
    used = {
        mapping: _used(mapping, max(took), payload_bits_per_s) for mapping, took in seconds.items()
    }
    return {
        "program": program.name, "edges": edges[:2], "busiest": edges[2:],
        "default_s": float(np.median(seconds["default"])),
        "mapped_s": float(np.median(seconds["mapped"])),
        "faster": ratio.value, "low": ratio.low, "high": ratio.high,
        "least_used": used,
    }  # fmt: skip


def _used(mapping: str, seconds: float, payload_bits_per_s: float) -> float:
    """Of what TCP can carry on the busiest host's link, the part that it carried."""
    bits = BUSIEST[mapping] * MESSAGE_BYTES * 8 * EXCHANGES
    return bits / seconds / payload_bits_per_s


def _where_nothing_is_gained(cluster: Cluster, program: HaloProgram) -> Row:
    said = _run(cluster, program, "mapped", periodic=True).said
    line = next((line for line in said.splitlines() if line.startswith("leadline:")), "")
    return {"program": program.name, "said": line, "reached": "nothing to gain" in line}


def _slower_at_half(cluster: Cluster, program: HaloProgram, row: Row) -> dict[str, float]:
    """By which factor the median is slower on hosts whose links have half the rate."""
    slower: dict[str, float] = {}
    for mapping in BUSIEST:
        took = [_run(cluster, program, mapping).seconds for _ in range(TURNS_AT_HALF)]
        slower[mapping] = float(np.median(took)) / float(str(row[f"{mapping}_s"]))
    return slower


def _holds(row: Row) -> bool:
    used, slower = row["least_used"], row["slower_at_half"]
    assert isinstance(used, dict) and isinstance(slower, dict)
    return (
        (row["edges"], row["busiest"]) == ((24, 16), (8, 4))
        and row["low"] is not None
        and float(str(row["low"])) > 1
        and min(used.values()) >= LEAST_USED
        and min(slower.values()) >= LEAST_SLOWER
    )


def _edges(said: str) -> tuple[int, ...]:
    found = LINE.search(said)
    if found is None:
        raise RuntimeError(f"the library named no edges: {said}")
    return tuple(map(int, found.groups()))


def _run(cluster: Cluster, program: HaloProgram, mapping: str, *, periodic: bool = False) -> Ran:
    """One launch from the first host, four ranks to a host in order."""
    names = [host.name for host in cluster.hosts]
    command = [
        *cluster.entrance(names[0]),
        *("timeout", "-k", "5", LIMIT_S),
        *(EXEC_MAP if mapping == "mapped" else ()),
        *program.launch(names, RANKS // HOSTS),
        *program.words(GRID, periodic, MESSAGE_BYTES, EXCHANGES, WARMUP),
    ]
    around = os.environ | program.environment | launcher_variables(cluster.agent)
    done = subprocess.run(command, env=around, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{program.name} ended with {done.returncode}: {done.stderr}")
    return Ran(float(done.stdout.split()[-1]), done.stderr if mapping == "mapped" else "")
