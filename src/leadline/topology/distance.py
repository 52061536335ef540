"""Hops between vertices of a network."""

from __future__ import annotations

import numpy as np

from leadline.topology.networks import Int64, Network, Torus, Tree


def hops(network: Network, sources: Int64, targets: Int64) -> Int64:
    """Shape (sources, targets): the fewest hops from each source to each target."""
    if isinstance(network, Torus):
        return _torus_hops(network, sources, targets)
    return _tree_hops(network, sources, targets)


def _torus_hops(network: Torus, sources: Int64, targets: Int64) -> Int64:
    total = np.zeros((len(sources), len(targets)), dtype=np.int64)
    ends = zip(
        np.unravel_index(sources, network.dims),
        np.unravel_index(targets, network.dims),
        strict=True,
    )
    for (x, y), length, periodic in zip(ends, network.dims, network.periodic, strict=True):
        along = np.abs(x[:, None] - y[None, :])
        total += np.minimum(along, length - along) if periodic else along
    return total


def _tree_hops(network: Tree, sources: Int64, targets: Int64) -> Int64:
    apart = np.zeros((len(sources), len(targets)), dtype=np.int64)
    for switch in network.ancestors.T:
        apart += switch[sources][:, None] != switch[targets][None, :]
    return np.where(sources[:, None] == targets[None, :], 0, 2 * (1 + apart))
