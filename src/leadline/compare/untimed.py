"""Cells that were measured and have no time, because none of their batches counts."""

from __future__ import annotations

import numpy as np

from leadline.compare.medians import BlockMedians
from leadline.compare.samples import Samples
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.curve import CurveKey
from leadline.record.run import Run
from leadline.record.slices import BatchFlag
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
    return tuple(
        CaveatKind.NO_TIME.because(f"{_where(run, c, curve, cells)}: {_why(samples, c, cells)}")
        for (c, curve), cells in curves.items()
    )


def _where(run: Run, configuration: int, curve: CurveKey, cells: list[int]) -> str:
    sizes = ", ".join(format_size(run.cells[k].size_bytes) for k in cells)
    at = "" if sizes == format_size(0) else f" at {sizes}"
    variant = run.configurations[configuration].variant
    return f"{variant}, {curve.pattern}{at}, {curve.ranks} rank{'s' * (curve.ranks != 1)}"


def _why(samples: Samples, configuration: int, cells: list[int]) -> str:
    mine = (samples.configuration == configuration) & np.isin(samples.cell, cells)
    flags = samples.flags[samples.each(mine)]
    flags = flags[(flags & int(BatchFlag.WARM_UP)) == 0]
    numbers = {cause: int(np.sum((flags & int(flag)) != 0)) for flag, cause in CAUSES.items()}
    if flags.size == 0:
        return "no batch was taken after warming up"
    if not any(numbers.values()):
        return f"each of {flags.size:,} batches took less than the clock can tell"
    why = ", ".join(f"in {number:,} {cause}" for cause, number in numbers.items() if number)
    return f"none of {flags.size:,} batches counts: {why}"
