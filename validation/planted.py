"""Slow-downs planted in a library, live: how often a campaign finds them.

Rank 0 of both variants, which are the same kernel, computes before it sends (reference/planted.c):
of the one a fifth of the time that its message takes, of the other a planted share of the whole
longer. Beside a variant that computes nothing the planted one is the faster in one state of the
cores: MPICH, whose receiver looks at the very line that is written, takes 1.35 us in it without
and 1.18 with 54 ns of computing; in the others 1.06 and 1.12. Goal, of 20 campaigns each over
12 sizes: 5 % over the curve found in 20 s, 3 % over the curve in 60 s, and 5 % at one size in 60 s,
a size after the other, in 19.

python -m validation.planted [--short] [--anew]: campaigns that were measured before are kept in
bench/results/planted.jsonl and not measured again (all take an hour); the short form (one of
each, ten times as much planted, a fifth of the time, its own file) only shows that it works.
"""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from bench.kept import RESULTS, Kept, Row, is_short
from bench.live import Quiet, mpi_backends, variant_of
from bench.live import measure as run_campaign

from leadline.compare.analysis import Analysis
from leadline.compare.curves import Curve
from leadline.compare.pairs import compare_within
from leadline.compare.verdict import Verdict
from leadline.kernels.build import Additions
from leadline.measure.conduct import conduct
from leadline.measure.preparation import prepare
from leadline.measure.spec import DEFAULT_SIZES, Request, Variant
from validation import recorded
from validation.recorded import Planted

SLOWER = Additions(
    sources=(Path(__file__).parent / "reference" / "planted.c",),
    link_flags=("-Wl,--wrap=tp_send",),
)
VARIABLE = "LEADLINE_PLANTED"
PLAIN, PLANTED = "plain", "planted"
BASE = 0.2
"""Of a message's time, that both variants compute."""
TOLERANCE, MOST_PLANTINGS = 0.1, 3
"""How much another share than wanted may be planted, and how often it is tried."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is measured, and where it is kept."""

    goals: tuple[Planted, ...]
    campaigns: int
    """Of each."""
    enough: int
    file: str


GOALS = tuple(planted for planted in recorded.GOALS if planted.share)
WHOLE = Extent(GOALS, 20, 19, "planted.jsonl")
SHORT = Extent(
    tuple(replace(g, share=10 * g.share, budget_s=g.budget_s / 5) for g in GOALS),
    campaigns=1,
    enough=1,
    file="planted-short.jsonl",
)


def measure(extent: Extent = WHOLE) -> dict[str, object]:
    """How often what was planted was found; reached: in 19 of 20 of each."""
    kept = Kept(RESULTS / extent.file)
    taken: dict[str, list[Row]] = {goal.name: [] for goal in extent.goals}
    for number in range(extent.campaigns):
        for goal in extent.goals:
            row = kept.row((goal.name, number), partial(campaign, goal, number))
            taken[goal.name].append(row)
    rows = [
        {
            "planted": name,
            "found": sum(bool(one["found"]) for one in mine),
            "campaigns": len(mine),
            "false elsewhere": sum(bool(one["elsewhere"]) for one in mine),
        }
        for name, mine in taken.items()
    ]
    return {"rows": rows, "reached": all(int(str(row["found"])) >= extent.enough for row in rows)}


def campaign(goal: Planted, number: int) -> Row:
    """One campaign of `goal`, on times that a first look at the kernel gives.

    Whether it was found; at how many sizes something was where nothing was planted; the ratios
    with their intervals. Where the kernel then takes another time than at the first look, for the
    host laid the cores anew, something else than `goal` was planted: once more, on the times of
    this campaign.
    """
    kernel = variant_of(mpi_backends()["mpich"], PLAIN, SLOWER)
    seconds = _first_look(kernel)
    for _ in range(MOST_PLANTINGS):
        with tempfile.TemporaryDirectory(prefix="leadline-bench-") as scratch:
            row, found = _campaign_on(kernel, goal, number, seconds, Path(scratch) / "run")
        if _planted_as_wanted(goal, number, seconds, found):
            break
        seconds = found
    return row


def _campaign_on(
    kernel: Variant, goal: Planted, number: int, seconds: Mapping[int, float], path: Path
) -> tuple[Row, dict[int, float]]:
    """The campaign with shares of `seconds` planted; and what the kernel took in it by itself."""
    base_ns = {size: 2e9 * BASE * one for size, one in seconds.items()}
    longer = 1 + goal.share * (1 + 1 / BASE)
    longer_ns = {size: base_ns[size] * longer for size in goal.sizes(number)}
    plain, planted = (
        _delayed(kernel, name, ns)
        for name, ns in ((PLAIN, base_ns), (PLANTED, base_ns | longer_ns))
    )
    request = Request(
        patterns=("pingpong",), sizes=DEFAULT_SIZES, budget_s=goal.budget_s, seed=number
    )
    analysis = Analysis(conduct(prepare(request, [plain, planted]), path, Quiet()))
    (curve,) = compare_within(analysis, PLAIN, [PLANTED]).curves
    row = _outcome(goal, number, curve, analysis.visits.seconds.shape[2])
    took = {one.size_bytes: one.median_s for one in analysis.summaries if one.variant == PLAIN}
    return row, {size: one - BASE * seconds[size] for size, one in took.items()}


def _planted_as_wanted(
    goal: Planted, number: int, expected: Mapping[int, float], seconds: Mapping[int, float]
) -> bool:
    """Whether what was planted is, typically, the share of `seconds` that it was to be."""
    factor = np.median([expected[size] / seconds[size] for size in goal.sizes(number)])
    return abs(math.log(factor)) <= math.log1p(TOLERANCE)


def _first_look(kernel: Variant) -> dict[int, float]:
    """What a message takes, in seconds, by size."""
    medians = run_campaign([kernel], ["pingpong"], DEFAULT_SIZES, budget_s=4.0, blocks=6)
    seconds = np.nanmedian(medians.by_variant[kernel.name], axis=(1, 2))
    return {cell.size_bytes: float(s) for cell, s in zip(medians.cells, seconds, strict=True)}


def _delayed(kernel: Variant, name: str, delays_ns: Mapping[int, float]) -> Variant:
    words = ",".join(f"{size}:{ns:.2f}" for size, ns in delays_ns.items())
    return replace(kernel, name=name, environment={**kernel.environment, VARIABLE: words})


def _outcome(goal: Planted, number: int, curve: Curve, blocks: int) -> Row:
    where = set(goal.sizes(number))
    slower = {one.size_bytes for one in curve.cells if one.verdict is Verdict.SLOWER}
    faster = {one.size_bytes for one in curve.cells if one.verdict is Verdict.FASTER}
    everywhere = goal.everywhere and curve.whole.verdict is Verdict.SLOWER
    return {
        "found": everywhere or bool(slower & where),
        "elsewhere": len(slower - where) + len(faster),
        "blocks": blocks,
        "ratios": {
            str(one.size_bytes): (one.effect.value, one.effect.low, one.effect.high)
            for one in curve.cells
        },
    }


def main() -> None:
    """Prints the figures as JSON."""
    short = is_short("validation.planted", __doc__, SHORT.file, WHOLE.file)
    extent = SHORT if short else WHOLE
    print(json.dumps(measure(extent), indent=1))


if __name__ == "__main__":
    main()
