"""Pairs of hosts: rounds in which no host has two partners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

import numpy as np

HostPair = tuple[str, str]
"""Two hosts in alphabetical order."""
Matching = tuple[HostPair, ...]
"""Disjoint pairs."""


def pair_of(host: str, other: str) -> HostPair:
    """The pair of two hosts, whoever is named first."""
    return (host, other) if host < other else (other, host)


def matchings(hosts: Collection[str], seed: int) -> Iterator[Matching]:
    """Endless rounds, in cycles in which every pair meets once.

    With an odd number of hosts another one rests in each round; fewer than two: no rounds. Each
    cycle begins with another order, drawn from `seed`.
    Source: the circle method, Kirkman 1847: one stays, the others move on by one place.
    """
    names, random = sorted(hosts), np.random.default_rng(seed)
    while len(names) > 1:
        order = [*random.permutation(names).tolist(), *[""] * (len(names) % 2)]
        for _ in range(len(order) - 1):
            half = len(order) // 2
            met = zip(order[:half], reversed(order[half:]), strict=True)
            yield tuple(sorted(pair_of(*pair) for pair in met if all(pair)))
            order = [order[0], order[-1], *order[1:-1]]


def with_partners(
    wanted: Sequence[str], partners: Collection[str], met: Iterable[HostPair]
) -> Matching:
    """Each of `wanted` with the one of `partners` that it met least often in `met`.

    First come, first served, as far as partners suffice. None of `wanted` is a partner.
    """
    often, free, pairs = Counter(met), sorted(partners), []
    for host in wanted:
        if free:
            partner = min(free, key=lambda other: often[pair_of(host, other)])
            free.remove(partner)
            pairs.append(pair_of(host, partner))
    return tuple(sorted(pairs))


def met_least(hosts: Collection[str], met: Iterable[HostPair]) -> Matching:
    """`hosts` with each other, each beside one that it met least often in `met`.

    With an odd number of hosts one rests that was in pairs most often.
    """
    known = list(met)
    often = Counter(host for pair in known for host in pair)
    left, pairs = sorted(hosts, key=lambda host: (often[host], host)), Counter(known)
    matched = []
    while len(left) > 1:
        host = left.pop(0)
        partner = min(left, key=lambda other: pairs[pair_of(host, other)])
        left.remove(partner)
        matched.append(pair_of(host, partner))
    return tuple(sorted(matched))


def disjoint(pairs: Iterable[HostPair], taken: Collection[str] = ()) -> Matching:
    """The `pairs` that share no host with one before them, or with `taken`."""
    busy, chosen = set(taken), []
    for pair in pairs:
        if not busy.intersection(pair):
            busy.update(pair)
            chosen.append(pair)
    return tuple(chosen)
