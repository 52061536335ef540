"""Machines in a word: torus:8x8x8, mesh:16x16, nodes:16x8, nodes:8,8,4, tree:4x8x32."""

from __future__ import annotations

import math

import numpy as np

from leadline.errors import UsageError, unknown_name
from leadline.topology.allocation import Allocation, allocation_of_nodes
from leadline.topology.networks import Int64, Torus, Tree
from leadline.topology.words.dims import MOST_SLOTS, parse_dims

SYNTHETIC_KINDS = ("torus", "mesh", "nodes", "tree")
FILE_KINDS = ("hosts", "coordinates", "slurm", "hwloc")
"""Kinds whose word names a file."""
COUNTED_KINDS = ("nodes", "tree", "hwloc")
"""Kinds that say themselves how many cores a node has."""


def split_description(text: str) -> tuple[str, str]:
    """Kind and body of e.g. "torus:8x8x8"; UsageError names the nearest kind there is."""
    kind, colon, body = text.partition(":")
    kinds = (*SYNTHETIC_KINDS, *FILE_KINDS)
    if kind not in kinds and colon:
        raise unknown_name("kind of machine", kind, kinds)
    if not body:
        lacks = "kind" if kind not in kinds else "file" if kind in FILE_KINDS else "size"
        raise UsageError(f"machine {text!r} has no {lacks}; write e.g. torus:8x8x8 or hosts:FILE")
    return kind, body


def cores_per_node(kind: str, cores: int | None) -> int:
    """How many cores every node of a machine of `kind` has, which only --cores can say; else 1.

    Raises:
        UsageError: The description has its own numbers of cores, or this one is below 1.
    """
    if cores is not None and kind in COUNTED_KINDS:
        raise UsageError(f"--cores {cores} is not for {kind}: machines, which say it themselves")
    if cores is not None and cores < 1:
        raise UsageError(f"--cores {cores} must be at least 1")
    return cores or 1


def synthetic_machine(text: str, cores: int | None = None) -> Allocation:
    """All slots of the machine that `text` describes.

    Args:
        text: E.g. "torus:8x8x8".
        cores: Of each node, where the description doesn't say; None: 1.

    Raises:
        UsageError: The description is wrong, zero, negative or too large.
    """
    kind, body = split_description(text)
    each = cores_per_node(kind, cores)
    if kind == "nodes":
        counts = _node_cores(body, text)
        return allocation_of_nodes(text, single_switch(len(counts)), _vertices(len(counts)), counts)
    dims = parse_dims(body, kind)
    if kind == "tree":
        return _tree(dims, text)
    network = Torus(dims=dims, periodic=(kind == "torus",) * len(dims))
    return _equal_nodes(text, network, math.prod(dims), each)


def single_switch(nodes: int) -> Tree:
    """The network of nodes that are all equally far from each other."""
    return Tree(ancestors=np.zeros((nodes, 1), dtype=np.int64))


def _vertices(count: int) -> Int64:
    return np.arange(count, dtype=np.int64)


def _equal_nodes(name: str, network: Torus | Tree, nodes: int, cores: int) -> Allocation:
    if nodes * cores > MOST_SLOTS:
        raise UsageError(
            f"{name} with {cores} cores a node is too large; {MOST_SLOTS:,} are the most"
        )
    return allocation_of_nodes(name, network, _vertices(nodes), np.full(nodes, cores, np.int64))


def _node_cores(body: str, text: str) -> Int64:
    """Cores of each node in "16x8", "8,8,4" or "15x8,4"."""
    counts: list[int] = []
    slots = 0
    for word in body.split(","):
        parts = parse_dims(word, "nodes")
        if len(parts) > 2:
            raise UsageError(f"{text[:40]!r} is no list of nodes; write nodes:16x8 or nodes:8,8,4")
        slots += math.prod(parts)
        if slots > MOST_SLOTS:
            raise UsageError(
                f"{text[:40]!r} has {slots:,} cores or more; {MOST_SLOTS:,} are the most"
            )
        counts += [parts[1]] * parts[0] if len(parts) == 2 else [parts[0]]
    return np.array(counts, dtype=np.int64)


def _tree(dims: tuple[int, ...], text: str) -> Allocation:
    """Switches of switches of nodes of cores, from the top down."""
    if len(dims) < 2:
        raise UsageError(f"{text!r} needs two lengths at least: nodes and their cores")
    *switches, cores = dims
    vertices = _vertices(math.prod(switches))
    below = np.cumprod(switches[::-1])
    tree = Tree(ancestors=np.stack([vertices // count for count in below], axis=1))
    return _equal_nodes(text, tree, len(vertices), cores)
