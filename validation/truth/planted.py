"""What the other parts of this package would show if the arithmetic were at fault, as it once was.

Each fault is planted in the package, or stands here beside it, and must be seen: false verdicts
far more often than the 3 to 7 % that are said, or a clear difference hidden.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from unittest.mock import patch

import numpy as np

from leadline.statistics import permutation
from leadline.statistics.change_points import chance_of, simulated, strongest_step
from leadline.statistics.intervals import CONFIDENCE, Floats
from leadline.statistics.permutation import step_down
from validation.rates import Goal, Simulation
from validation.truth import disturbed, pairs, runs
from validation.truth.disturbed import Struck
from validation.truth.pairs import false_among_pairs, found_beside_disturbed
from validation.truth.runs import DAY, PAIRS, stated

FALSE_BY_DISTURBANCE: Goal = (0.25, 1.0)
FALSE_BY_MEANS: Goal = (0.1, 1.0)
FALSE_APART: Goal = (0.3, 1.0)
FALSE_BETWEEN_RUNS: Goal = (0.2, 1.0)
FALSE_BY_ORDER: Goal = (0.15, 1.0)
HIDDEN: Goal = (0.0, 0.7)
"""Goals: how often at least verdicts are false then, and at most differences found."""


def disturbed_visits_count(number: int) -> float:
    """False verdicts where visits that waited for cores count like the others."""
    with patch.object(disturbed, "spared", np.ones_like):
        return disturbed.called_slower(Struck(0.2, 12), number)


def tested_by_means(number: int) -> float:
    """False verdicts where no block's distance is bounded."""
    with patch.object(permutation, "bounded", lambda distances: distances):
        return pairs.false_verdicts("exponential", 1, 16, number)


def prior_of_fixed_weight(number: int) -> float:
    """How often a calm cell's 10 % is found where disturbed ones lend it their variance."""

    def fixed(squares: Floats, freedom: Floats, averages: int = 1) -> Floats:
        typical = np.median(squares / freedom, axis=1, keepdims=True)
        return np.asarray((4 * typical + squares) / (4 + freedom))

    with patch.object(permutation, "moderated", fixed):
        return found_beside_disturbed(8, number)


def days_left_out(number: int) -> float:
    """False verdicts on two runs whose blocks alone count, though days differ by DAY."""
    first, second, _ = PAIRS["days of 3 %, stated"]
    return runs.false_verdicts(first, second, stated(0.0), number)


def variances_pooled(number: int) -> float:
    """False verdicts by one variance for blocks that scatter by 6 % and by 2 %."""
    rng = np.random.default_rng(0)
    first, second, _ = PAIRS["6 blocks of 6 % against 24 of 2 %"]
    few, many = first.blocks, second.blocks
    blocks = few + many
    labels = np.argsort(rng.random((1000, blocks)), axis=1) >= few
    labels[0] = np.arange(blocks) >= few
    wrong = 0
    for _ in range(number):
        both = np.hstack([first.run(rng), second.run(rng)]).T
        before, after = ~labels @ both / few, labels @ both / many
        squares = (both**2).sum(axis=0) - few * before**2 - many * after**2
        least = step_down(np.abs(after - before) / np.sqrt(squares)).min()
        wrong += bool(least <= 1 - CONFIDENCE + 1e-12)
    return wrong / number


def drift_left_out(number: int) -> float:
    """False changes where histories that drift are held against ones that don't."""
    found = strongest_step(simulated(number, 24, 0.6, 5)).statistic
    return sum(chance_of(one, 24, 0.0, 0) <= 1 - CONFIDENCE for one in found) / number


def simulations() -> Iterator[Simulation]:
    """Each fault, of as many campaigns, pairs of runs or histories as trials."""
    apart = partial(false_among_pairs, "normal", 8, together=False)
    for what, goal, trials, share in (
        ("disturbed visits count", FALSE_BY_DISTURBANCE, 200, disturbed_visits_count),
        ("means of exponential noise", FALSE_BY_MEANS, 400, tested_by_means),
        ("each of 21 pairs by itself", FALSE_APART, 100, apart),
        ("a prior of fixed weight", HIDDEN, 200, prior_of_fixed_weight),
        (f"days of {DAY:.0%} left out", FALSE_BETWEEN_RUNS, 200, days_left_out),
        ("variances pooled", FALSE_BETWEEN_RUNS, 200, variances_pooled),
        ("drift of 24 runs left out", FALSE_BY_ORDER, 400, drift_left_out),
    ):
        yield Simulation(f"planted fault: {what}", goal, trials, share)
