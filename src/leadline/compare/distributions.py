"""How the samples of each cell are distributed: quantiles, beside the medians of its blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from leadline.compare.samples import Samples
from leadline.statistics.intervals import Floats

SHARES = (0.0, 0.001, 0.01, *(step / 40 for step in range(1, 40)), 0.99, 0.999, 1.0)
"""Of the samples, rising: steps of 2.5 % between the extremes and the outer per cent and mille."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """One cell under one configuration; times are per operation or message."""

    configuration: int
    """Index into Run.configurations."""
    cell: int
    """Index into Run.cells."""
    samples: int
    quantiles_s: tuple[float, ...]
    """At SHARES, in seconds; of a batch of several operations their mean is one sample."""
    blocks_s: tuple[float, ...]
    """The median of each block, in seconds and in the blocks' order."""


def distributions_of(samples: Samples, medians: Floats) -> tuple[Distribution, ...]:
    """Those of all cells with samples, by configuration and cell; a stated value has none.

    `medians` are those of blocks in seconds, shape (configurations, cells, blocks).
    """
    return tuple(
        Distribution(
            configuration=configuration,
            cell=cell,
            samples=seconds.size,
            quantiles_s=tuple(np.quantile(seconds, SHARES).tolist()),
            blocks_s=tuple(one for one in medians[configuration, cell].tolist() if one > 0),
        )
        for (configuration, cell), seconds in _by_cell(samples)
    )


def _by_cell(samples: Samples) -> Iterator[tuple[tuple[int, int], Floats]]:
    """(configuration, cell) and its counted samples in seconds, for each that has any."""
    configurations, cells = samples.configuration, samples.cell
    changes = (configurations[1:] != configurations[:-1]) | (cells[1:] != cells[:-1])
    groups = [0, *(np.flatnonzero(changes) + 1).tolist(), cells.size]
    ends = np.append(0, np.cumsum(samples.counted_numbers))
    for first, last in pairwise(groups):
        seconds = samples.counted_seconds[ends[first] : ends[last]]
        if seconds.size:
            yield (int(configurations[first]), int(cells[first])), seconds
