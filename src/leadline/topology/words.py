"""Descriptions of grids and machines: 8x4x1, 1,0,0, torus:8x8x8, nodes:16x8, tree:4x8x32."""

from __future__ import annotations

import math

import numpy as np

from leadline.errors import UsageError, unknown_name
from leadline.topology.allocation import Allocation, allocation_of_nodes
from leadline.topology.communication import Grid
from leadline.topology.networks import MOST_SLOTS, Int64, Torus, Tree, parse_dims

MOST_AXES = 8
"""Most axes of a stencil with diagonals: 3^8 neighbours."""


def open_grid(dims: tuple[int, ...]) -> Grid:
    """A grid with open axes in which all neighbours exchange 1."""
    return Grid(dims, (False,) * len(dims), ((1.0, 1.0),) * len(dims), diagonals=False)


def domain_grid(dims: tuple[int, ...]) -> Grid:
    """An open grid of the parts of a cube; its weights are faces, the cube's being 1."""
    faces = tuple((length / math.prod(dims),) * 2 for length in dims)
    return Grid(dims, (False,) * len(dims), faces, diagonals=False)


def parse_grid(
    text: str, periodic: str | None = None, weights: str | None = None, diagonals: bool = False
) -> Grid:
    """The grid that the words describe.

    Args:
        text: Lengths, e.g. "8x4x1".
        periodic: 1 or 0 for each axis, e.g. "1,0,0"; None: all open.
        weights: For each axis one number, or two as "down:up", e.g. "1,1:2,0.5"; None: all 1.
        diagonals: Whether corners and edges of the stencil exchange as well.

    Raises:
        UsageError: A word that isn't one of these, or as many as there are axes; a weight that is
            negative or not finite.
    """
    dims = parse_dims(text, "grid")
    if diagonals and len(dims) > MOST_AXES:
        raise UsageError(f"grid {text!r} has too many axes for diagonals; {MOST_AXES} are the most")
    rings = (False,) * len(dims)
    if periodic is not None:
        words = _words(periodic, "--periodic", len(dims))
        if not set(words) <= {"0", "1"}:
            raise UsageError(f"--periodic {periodic!r} has an entry other than 0 and 1")
        rings = tuple(word == "1" for word in words)
    pairs = [(1.0, 1.0)] * len(dims)
    if weights is not None:
        ends = [word.partition(":") for word in _words(weights, "--weights", len(dims))]
        pairs = [
            (_weight(down, weights), _weight(up if colon else down, weights))
            for down, colon, up in ends
        ]
    return Grid(dims=dims, periodic=rings, weights=tuple(pairs), diagonals=diagonals)


def _words(text: str, option: str, axes: int) -> list[str]:
    words = text.split(",")
    if len(words) != axes:
        raise UsageError(
            f"{option} {text!r} must have an entry for each axis: {axes}, not {len(words)}"
        )
    return words


def _weight(word: str, text: str) -> float:
    try:
        weight = float(word)
    except ValueError:
        raise UsageError(f"--weights {text!r}: {word!r} is not a number") from None
    if not (math.isfinite(weight) and weight >= 0):
        raise UsageError(f"--weights {text!r}: {word!r} must be finite and not negative")
    return weight


SYNTHETIC_KINDS = ("torus", "mesh", "nodes", "tree")
FILE_KINDS = ("hosts", "coordinates", "slurm", "hwloc")
"""Kinds that are described by a file."""
COUNTED_KINDS = ("nodes", "tree", "hwloc")
"""Kinds whose description contains the number of cores of a node."""


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
    """Cores of every node of a machine of `kind`, where only --cores gives them; else 1.

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
        cores: Cores of each node, where the description has none; None: 1.

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
    """The network of nodes that all have the same distance from each other."""
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
