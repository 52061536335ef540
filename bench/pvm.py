"""The tool's ping-pong over PVM against one written by hand, by both routes; NetPIPE's beside it.

Goal: the upper bound of the paired ratio is at most 1.03 at 8 and 1,024 B.
"""

from __future__ import annotations

from dataclasses import replace

from bench.live import local_backend, variant_of
from bench.loops import held_to_limit, tool_over_hand, with_loop
from bench.netpipe import netpipe_us

ROUTES = ("daemon", "direct")
SIZES = (8, 1024)


def measure(budget_s: float = 60.0, blocks: int = 16) -> dict[str, object]:
    """The ratio tool / by hand for each route and size, and NetPIPE's half round trips."""
    backend = local_backend("pvm")
    plain = variant_of(backend, "pvm", with_loop("pingpong_pvm.c"))
    variants = [replace(plain, name=route, arguments=(route,)) for route in ROUTES]
    rows = tool_over_hand(variants, SIZES, budget_s=budget_s, blocks=blocks)
    netpipe = {size: netpipe_us(backend, size) for size in SIZES}
    return held_to_limit(rows) | {"netpipe_direct_us": netpipe}
