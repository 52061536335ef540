"""Named sets of patterns."""

from __future__ import annotations

QUICK = ("pingpong", "barrier", "bcast", "allreduce")
POINT_TO_POINT = ("pingpong", "exchange")
COLLECTIVES = (
    "barrier", "bcast", "gather", "scatter", "allgather", "total_exchange", "allreduce", "reduce",
    "reduce_scatter", "scan", "exscan",
    "gatherv", "gatherv:skewed", "scatterv", "scatterv:skewed", "allgatherv", "allgatherv:skewed",
    "total_exchangev", "total_exchangev:skewed", "reduce_scatterv", "reduce_scatterv:skewed",
    "neighbor_allgather", "neighbor_alltoall", "bcast:rotating", "reduce:rotating",
)  # fmt: skip
SUITES = {
    "quick": QUICK,
    "p2p": POINT_TO_POINT,
    "collectives": COLLECTIVES,
    "all": POINT_TO_POINT + COLLECTIVES,
}
