"""Named sets of patterns, and how long a campaign of each may take unless told otherwise."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Suite:
    """Patterns with their options, as `--patterns` takes them."""

    patterns: tuple[str, ...]
    budget_s: float


QUICK = ("pingpong", "barrier", "bcast", "allreduce")
POINT_TO_POINT = (
    "pingpong", "exchange", "pingpong_sync", "pingpong_nonblocking", "pingpong_buffered",
    "pingpong_persistent", "pingpong_anysource", "stream", "message_rate", "unexpected",
    "unexpected:64", "unexpected:1024", "pingpong_strided", "pingpong_strided_packed",
    "pingpong_struct", "pingpong_struct_packed", "pingpong_multiple", "pingpong_threads",
)  # fmt: skip
BLOCKING = (
    "barrier", "bcast", "gather", "scatter", "allgather", "alltoall", "allreduce", "reduce",
    "reduce_scatter", "scan", "exscan", "bcast:rotating", "reduce:rotating",
)  # fmt: skip
VECTORS = tuple(
    f"{name}{counts}"
    for name in ("gatherv", "scatterv", "allgatherv", "alltoallv", "reduce_scatterv")
    for counts in ("", ":skewed")
)
NEIGHBOURS = ("neighbor_allgather", "neighbor_alltoall")
NON_BLOCKING = tuple(
    f"{name}{overlap}"
    for name in ("ibarrier", "ibcast", "iallreduce", "iallgather", "ialltoall")
    for overlap in ("", ":overlapped", ":computing")
)
COLLECTIVES = BLOCKING + VECTORS + NEIGHBOURS + NON_BLOCKING
ONE_SIDED = (
    "put", "get", "put_window", "get_window", "put_flag", "fetch_add", "fetch_add:contended",
    "compare_swap", "compare_swap:contended",
)  # fmt: skip
MAPPING = (
    "pair", "cyclic", "cyclic:open", "cyclic_two_step", "halo", "halo:at_once", "halo:corners",
)  # fmt: skip
"""Neighbours on a grid; not among `all`, since two ranks have little of one."""
APPLICATIONS = ("mg:S", "mg_puts:S", "mg:W", "mg_puts:W", "stap:small", "stap:medium")
"""Programs; not among `all` either."""
SUITES = {
    "quick": Suite(QUICK, 60),
    "p2p": Suite(POINT_TO_POINT, 600),
    "collectives": Suite(COLLECTIVES, 900),
    "onesided": Suite(ONE_SIDED, 180),
    "all": Suite(POINT_TO_POINT + COLLECTIVES + ONE_SIDED, 1200),
    "mapping": Suite(MAPPING, 180),
    "applications": Suite(APPLICATIONS, 180),
}
PATTERNS_BUDGET_S = 60
"""Budget of patterns that the user names, in seconds."""
