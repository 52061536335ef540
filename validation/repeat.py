"""Repeatability: ten campaigns against ten pairs of IMB-MPI1 PingPong, equal wall time.

Goal, quiet, with a busy process bound to a core and with one that goes where it likes, with two and
with four libraries: of ten, the worst distance of the tool's library ratio from their median is a
fifth or less of that of the ratio of IMB's two results, and so is their spread (standard deviation
of the logarithm). The cores' state changes from campaign to campaign, and the ratio truly follows
(docs/numbers.md); so both are also given `within` a state, of the worse one that has three
campaigns at least, beside IMB's over all ten. Beside the unbound process the 8 B medians of Open
MPI, MPICH and Intel MPI are within 10 % of the quiet ones, or flagged with the cause: in the run,
or where its cores were in another state throughout, by `leadline compare` with a quiet one.
Campaigns and IMB take turns; IMB runs over Intel MPI and MPICH, whose standard ABI its binary
accepts.

python -m validation.repeat [--short] [--anew]: what was measured before is kept in
bench/results/repeat.jsonl and not measured again; the short form (twice instead of ten times, its
own file) only shows that all of it runs.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bench.imb import imb_for
from bench.kept import RESULTS, Kept, Row, is_short
from bench.live import MPI_KINDS, variant_of
from bench.live import measure as run_campaign

from leadline.backends.backend import Backend
from leadline.backends.discovery import find_backends
from leadline.compare.analysis import Analysis
from leadline.compare.core_latencies import are_apart, typical
from leadline.record.warnings import WarningKind

SIZE = 8
LIMIT, NEAR = 0.2, 0.10
FEWEST = 3
"""Campaigns in one state, whose spread is worth a figure."""
FIRST, SECOND = "impi", "mpich"
"""Whose ratio it is."""
SPIN = """
import os, sys
os.sched_setaffinity(0, {int(core) for core in sys.argv[2:]})
while os.getppid() == int(sys.argv[1]):
    for _ in range(100_000):
        pass
"""


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is measured, and where it is kept."""

    repeats: int
    blocks: int
    budget_s: float
    file: str


WHOLE, SHORT = Extent(10, 8, 8.0, "repeat.jsonl"), Extent(2, 6, 2.0, "repeat-short.jsonl")
CONDITIONS = ("quiet", "bound", "unbound")
"""What runs besides: nothing, or a busy process on the second core, or on any."""
PLACES = tuple(
    f"{where}_and_{flag}"
    for where in ("near", "far")
    for flag in ("flagged", "other_state", "unflagged")
)
"""Where a median may lie, and what is said of it."""


def libraries() -> dict[int, list[Backend]]:
    """Two libraries, and as many as there are up to four; those of the ratio come first."""
    usable = [one for one in find_backends() if one.usable and one.kind in MPI_KINDS]
    by_name = {one.name: one for one in usable}
    first = [by_name.pop(FIRST), by_name.pop(SECOND)]
    every = [*first, *by_name.values()][:4]
    return {len(some): some for some in (first, every)}


@contextlib.contextmanager
def beside(condition: str) -> Iterator[None]:
    """What runs besides in a condition; it ends with the benchmark, however that ends."""
    cores = sorted(os.sched_getaffinity(0))
    chosen = {"quiet": [], "bound": cores[1:2], "unbound": cores}[condition]
    words = [str(os.getpid()), *map(str, chosen)]
    busy = [subprocess.Popen([sys.executable, "-c", SPIN, *words])] if chosen else []
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def repeated(backends: Sequence[Backend], seed: int, extent: Extent) -> Row:
    """A campaign and IMB, of equal wall time: ratios of the second library to the first, medians.

    `flagged` names the variants of which the tool said that they were disturbed.
    """
    variants = [variant_of(backend, backend.name) for backend in backends]
    begin = time.monotonic()
    budget_s = extent.budget_s * len(backends) / 2
    taken = run_campaign(
        variants, ["pingpong"], [SIZE], budget_s=budget_s, blocks=extent.blocks, seed=seed
    )
    took = time.monotonic() - begin
    imb = [imb_for(backend, SIZE, took / 2) for backend in backends[:2]]
    analysis = Analysis(taken.run)
    rows = analysis.summaries
    return {
        "tool": taken.ratio(SECOND, FIRST, 0).value,
        "imb": imb[1] / imb[0],
        "median_us": {row.variant: row.median_s * 1e6 for row in rows},
        "imb_us": imb[0],
        "flagged": [row.variant for row in rows if _is_flagged(row.warnings)],
        "core_latency_ns": analysis.visits.states.counted.core_latency_ns,
        "seconds": took,
    }


def _is_flagged(warnings: Sequence[Any]) -> bool:
    return WarningKind.DISTURBED.code in {one.code for one in warnings}


def spread(values: Sequence[float]) -> float:
    """The standard deviation of the logarithms."""
    return statistics.stdev(map(math.log, values))


def by_state(rows: Sequence[Any]) -> list[list[Any]]:
    """The rows whose cores were in one state, FEWEST at least; unknown ones are near."""
    known = [row["core_latency_ns"] for row in rows if row.get("core_latency_ns")]
    states: dict[bool, list[Any]] = {}
    for row in rows:
        far = are_apart(row.get("core_latency_ns"), min(known, default=None))
        states.setdefault(far, []).append(row)
    return [some for some in states.values() if len(some) >= FEWEST]


def worst(values: Sequence[float]) -> float:
    """The largest distance of a logarithm from the median of all."""
    logs = [math.log(value) for value in values]
    return max(abs(one - statistics.median(logs)) for one in logs)


def figures_of(condition: str, rows: Sequence[Any]) -> Row:
    """What the repeats of one condition show of the tool beside IMB, over all and within a state.

    `reached` is the goal, of all campaigns; `reached_within` the same of those in one state.
    """
    tool, imb = ([row[whose] for row in rows] for whose in ("tool", "imb"))
    found: Row = {"condition": condition, "libraries": len(rows[0]["median_us"])}
    measures: dict[str, Callable[[Sequence[float]], float]] = {"worst": worst, "spread": spread}
    for name, measure_of in measures.items():
        ours, theirs = measure_of(tool), measure_of(imb)
        found |= {f"tool_{name}": ours, f"imb_{name}": theirs, f"{name}_share": ours / theirs}
        within = [measure_of([row["tool"] for row in some]) for some in by_state(rows)]
        found[f"tool_{name}_within"] = max(within, default=None)
        found[f"{name}_share_within"] = max(within) / theirs if within else None
    found["ratio"] = statistics.median(tool)
    found["states"] = [len(some) for some in by_state(rows)]
    found["reached"] = _all_within_limit(found[f"{name}_share"] for name in measures)
    found["reached_within"] = _all_within_limit(found[f"{name}_share_within"] for name in measures)
    return found


def _all_within_limit(shares: Iterable[object]) -> bool:
    return all(isinstance(share, float) and share <= LIMIT for share in shares)


def near_or_flagged(quiet: Sequence[Any], busy: Sequence[Any]) -> Row:
    """Of the medians beside a busy process, how many are near the quiet ones, how many flagged.

    The quiet ones are those of the state that most campaigns had. A campaign flags what was
    disturbed; that it was in another state throughout, only a comparison with the quiet ones can
    say, and `leadline compare` does (Why.CORE_STATES).
    """
    calm = max(by_state(quiet), key=len, default=quiet)
    core_latency_ns = typical(row.get("core_latency_ns") for row in calm)
    usual = {
        name: statistics.median(row["median_us"][name] for row in calm)
        for name in calm[0]["median_us"]
    }
    counts = Counter[str]()
    for row in busy:
        elsewhere = are_apart(row.get("core_latency_ns"), core_latency_ns)
        for name, us in row["median_us"].items():
            where = "near" if abs(us / usual[name] - 1) <= NEAR else "far"
            flag = "flagged" if name in row["flagged"] else "other_state" * elsewhere
            counts[f"{where}_and_{flag or 'unflagged'}"] += 1
    return {"medians": counts.total(), **{name: counts[name] for name in PLACES}}


def measure(extent: Extent = WHOLE) -> dict[str, object]:
    """A row for each condition and number of libraries; medians beside the unbound process."""
    kept = Kept(RESULTS / extent.file)
    rows: list[Row] = []
    taken: dict[tuple[str, int], list[Row]] = {}
    for number, backends in libraries().items():
        for condition in CONDITIONS:
            taken[condition, number] = [
                _one(kept, condition, backends, seed, extent) for seed in range(extent.repeats)
            ]
            rows.append(figures_of(condition, taken[condition, number]))
    most = max(number for _, number in taken)
    unbound = near_or_flagged(taken["quiet", most], taken["unbound", most])
    flagged = not unbound["far_and_unflagged"]
    return {
        "rows": rows,
        "medians beside": unbound,
        "limit": LIMIT,
        "reached": all(row["reached"] for row in rows) and flagged,
        "reached_within": all(row["reached_within"] for row in rows) and flagged,
    }


def _one(kept: Kept, condition: str, backends: Sequence[Backend], seed: int, extent: Extent) -> Row:
    def taken() -> Row:
        with beside(condition):
            return repeated(backends, seed, extent)

    return kept.row((condition, len(backends), seed), taken)


def main() -> None:
    """Prints the figures as JSON, one row a line."""
    short = is_short("validation.repeat", __doc__, SHORT.file, WHOLE.file)
    extent = SHORT if short else WHOLE
    figures = measure(extent)
    for row in figures.pop("rows"):  # type: ignore[attr-defined]
        print(json.dumps(row))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
