"""A machine as a folder that the plug-in reads: what ranks share, and the way between any two."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import numpy as np

from leadline.errors import UsageError
from leadline.simulate.machine import Compute
from leadline.simulate.routes import Fabric
from leadline.simulate.smpi.lines import CostLine, SmpiCosts
from leadline.topology.networks import Float64, Int64

MOST_RANKS = 4096
"""Whose ways, one for each two of them, are written in seconds."""
AMPLE_FLOP_PER_S = 1e18
"""Of a machine whose computation costs nothing."""


def write_platform(
    directory: Path, fabric: Fabric, slots: Int64, costs: SmpiCosts, compute: Compute
) -> None:
    """Writes what native/smpi/platform.cpp says that it reads.

    Args:
        directory: Is there.
        fabric: What messages share.
        slots: Shape (ranks,): where each rank is.
        costs: Of the library.
        compute: How fast ranks compute.

    Raises:
        UsageError: More than MOST_RANKS.
    """
    ranks = len(slots)
    if ranks > MOST_RANKS:
        raise UsageError(
            f"SimGrid is given at most {MOST_RANKS:,} ranks, seen {ranks:,}; take fewer, or "
            "`leadline simulate`, which has no such limit"
        )
    (directory / "costs").write_text(_text(costs, ranks, compute))
    own = np.full(2 * ranks, costs.rank_bytes_per_s or np.inf)
    limited = fabric.beside(own) if costs.rank_bytes_per_s else fabric
    limited.capacities.tofile(directory / "capacities")
    limited.crowd.tofile(directory / "crowd")
    limited.crowded.tofile(directory / "crowded")
    _write_ways(directory, fabric, slots, costs.rank_bytes_per_s is not None)


def _text(costs: SmpiCosts, ranks: int, compute: Compute) -> str:
    speed = compute.flop_per_s if math.isfinite(compute.flop_per_s) else AMPLE_FLOP_PER_S
    lines = [f"{ranks} {speed!r} {costs.eager_below_bytes}"]
    for field in fields(costs):
        table = getattr(costs, field.name)
        if isinstance(table, tuple):
            lines += [_line(field.name, one) for one in table]
    return "\n".join(lines) + "\n"


def _line(name: str, line: CostLine) -> str:
    return f"{name} {line.least_bytes} {line.base_s!r} {line.byte_s!r}"


def _write_ways(directory: Path, fabric: Fabric, slots: Int64, limited: bool) -> None:
    starts, latencies = [np.zeros(1, dtype=np.int64)], []
    with (directory / "ways").open("wb") as file:
        for lengths, latency_s, ways in _ways(fabric, slots, limited):
            starts.append(starts[-1][-1] + np.cumsum(lengths))
            latencies.append(latency_s)
            ways.astype(np.int32).tofile(file)
    np.concatenate(starts).tofile(directory / "starts")
    np.concatenate(latencies).tofile(directory / "latencies")


def _ways(fabric: Fabric, slots: Int64, limited: bool) -> Iterator[tuple[Int64, Float64, Int64]]:
    """Of each rank to all: how long ways are, their latencies, and one way after the other.

    Where its library limits a rank, ways end with its own way out and the other's way in.
    """
    ranks, first = len(slots), len(fabric.capacities)
    others = np.arange(ranks, dtype=np.int64)
    for rank in range(ranks):
        routes = fabric.route(np.full(ranks, slots[rank]), slots)
        own = np.stack([np.full(ranks, first + rank), first + ranks + others], axis=1)
        routes = routes.then(own, np.full(ranks, limited))
        yield np.diff(routes.starts), routes.latency_s, routes.resources
