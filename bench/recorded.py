"""Verdicts on recorded blocks: a library against itself, as it is and with slow-downs planted.

Goal, over 100 draws of 8 blocks from the recorded ones: at most 9 false alarms over a curve; 5 %
over a curve found in 95, 10 % at one size found in 95; 5 % at one size is reported.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from bench.live import Medians, mpi_backends, variant_of
from bench.live import measure as run_campaign
from leadline.compare.verdict import Paired, Verdict, judge, logarithms
from leadline.measure.order import DEFAULT_SIZES

DRAWS, BLOCKS, THRESHOLD = 100, 8, 0.02
ONE_SIZE = 5

Drawn = npt.NDArray[np.int64]


def measure(budget_s: float = 150.0, recorded_blocks: int = 40) -> dict[str, object]:
    """Counts of draws in which something was found, by what was planted."""
    backend = mpi_backends()["mpich"]
    variants = [variant_of(backend, name) for name in ("first", "second")]
    medians = run_campaign(
        variants, ["pingpong"], DEFAULT_SIZES, budget_s=budget_s, blocks=recorded_blocks
    )
    cells = len(medians.cells)
    one = slice(ONE_SIZE, ONE_SIZE + 1)
    found = {
        "nothing": _found(medians, 1.0, slice(0, cells)),
        "5 % over the curve": _found(medians, 1.05, slice(0, cells)),
        "10 % at one size": _found(medians, 1.10, one),
        "5 % at one size": _found(medians, 1.05, one),
    }
    every = range(cells)
    pair = medians.paired(("second", every), ("first", every))
    spread = np.nanstd(pair.log_ratios, axis=1, ddof=1)
    reached = (
        found["nothing"] <= 9
        and found["5 % over the curve"] >= 95
        and found["10 % at one size"] >= 95
    )
    return {
        "found_in_100": found,
        "log_ratio_spread": [round(float(value), 4) for value in spread],
        "reached": reached,
    }


def _found(medians: Medians, planted: float, cells: slice) -> int:
    """In how many draws of 8 blocks anything (planted: the planted cells) gets a verdict."""
    rng = np.random.default_rng(1)
    blocks = medians.by_variant["first"].shape[1]
    return sum(
        _alarm(medians, rng.choice(blocks, BLOCKS, replace=False), planted, cells)
        for _ in range(DRAWS)
    )


def _alarm(medians: Medians, drawn: Drawn, planted: float, cells: slice) -> bool:
    first = logarithms(medians.by_variant["first"][:, drawn])
    second = logarithms(medians.by_variant["second"][:, drawn])
    second[cells] += math.log(planted)
    weights = np.stack([medians.weights[name][:, drawn] for name in ("first", "second")])
    pair = Paired(first, second, weights)
    verdicts = [one.verdict for one in judge(pair, pair.estimates(), THRESHOLD, seed=0)]
    if planted == 1.0:
        return Verdict.SLOWER in verdicts or Verdict.FASTER in verdicts
    planted_cells = verdicts[:-1][cells]
    return Verdict.SLOWER in (verdicts if len(planted_cells) > 1 else planted_cells)
