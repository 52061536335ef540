"""Unmodified programs with and without the library that maps their ranks, on emulated hosts.

Goals: the open 4x4 halo on 4 hosts of 4 ranks has 24 edges between hosts and then 16, of the
busiest 8 and then 4, and is so much faster, with its 95 % interval, over MPICH and Open MPI; its
link is at least 70 % used both ways, and at half the rate it takes at least 1.7 times as long. On
a periodic grid, where nothing can be gained, the library says so and changes nothing. The pattern
`pair` is faster mapped. Calls that the library has no part in cost what they cost without it.

Rows are kept in bench/results/mapping-live.jsonl as they come: one that fails is left to the next
run, which measures nothing else again; once all are there, the next run begins anew.
"""

from __future__ import annotations

import contextlib
import csv
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from bench.kept import RESULTS, Kept, Key, Row
from bench.live import Quiet, medians_of
from bench.mapping import overhead
from bench.mapping.halo_programs import HaloProgram, programs
from leadline.compare.analysis import Analysis
from leadline.errors import LeadlineError
from leadline.hosts.emulated.agent import launcher_variables
from leadline.hosts.emulated.cluster import Cluster, hosts_of
from leadline.hosts.emulated.lifecycle import hosts_up
from leadline.hosts.emulated.link import parse_link
from leadline.measure.conduct import conduct
from leadline.measure.preparation import prepare
from leadline.measure.spec import Request, VariantSpec
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import median

FILE = RESULTS / "mapping-live.jsonl"
HOSTS, RANKS = 4, 16
GRID = "4x4"
MAPPINGS = ("default", "mapped")
LEADLINE = str(Path(sys.executable).with_name("leadline"))
RATES = {"whole": "10Mbit/s,switched", "half": "5Mbit/s,switched"}
MESSAGE_BYTES, EXCHANGES, WARMUP = 32 * 1024, 10, 2
"""Messages that Open MPI's TCP sends at once: above 64 KiB it asks first, and while all ranks ask
the link is idle, 40 % of the time, however slow it is."""
TURNS = 6
"""The fewest of which a median has an interval of 95 %."""
BUSIEST = {"default": 8, "mapped": 4}
"""Edges that leave the host with most of them: counted by hand on the grid."""
LEAST_USED, LEAST_SLOWER = 0.7, 1.7
LINE = re.compile(r"edges between nodes (\d+) -> (\d+), of the busiest node (\d+) -> (\d+)")
STAYS = "ranks stay"
LIMIT_S = "180"
PAIR_KINDS, PAIR_S, PAIR_BLOCKS, PAIR_PATIENCE_S = ("mpich", "openmpi"), 20.0, 6, 60.0

Clusters = Mapping[str, Cluster]
Seconds = Mapping[tuple[str, str], list[float]]
"""Of the exchanges in each turn, by rate and mapping."""


@dataclass(frozen=True)
class Ran:
    """What a program said."""

    seconds: float
    """Of EXCHANGES exchanges."""
    said: str
    """On stderr."""


def measure() -> dict[str, object]:
    """The figures of each library and language, whichever rows could be had."""
    kept = Kept(FILE)
    with _clusters() as clusters:
        whole = clusters["whole"]
        halo = [
            tried(kept, ("halo", one.name), partial(_halo, clusters, one)) for one in programs()
        ]
        periodic = [
            tried(kept, ("periodic", one.name), partial(_periodic, whole, one))
            for one in programs()
        ]
        pair = [tried(kept, ("pair", kind), partial(_pair, whole, kind)) for kind in PAIR_KINDS]
    calls = tried(kept, ("overhead",), overhead.measure)
    every = [*halo, *periodic, *pair, calls]
    if not any("failed" in row for row in every):
        FILE.unlink()
    return {
        "halo": halo, "periodic": periodic, "pair": pair, "overhead": calls,
        "reached": all(row["reached"] for row in every),
    }  # fmt: skip


@contextlib.contextmanager
def _clusters() -> Iterator[Clusters]:
    """Hosts on links of the whole rate and others on links of half of it, side by side."""
    with contextlib.ExitStack() as stack:
        yield {
            name: stack.enter_context(hosts_up(HOSTS, parse_link(rate), f"bench{name}n"))
            for name, rate in RATES.items()
        }


def tried(kept: Kept, of: Key, measure_row: Callable[[], Row]) -> Row:
    """The row and the seconds that it took, or why there is none."""

    def timed() -> Row:
        begin = time.monotonic()
        return measure_row() | {"seconds": round(time.monotonic() - begin, 1)}

    try:
        return kept.row((*of, *RATES.values(), MESSAGE_BYTES, EXCHANGES, TURNS), timed)
    except (RuntimeError, LeadlineError, OSError, subprocess.SubprocessError) as error:
        return {"failed": f"{', '.join(map(str, of))}: {error}", "reached": False}


def _halo(clusters: Clusters, program: HaloProgram) -> Row:
    """Turns of both mappings at both rates, in random order, paired turn by turn."""
    order = random.Random(0)
    cases = [(rate, mapping) for rate in RATES for mapping in MAPPINGS]
    seconds: dict[tuple[str, str], list[float]] = {case: [] for case in cases}
    said = ""
    for _ in range(TURNS):
        for rate, mapping in order.sample(cases, len(cases)):
            ran = _run(clusters[rate], program, mapping)
            seconds[rate, mapping].append(ran.seconds)
            said = ran.said or said
    payload_bits_per_s = clusters["whole"].link.payload_bits_per_s
    return halo_row(program.name, _edges(said), seconds, payload_bits_per_s)


def halo_row(name: str, edges: tuple[int, ...], seconds: Seconds, payload_bits_per_s: float) -> Row:
    """What the turns of a program come to; `edges` as the library said, in all, of the busiest.

    The link's use is the least of all turns: what left the busiest host beside what TCP can carry.
    """
    faster = _ratio(seconds["whole", "default"], seconds["whole", "mapped"])
    used = {}
    for mapping in MAPPINGS:
        bits = BUSIEST[mapping] * MESSAGE_BYTES * 8 * EXCHANGES
        used[mapping] = bits / max(seconds["whole", mapping]) / payload_bits_per_s
    slower = {one: _ratio(seconds["half", one], seconds["whole", one]) for one in MAPPINGS}
    lows = [one.low for one in slower.values()]
    return {
        "program": name, "edges": edges[:2], "busiest": edges[2:],
        **{f"{one}_s": float(np.median(seconds["whole", one])) for one in MAPPINGS},
        "faster": _bounded(faster), "least_used": used,
        "slower_at_half": {name: _bounded(one) for name, one in slower.items()},
        "reached": edges == (24, 16, 8, 4)
        and faster.low is not None and faster.low > 1
        and min(used.values()) >= LEAST_USED
        and all(low is not None and low >= LEAST_SLOWER for low in lows),
    }  # fmt: skip


def _ratio(above: list[float], below: list[float]) -> Estimate:
    """Of times in the same turns, the median with its interval."""
    return median(np.log(np.array(above) / np.array(below))).exp()


def _bounded(ratio: Estimate) -> tuple[float, float | None, float | None]:
    return ratio.value, ratio.low, ratio.high


def _edges(said: str) -> tuple[int, ...]:
    found = LINE.search(said)
    if found is None:
        raise RuntimeError(f"the library named no edges: {said}")
    return tuple(map(int, found.groups()))


def _periodic(cluster: Cluster, program: HaloProgram) -> Row:
    """What is said where nothing can be gained, and whether a rank was moved all the same."""
    with tempfile.TemporaryDirectory(prefix="leadline-bench-") as folder:
        seats = Path(folder) / "seats.csv"
        said = _run(
            cluster, program, "mapped", periodic=True, options=("--permutation-out", str(seats))
        ).said
        rows = list(csv.DictReader(seats.read_text().splitlines()))
    line = next((line for line in said.splitlines() if line.startswith("leadline:")), "")
    moved = sum(row["rank"] != row["old_rank"] for row in rows)
    return {
        "program": program.name, "said": line, "ranks": len(rows), "moved": moved,
        "reached": STAYS in line and len(rows) == RANKS and not moved,
    }  # fmt: skip


def _pair(cluster: Cluster, kind: str) -> Row:
    """The pattern of ours in the same processes, in order and mapped, block by block."""
    mapped = f"{kind}-mapped"
    request = Request(
        patterns=("pair",), sizes=(MESSAGE_BYTES,), ranks=(RANKS,), backends=(kind,),
        variants=(VariantSpec(mapped, kind, map="internode"),), hosts=hosts_of(cluster),
        link_bound=cluster.link.rate_bits_per_s / 8, patience_s=PAIR_PATIENCE_S,
        budget_s=PAIR_S, blocks=PAIR_BLOCKS,
    )  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="leadline-bench-") as scratch:
        taken = medians_of(conduct(prepare(request), Path(scratch) / "run", Quiet()))
    ratio = taken.ratio(kind, mapped, 0)
    summaries = Analysis(taken.run).summaries
    shares = {one.variant: one.link_share for one in summaries}
    seconds = {one.variant: one.median_s for one in summaries}
    return {
        "library": kind, "default_ms": seconds[kind] * 1e3, "mapped_ms": seconds[mapped] * 1e3,
        "faster": _bounded(ratio), "used": {"default": shares[kind], "mapped": shares[mapped]},
        "reached": ratio.low is not None and ratio.low > 1,
    }  # fmt: skip


def _run(
    cluster: Cluster,
    program: HaloProgram,
    mapping: str,
    *,
    periodic: bool = False,
    options: tuple[str, ...] = (),
) -> Ran:
    """One launch from the first host, four ranks to a host in order."""
    words = (GRID, str(int(periodic)), *map(str, (MESSAGE_BYTES, EXCHANGES, WARMUP)))
    launch = program.launch(hosts_of(cluster), RANKS, words)
    command = [
        *cluster.entrance(cluster.hosts[0].name),
        *("timeout", "-k", "5", LIMIT_S),
        *((LEADLINE, "exec", "--map", *options, "--") if mapping == "mapped" else ()),
        *launch.argv,
    ]
    around = os.environ | dict(launch.environment) | launcher_variables(cluster.agent)
    done = subprocess.run(command, env=around, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{program.name} ended with {done.returncode}: {done.stderr}")
    return Ran(float(done.stdout.split()[-1]), done.stderr if mapping == "mapped" else "")
