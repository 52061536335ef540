"""Verdicts on campaigns drawn from recorded blocks of a library against itself, slowed down.

A long campaign is recorded once, of two variants that are one library, with what its start-ups and
visits took. Shorter ones are drawn from it: their time is allotted as a campaign's is, by what the
blocks drawn so far take and how they spread; a block is one of those recorded with as many of its
visits, both at random. Goal, of 100 each: at most 9 false alarms over a curve; found in 95: 5 %
over the curve in 20 s, 3 % over the curve in 60 s, 5 % at one size, each in its turn, in 60 s.

    python -m bench recorded             records for 8 minutes
    python -m validation.recorded --short     for one; the figures only show that it works
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from bench.live import Quiet, mpi_backends, variant_of

from leadline.compare.analysis import Analysis
from leadline.compare.medians import counting
from leadline.compare.verdict import Paired, Verdict, judge, logarithms
from leadline.measure.budget import BlockCosts, mean_costs
from leadline.measure.conduct import conduct
from leadline.measure.plan import Plan
from leadline.measure.preparation import prepare
from leadline.measure.resumption import spent_s
from leadline.measure.schedule import BlockTimes, Pace
from leadline.measure.spec import DEFAULT_SIZES, Request, Variant
from leadline.record.run import Run
from leadline.statistics.intervals import Floats

DRAWS, THRESHOLD = 100, 0.02
MOST_FALSE, ENOUGH = 9, 95
NAMES = FIRST, SECOND = "first", "second"


@dataclass(frozen=True, slots=True)
class Planted:
    """What is planted in campaigns of so many seconds."""

    share: float
    everywhere: bool
    budget_s: float

    @property
    def name(self) -> str:
        """E.g. "5 % over the curve in 20 s"."""
        what = f"{self.share * 100:.0f} %" if self.share else "nothing"
        where = "over the curve" if self.everywhere else "at one size"
        return f"{what} {where} in {self.budget_s:.0f} s"

    def sizes(self, number: int) -> tuple[int, ...]:
        """Where the campaign with this number has it."""
        return DEFAULT_SIZES if self.everywhere else (DEFAULT_SIZES[number % len(DEFAULT_SIZES)],)


GOALS = (
    Planted(0.0, True, 20.0),
    Planted(0.0, True, 60.0),
    Planted(0.05, True, 20.0),
    Planted(0.03, True, 60.0),
    Planted(0.05, False, 60.0),
)


Blocks = tuple[Floats, Floats]
"""Logarithms of the visits' medians, and what visits count for: (2, cells, blocks, visits)."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """Blocks to draw from, and what one costs."""

    blocks: Blocks
    costs: BlockCosts

    def campaign(self, plan: Plan, budget_s: float, rng: np.random.Generator) -> Paired:
        """A campaign of so many seconds that begins by `plan`."""
        pace, left_s, drawn = Pace(plan), budget_s, list[Blocks]()
        while (wanted := pace.next(left_s, len(drawn)).allotment).blocks:
            drawn.append(self._block(wanted.visits, rng))
            took_s = self.costs.block_s(wanted.visits, wanted.launches)
            visits_s = (self.costs.visit_s,) * wanted.visits
            pace.took(BlockTimes(took_s, wanted.launches, (visits_s,)))
            logs, weights = (np.concatenate(parts, axis=2) for parts in zip(*drawn, strict=True))
            pace.spread(logs[1] - logs[0], np.minimum(*map(counting, weights)))
            left_s -= took_s
        return Paired(logs[0], logs[1], weights)

    def _block(self, visits: int, rng: np.random.Generator) -> Blocks:
        """One of those recorded with so many of its visits; the others are missing."""
        logs, weights = self.blocks
        block = rng.integers(logs.shape[2], size=1)
        request = rng.permutation(logs.shape[3])
        missing = np.arange(logs.shape[3]) >= visits
        return (
            np.where(missing, np.nan, logs[:, :, block][..., request]),
            np.where(missing, 0.0, weights[:, :, block][..., request]),
        )


def measure(budget_s: float = 480.0, blocks: int = 48) -> dict[str, object]:
    """Of the campaigns drawn in how many something was found, by what was planted."""
    backend = mpi_backends()["mpich"]
    variants = [variant_of(backend, name) for name in NAMES]
    recorded = _recorded(variants, budget_s, blocks)
    rows = [_row(recorded, planted, variants) for planted in GOALS]
    logs, _ = recorded.blocks
    ratios = np.nanmedian(logs[1] - logs[0], axis=2)
    return {
        "rows": rows,
        "startup_s": recorded.costs.block_s(0, 4),
        "visit_s": recorded.costs.visit_s,
        "log_ratio_spread": [round(float(value), 4) for value in np.nanstd(ratios, axis=1, ddof=1)],
        "reached": all(row["reached"] for row in rows),
    }


def _request(budget_s: float, blocks: int | None = None) -> Request:
    return Request(patterns=("pingpong",), sizes=DEFAULT_SIZES, budget_s=budget_s, blocks=blocks)


def _recorded(variants: Sequence[Variant], budget_s: float, blocks: int) -> Recorded:
    prepared = prepare(_request(budget_s, blocks), variants)
    with tempfile.TemporaryDirectory(prefix="leadline-bench-") as scratch:
        run = conduct(prepared, Path(scratch) / "run", Quiet())
        visits = Analysis(run).visits
        costs = mean_costs(list(_costs(run, prepared.plan)))
    return Recorded((logarithms(visits.seconds), visits.weights), costs)


def _costs(run: Run, plan: Plan) -> Iterator[BlockCosts]:
    """Of each block, by the times in the record."""
    batches = run.batches
    for block in np.unique(batches.block):
        rows = batches.block == block
        starts, visits = batches.start_ns[rows], batches.visit[rows]
        begins = [int(starts[visits == visit].min()) for visit in np.unique(visits)]
        took_s = np.diff([*begins, int(batches.end_ns[rows].max())]) * 1e-9
        whole_s = spent_s(run) / plan.blocks
        times = BlockTimes(whole_s, plan.allotment.launches, (tuple(took_s.tolist()),))
        yield times.costs(plan.costs)


def _row(recorded: Recorded, planted: Planted, variants: Sequence[Variant]) -> dict[str, object]:
    plan = prepare(_request(planted.budget_s), variants).plan
    rng = np.random.default_rng(1)
    drawn = [recorded.campaign(plan, planted.budget_s, rng) for _ in range(DRAWS)]
    found = sum(_found(pair, planted, number) for number, pair in enumerate(drawn))
    visits = [np.sum(~np.isnan(pair.candidate[0]), axis=1) for pair in drawn]
    return {
        "planted": planted.name,
        "found": found,
        "blocks": float(np.median([len(one) for one in visits])),
        "visits": float(np.median(np.concatenate(visits))),
        "reached": found >= ENOUGH if planted.share else found <= MOST_FALSE,
    }


def _found(pair: Paired, planted: Planted, number: int) -> bool:
    """Whether a verdict says so; of nothing planted, whether any says something."""
    slower = pair.candidate.copy()
    where = [DEFAULT_SIZES.index(size) for size in planted.sizes(number)]
    slower[where] += math.log1p(planted.share)
    pair = Paired(pair.baseline, slower, pair.weights)
    verdicts = [one.verdict for one in judge(pair, pair.estimates(), THRESHOLD, seed=0)]
    if not planted.share:
        return Verdict.SLOWER in verdicts or Verdict.FASTER in verdicts
    return Verdict.SLOWER in (
        verdicts if planted.everywhere else [verdicts[cell] for cell in where]
    )


def main() -> None:
    """Prints the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m validation.recorded", description=__doc__)
    parser.add_argument("--short", action="store_true", help="record for a minute")
    short = parser.parse_args().short
    print(json.dumps(measure(60.0, 12) if short else measure(), indent=1, default=float))


if __name__ == "__main__":
    main()
