"""The tool's ping-pong against one written by hand over the same library and buffers.

Goal: the upper bound of the paired ratio is at most 1.03 at 0, 8 and 1,024 B.
"""

from __future__ import annotations

from bench.imb import KINDS, imb
from bench.live import mpi_backends, variant_of
from bench.loops import held_to_limit, tool_over_hand, with_loop

SIZES = (0, 8, 1024)


def measure(budget_s: float = 100.0, blocks: int = 16) -> dict[str, object]:
    """The ratio tool / by hand with its 95 % interval, for each library and size."""
    backends = mpi_backends()
    loop = with_loop("pingpong_mpi.c")
    variants = [variant_of(backend, kind, loop) for kind, backend in backends.items()]
    rows = tool_over_hand(variants, SIZES, budget_s=budget_s, blocks=blocks)
    beside = {k: imb(backends[k], 8, 500_000) | imb(backends[k], 1024, 500_000) for k in KINDS}
    return held_to_limit(rows) | {"imb_us": beside}
