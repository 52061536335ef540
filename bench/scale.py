"""What the front-end costs by the number of ranks: one launch of 64, 256 and 1,024 processes.

A campaign of a single cell, a broadcast of 8 B, over the backend whose ranks are a process each and
sleep where they wait, by a front-end in a process of its own. A slice's overhead is what it takes
beyond the time in which its ranks were watched, from before the first timed batch to after the
last: the command, validation and meeting of the ranks, their results, what is kept of these, the
journal. Goals: it grows no faster than the ranks, and at 1,024 is at most 0.3 s, with at most 300
MiB of memory in the front-end and the relay that speaks for its ranks.

    python -m bench scale
    python -m bench.scale BACKEND RANKS     one launch; its figures as JSON
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

from bench.live import Quiet, children, local_backend, peak_kib, variant_of
from leadline.hosts.survey import this_site
from leadline.measure.cells import Resources
from leadline.measure.conduct import conduct
from leadline.measure.plan import make_plan
from leadline.measure.prepared import Prepared
from leadline.measure.spec import Request
from leadline.record.run import Cell, Run

BACKEND, PATTERN, SIZE = "trace", "bcast", 8
RANKS = (64, 256, 1024)
BUDGET_S, PATIENCE_S = 40.0, 120.0
MOST_OVERHEAD_S, MOST_MIB = 0.3, 300.0
MUCH_BYTES = 2**40
"""Of memory, for the plan: it takes 20 MiB for a rank of whatever library, these need far less."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one launch; times are medians over its slices but the first, which warms up."""

    ranks: int
    slices: int
    startup_s: float
    """From the beginning of the block to that of its first slice."""
    overhead_s: float
    processor_s: float
    """Of the front-end, a slice."""
    memory_mib: float
    """The front-end's at most, with writing the tables at the end."""
    relays_mib: float
    """Of the relays at most."""
    descriptors: int
    """That the front-end has open."""
    line_bytes: float
    """Of the journal, a slice."""


class Watching(Quiet):
    """Notes when each slice was over, and what the front-end had used by then."""

    def __init__(self) -> None:
        """Of a campaign that hasn't begun."""
        self.begun_s = 0.0
        self.done_s: list[float] = []
        self.used_s: list[float] = []
        self.descriptors = 0
        self.relays: list[Path] = []
        """Their folders in /proc."""
        self.relays_kib = 0

    def block_begins(self, block: int, blocks: int, ranks: int) -> None:
        """Its launch is started next."""
        self.begun_s = time.perf_counter()

    def slice_done(self, variant: str, cell: Cell) -> None:
        """It is in the journal."""
        self.done_s.append(time.perf_counter())
        self.used_s.append(time.process_time())
        self.descriptors = max(self.descriptors, len([*Path("/proc/self/fd").iterdir()]))
        if len(self.done_s) == 1:
            self.relays = [
                one for one in children() if b"--relay" in (one / "cmdline").read_bytes()
            ]
        self.relays_kib = max(self.relays_kib, sum(map(peak_kib, self.relays)))


def measure(ranks: Sequence[int] = RANKS) -> dict[str, object]:
    """The figures by ranks, and how they grow from the fewest."""
    rows = [_in_a_process(BACKEND, number) for number in ranks]
    first, last = rows[0], rows[-1]
    growth = {
        name: [getattr(row, name) / getattr(first, name) for row in rows]
        for name in ("ranks", "startup_s", "overhead_s", "processor_s", "memory_mib", "line_bytes")
    }
    linear = all(o <= n for o, n in zip(growth["overhead_s"], growth["ranks"], strict=True))
    return {
        "backend": BACKEND,
        "rows": [asdict(row) for row in rows],
        "over_the_fewest": growth,
        "limits": {"overhead_s": MOST_OVERHEAD_S, "memory_mib": MOST_MIB},
        "reached": linear
        and last.overhead_s <= MOST_OVERHEAD_S
        and max(row.memory_mib + row.relays_mib for row in rows) <= MOST_MIB,
    }


def _in_a_process(backend: str, ranks: int) -> Figures:
    """Of a front-end of its own, whose memory is nobody else's."""
    words = [sys.executable, "-m", "bench.scale", backend, str(ranks)]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    return Figures(**json.loads(done.stdout))


def figures_of(backend: str, ranks: int) -> Figures:
    """Those of one launch of `ranks` processes over `backend`, conducted here."""
    watching = Watching()
    with tempfile.TemporaryDirectory(prefix="leadline-bench-") as scratch:
        directory = Path(scratch) / "run"
        run = conduct(_prepared(backend, ranks), directory, watching)
        journal_bytes = (directory / "journal.jsonl").stat().st_size
    watched_s = _watched_s(run)
    if len(watched_s) < 2:
        raise RuntimeError(f"{ranks} ranks left no time for a second slice; give more BUDGET_S")
    took_s = [after - before for before, after in pairwise(watching.done_s)]
    beyond_s = [took - watched for took, watched in zip(took_s, watched_s[1:], strict=True)]
    first_s = watched_s[0] + statistics.median(beyond_s)
    return Figures(
        ranks=ranks,
        slices=len(watched_s),
        startup_s=watching.done_s[0] - watching.begun_s - first_s,
        overhead_s=statistics.median(beyond_s),
        processor_s=statistics.median(b - a for a, b in pairwise(watching.used_s)),
        memory_mib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        relays_mib=watching.relays_kib / 1024,
        descriptors=watching.descriptors,
        line_bytes=journal_bytes / len(watched_s),
    )


def _prepared(backend: str, ranks: int) -> Prepared:
    variant = variant_of(local_backend(backend), backend)
    request = Request(
        patterns=(PATTERN,),
        sizes=(SIZE,),
        ranks=(ranks,),
        blocks=1,
        budget_s=BUDGET_S,
        patience_s=PATIENCE_S,
    )
    resources = Resources(
        capabilities={variant.name: variant.capability},
        startup_s=1.0,
        sites=(this_site(),),
        memory_bytes=MUCH_BYTES,
        cache_bytes=None,
    )
    return Prepared(request, (variant,), make_plan(request, resources), (this_site(),))


def _watched_s(run: Run) -> list[float]:
    """For how long the ranks of each slice were watched, the longest of them."""
    if run.strips is None or run.conditions is None:
        raise RuntimeError(f"{run.path}: nothing is known of what went on")
    longest: dict[int, int] = {}
    windows_ns = run.conditions.window_ns.tolist()
    for visit, window_ns in zip(run.strips.visit.tolist(), windows_ns, strict=True):
        longest[visit] = max(window_ns, longest.get(visit, 0))
    return [1e-9 * longest[visit] for visit in sorted(longest)]


if __name__ == "__main__":
    print(json.dumps(asdict(figures_of(sys.argv[1], int(sys.argv[2])))))
