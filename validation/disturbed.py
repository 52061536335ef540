"""Times and ratios of disturbed visits, on simulated campaigns of two equally fast libraries.

A campaign has 8 blocks of 8 visits. The machine's mood moves both sides of a visit together by 5 %,
what is a slice's own by 2 %. A slice that is struck is ten times slower and has a tenth of the
batches, as its ranks waited for a core; its record says so, or, unrecorded, it has as many batches
as any and nobody knows why.

Goal: wherever the cause was recorded 93 % or more of the ratios' intervals hold the truth, and in
95 of 100 campaigns they are no wider than those of both times together. `former`: medians over all
batches of a block, and over visits' ratios, each counting the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leadline.compare.medians import block_log_ratios, counting, spared, undisturbed
from leadline.statistics.intervals import Floats, median_rows, weighted_row_medians

CAMPAIGNS, BLOCKS, VISITS, BATCHES = 1_000, 8, 8, 60
MOOD, OWN, SLOWER, WAITED = 0.05, 0.02, 10.0, 0.9
COVERED, WIDEST = 0.93, 1.0


@dataclass(frozen=True, slots=True)
class Disturbance:
    """Which share of the baseline's and the candidate's slices is struck."""

    baseline: float
    candidate: float
    recorded: bool = True


CASES = {
    "none": Disturbance(0, 0),
    "a third of one side's visits": Disturbance(0, 1 / 3),
    "half of one side's visits": Disturbance(0, 1 / 2),
    "a third of either side's visits": Disturbance(1 / 3, 1 / 3),
    "a third of one side's, unrecorded": Disturbance(0, 1 / 3, recorded=False),
}


@dataclass(frozen=True, slots=True)
class Simulated:
    """Both sides' visits, arrays of shape (2, campaigns, blocks, visits)."""

    logs: Floats
    batches: Floats
    waited: Floats


def simulated(case: Disturbance, campaigns: int, seed: int) -> Simulated:
    """Campaigns with that disturbance."""
    rng = np.random.default_rng(seed)
    shape = (2, campaigns, BLOCKS, VISITS)
    mood = MOOD * rng.standard_normal(shape[1:])
    chances = np.array([case.baseline, case.candidate])[:, None, None, None]
    struck = rng.random(shape) < chances
    logs = mood + OWN * rng.standard_normal(shape) + np.where(struck, np.log(SLOWER), 0)
    caused = struck & case.recorded
    return Simulated(logs, np.where(caused, BATCHES / SLOWER, BATCHES), np.where(caused, WAITED, 0))


def judged(times: Floats, ratios: Floats) -> dict[str, float]:
    """What intervals over blocks say; `times` are both sides', shape (2, campaigns, blocks)."""
    found = median_rows(ratios)
    sides = [median_rows(side) for side in times]
    width = np.array([one.half_width for one in found])
    together = np.array([a.half_width + b.half_width for a, b in zip(*sides, strict=True)])
    return {
        "error": float(np.sqrt(np.mean([one.value**2 for one in found]))),
        "covered": float(np.mean([one.holds(0.0) for one in found])),
        "half_width": float(np.median(width)),
        "beside_times": float(np.quantile(width / together, 0.95)),
    }


def figures_of(case: Disturbance, campaigns: int = CAMPAIGNS, seed: int = 1) -> dict[str, float]:
    """By visits' weights, and (former_...) as it was."""
    made = simulated(case, campaigns, seed)
    weights = undisturbed(made.batches.astype(np.int64), made.waited) * spared(made.waited)
    now = judged(
        weighted_row_medians(made.logs, counting(weights)),
        block_log_ratios(made.logs[0], made.logs[1], weights),
    )
    former = judged(
        weighted_row_medians(made.logs, made.batches),
        np.median(made.logs[1] - made.logs[0], axis=-1),
    )
    return now | {f"former_{name}": value for name, value in former.items()}


def measure() -> dict[str, object]:
    """A row for each case."""
    rows = [{"disturbed": name} | figures_of(case) for name, case in CASES.items()]
    recorded = [row for row, case in zip(rows, CASES.values(), strict=True) if case.recorded]
    reached = all(
        float(row["covered"]) >= COVERED and float(row["beside_times"]) <= WIDEST
        for row in recorded
    )
    return {"rows": rows, "reached": reached}
