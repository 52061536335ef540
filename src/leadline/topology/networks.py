"""Machines: a network of vertices, its distances, and the orders in which processors are numbered.

The lengths of a network's axes are written as 8x4x1.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from leadline.errors import UsageError

Int64: TypeAlias = npt.NDArray[np.int64]
Float64: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Torus:
    """A torus, or a mesh along every axis that isn't periodic.

    A vertex is its row-major index over `dims`: the first axis, x, is the slowest.
    """

    dims: tuple[int, ...]
    periodic: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """Switches of switches of vertices; one level: all vertices at a single switch.

    Two vertices are 2 (1 + l) hops apart, l being the lowest level at which they have the same
    switch.
    """

    ancestors: Int64
    """Shape (vertices, levels): the switch of each vertex at each level, from the lowest up."""


Network: TypeAlias = Torus | Tree


@dataclass(frozen=True, slots=True)
class Machine:
    """An allocation on a network."""

    network: Network
    slots: Int64
    """Shape (ranks,): the network's vertex (node) of each slot, in order; slots that share one
    are its cores."""
    name: str


def hops(network: Network, sources: Int64, targets: Int64) -> Int64:
    """Shape (sources, targets): the fewest hops from each source to each target."""
    total = np.zeros((len(sources), len(targets)), dtype=np.int64)
    if isinstance(network, Torus):
        ends = zip(
            np.unravel_index(sources, network.dims),
            np.unravel_index(targets, network.dims),
            strict=True,
        )
        for (x, y), length, periodic in zip(ends, network.dims, network.periodic, strict=True):
            along = np.abs(x[:, None] - y[None, :])
            total += np.minimum(along, length - along) if periodic else along
        return total
    for switch in network.ancestors.T:
        total += switch[sources][:, None] != switch[targets][None, :]
    return np.where(sources[:, None] == targets[None, :], 0, 2 * (1 + total))


def t3e(dims: tuple[int, ...], count: int) -> Int64:
    """The first `count` vertices of a 3-D torus as the Cray T3E numbers its processors.

    Groups of 2x4x1, x fastest inside, follow each other along +X, then +Z, then +Y.

    Args:
        dims: Three lengths, row-major; the real machine's X is 8.
        count: At most as many as there are vertices.
    """
    x, y, z = np.indices(dims, dtype=np.int64).reshape(3, -1)
    order = np.lexsort((x % 2, y % 4, x // 2, z, y // 4))
    return order[:count].astype(np.int64)


MOST_SLOTS = 2**24
"""More than any machine has cores; a larger number is a typing error."""
MOST_DIMS = 32
_LENGTH = re.compile(r"-?[0-9]+")


def parse_dims(text: str, what: str) -> tuple[int, ...]:
    """The lengths in e.g. "8x4x1", all at least 1 and their product at most MOST_SLOTS.

    Args:
        text: What the user wrote.
        what: What the errors call it.

    Raises:
        UsageError: Not a list of lengths, one below 1, too many of them or their product too large.
    """
    words = text.split("x")
    if not all(_LENGTH.fullmatch(word) for word in words):
        raise UsageError(f"{what} {text!r} is not a list of lengths; write them as in 8x4x1")
    if any(word.startswith("-") or not word.strip("0") for word in words):
        raise UsageError(f"{what} {text!r} has a length below 1; every axis needs at least 1")
    if any(len(word) > 10 for word in words) or math.prod(map(int, words)) > MOST_SLOTS:
        raise UsageError(f"{what} {text[:40]!r} is too large; {MOST_SLOTS:,} in all are the most")
    if len(words) > MOST_DIMS:
        raise UsageError(f"{what} {text[:40]!r} has {len(words)} axes; {MOST_DIMS} are the most")
    return tuple(map(int, words))
