"""How often `leadline health` is right on eight emulated hosts, and how long it takes.

Goal: of 20 planted faults all are named, with nobody else beside; in 20 runs over healthy hosts
nobody is; each takes less than 60 s. The faults: links at half and at 0.8 of their rate, 1 ms of
delay, hosts that are down, links that are cut, two faults at once, and hosts whose processes are
stopped for nine tenths of the time.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from leadline.hosts.emulated.cluster import Cluster
from leadline.hosts.emulated.impairing import impair, start, stop
from leadline.hosts.emulated.impairment import HEALTHY, Impairment
from leadline.hosts.emulated.lifecycle import hosts_up
from leadline.hosts.emulated.link import parse_link

HOSTS, LINK, PREFIX = 8, "atm-155", "health"
LIMIT_S = 60.0
HEALTHY_RUNS = 20
HALF, SLOWER, LATE = (
    Impairment(rate_share=0.5),
    Impairment(rate_share=0.8),
    Impairment(extra_delay_s=1e-3),
)
CUT, STOPPED = Impairment(cut=True), Impairment(stopped_share=0.9)
COUNT = "import time\nwhile True: print(time.monotonic(), flush=True); time.sleep(0.001)"
LOOKS, LONG_S = 300, 0.02
IS_DOWN = None
Fault = Mapping[int, Impairment | None]
"""By number of the host, from 1; IS_DOWN: the host is down."""
FAULTS: Sequence[Fault] = (
    {3: HALF}, {8: HALF}, {1: HALF},
    {2: SLOWER}, {5: SLOWER}, {7: SLOWER},
    {4: LATE}, {6: LATE}, {1: LATE},
    {5: IS_DOWN}, {8: IS_DOWN}, {2: CUT},
    {3: STOPPED}, {6: STOPPED}, {7: STOPPED},
    {1: HALF, 2: HALF}, {3: HALF, 8: SLOWER}, {4: LATE, 5: HALF}, {6: IS_DOWN, 7: HALF},
    {2: STOPPED, 4: LATE},
)  # fmt: skip


def measure() -> dict[str, object]:
    """A row a run: what was planted, who was named, rounds and seconds."""
    with (
        hosts_up(HOSTS, parse_link(LINK), PREFIX) as cluster,
        tempfile.TemporaryDirectory(prefix="leadline-bench-") as scratch,
    ):
        standing_still = _standing_still(cluster)
        cases = [*FAULTS, *({} for _ in range(HEALTHY_RUNS))]
        rows = [_case(cluster, fault, n, Path(scratch)) for n, fault in enumerate(cases)]
    planted, healthy = rows[: len(FAULTS)], rows[len(FAULTS) :]
    longest_s = max(float(str(row["seconds"])) for row in rows)
    found = sum(row["named"] == row["planted"] for row in planted)
    alarms = sum(row["named"] != [] for row in healthy)
    return {
        "health_rows": rows,
        "standing_still_of_time": round(standing_still, 3),
        "standing_still_wanted": STOPPED.stopped_share,
        "planted_faults": len(planted),
        "named_and_nobody_else": found,
        "healthy_runs": len(healthy),
        "false_alarms": alarms,
        "longest_health_s": longest_s,
        "reached": found == len(planted) and not alarms and longest_s < LIMIT_S,
    }


def _standing_still(cluster: Cluster) -> float:
    """The share of the time that a process of a host that is stopped again and again stands."""
    with _ill(cluster, {1: STOPPED}):
        count = (*cluster.entrance(cluster.hosts[0].name), sys.executable, "-c", COUNT)
        with subprocess.Popen(count, stdout=subprocess.PIPE, text=True) as counting:
            assert counting.stdout
            seen = [float(counting.stdout.readline()) for _ in range(LOOKS)]
            counting.kill()
    gaps = [after - before for before, after in itertools.pairwise(seen)]
    return sum(gap for gap in gaps if gap > LONG_S) / (seen[-1] - seen[0])


def _case(cluster: Cluster, fault: Fault, number: int, scratch: Path) -> dict[str, object]:
    with _ill(cluster, fault):
        begin = time.monotonic()
        said = _health(number, scratch / str(number))
    suspects = [(str(one["kind"]), str(one["name"])) for one in said["suspects"]]
    return {
        "planted": sorted(f"{PREFIX}{host}" for host in fault),
        "how": ", ".join(one.words if one else "down" for one in fault.values()) or "healthy",
        "named": sorted({name for _, name in suspects}),
        "kinds": sorted({kind for kind, _ in suspects}),
        "rounds": said["rounds"],
        "seconds": round(time.monotonic() - begin, 1),
        "statement": said["statement"],
    }


@contextlib.contextmanager
def _ill(cluster: Cluster, fault: Fault) -> Iterator[None]:
    """The hosts of `fault` are ill meanwhile, and well afterwards."""
    names = {cluster.hosts[host - 1].name: how for host, how in fault.items()}
    for name, how in names.items():
        cluster = stop(cluster, name) if how is IS_DOWN else impair(cluster, name, how)
    try:
        yield
    finally:
        for name, how in names.items():
            cluster = start(cluster, name) if how is IS_DOWN else impair(cluster, name, HEALTHY)


def _health(seed: int, out: Path) -> dict[str, list[dict[str, object]]]:
    words = ["--hosts", f"{PREFIX}[1-{HOSTS}]", "--seed", str(seed), "--budget", "50s"]
    command = [sys.executable, "-m", "leadline", "health", *words, "--out", str(out), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        raise RuntimeError(f"health ended with {done.returncode}: {done.stderr[-500:]}")
    said: dict[str, list[dict[str, object]]] = json.loads(done.stdout)
    return said
