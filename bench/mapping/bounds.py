"""How many mappings are proven optimal: grids and the same told by their edges alone.

On nodes of 4, 8 and 16 cores at one switch, rings and rows of nodes, and tori, meshes and trees of
as many, by three metrics (with weights of 1 hop-bytes are hops).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from harness.mapping_cases import edges_of, grid

from leadline.mapping import map_ranks
from leadline.topology.communication import Communication
from leadline.topology.networks import Machine
from leadline.topology.words import synthetic_machine

GRIDS = ((16,), (64,), (8, 8), (16, 4), (12, 6), (16, 16), (4, 4, 4), (8, 4, 2), (8, 8, 8))
CORES = (4, 8, 16)
NETWORKS = {
    16: ("torus:4x4", "mesh:4x4"),
    64: ("torus:8x8", "torus:4x4x4", "mesh:8x8", "tree:4x4x4"),
    72: ("torus:9x8",),
    256: ("torus:16x16", "torus:8x8x4"),
    512: ("torus:8x8x8", "mesh:8x8x8"),
}
METRICS = ("hops", "load", "internode")
MOST_TOLD_BY_EDGES = 256


def proofs() -> list[dict[str, object]]:
    """A row for each number of axes and way of telling; of each metric how many of how many."""
    rows: list[dict[str, object]] = []
    for axes in (1, 2, 3):
        grids = [dims for dims in GRIDS if len(dims) == axes]
        for told_by in ("grid", "edges"):
            proven = {metric: _proven(grids, told_by, metric) for metric in METRICS}
            rows.append({"axes": axes, "told_by": told_by, **proven})
    return rows


def _proven(grids: Sequence[tuple[int, ...]], told_by: str, metric: str) -> str:
    found = [
        map_ranks(pattern, machine, metric=metric).proven_optimal
        for dims in grids
        if told_by == "grid" or math.prod(dims) <= MOST_TOLD_BY_EDGES
        for pattern in _patterns(dims, told_by)
        for machine in _machines(math.prod(dims))
    ]
    return f"{sum(found)} of {len(found)}"


def _patterns(dims: tuple[int, ...], told_by: str) -> list[Communication]:
    both = [grid(*dims, periodic=rings) for rings in (False, True)]
    return [edges_of(one) for one in both] if told_by == "edges" else list(both)


def _machines(ranks: int) -> list[Machine]:
    nodes = [(ranks // cores, cores) for cores in CORES if ranks % cores == 0 and ranks > cores]
    shapes = [f"nodes:{count}x{cores}" for count, cores in nodes]
    words = [*shapes, f"torus:{ranks}", f"mesh:{ranks}", *NETWORKS[ranks]]
    return [synthetic_machine(word).machine for word in words]
