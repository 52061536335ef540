"""Results of studies whose blocks are exactly the numbers given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from blocks import cell, configuration, run_of_blocks
from leadline.record import Run
from leadline.studies.results import Place, Results, results_of

CORES = 4
"""PEs beyond these are crowded, unless a test says otherwise."""
BLOCKS = 8

Times = Mapping[Place, float | Sequence[float]]


def results(times: Times, missing: Mapping[str, str] | None = None, cores: int = CORES) -> Results:
    """Seconds by place: one number is that of every block, several are one for each block."""
    stages = dict.fromkeys(place.stage for place in times)
    return results_of({stage: _run(stage, times, missing or {}, cores) for stage in stages})


def _run(stage: str, times: Times, missing: Mapping[str, str], cores: int) -> Run:
    mine = {place: value for place, value in times.items() if place.stage == stage}
    keys = list(dict.fromkeys((p.variant, p.pes) for p in mine))
    cells = list(dict.fromkeys((p.size_bytes, p.pattern) for p in mine))
    seconds = np.full((len(keys), len(cells), BLOCKS), np.nan)
    for p, value in mine.items():
        where = keys.index((p.variant, p.pes)), cells.index((p.size_bytes, p.pattern))
        seconds[where] = value
    run = run_of_blocks(
        seconds,
        [
            configuration(
                variant, ranks=pes, oversubscribed=pes > cores, algorithms=_algorithms(mine)
            )
            for variant, pes in keys
        ],
        [cell(*one) for one in cells],
        path=f"runs/{stage}",
    )
    run.metadata["study"] = {"missing": dict(missing)}  # type: ignore[index]
    return run


def _algorithms(times: Times) -> dict[str, str]:
    return {place.pattern.partition(":")[0]: "native" for place in times}
