"""Results of studies whose blocks are exactly the numbers given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from harness.blocks import cell, configuration, run_of_blocks

from leadline.compare.analysis import Analysis
from leadline.papers.cray_mpt import printed as cray_mpt
from leadline.papers.cray_mpt.printed import J90
from leadline.papers.cray_mpt.stages import (
    BARRIER,
    LATENCY,
    LOG2_SUM,
    MASTER_REDUCTIONS,
    SIZES,
    TASKS,
    VECTORS,
)
from leadline.papers.cray_mpt.tables import message_pattern
from leadline.papers.results import Measurand, Results, results_of
from leadline.record.run import Run

CORES = 4
"""PEs beyond these are crowded, unless a test says otherwise."""
BLOCKS = 8

Times = Mapping[Measurand, float | Sequence[float]]


def results(times: Times, missing: Mapping[str, str] | None = None, cores: int = CORES) -> Results:
    """Seconds by place: one number is that of every block, several are one for each block."""
    stages = dict.fromkeys(place.stage for place in times)
    return results_of(
        {stage: Analysis(_run(stage, times, missing or {}, cores)) for stage in stages}
    )


def noisy(times: Mapping[Measurand, float]) -> dict[Measurand, float | Sequence[float]]:
    """The times with 1 % of noise, different from place to place and always the same."""
    factors = np.exp(np.random.default_rng(7).normal(0, 0.01, (len(times), BLOCKS)))
    noise = zip(times.items(), factors.tolist(), strict=True)
    return {place: [time * factor for factor in row] for (place, time), row in noise}


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


def transfers(
    library: str, latency_s: float, bandwidth_bytes_per_s: float
) -> dict[Measurand, float]:
    """A curve with that latency and bandwidth."""
    kind = library.lower()
    return {
        Measurand(LATENCY, kind, 2, message_pattern(kind), size): latency_s
        + size / bandwidth_bytes_per_s
        for size in SIZES
    }


def barriers(times: Mapping[int, float]) -> dict[Measurand, float]:
    return {Measurand(TASKS, "shmem", pes, BARRIER): time for pes, time in times.items()}


def j90_times() -> dict[Measurand, float]:
    """What a machine with the J90's published figures would measure."""
    times: dict[Measurand, float] = {}
    for library in ("pvm", "shmem"):
        printed = cray_mpt.values(J90, "table1", library, of=("latency", "bandwidth"))
        times |= transfers(library.upper(), *printed)
    times |= barriers({pes: cray_mpt.value(J90, "table2", pes, "time") for pes in cray_mpt.PES})
    for pes in cray_mpt.PES:
        seconds = cray_mpt.values(J90, "table3", pes, of=("gsum", "gmax", "gland"))
        at = (Measurand(TASKS, "shmem", pes, pattern) for pattern in MASTER_REDUCTIONS)
        times |= dict(zip(at, seconds, strict=True))
    for pes in cray_mpt.PES:
        where = Measurand(VECTORS, "shmem", pes, LOG2_SUM, cray_mpt.VECTOR_BYTES)
        times[where] = cray_mpt.value(J90, "table4", pes)
    return times


def j90() -> Results:
    """The J90 with its 32 CPUs."""
    return results(j90_times(), cores=32)


def today() -> Results:
    """A machine with fast messages, and barriers that grow as the logarithm of the PEs."""
    times = transfers("SHMEM", 500e-9, 10e9) | transfers("PVM", 10e-6, 200e6)
    times |= barriers({2: 100e-9, 4: 200e-9, 8: 300e-9, 16: 401e-9})
    return results(times, cores=32)
