"""The tool's loop against one written by hand, in the same kernel (bench/reference).

Both are patterns of one launch and take turns, so that what differs is the loop alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.live import measure as run_campaign
from bench.live import upper
from leadline.kernels.build import Additions
from leadline.measure.spec import Variant
from leadline.statistics.intervals import Floats

LIMIT = 1.03
"""What the upper bound of tool / by hand may be at most."""

Row = dict[str, object]


def with_loop(source: str) -> Additions:
    """What adds the loop in the file `source` of bench/reference to a kernel."""
    return Additions(sources=(Path(__file__).parent / "reference" / source,))


def tool_over_hand(
    variants: Sequence[Variant],
    sizes: Sequence[int],
    *,
    pattern: str = "pingpong",
    budget_s: float,
    blocks: int,
) -> list[Row]:
    """Times in microseconds and their paired ratio with its 95 % interval, by variant and size."""
    patterns = (pattern, f"{pattern}_by_hand")
    medians = run_campaign(variants, patterns, sizes, budget_s=budget_s, blocks=blocks)
    row_of = {(cell.pattern, cell.size_bytes): row for row, cell in enumerate(medians.cells)}
    rows: list[Row] = []
    for variant in variants:
        for size in sizes:
            times = medians.by_variant[variant.name]
            tool, hand = (row_of[name, size] for name in patterns)
            ratio = medians.ratio(variant.name, variant.name, tool, hand)
            rows.append(
                {"variant": variant.name, "pattern": pattern, "size_bytes": size}
                | {"tool_us": _median_us(times[tool]), "hand_us": _median_us(times[hand])}
                | {"ratio": ratio.value, "low": ratio.low, "high": upper(ratio)}
            )
    return rows


def held_to_limit(rows: Sequence[Row]) -> Row:
    """The `rows`, the worst of their upper bounds, and whether that is within LIMIT."""
    worst = max(float(str(row["high"])) for row in rows)
    return {
        "rows": list(rows),
        "worst_upper_bound": worst,
        "limit": LIMIT,
        "reached": worst <= LIMIT,
    }


def _median_us(seconds: Floats) -> float:
    return float(np.nanmedian(seconds)) * 1e6
