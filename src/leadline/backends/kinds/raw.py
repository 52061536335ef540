"""Kinds without a library: raw transports, traced and scripted messages, and null.

A raw transport shows what a library could reach at best; null what the tool itself costs.
"""

from __future__ import annotations

from leadline.backends.kinds.kind import Kind, Trial
from leadline.backends.launchers.direct import Alone, Direct, Mesh, Piped

SHM = Kind(
    name="shm",
    title="raw shared memory",
    sources=("shm", "matching", "persistent", "queue"),
    launcher=Direct,
    startup_s=0.05,
    segments=("leadline-",),
    raw=True,
    one_host=True,
    transport="shm",
    trial=Trial("LEADLINE_SINGLE_COPY", r"\(single copy: (.*)\)"),
)
"""What a library on one host could reach at best."""

TCP = Kind(
    name="tcp",
    title="raw TCP",
    sources=("tcp", "matching", "persistent", "queue"),
    launcher=Mesh,
    startup_s=0.05,
    bytes_per_s=5e8,
    raw=True,
    only_by_name=True,
    rendezvous=True,
    transport="tcp loopback",
)
"""What a library over sockets could reach at best."""

NAMED = (
    "barrier", "barrier_dissemination", "bcast", "gather", "scatter", "allgather", "alltoall",
    "neighbor_allgather", "neighbor_alltoall", "gatherv", "scatterv", "allgatherv", "alltoallv",
    "allreduce", "reduce", "reduce_scatter", "reduce_scatterv", "scan", "exscan",
)  # fmt: skip
"""Collectives by whose names the trace lists the messages that they send."""

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
"""Logs who sends what to whom, as the patterns themselves do it."""

NULL = Kind(
    name="null",
    title="no transport at all",
    sources=("null",),
    launcher=Alone,
    startup_s=0.05,
    raw=True,
    only_by_name=True,
    one_host=True,
    transport="none",
)
"""Operations that return at once, so that what is left is the tool's own cost."""

SCRIPTED = Kind(
    name="scripted",
    title="a scripted library",
    sources=(),
    launcher=Mesh,
    startup_s=0.05,
    only_by_name=True,
)
"""Answers from a script instead of moving messages (leadline.scripted). Its ranks are no processes:
a scripted machine plays what this launcher would start."""
