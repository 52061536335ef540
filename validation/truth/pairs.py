"""How often verdicts on pairs measured side by side are right, on simulated blocks.

Every row is a share beside its goal. Log ratios of 12 cells spread by 0.01 to 0.08 from block to
block, each cell by its own; in lopsided noise one library alone is disturbed, the candidate or the
baseline. The truth is the median of the log ratios. Blocks that lean on the ones before them are a
first-order autoregression, each cell's its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import combinations

import numpy as np

from leadline.compare.verdict import Paired, Verdict, judge, margins_of
from leadline.statistics.change_points import simulated
from leadline.statistics.intervals import Floats, median_rows
from leadline.statistics.permutation import paired_significances
from validation.rates import COVERED, FALSE, Simulation

THRESHOLD, CELLS, LIBRARIES = 0.02, 12, 7
LOWEST, HIGHEST = 0.01, 0.08
"""Of the cells' spreads."""
DISTURBED, CALM = 0.3, 0.01
"""Spreads of 8 cells beside 4, as where a burst of work hits some sizes."""
BLOCKS = (6, 8, 12, 16)
FOUND = (0.95, 1.0)
"""The goal of clear differences."""
HELD = {0.3: ((0.0, 0.11), (0.91, 0.97)), 0.6: ((0.0, 0.25), (0.87, 0.97))}
"""False verdicts and coverage, by how far blocks lean: no goals, but what was reached, so that it
isn't lost. Who takes them for independent has 13 % and 88 %, 50 % and 73 %."""

Noise = Callable[[np.random.Generator, tuple[int, ...]], Floats]


def _normal(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    return rng.standard_normal(shape)


def _lognormal(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    return rng.lognormal(0, 0.5, shape)


def _exponential(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    return rng.standard_exponential(shape)


def _outliers(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """15 % of blocks lie some 8 spreads higher."""
    struck = rng.random(shape) < 0.15
    return rng.standard_normal(shape) + np.where(struck, rng.exponential(8, shape), 0)


NOISES: dict[str, Noise] = {
    "normal": _normal, "lognormal 0.5": _lognormal, "exponential": _exponential,
    "15 % outliers": _outliers,
}  # fmt: skip


@lru_cache(maxsize=8)
def _centre_and_width(noise: str) -> tuple[float, float]:
    """The median, and the spread of a normal distribution with the same quartiles."""
    low, centre, high = np.quantile(
        NOISES[noise](np.random.default_rng(0), (1_000_000,)), (0.25, 0.5, 0.75)
    )
    return float(centre), float(high - low) / 1.349


def drawn(noise: str, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """Of median 0 and as wide as a standard normal distribution between its quartiles."""
    centre, width = _centre_and_width(noise)
    return (NOISES[noise](rng, shape) - centre) / width


def _spreads(rng: np.random.Generator) -> Floats:
    return np.exp(rng.uniform(math.log(LOWEST), math.log(HIGHEST), (CELLS, 1)))


def _verdicts(log_ratios: Floats) -> list[Verdict]:
    """Of the cells, then of their average."""
    contrast = Paired(np.zeros_like(log_ratios), log_ratios)
    return [one.verdict for one in judge(contrast, contrast.estimates(), THRESHOLD, 0)]


def false_verdicts(noise: str, side: int, blocks: int, number: int) -> float:
    """The share of curves, all cells just at the threshold, of which any is called slower.

    `side` 1: the candidate is disturbed; -1: the baseline. The average counts in normal noise
    alone: what lopsided cells average to has another median than they, not at the threshold.
    """
    members = CELLS + (noise == "normal")
    rng = np.random.default_rng(blocks)
    wrong = 0
    for _ in range(number):
        ratios = side * drawn(noise, rng, (CELLS, blocks)) * _spreads(rng)
        wrong += Verdict.SLOWER in _verdicts(ratios + math.log1p(THRESHOLD))[:members]
    return wrong / number


def false_at_margins(blocks: int, number: int) -> float:
    """The share of curves with any false verdict, every second cell at the lower margin."""
    rng = np.random.default_rng(blocks)
    lower, upper = margins_of(THRESHOLD)
    centres = np.where(np.arange(CELLS) % 2, lower, upper)[:, None]
    slower, faster = (np.flatnonzero(centres[:, 0] == one) for one in (upper, lower))
    wrong = 0
    for _ in range(number):
        found = np.array(_verdicts(centres + drawn("normal", rng, (CELLS, blocks)) * _spreads(rng)))
        wrong += Verdict.SLOWER in found[slower] or Verdict.FASTER in found[faster]
    return wrong / number


def _autocorrelation(rng: np.random.Generator, persistence: float, blocks: int) -> Floats:
    return simulated(CELLS, blocks, persistence, int(rng.integers(2**31))) * _spreads(rng)


def false_autocorrelation(persistence: float, blocks: int, number: int) -> float:
    """The share of curves, all cells at the threshold, of which any is slower; blocks lean."""
    rng = np.random.default_rng(blocks)
    shift = math.log1p(THRESHOLD)
    found = (_verdicts(shift + _autocorrelation(rng, persistence, blocks)) for _ in range(number))
    return sum(Verdict.SLOWER in one for one in found) / number


def covered_autocorrelation(persistence: float, blocks: int, number: int) -> float:
    """The share of intervals of cells that hold the median where blocks lean."""
    rng = np.random.default_rng(blocks)
    held = 0
    for _ in range(number):
        ratios = _autocorrelation(rng, persistence, blocks)
        *cells, _ = Paired(np.zeros_like(ratios), ratios).estimates()
        held += sum(one.holds(0.0) for one in cells)
    return held / (number * CELLS)


def covered(noise: str, blocks: int, number: int) -> float:
    """The share of 95 % intervals that hold the median."""
    values = drawn(noise, np.random.default_rng(blocks), (number, blocks))
    return sum(one.holds(0.0) for one in median_rows(values)) / number


def found_beside_disturbed(blocks: int, number: int) -> float:
    """How often a calm cell of 10 % is found slower where two thirds of the cells are disturbed."""
    rng = np.random.default_rng(blocks)
    spreads = np.where(np.arange(CELLS) < CELLS // 3, CALM, DISTURBED)[:, None]
    found = 0
    for _ in range(number):
        ratios = spreads * rng.standard_normal((CELLS, blocks))
        ratios[0] += math.log(1.10)
        found += _verdicts(ratios)[0] is Verdict.SLOWER
    return found / number


def false_among_pairs(noise: str, blocks: int, number: int, together: bool = True) -> float:
    """How often any two of seven equal libraries differ at a threshold of 0.

    `together`: all pairs are one family, else each is tested by itself.
    """
    rng = np.random.default_rng(blocks)
    wrong = 0
    for _ in range(number):
        times = drawn(noise, rng, (LIBRARIES, CELLS, blocks)) * _spreads(rng) / math.sqrt(2)
        ratios = [other - one for one, other in combinations(times, 2)]
        families = [ratios] if together else [[one] for one in ratios]
        tested = [one for each in families for one in paired_significances(each, 0.0, 0.0, 0)]
        wrong += any(min(one.above.min(), one.below.min()) <= 0.05 for one in tested)
    return wrong / number


def simulations() -> Iterator[Simulation]:
    """Every share, of as many curves as trials, or of as many rows where intervals are counted."""
    for blocks in BLOCKS:
        found = partial(found_beside_disturbed, blocks)
        yield Simulation(f"pairs: found beside disturbed, {blocks} blocks", FOUND, 300, found)
    for noise in NOISES:
        for blocks in BLOCKS:
            held = partial(covered, noise, blocks)
            yield Simulation(f"pairs: coverage, {noise}, {blocks} blocks", COVERED, 10_000, held)
            for side, name in ((1, "candidate"), (-1, "baseline")):
                what = f"pairs: {name} {noise}, {blocks} blocks"
                yield Simulation(what, FALSE, 800, partial(false_verdicts, noise, side, blocks))
        what = f"pairs: any two of {LIBRARIES}, {noise}, 8 blocks"
        yield Simulation(what, FALSE, 400, partial(false_among_pairs, noise, 8))
    for blocks in BLOCKS:
        what = f"pairs: cells at either margin, normal, {blocks} blocks"
        yield Simulation(what, FALSE, 800, partial(false_at_margins, blocks))
    for persistence, (wrong, right) in HELD.items():
        for blocks in (8, 12, 16):
            what = f"pairs: held, autocorrelation {persistence}, {blocks} blocks"
            false = partial(false_autocorrelation, persistence, blocks)
            yield Simulation(f"{what}, false", wrong, 400, false)
            inside = partial(covered_autocorrelation, persistence, blocks)
            yield Simulation(f"{what}, coverage", right, 400, inside)
