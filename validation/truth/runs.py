"""How often two runs, and histories of runs, are judged right, on simulated ones.

Two runs of 12 cells differ by just the threshold, so that any verdict but "slower by less" is
false; blocks share 0.3 of their variance, days half of theirs. A history has no change.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from leadline.statistics.change_points import change_points, simulated
from leadline.statistics.intervals import CONFIDENCE, Floats
from leadline.statistics.two_samples import Spread, unpaired_estimates, unpaired_significance
from validation.rates import COVERED, FALSE, Simulation

THRESHOLD, CELLS = 0.02, 12
LOWER, UPPER = math.log1p(-THRESHOLD), math.log1p(THRESHOLD)
DAY = 0.03
"""Standard deviation of a run's level."""


@dataclass(frozen=True, slots=True)
class Side:
    """Runs of one version."""

    blocks: int
    spreads: tuple[float, ...]
    """Of blocks, of one cell after the other, over and over."""
    day: float = 0.0
    """Of the runs' levels."""

    def run(self, rng: np.random.Generator, level: float = 0.0) -> Floats:
        """Logarithms of block medians, shape (cells, blocks)."""
        day = self.day * math.sqrt(0.5) * (rng.standard_normal() + rng.standard_normal((CELLS, 1)))
        own = rng.standard_normal((CELLS, self.blocks))
        common = rng.standard_normal(self.blocks)
        spread = np.resize(self.spreads, (CELLS, 1))
        return level + day + spread * (math.sqrt(0.3) * common + math.sqrt(0.7) * own)


SpreadOf = Callable[[np.random.Generator, Side, Side], Spread]


def stated(spread: float) -> SpreadOf:
    """As a user states it."""
    return lambda rng, first, second: Spread.stated(spread, CELLS)


def recorded(runs: int) -> SpreadOf:
    """As so many others of the first version show it."""
    return lambda rng, first, second: Spread.recorded([[first.run(rng) for _ in range(runs)]])


def false_verdicts(first: Side, second: Side, spread: SpreadOf, number: int) -> float:
    """The share of pairs at the margin in which any cell, or their average, is called different."""
    rng = np.random.default_rng(1)
    wrong = 0
    for _ in range(number):
        pair = first.run(rng), second.run(rng, UPPER)
        found = unpaired_significance(*pair, LOWER, UPPER, 0, spread(rng, first, second))
        wrong += min(found.above.min(), found.below.min()) <= 1 - CONFIDENCE + 1e-12
    return wrong / number


def covered(first: Side, second: Side, spread: SpreadOf, cells: int) -> float:
    """The share of so many cells whose interval holds the truth."""
    rng = np.random.default_rng(2)
    held: list[bool] = []
    for _ in range(math.ceil(cells / CELLS)):
        pair = first.run(rng), second.run(rng, UPPER)
        estimates = unpaired_estimates(*pair, 0, spread(rng, first, second))
        held += [one.holds(UPPER) for one in estimates[:-1]]
    return sum(held) / len(held)


def false_changes(runs: int, persistence: float, number: int) -> float:
    """The share of histories without a change that show one."""
    series = simulated(number, runs, persistence, 3)
    return sum(bool(change_points(one, 1 - CONFIDENCE)) for one in series) / number


PAIRS = {
    "6 blocks of 6 % against 24 of 2 %": (Side(6, (0.06,)), Side(24, (0.02,)), stated(0)),
    "8 blocks of 6 % against 16 of 2 %": (Side(8, (0.06,)), Side(16, (0.02,)), stated(0)),
    "6 blocks of 6 % against 6 of 2 %": (Side(6, (0.06,)), Side(6, (0.02,)), stated(0)),
    "8 blocks of 7 % against 8 of 1 %": (Side(8, (0.07,)), Side(8, (0.01,)), stated(0)),
    "8 against 8, 1 and 7 % in turn": (Side(8, (0.01, 0.07)), Side(8, (0.07, 0.01)), stated(0)),
    "8 blocks of 3 % against 8 of 3 %": (Side(8, (0.03,)), Side(8, (0.03,)), stated(0)),
    "days of 3 %, stated": (Side(8, (0.03,), DAY), Side(8, (0.03,), DAY), stated(DAY)),
    "days of 3 %, by 5 other runs": (Side(8, (0.03,), DAY), Side(8, (0.03,), DAY), recorded(5)),
    "days of 3 %, by 12 other runs": (Side(8, (0.03,), DAY), Side(8, (0.03,), DAY), recorded(12)),
    "no days, by 12 other runs": (Side(8, (0.03,)), Side(8, (0.03,)), recorded(12)),
}


def simulations() -> Iterator[Simulation]:
    """Every share, of as many pairs of runs, cells of pairs, or histories."""
    for what, pair in PAIRS.items():
        yield Simulation(f"two runs: {what}", FALSE, 500, partial(false_verdicts, *pair))
        held = partial(covered, *pair)
        yield Simulation(f"two runs: coverage, {what}", COVERED, 250 * CELLS, held)
    for runs in (12, 20, 40):
        for persistence in (0.0, 0.3, 0.6):
            share = partial(false_changes, runs, persistence)
            what = f"history: {runs} runs, AR {persistence}"
            yield Simulation(what, FALSE, 2_000, share)
