"""A machine in lines that the preload library reads, and the variables that it takes.

leadline-machine 1              and the version of what follows
torus 8x8x8 periodic 1,1,1      or a tree: "tree LEVELS" and for each vertex, from 0 on,
vertex 0 4                      "vertex A0 A1 ..." with its switch at each level, lowest first
host NAME VERTEX                a host all of whose cores are at one vertex
core NAME NUMBER VERTEX         one processor, as its system numbers them, of another host
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from leadline.errors import UsageError
from leadline.topology.allocation import Allocation
from leadline.topology.networks import Int64, Torus, Tree

SWITCH = "LEADLINE_MAP"
"""OFF, REPORT or on."""
OFF, REPORT = "off", "report"
METRIC = "LEADLINE_MAP_METRIC"
"""The metric to minimise, one of mapping.METRICS."""
MACHINE = "LEADLINE_MAP_MACHINE"
"""The lines of a description; or FILE and the path of a file with them."""
OUT = "LEADLINE_MAP_OUT"
"""The path of a file to which new and old ranks are appended."""
STEPS = "LEADLINE_MAP_STEPS"
"""Number of swaps that are tried in the end."""
REACHES = "LEADLINE_MAP_REACHES"
"""ALL: every rank has loaded the library, for where it can't find that out."""
ALL = "all"
CART_MAP = "LEADLINE_MAP_CART_MAP"
"""OFF: MPI_Cart_map is left alone, for programs that call it on some ranks only."""
NAMES = (SWITCH, METRIC, MACHINE, OUT, STEPS, REACHES, CART_MAP)
MOST_INLINE = 100_000
"""Most characters of a variable; Linux takes 131,071 bytes."""
FILE = "@"


HEADER = "leadline-machine 1"
SEPARATOR = ";"
"""Separates lines where only one is possible."""


def describe(allocation: Allocation, processors: Sequence[Sequence[int]] | None = None) -> str:
    """The lines, each with its end; of a tree only what leads to slots of the allocation.

    Args:
        allocation: Its slots' order doesn't matter, nor how many a host has at a vertex.
        processors: For each slot the system's numbers of its processors; None: its core's. They
            count only for hosts with slots at several vertices.

    Raises:
        UsageError: A host's name has what separates words or lines.
    """
    network, vertices = _reduced(allocation.network, allocation.vertices)
    numbers = processors or [(core,) for core in allocation.cores.tolist()]
    lines = [HEADER]
    if isinstance(network, Torus):
        dims = "x".join(map(str, network.dims))
        rings = ",".join(str(int(ring)) for ring in network.periodic)
        lines.append(f"torus {dims} periodic {rings}")
    else:
        lines.append(f"tree {network.ancestors.shape[1]}")
        for switches in network.ancestors.tolist():
            lines.append(f"vertex {' '.join(map(str, switches))}")
    lines += _places(allocation, vertices, numbers)
    return "".join(f"{line}\n" for line in lines)


def on_hosts(whole: Allocation, names: Sequence[str]) -> Allocation:
    """The machine's first nodes under these names, one each, in this order.

    Raises:
        UsageError: It has fewer, or a name comes twice.
    """
    twice = next((name for name, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        raise UsageError(f"host {twice} comes twice, and can't be two nodes of {whole.name}")
    if len(names) > len(whole.hosts):
        raise UsageError(
            f"{whole.name} has {len(whole.hosts):,} nodes, {len(names):,} hosts need one each; "
            "give a larger machine"
        )
    chosen = np.flatnonzero(whole.nodes < len(names))
    return replace(whole.take(chosen), hosts=tuple(names))


def among(whole: Allocation, names: Sequence[str]) -> Allocation:
    """The slots of those hosts of the machine that `names` has, too; there may be none."""
    wanted = set(names)
    known = np.array([host in wanted for host in whole.hosts], dtype=bool)
    return whole.take(np.flatnonzero(known[whole.nodes]))


def _reduced(network: Torus | Tree, vertices: Int64) -> tuple[Torus | Tree, Int64]:
    """A tree without what nothing is at, and each slot's vertex in it; all counted from 0."""
    if isinstance(network, Torus):
        return network, vertices
    kept, renumbered = np.unique(vertices, return_inverse=True)
    levels = [np.unique(level, return_inverse=True)[1] for level in network.ancestors[kept].T]
    return Tree(ancestors=np.stack(levels, axis=1).astype(np.int64)), renumbered.astype(np.int64)


def _places(
    allocation: Allocation, vertices: Int64, processors: Sequence[Sequence[int]]
) -> Iterator[str]:
    """A line a host, or a line for each processor of one that is spread over vertices."""
    slots_of: dict[int, list[int]] = {}
    for slot, node in enumerate(allocation.nodes.tolist()):
        slots_of.setdefault(node, []).append(slot)
    vertex_of = vertices.tolist()
    for node, slots in slots_of.items():
        name = allocation.hosts[node]
        if name.split() != [name] or SEPARATOR in name:
            raise UsageError(
                f"host {name!r} can't be described: a name has neither blanks nor {SEPARATOR!r} "
                "in it"
            )
        if len({vertex_of[slot] for slot in slots}) == 1:
            yield f"host {name} {vertex_of[slots[0]]}"
            continue
        for slot in slots:
            yield from (f"core {name} {number} {vertex_of[slot]}" for number in processors[slot])
