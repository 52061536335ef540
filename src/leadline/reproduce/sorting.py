"""Open grids on a torus, sorted over its axes: the rule of Müller and Resch, and its hops."""

from __future__ import annotations

from leadline.mapping import evaluate, map_by
from leadline.topology.networks import Int64, Machine
from leadline.topology.words import open_grid


def sorted_over(slots: Machine, dims: tuple[int, ...]) -> Int64:
    """The slot of each rank; `slots`: as many as the grid, of a torus."""
    found = map_by("sort", open_grid(dims), slots, steps=0)
    assert found is not None  # a torus has axes to sort over
    return found


def average_hops(slots: Machine, dims: tuple[int, ...], mapping: Int64) -> float:
    """Between neighbours of the grid."""
    return evaluate(open_grid(dims), slots, mapping).average_hops
