"""Puts, and ping-pong by puts and flags, against loops written by hand over the same library.

Goal: the upper bound of the paired ratio tool / by hand is at most 1.03 at 8 B. Both loops are in
the same launch and take turns (bench/reference/put_*.c), so that what differs is the loop alone.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bench.live import measure as run_campaign
from bench.live import mpi_backends, ratio_of, variant_of
from leadline.backends.backend import Backend
from leadline.backends.discovery import find_backends
from leadline.kernels.build import Additions

REFERENCE = Path(__file__).parent / "reference"
SIZE = 8
LIMIT = 1.03


def measure(budget_s: float = 30.0, blocks: int = 16) -> dict[str, object]:
    """The ratio tool / by hand with its 95 % interval: puts over each library, flags over SHMEM."""
    shmem = [backend for backend in find_backends() if backend.kind == "shmem" and backend.usable]
    libraries = mpi_backends()
    rows = _rows("put", "put_mpi.c", libraries, budget_s, blocks)
    if shmem:
        rows += _rows("put", "put_shmem.c", {"shmem": shmem[0]}, budget_s, blocks)
        rows += _rows("put_flag", "put_flag_shmem.c", {"shmem": shmem[0]}, budget_s, blocks)
    worst = max(float(str(row["high"])) for row in rows)
    missing = {} if shmem else {"missing": "OpenSHMEM; see leadline doctor"}
    return {"rows": rows, "worst_upper_bound": worst, "limit": LIMIT, "reached": worst <= LIMIT} | (
        missing
    )


def _rows(
    pattern: str, source: str, backends: dict[str, Backend], budget_s: float, blocks: int
) -> list[dict[str, object]]:
    by_hand = Additions(sources=(REFERENCE / source,))
    variants = [variant_of(backend, name, by_hand) for name, backend in backends.items()]
    patterns = [pattern, f"{pattern}_by_hand"]
    medians = run_campaign(variants, patterns, [SIZE], budget_s=budget_s, blocks=blocks)
    row_of = {cell.pattern: row for row, cell in enumerate(medians.cells)}
    rows: list[dict[str, object]] = []
    for name in backends:
        tool, hand = (medians.by_variant[name][row_of[p]] for p in patterns)
        ratio = ratio_of(tool, hand)
        us: dict[str, object] = {
            "tool_us": float(np.nanmedian(tool)) * 1e6,
            "hand_us": float(np.nanmedian(hand)) * 1e6,
        }
        bounds: dict[str, object] = {"ratio": ratio.value, "low": ratio.low, "high": ratio.high}
        rows.append({"library": name, "pattern": pattern} | us | bounds)
    return rows
