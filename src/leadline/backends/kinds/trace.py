"""Traced messages: who sends what to whom, as the patterns themselves do it."""

from __future__ import annotations

from leadline.backends.kinds.kind import Kind
from leadline.backends.launchers.direct import Piped

NAMED = (
    "barrier", "barrier_dissemination", "bcast", "gather", "scatter", "allgather", "alltoall",
    "neighbor_allgather", "neighbor_alltoall", "gatherv", "scatterv", "allgatherv", "alltoallv",
    "allreduce", "reduce", "reduce_scatter", "reduce_scatterv", "scan", "exscan",
)  # fmt: skip
"""Collectives by which the log names what they send."""

TRACE = Kind(
    name="trace",
    title="traced messages",
    sources=("trace", "persistent", "queue"),
    link_flags=(*(f"-Wl,--wrap=tp_{name}" for name in NAMED), "-Wl,--wrap=combine"),
    launcher=Piped,
    startup_s=0.05,
    process_bytes=2**20,
    raw=True,
    only_by_name=True,
    one_host=True,
    transport="pipes",
)
