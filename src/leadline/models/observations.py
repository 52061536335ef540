"""Observations that models are fitted to: block medians of one variant and pattern."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.compare.circumstances import Circumstances
from leadline.models.model import Subject
from leadline.record.run import Origin
from leadline.statistics.intervals import Floats


@dataclass(frozen=True, slots=True)
class Observations(Subject):
    """Block medians of one variant and pattern; its points differ in ranks and size alone."""

    ranks: tuple[int, ...]
    """p of each row, rising."""
    sizes_bytes: tuple[int, ...]
    """m of each column, rising."""
    seconds: Floats
    """Block medians, shape (ranks, sizes, blocks); nan: not measured. Stated values have one block
    each, unless they are repetitions."""
    crowded: tuple[int, ...] = ()
    """Numbers of ranks that shared cores."""
    computes: bool = False
    """Whether it is an application, whose ranks compute between their calls."""

    @property
    def blocks(self) -> int:
        """Blocks of a typical point at the number of ranks that has the fewest; 0: no repetition.

        A point measured once gives no uncertainty of its times, whatever the others do.
        """
        if self.origin not in (Origin.MEASURED, Origin.IMPORTED):
            return 0
        known = np.sum(~np.isnan(self.seconds), axis=2)
        fewest = min((int(np.median(row[row > 0])) for row in known if row.any()), default=0)
        return fewest if self.origin is Origin.MEASURED or fewest > 1 else 0

    @property
    def with_cores_of_their_own(self) -> Observations:
        """The same without numbers of ranks that shared cores."""
        rows = [row for row, ranks in enumerate(self.ranks) if ranks not in self.crowded]
        ranks = tuple(self.ranks[row] for row in rows)
        return replace(self, ranks=ranks, seconds=self.seconds[rows], crowded=())


def observations_of(analysis: Analysis) -> tuple[Observations, ...]:
    """Observations of a run, by variant and pattern, in the order of configurations and cells."""
    run = analysis.run
    groups: dict[tuple[object, ...], list[tuple[int, int]]] = {}
    measured = ~np.isnan(analysis.medians.seconds).all(axis=2)
    for c, k in np.argwhere(measured).tolist():
        configuration, cell = run.configurations[c], run.cells[k]
        in_common = (
            configuration.variant, configuration.origin, configuration.threads,
            cell.pattern, cell.buffers, cell.cadence, cell.whose_time,
        )  # fmt: skip
        groups.setdefault(in_common, []).append((c, k))
    return tuple(_gathered(analysis, places) for places in groups.values())


def _gathered(analysis: Analysis, places: list[tuple[int, int]]) -> Observations:
    """Observations at `places`, pairs of a configuration's and a cell's index."""
    run, medians = analysis.run, analysis.medians.seconds
    ranks = sorted({run.configurations[c].ranks for c, _ in places})
    sizes = sorted({run.cells[k].size_bytes for _, k in places})
    seconds = np.full((len(ranks), len(sizes), medians.shape[2]), np.nan)
    crowded, computes = set[int](), False
    for c, k in places:
        row = ranks.index(run.configurations[c].ranks)
        seconds[row, sizes.index(run.cells[k].size_bytes)] = medians[c, k]
        circumstances: Circumstances = analysis.circumstances[c][k]
        if circumstances.crowded:
            crowded.add(ranks[row])
        computes |= circumstances.communication_share is not None
    configuration, cell = run.configurations[places[0][0]], run.cells[places[0][1]]
    return Observations(
        variant=configuration.variant,
        pattern=cell.pattern,
        buffers=str(cell.buffers),
        cadence=str(cell.cadence),
        threads=configuration.threads,
        origin=configuration.origin,
        whose_time=cell.whose_time,
        ranks=tuple(ranks),
        sizes_bytes=tuple(sizes),
        seconds=seconds,
        crowded=tuple(sorted(crowded)),
        computes=computes,
    )
