"""Reductions with the result on every rank."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from leadline.models.algorithms import core_of
from leadline.simulate.programs import allgathers, broadcasts, reduce_scatters, reduces
from leadline.simulate.programs.calls import CallStep
from leadline.simulate.programs.collective import ELEMENT_BYTES, Collective, divided
from leadline.simulate.programs.folding import core_exchanges, folded_and_combined, unfolded


def recursive_doubling(of: Collective) -> Iterator[CallStep]:
    """Exchanges of the whole vector with ranks twice as far (Thakur et al. 2005)."""
    yield from folded_and_combined(of)
    for ranks, peers in core_exchanges(of.ranks):
        yield of.moved(ranks, peers)
        yield of.combined(ranks)
    yield from unfolded(of)


def rabenseifner(of: Collective) -> Iterator[CallStep]:
    """Reduce-scatter by halving, then an allgather by doubling (Rabenseifner 2004)."""
    parts = divided(of.size_bytes, core_of(of.ranks), ELEMENT_BYTES)
    yield from folded_and_combined(of)
    yield from reduce_scatters.halved(of, parts)
    yield from allgathers.doubled(of, parts)
    yield from unfolded(of)


def ring(of: Collective) -> Iterator[CallStep]:
    """A reduce-scatter around a ring, then an allgather."""
    parts = replace(of, blocks=divided(of.size_bytes, of.ranks, ELEMENT_BYTES))
    yield from reduce_scatters.ring(parts)
    yield from allgathers.ring(parts)


def reduce_and_broadcast(of: Collective) -> Iterator[CallStep]:
    """Up a binomial tree, and down again."""
    yield from reduces.binomial(of)
    yield from broadcasts.binomial(of)
