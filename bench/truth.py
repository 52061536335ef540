"""How often intervals and verdicts are right, on simulated campaigns whose truth is known.

A campaign has 8 blocks of two co-resident configurations over 12 cells. As on a noisy machine,
launches move all of a block's times together (by 6 to 60 %, in which the pair shares), the paired
log ratio spreads by 0.01 to 0.08 from block to block, partly for all cells alike, and preemptions
lengthen some batches.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from leadline.compare.verdict import Contrast, Paired, Unpaired, Verdict, judge
from leadline.statistics.intervals import Floats, median
from leadline.statistics.two_samples import Spread

CAMPAIGNS, BLOCKS, CELLS, BATCHES = 2_000, 8, 12, 15
THRESHOLD = 0.02
SPREADS = (0.01, 0.02, 0.04, 0.08)
"""Of the paired log ratio, from block to block: the range seen."""
USUAL_SPREAD = 0.028
"""Its geometric middle."""
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


def coverage(number: int = CAMPAIGNS, seed: int = 1) -> dict[str, float]:
    """How often 95 % intervals hold the truth: of ratios, of absolute times."""
    ratios, absolutes = [], []
    for campaign in campaigns(number, None, seed):
        for log_ratio, log_time in zip(
            campaign.candidate - campaign.baseline, campaign.baseline, strict=True
        ):
            ratio, absolute = median(log_ratio), median(log_time)
            ratios.append(ratio.holds(0.0))
            absolutes.append(absolute.holds(0.0))
    return {"ratio": _share(ratios), "absolute": _share(absolutes)}


def false_alarms(number: int = CAMPAIGNS, seed: int = 2) -> dict[str, float]:
    """How often a library against itself, or just at the threshold, is called faster or slower."""
    itself, at_threshold = [], []
    for campaign in campaigns(number, None, seed):
        itself.append(_alarm(campaign.planted(1.0, slice(None))))
        at_threshold.append(_alarm(campaign.planted(1 + THRESHOLD, slice(None))))
    return {"itself": _share(itself), "at threshold": _share(at_threshold)}


def power(number: int, spread: float | None, seed: int = 3) -> dict[str, float]:
    """How often planted differences are found; of 5 % at one size, how often measured right."""
    curve, one, small = [], [], []
    for i, campaign in enumerate(campaigns(number, spread, seed)):
        cell = i % CELLS
        here = slice(cell, cell + 1)
        curve.append(Verdict.SLOWER in _judged(campaign.planted(1.05, slice(None))))
        one.append(_judged(campaign.planted(1.10, here))[cell] is Verdict.SLOWER)
        measured = campaign.planted(1.05, here).estimate(np.array([cell]))
        small.append(measured.holds(math.log(1.05)))
    return {"5 % over a curve": _share(curve), "10 % at one size": _share(one),
            "5 % at one size, in its interval": _share(small)}  # fmt: skip


def unpaired_alarms(number: int = 500, seed: int = 4) -> float:
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


def measure() -> dict[str, object]:
    """All figures, as shares of 1; reached: coverage 93 to 97 %, false alarms at most nominal."""
    covered, alarms = coverage(), false_alarms()
    return {
        "coverage of 95 % intervals": covered,
        "false alarms over a curve": alarms,
        "false alarms over a curve, two runs": unpaired_alarms(),
        "found at mixed spreads": power(500, None),
        **{f"found at spread {s}": power(200, s) for s in sorted((*SPREADS, USUAL_SPREAD))},
        "reached": all(0.93 <= share <= 0.97 for share in covered.values())
        and max(alarms.values()) <= 0.05,
    }


def main() -> None:
    """Prints the figures as a table and as JSON."""
    figures = measure()
    for name, value in figures.items():
        for part, share in value.items() if isinstance(value, dict) else [("", value)]:
            print(f"{name:38} {part:34} {share:6.1%}")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
