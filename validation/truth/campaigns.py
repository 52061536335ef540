"""How often intervals and verdicts are right, on simulated campaigns whose truth is known.

A campaign has 8 blocks of two co-resident configurations over 12 cells. As on a noisy machine,
launches move all of a block's times together (by 6 to 60 %, in which the pair shares), the paired
log ratio spreads by 0.01 to 0.08 from block to block, partly for all cells alike, and preemptions
lengthen some batches.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from leadline.compare.verdict import Contrast, Paired, Unpaired, Verdict, judge
from leadline.statistics.intervals import Floats, median
from leadline.statistics.two_samples import Spread
from validation.rates import COVERED, FALSE, Simulation

BLOCKS, CELLS, BATCHES = 8, 12, 15
THRESHOLD = 0.02
SPREADS = (0.01, 0.02, 0.04, 0.08)
"""Of the paired log ratio, from block to block: the range seen."""
USUAL_SPREAD = 0.028
"""Its geometric middle."""
AT_MOST = (0.0, 0.05)
"""The goal of false alarms where nothing lies near the threshold."""
SHARED = 0.3
"""Of its variance, what all cells of a block have in common."""
SPIKES = 0.05
"""Share of batches that a preemption lengthens."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """Logarithms of block medians, shape (cells, blocks), of two equal libraries; in truth 0."""

    baseline: Floats
    candidate: Floats

    def planted(self, ratio: float, cells: slice) -> Paired:
        """The campaign with the candidate's times in `cells` multiplied by `ratio`."""
        candidate = self.candidate.copy()
        candidate[cells] += math.log(ratio)
        return Paired(self.baseline, candidate)


def campaigns(number: int, spread: float | None, seed: int) -> Iterator[Campaign]:
    """Simulated campaigns; `spread` None: each cell's own, log-uniform over the range seen."""
    rng = np.random.default_rng(seed)
    for _ in range(number):
        launches = rng.uniform(0.06, 0.6) * rng.standard_normal(BLOCKS) / 2
        low, high = (spread, spread) if spread else (SPREADS[0], SPREADS[-1])
        spreads = np.exp(rng.uniform(math.log(low), math.log(high), CELLS))
        yield Campaign(*(launches + _one_side(rng, spreads) for _ in range(2)))


def _one_side(rng: np.random.Generator, spreads: Floats) -> Floats:
    """What a configuration doesn't share with the other: its launch, its cells, its batches."""
    own = spreads[:, None] / math.sqrt(2)
    common = math.sqrt(SHARED) * rng.standard_normal(BLOCKS)
    effects = own * (common + math.sqrt(1 - SHARED) * rng.standard_normal((CELLS, BLOCKS)))
    batches = 0.01 * rng.standard_normal((CELLS, BLOCKS, BATCHES))
    spikes = rng.random(batches.shape) < SPIKES
    batches[spikes] += rng.exponential(1.0, int(spikes.sum()))
    return effects + np.median(batches, axis=2)


def _judged(contrast: Contrast) -> tuple[Verdict, ...]:
    return tuple(one.verdict for one in judge(contrast, contrast.estimates(), THRESHOLD, seed=0))


def _alarm(contrast: Contrast) -> bool:
    return bool({Verdict.FASTER, Verdict.SLOWER} & set(_judged(contrast)))


def _share(hits: list[bool]) -> float:
    return sum(hits) / len(hits)


def ratios_covered(trials: int, seed: int = 1) -> float:
    """How often 95 % intervals of ratios hold the truth, of as many cells."""
    pairs = campaigns(math.ceil(trials / CELLS), None, seed)
    rows = (row for one in pairs for row in one.candidate - one.baseline)
    return _share([median(row).holds(0.0) for row in rows])


def times_covered(trials: int, seed: int = 1) -> float:
    """Likewise of absolute times."""
    pairs = campaigns(math.ceil(trials / CELLS), None, seed)
    return _share([median(row).holds(0.0) for one in pairs for row in one.baseline])


def itself(number: int, seed: int = 2) -> float:
    """How often a library against itself is called faster or slower."""
    several = campaigns(number, None, seed)
    return _share([_alarm(one.planted(1.0, slice(None))) for one in several])


def at_threshold(number: int, seed: int = 2) -> float:
    """Likewise one that is slower by just the threshold."""
    several = campaigns(number, None, seed)
    return _share([_alarm(one.planted(1 + THRESHOLD, slice(None))) for one in several])


def found_over_curve(number: int, spread: float | None, seed: int = 3) -> float:
    """How often 5 % over a curve is found."""
    several = campaigns(number, spread, seed)
    return _share([Verdict.SLOWER in _judged(one.planted(1.05, slice(None))) for one in several])


def found_at_one_size(number: int, spread: float | None, seed: int = 3) -> float:
    """How often 10 % at one size is found there, each size in its turn."""
    return _share([
        _judged(one.planted(1.10, slice(i % CELLS, i % CELLS + 1)))[i % CELLS] is Verdict.SLOWER
        for i, one in enumerate(campaigns(number, spread, seed))
    ])  # fmt: skip


def unpaired_alarms(number: int, seed: int = 4) -> float:
    """False alarms of a library against itself in two runs, whose launches differ."""
    several = campaigns(2 * number, None, seed)
    return _share([
        _alarm(
            Unpaired(
                first.baseline, second.baseline, lambda rows: Spread.stated(0.0, rows.size)
            )
        )
        for first, second in zip(several, several, strict=True)
    ])  # fmt: skip


COVERAGE = {"ratios": ratios_covered, "absolute times": times_covered}
POWER = {"5 % over a curve": found_over_curve, "10 % at one size": found_at_one_size}


def simulations() -> Iterator[Simulation]:
    """Coverage, false alarms and power, of as many campaigns as trials."""
    for what, held in COVERAGE.items():
        yield Simulation(f"campaigns: coverage of {what}", COVERED, 400 * CELLS, held)
    yield Simulation("campaigns: a library against itself", AT_MOST, 1_000, itself)
    yield Simulation("campaigns: all cells at the threshold", FALSE, 1_000, at_threshold)
    yield Simulation(
        "campaigns: a library against itself, two runs", AT_MOST, 1_000, unpaired_alarms
    )
    for spread, goals in ((USUAL_SPREAD, (0.95, 0.95)), (None, (0.90, 0.81))):
        name = "mixed spreads" if spread is None else f"spread {spread}"
        for (what, found), goal in zip(POWER.items(), goals, strict=True):
            share = partial(found, spread=spread)
            yield Simulation(f"campaigns: {what} found, {name}", (goal, 1.0), 500, share)
