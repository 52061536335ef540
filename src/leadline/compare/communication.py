"""For which share of its time an application's ranks communicated, over the slices that count.

Where a rank waits for another that lost its core it communicates, too: shares rest on the slices on
which times rest, and are medians as these are.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from leadline.compare.medians import Visits
from leadline.compare.verdict import Rows
from leadline.compare.visits import counting
from leadline.record.run import Run
from leadline.record.slices import UNKNOWN, Int32, StripConditions, Strips
from leadline.statistics.intervals import Floats, weighted_row_medians


def communication_of(run: Run, visits: Visits) -> tuple[Floats, Floats]:
    """Of each cell under each configuration the mean over its ranks' shares, and the largest.

    Measured or stated; nan: not known.
    """
    shape = len(run.configurations), len(run.cells)
    found = np.full(shape, np.nan), np.full(shape, np.nan)
    if run.strips is not None and run.conditions is not None:
        found = _over_ranks(_by_rank(run.strips, run.conditions, visits))
    for table in run.stated:
        stated = table.communication_share, table.communication_most
        for shares, values in zip(found, stated, strict=True):
            if values:
                shares[table.configuration, list(table.cells)] = values
    return found


def counted_rows(strips: Strips, found: StripConditions, visits: Visits) -> Rows:
    """The strips that tell what was spent, of the attempts on which times rest."""
    blocks, numbers = visits.seconds.shape[2:]
    known = (found.communication_ns != UNKNOWN) & (found.repetitions_ns > 0)
    timed = np.flatnonzero(known & (strips.block < blocks) & (strips.visit < numbers))
    rests_on: Rows = timed[strips.attempt[timed] == visits.attempt[_visits_of(strips, timed)]]
    return rests_on


def _visits_of(strips: Strips, rows: Rows) -> tuple[Int32, ...]:
    columns = strips.configuration, strips.cell, strips.block, strips.visit
    return tuple(column[rows] for column in columns)


def _over_ranks(shares: Floats) -> tuple[Floats, Floats]:
    known = ~np.isnan(shares)
    ranks = np.sum(known, axis=2)
    mean = np.sum(np.nan_to_num(shares), axis=2) / np.maximum(ranks, 1)
    most = np.max(np.nan_to_num(shares), axis=2, initial=0)
    return np.where(ranks > 0, mean, np.nan), np.where(ranks > 0, most, np.nan)


def _by_rank(strips: Strips, found: StripConditions, visits: Visits) -> Floats:
    """Each rank's median over slices, shape (configurations, cells, ranks); nan: not known."""
    shape = visits.seconds.shape[:2]
    used = counted_rows(strips, found, visits)
    weights = counting(visits.weights)[_visits_of(strips, used)]
    shares = found.communication_ns[used] / found.repetitions_ns[used]
    ranks = int(strips.rank[used].max(initial=0)) + 1
    where = (strips.configuration[used], strips.cell[used], strips.rank[used])
    group = np.ravel_multi_index(where, (*shape, ranks))
    medians = _grouped_medians(group, shares, weights, shape[0] * shape[1] * ranks)
    return medians.reshape(*shape, ranks)


def _grouped_medians(
    group: npt.NDArray[np.intp], values: Floats, weights: Floats, groups: int
) -> Floats:
    """The weighted median of the `values` of each group; nan for one that has none."""
    order = np.argsort(group, kind="stable")
    number = np.bincount(group, minlength=groups)
    start = np.cumsum(number) - number
    place = group[order], np.arange(len(group)) - start[group[order]]
    rows = np.full((2, groups, number.max(initial=0)), np.nan)
    rows[0][place], rows[1][place] = values[order], weights[order]
    return weighted_row_medians(rows[0], np.nan_to_num(rows[1]))
