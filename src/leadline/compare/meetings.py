"""How nearly at once the ranks of several hosts began, where they were to begin together."""

from __future__ import annotations

import math

import numpy as np

from leadline.record.run import Cadence, Run
from leadline.statistics.intervals import Floats


def clock_residuals(run: Run) -> Floats:
    """By (configuration, cell) the median over visits of the largest residual of a clock, in ns.

    nan where no visit has one: ranks read one clock, or meet at no deadline, or nobody said how far
    the fits of their clocks were off.
    """
    found = np.full((len(run.configurations), len(run.cells)), np.nan)
    residuals = _by_visit(run)
    if not residuals or run.strips is None:
        return found
    strips = run.strips
    columns = (strips.configuration, strips.cell, strips.launch, strips.block, strips.visit)
    of_cells: dict[tuple[int, int], list[float]] = {}
    for c, k, *when in np.unique(np.stack(columns, axis=1), axis=0).tolist():
        residual = residuals.get(tuple(when), math.nan)
        if run.cells[k].cadence is Cadence.ISOLATED and not math.isnan(residual):
            of_cells.setdefault((c, k), []).append(residual)
    for place, values in of_cells.items():
        found[place] = np.median(values)
    return found


def _by_visit(run: Run) -> dict[tuple[int, ...], float]:
    """The largest of all clocks by (launch, block, visit), of the visits whose end was fitted."""
    largest: dict[tuple[int, ...], float] = {}
    for fit in run.clock_fits:
        if fit.residual_ns >= 0 and fit.launch >= 0:
            key = fit.launch, fit.block, fit.visit
            largest[key] = max(largest.get(key, 0.0), fit.residual_ns)
    return largest
