"""Cells that were measured and have no time, because none of their batches counts."""

from __future__ import annotations

import numpy as np

from leadline.compare.handovers import Where
from leadline.compare.medians import BlockMedians
from leadline.compare.samples import Samples
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.curve import CurveKey
from leadline.record.run import Run
from leadline.record.slices import BatchFlag, Counts
from leadline.units import format_size

CAUSES = {
    BatchFlag.LATE: "a rank started late",
    BatchFlag.APART: "ranks that were to contend ran apart",
    BatchFlag.MISCOUNTED: "the number of repetitions was badly wrong",
}


def untimed(run: Run, samples: Samples, medians: BlockMedians) -> tuple[Caveat, ...]:
    """A caveat for each curve of each configuration with cells that were measured in vain."""
    in_vain = np.zeros(medians.seconds.shape[:2], np.bool_)
    in_vain[samples.configuration, samples.cell] = True
    in_vain &= ~np.any(medians.seconds > 0, axis=2)
    curves: dict[tuple[int, CurveKey], list[int]] = {}
    for c, k in np.argwhere(in_vain).tolist():
        curves.setdefault((c, CurveKey.of(run.cells[k], run.configurations[c])), []).append(k)
    batches = _batches(samples, in_vain)
    return tuple(
        CaveatKind.NO_TIME.because(f"{_where(run, c, curve, cells)}: {_why(batches[:, c, cells])}")
        for (c, curve), cells in curves.items()
    )


def _batches(samples: Samples, in_vain: Where) -> Counts:
    """After warming up, all and then those left out for each of CAUSES.

    Shape (1 + causes, configurations, cells), 0 where not `in_vain`.
    """
    groups = in_vain[samples.configuration, samples.cell]
    cell = np.ravel_multi_index((samples.configuration, samples.cell), in_vain.shape)[groups]
    flags = samples.flags[samples.each(groups)]
    place = np.repeat(cell, samples.numbers[groups])
    taken = (flags & int(BatchFlag.WARM_UP)) == 0
    chosen = [taken, *(taken & ((flags & int(flag)) != 0) for flag in CAUSES)]
    found = [np.bincount(place[those], minlength=in_vain.size) for those in chosen]
    return np.reshape(found, (len(chosen), *in_vain.shape))


def _where(run: Run, configuration: int, curve: CurveKey, cells: list[int]) -> str:
    sizes = ", ".join(format_size(run.cells[k].size_bytes) for k in cells)
    at = "" if sizes == format_size(0) else f" at {sizes}"
    variant = run.configurations[configuration].variant
    return f"{variant}, {curve.pattern}{at}, {curve.ranks} rank{'s' * (curve.ranks != 1)}"


def _why(batches: Counts) -> str:
    """Of some cells, shape (1 + causes, cells)."""
    every, *left_out = batches.sum(axis=1).tolist()
    if every == 0:
        return "no batch was taken after warming up"
    if not any(left_out):
        return f"each of {every:,} batches took less than the clock can tell"
    numbers = zip(left_out, CAUSES.values(), strict=True)
    why = ", ".join(f"in {number:,} {cause}" for number, cause in numbers if number)
    return f"none of {every:,} batches counts: {why}"
