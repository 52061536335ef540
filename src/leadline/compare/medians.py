"""Medians of visits and of blocks: the time of each configuration in each cell.

A stated value takes the place of a block median of its cell, resting on no samples.

A visit is weighted by its undisturbed batches, up to ENOUGH_BATCHES: more don't make its median
better, as visits differ by more than the error of a median of so many batches. Times and ratios
weight visits alike, so that they can't contradict each other. In simulated campaigns in which a
third of the visits to one side were ten times slower, 90 % of their time lost to run delay, the
error of the ratio fell from 34 % to 0.6 % (validation/disturbed.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from leadline.compare.core_latencies import States, Where
from leadline.compare.samples import Samples, blocks_of, summed
from leadline.record.quantities import UNKNOWN
from leadline.record.run import Run
from leadline.record.slices import BatchFlag, Counts
from leadline.statistics.intervals import Floats, weighted_row_medians


@dataclass(frozen=True, slots=True)
class Visits:
    """Arrays of shape (configurations, cells, blocks, visits) over the indices of the run."""

    seconds: Floats
    """Median over the counted samples of a visit; nan where there are none.

    Visits with the same number to one cell follow each other closely under all configurations, so
    that their ratio is free of slow periods of the machine.
    """
    weights: Floats
    """Weight of each visit, by what disturbed it; 0: it has no median, or isn't `spared`."""
    waited: Floats
    """Largest share of the time for which a rank waited for a core; nan: no median."""
    retaken: Counts
    """Number of times that a slice was retaken, because of a disturbance or of the state of the
    cores."""
    attempt: Counts
    """Attempt that has the median; UNKNOWN: there is none."""
    core_latency_ns: Floats
    """Core-to-core latency between the ranks' cores, a round trip; nan: not known, or no median."""
    outside: Where
    """Whether it has no median as the cores were in the other state than the run's."""
    elsewhere: Where
    """Whether its median is of the other state, as its cell has none of the run's."""
    states: States
    """States of the cores in the whole run."""


@dataclass(frozen=True, slots=True)
class BlockMedians:
    """Arrays of shape (configurations, cells, blocks) over the indices of the run."""

    seconds: Floats
    """Weighted median over the visits of a block; nan where there are none."""
    samples: Counts
    """Samples counted in the medians."""
    late: Counts
    """Samples left out because a rank started late."""
    apart: Counts
    """Samples left out because ranks that were to contend ran apart."""
    clock_bound: Counts
    """Samples counted although reading the clock took a notable part of the batch."""
    single: npt.NDArray[np.bool_]
    """Whether every counted sample is one operation, so that quantiles of samples are tails."""


def visit_medians(run: Run, samples: Samples) -> Visits:
    """Median time of each visit, what disturbed it and its weight."""
    visits = max(int(samples.visit.max(initial=-1)) + 1, len(run.stated[:1]))
    shape = (len(run.configurations), len(run.cells), blocks_of(samples, run), visits)
    place = (samples.configuration, samples.cell, samples.block, samples.visit)
    number = summed(place, samples.counted_numbers, shape).astype(np.int64)
    seconds = _grouped_medians(number.ravel(), samples.counted_seconds).reshape(shape)
    retaken = np.zeros(shape, np.int64)
    np.maximum.at(retaken, place, samples.attempt)

    def of_used(values: npt.NDArray[Any], none: float | bool) -> npt.NDArray[Any]:
        by_visit = np.full(shape, none, values.dtype)
        by_visit[tuple(column[samples.used] for column in place)] = values[samples.used]
        return np.where(number > 0, by_visit, none)

    waited = of_used(samples.waited, np.nan)
    outside = np.zeros(shape, np.bool_)
    outside[tuple(column[samples.core_latencies.outside] for column in place)] = True
    # ranks are to wait for cores where they outnumber them, or where processes of the tool's own
    # keep these busy: a load, or what makes the network between emulated hosts
    loaded = run.provenance.background_load is not None
    waits = [
        loaded or configuration.oversubscribed or run.plays_hosts(configuration)
        for configuration in run.configurations
    ]
    waiting_is_measured = np.array(waits, np.bool_)[:, None, None, None]
    kept = (number > 0) & (spared(waited) | waiting_is_measured)
    weights = np.where(kept, undisturbed(number, waited), 0)
    for table in run.stated:
        first = table.configuration, list(table.cells), table.block, 0
        seconds[first], weights[first] = table.seconds, 1
    return Visits(
        seconds=seconds,
        weights=weights,
        waited=waited,
        retaken=retaken,
        attempt=of_used(samples.attempt, UNKNOWN),
        core_latency_ns=of_used(samples.core_latencies.ns, np.nan),
        outside=outside & (number == 0),
        elsewhere=of_used(samples.core_latencies.elsewhere, False),
        states=samples.core_latencies.states,
    )


def block_medians(run: Run, samples: Samples, visits: Visits) -> BlockMedians:
    """Median time of each configuration, cell and block, and what it rests on."""
    shape = visits.seconds.shape[:3]
    place = (samples.configuration, samples.cell, samples.block)

    def count(numbers: Counts) -> Counts:
        return summed(place, numbers, shape).astype(np.int64)

    def left_out(flag: BatchFlag) -> Counts:
        flagged = (samples.flags & int(BatchFlag.WARM_UP | flag)) == int(flag)
        return count(samples.per_group(flagged & samples.each(samples.used)))

    clock_bound = samples.counted & ((samples.flags & int(BatchFlag.CLOCK_BOUND)) != 0)
    return BlockMedians(
        seconds=weighted_row_medians(visits.seconds, counting(visits.weights)),
        samples=count(samples.counted_numbers),
        late=left_out(BatchFlag.LATE),
        apart=left_out(BatchFlag.APART),
        clock_bound=count(samples.per_group(clock_bound)),
        single=count(np.where(samples.repetitions != 1, samples.counted_numbers, 0)) == 0,
    )


def _grouped_medians(number: Counts, values: Floats) -> Floats:
    """Median of each group of `values`, which follow each other; nan for an empty group.

    `number` is the length of each group; groups of one length are computed together.
    """
    starts = np.cumsum(number) - number
    medians = np.full(number.size, np.nan)
    for length in set(number.tolist()) - {0}:
        groups = np.flatnonzero(number == length)
        middle = (length - 1) // 2, length // 2
        rows = np.partition(values[starts[groups, None] + np.arange(length)], middle, axis=1)
        medians[groups] = (rows[:, middle[0]] + rows[:, middle[1]]) / 2
    return medians


ENOUGH_BATCHES = 15
"""Number of undisturbed batches with which a visit has its full weight."""
LEAST_SHARE = 0.01
"""Share of its batches that a visit keeps however disturbed it was: where all are, they count."""
LEAST_WEIGHT = 0.5
"""Share of the largest weight in its block, and of the cell's largest share of undisturbed time,
below which a visit is left out. The median of its batches is that of undisturbed ones only while
most were undisturbed."""
SHARED = 0.5
"""Share of the weight of the visits to a side on which a ratio visit by visit must rest."""


def undisturbed(batches: npt.NDArray[np.int64], waited: Floats) -> Floats:
    """Weights of visits, by their batches and the share of time that a rank waited for a core.

    By the cause alone: a slow visit without run delay counts like any other.
    """
    return np.minimum(batches * _undisturbed_shares(waited), ENOUGH_BATCHES)


def spared(waited: Floats) -> npt.NDArray[np.bool_]:
    """Mask of visits to a cell, shape (..., blocks, visits), that bear comparison with its best.

    Those with LEAST_WEIGHT or more of the undisturbed share of the cell's best visit, in whatever
    block. A block without any would show how long its side waited: where it has a single visit
    there is no better one to take its place, and what disturbed one side alone would pass for its
    time.
    """
    shares = np.nan_to_num(_undisturbed_shares(waited))
    best = shares.max(axis=(-2, -1), keepdims=True, initial=0)
    return np.asarray(shares >= LEAST_WEIGHT * best)


def _undisturbed_shares(waited: Floats) -> Floats:
    return np.clip(1 - waited, LEAST_SHARE, 1)


def counting(weights: Floats) -> Floats:
    """The `weights`, shape (..., visits), 0 where below LEAST_WEIGHT of the largest in their block.

    Among as many clean visits on either side of a median even the least weight decides between the
    two, and disturbance only ever lengthens: medians would be biased.
    """
    largest = weights.max(axis=-1, keepdims=True, initial=0)
    return np.where(weights < LEAST_WEIGHT * largest, 0, weights)


def block_log_ratios(baseline: Floats, candidate: Floats, weights: Floats) -> Floats:
    """Log ratio of each block, from logarithms of visits' times, shape (..., visits).

    The weighted median of the visits' ratios, which have the weight of the more disturbed side.
    `weights` are the baseline's and the candidate's, shape (2, ..., visits). Where hardly a visit
    has both sides undisturbed, the sides' own weighted medians are compared instead: that costs
    precision, but one side's disturbance isn't taken for the other's time. No visit with both: nan.
    """
    ratios = candidate - baseline
    counted = counting(np.where(np.isnan([baseline, candidate]), 0, weights))
    both = np.where(np.isnan(ratios), 0, np.minimum(*counted))
    shared = both.sum(axis=-1) >= SHARED * np.minimum(*counted.sum(axis=-1))
    by_visit = weighted_row_medians(ratios, both)
    candidates = weighted_row_medians(candidate, counted[1])
    apart = candidates - weighted_row_medians(baseline, counted[0])
    never = np.isnan(ratios).all(axis=-1)
    return np.where(never, np.nan, np.where(shared, by_visit, apart))
