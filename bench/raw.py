"""Raw shared memory against every MPI on the machine, echo buffers.

Goal: at 8 B below every MPI; at 1 MiB at or above the best of them.
"""

from __future__ import annotations

import numpy as np

from bench.live import local_backend, mpi_backends, upper, variant_of
from bench.live import measure as run_campaign

SIZES = (0, 8, 64, 1024, 10_000, 65_536, 262_144, 1_048_576, 4_194_304)


def measure(budget_s: float = 60.0, blocks: int = 10) -> dict[str, object]:
    """Median half round trips in microseconds, and shm's ratio to the best MPI at each size."""
    backends = mpi_backends()
    variants = [variant_of(backend, kind) for kind, backend in backends.items()]
    variants.append(variant_of(local_backend("shm"), "shm"))
    medians = run_campaign(variants, ["pingpong"], SIZES, budget_s=budget_s, blocks=blocks)
    rows: list[dict[str, object]] = []
    uppers: dict[int, float] = {}
    for row, cell in enumerate(medians.cells):
        us = {name: float(np.nanmedian(v[row])) * 1e6 for name, v in medians.by_variant.items()}
        best = min(backends, key=lambda kind: us[kind])
        ratio = medians.ratio("shm", best, row)
        rows.append(
            {"size_bytes": cell.size_bytes, "us": us, "best_mpi": best}
            | {"shm_over_best": ratio.value, "low": ratio.low, "high": ratio.high}
        )
        uppers[cell.size_bytes] = upper(ratio)
    reached = uppers[8] < 1 and uppers[1_048_576] <= 1
    return {"rows": rows, "reached": reached}
