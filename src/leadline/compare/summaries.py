"""What a run measured, in absolute numbers: one row for each cell under each configuration."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from leadline.compare.samples import (
    BlockMedians,
    Samples,
    block_medians,
    operation_times,
    reduce_ranks,
)
from leadline.compare.verdict import logarithms
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.run import Cell, Configuration, Run
from leadline.statistics.intervals import Interval, bootstrap_quantile, hodges_lehmann

NOTABLE_SHARE = 0.25
"""Late or clock-bound samples beyond this share of a cell are warned of."""

OVERSUBSCRIBED = CaveatKind.OVERSUBSCRIBED.because(
    "more ranks or threads than cores: the scheduler was measured along with the library"
)


@dataclass(frozen=True, slots=True)
class Summary:
    """One cell under one configuration; times are per operation or message."""

    pattern: str
    variant: str
    backend: str
    version: str
    ranks: int
    size_bytes: int
    median_s: float
    low_s: float | None
    """None: too few blocks for a 95 % interval."""
    high_s: float | None
    blocks: int
    samples: int
    algorithm: str
    buffers: str
    cadence: str
    transport: str
    """What carried the messages between ranks of one host; "unknown" where nothing said so."""
    p90: Interval | None
    """In seconds; None: not asked for, or a sample is more than one operation."""
    p99: Interval | None
    warnings: tuple[Caveat, ...]
    threads: str = ""
    """Of each rank, as its configuration says."""

    @property
    def key(self) -> tuple[int, str]:
        """That of its configuration."""
        return self.ranks, self.threads


IMPORTED = CaveatKind.IMPORTED.because(
    "values that another benchmark printed: nothing says how far they would differ another time"
)


def summarise(run: Run, tails: bool = False, seed: int = 0) -> tuple[Summary, ...]:
    """The rows of a run, by configuration and cell; what wasn't measured has no row.

    The estimate is Hodges-Lehmann over the logarithms of block medians, with the signed-rank
    interval. `tails` adds p90 and p99 by a bootstrap that `seed` makes repeatable.
    """
    samples = reduce_ranks(run)
    medians = block_medians(run, samples)
    return tuple(
        _summary(run, samples, medians, (c, k), seed if tails else None)
        for c in range(len(run.configurations))
        for k in range(len(run.cells))
        if np.any(medians.seconds[c, k] > 0)
    )


def _summary(
    run: Run, samples: Samples, medians: BlockMedians, where: tuple[int, int], seed: int | None
) -> Summary:
    configuration, cell = run.configurations[where[0]], run.cells[where[1]]
    interval = hodges_lehmann(logarithms(medians.seconds[where]))
    p90 = p99 = None
    counted = int(medians.samples[where].sum())
    if seed is not None and counted and bool(medians.single[where].all()):
        times = operation_times(samples, *where)
        p90, p99 = (bootstrap_quantile(times, q, seed) for q in (0.90, 0.99))
    return Summary(
        pattern=cell.pattern,
        variant=configuration.variant,
        backend=configuration.backend,
        version=configuration.version,
        ranks=configuration.ranks,
        size_bytes=cell.size_bytes,
        median_s=math.exp(interval.estimate),
        low_s=math.exp(interval.low) if interval.finite else None,
        high_s=math.exp(interval.high) if interval.finite else None,
        blocks=int(np.sum((medians.seconds[where] > 0) & (medians.samples[where] > 0))),
        samples=counted,
        algorithm=algorithm(configuration, cell),
        buffers=str(cell.buffers),
        cadence=str(cell.cadence),
        transport=configuration.transport,
        p90=p90,
        p99=p99,
        warnings=tuple(_warnings(configuration, medians, where, interval.finite)),
        threads=configuration.threads,
    )


def algorithm(configuration: Configuration, cell: Cell) -> str:
    """Which algorithm the configuration used for the cell's pattern: "native", "binomial" ..."""
    return configuration.algorithms.get(cell.pattern.partition(":")[0], "unknown")


def _warnings(
    configuration: Configuration, medians: BlockMedians, where: tuple[int, int], finite: bool
) -> list[Caveat]:
    counted, late = int(medians.samples[where].sum()), int(medians.late[where].sum())
    bound = int(medians.clock_bound[where].sum())
    found = [OVERSUBSCRIBED] if configuration.oversubscribed else []
    if not finite:
        found.append(few_blocks(int(np.sum(medians.seconds[where] > 0))) if counted else IMPORTED)
    if late > NOTABLE_SHARE * (counted + late):
        cause = f"{late} of {counted + late} operations had a rank that started late"
        found.append(CaveatKind.LATE_STARTS.because(cause))
    if bound > NOTABLE_SHARE * counted:
        cause = f"reading the clock took over 0.5 % of the batch in {bound} of {counted} batches"
        found.append(CaveatKind.CLOCK_BOUND.because(cause))
    return found


def few_blocks(blocks: int) -> Caveat:
    """The warning that `blocks` are too few for a 95 % interval."""
    return CaveatKind.FEW_BLOCKS.because(
        f"{blocks} block{'s' * (blocks != 1)} can't support a 95 % interval"
    )
