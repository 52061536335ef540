"""Machines: a network of vertices, and the slots of an allocation on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

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
