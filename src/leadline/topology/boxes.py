"""Boxes of a torus or mesh whose vertices are all free."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import numpy.typing as npt

from leadline.topology.networks import Int64, Torus

Mask = npt.NDArray[np.bool_]


def free_box(network: Torus, free: Int64, shape: tuple[int, ...]) -> Int64 | None:
    """The vertices of the first box of `shape`, turned any way, that are all in `free`; or None.

    Along periodic axes a box may reach across the end. Axes of length 1 in `shape` don't count.
    """
    lengths = [length for length in shape if length > 1]
    missing = len(network.dims) - len(lengths)
    if missing < 0:
        return None
    mask = np.zeros(math.prod(network.dims), dtype=np.bool_)
    mask[free] = True
    for turned in dict.fromkeys(permutations([*lengths, *[1] * missing])):
        origins = np.flatnonzero(_origins(network, mask.reshape(network.dims), turned))
        if origins.size:
            return _vertices(network, int(origins[0]), turned)
    return None


def _origins(network: Torus, mask: Mask, shape: tuple[int, ...]) -> Mask:
    """Where the lowest corner of a free box of `shape` may be."""
    fits = mask
    for axis, (length, extent) in enumerate(zip(shape, network.dims, strict=True)):
        if length > extent:
            return np.zeros_like(mask)
        along = fits
        for step in range(1, length):
            along = along & np.roll(fits, -step, axis)
        if not network.periodic[axis]:
            along = along & _far_from_end(network.dims, axis, extent - length)
        fits = along
    return fits


def _far_from_end(dims: tuple[int, ...], axis: int, last: int) -> Mask:
    along = np.arange(dims[axis]) <= last
    return along.reshape([-1 if other == axis else 1 for other in range(len(dims))])


def _vertices(network: Torus, origin: int, shape: tuple[int, ...]) -> Int64:
    corner = np.unravel_index(origin, network.dims)
    steps = np.indices(shape).reshape(len(shape), -1)
    inside = [
        (int(start) + step) % extent
        for start, step, extent in zip(corner, steps, network.dims, strict=True)
    ]
    return np.ravel_multi_index(inside, network.dims).astype(np.int64)
