"""Named sets of patterns."""

from __future__ import annotations

QUICK = ("pingpong", "barrier", "bcast", "allreduce")
POINT_TO_POINT = ("pingpong", "exchange")
COLLECTIVES = (
    "barrier", "bcast", "gather", "scatter", "allgather", "total_exchange", "allreduce", "reduce",
    "reduce_scatter", "scan", "exscan",
)  # fmt: skip
ONE_SIDED = (
    "put", "get", "put_window", "get_window", "put_flag", "fetch_add", "fetch_add:contended",
    "compare_swap", "compare_swap:contended",
)  # fmt: skip
SUITES = {
    "quick": QUICK,
    "p2p": POINT_TO_POINT,
    "collectives": COLLECTIVES,
    "onesided": ONE_SIDED,
    "all": POINT_TO_POINT + COLLECTIVES + ONE_SIDED,
}
