"""The tool's ping-pong over PVM against one written by hand, by both routes; NetPIPE's beside it.

Goal: the upper bound of the paired ratio is at most 1.03 at 8 and 1,024 B. Both loops are in the
same launch and take turns (bench/reference/pingpong_pvm.c).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from bench.live import local_backend, ratio_of, upper, variant_of
from bench.live import measure as run_campaign
from bench.netpipe import netpipe_us
from leadline.kernels.build import Additions

BY_HAND = Additions(sources=(Path(__file__).parent / "reference" / "pingpong_pvm.c",))
ROUTES = ("daemon", "direct")
SIZES = (8, 1024)
LIMIT = 1.03


def measure(budget_s: float = 60.0, blocks: int = 16) -> dict[str, object]:
    """The ratio tool / by hand for each route and size, and NetPIPE's half round trips."""
    backend = local_backend("pvm")
    plain = variant_of(backend, "pvm", BY_HAND)
    variants = [replace(plain, name=route, arguments=(route,)) for route in ROUTES]
    patterns = ["pingpong", "pingpong_by_hand"]
    medians = run_campaign(variants, patterns, SIZES, budget_s=budget_s, blocks=blocks)
    row_of = {(cell.pattern, cell.size_bytes): row for row, cell in enumerate(medians.cells)}
    rows: list[dict[str, object]] = []
    worst = 0.0
    for route in ROUTES:
        for size in SIZES:
            tool, hand = (medians.by_variant[route][row_of[name, size]] for name in patterns)
            ratio = ratio_of(tool, hand)
            worst = max(worst, upper(ratio))
            us = {"tool_us": float(np.nanmedian(tool)) * 1e6}
            bounds = {"ratio": ratio.value, "low": ratio.low, "high": ratio.high}
            rows.append({"route": route, "size_bytes": size} | us | bounds)
    return {
        "rows": rows,
        "netpipe_direct_us": {size: netpipe_us(backend, size) for size in SIZES},
        "worst_upper_bound": worst,
        "limit": LIMIT,
        "reached": worst <= LIMIT,
    }
