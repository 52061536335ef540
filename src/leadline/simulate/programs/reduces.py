"""Reductions to a root: elements of all ranks combined."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from leadline.models.algorithms import core_of
from leadline.simulate.programs import rooted_blocks
from leadline.simulate.programs.broadcasts import binary_rounds, chained, four_nomial_rounds
from leadline.simulate.programs.calls import CallStep, received, sent
from leadline.simulate.programs.collective import ELEMENT_BYTES, Collective, divided, strides_below
from leadline.simulate.programs.folding import folded_and_combined
from leadline.simulate.programs.reduce_scatters import halved
from leadline.topology.networks import Int64


def binomial(of: Collective) -> Iterator[CallStep]:
    """Half of the ranks left send theirs in each round, the others combine."""
    for stride in strides_below(of.ranks):
        places = np.arange(0, of.ranks - stride, 2 * stride)
        yield from _up(of, places, places + stride)


def four_nomial(of: Collective) -> Iterator[CallStep]:
    """A 4-nomial broadcast the other way."""
    for places, peers in reversed(list(four_nomial_rounds(of.ranks))):
        yield from _up(of, places, peers)


def binary(of: Collective) -> Iterator[CallStep]:
    """Up a heap, from the right child first: a binary broadcast the other way."""
    for places, peers in reversed(list(binary_rounds(of.ranks))):
        yield from _up(of, places, peers)


def linear(of: Collective) -> Iterator[CallStep]:
    """The root receives from one rank after the other, and combines."""
    others = of.places[1:]
    yield CallStep((sent(of.at(others), of.root, of.size_bytes, of.tag),))
    root = np.zeros(1, dtype=np.int64)
    for other in others:
        yield CallStep((received(of.at(root), int(of.at(other)), of.size_bytes, of.tag),))
        yield of.combined(root)


def pipeline(of: Collective) -> Iterator[CallStep]:
    """Along a chain in segments: a rank passes one on while it receives the next."""
    receivers = of.places[:-1]
    for come, step in chained(of, of.places[1:], receivers):
        yield step
        for segment in come:
            yield of.combined(receivers, segment)


def rabenseifner(of: Collective) -> Iterator[CallStep]:
    """Reduce-scatter by halving, then a binomial gather (Rabenseifner 2004)."""
    parts = divided(of.size_bytes, core_of(of.ranks), ELEMENT_BYTES)
    yield from folded_and_combined(of)
    yield from halved(of, parts)
    yield from rooted_blocks.gathered(of, parts)


def _up(of: Collective, places: Int64, peers: Int64) -> Iterator[CallStep]:
    """All of the peers' to `places`, which combine it with theirs."""
    yield of.moved(peers, places)
    yield of.combined(places)
