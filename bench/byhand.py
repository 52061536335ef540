"""The tool's ping-pong against one written by hand over the same library and buffers.

Goal: the upper bound of the paired ratio is at most 1.03 at 0, 8 and 1,024 B. Both loops are in the
same launch and take turns, so that what differs is the loop alone (bench/reference/pingpong_mpi.c).
"""

from __future__ import annotations

from pathlib import Path

from bench.imb import KINDS, imb
from bench.live import measure as run_campaign
from bench.live import mpi_backends, ratio_of, upper, variant_of
from leadline.kernels.build import Additions

BY_HAND = Additions(sources=(Path(__file__).parent / "reference" / "pingpong_mpi.c",))
SIZES = (0, 8, 1024)
LIMIT = 1.03


def measure(budget_s: float = 100.0, blocks: int = 16) -> dict[str, object]:
    """The ratio tool / by hand with its 95 % interval, for each library and size."""
    backends = mpi_backends()
    variants = [variant_of(backend, kind, BY_HAND) for kind, backend in backends.items()]
    patterns = ["pingpong", "pingpong_by_hand"]
    medians = run_campaign(variants, patterns, SIZES, budget_s=budget_s, blocks=blocks)
    row_of = {(cell.pattern, cell.size_bytes): row for row, cell in enumerate(medians.cells)}
    rows: list[dict[str, object]] = []
    worst = 0.0
    for kind in backends:
        for size in SIZES:
            tool, hand = (medians.by_variant[kind][row_of[name, size]] for name in patterns)
            ratio = ratio_of(tool, hand)
            worst = max(worst, upper(ratio))
            bounds = {"ratio": ratio.value, "low": ratio.low, "high": ratio.high}
            rows.append({"library": kind, "size_bytes": size} | bounds)
    beside = {k: imb(backends[k], 8, 500_000) | imb(backends[k], 1024, 500_000) for k in KINDS}
    return {
        "rows": rows,
        "imb_us": beside,
        "worst_upper_bound": worst,
        "limit": LIMIT,
        "reached": worst <= LIMIT,
    }
