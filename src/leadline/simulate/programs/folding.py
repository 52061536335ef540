"""Ranks beyond the largest power of two, which fold theirs into a partner's."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from leadline.models.algorithms import core_of
from leadline.simulate.programs.calls import CallStep
from leadline.simulate.programs.collective import Collective, strides_below
from leadline.topology.networks import Int64


def partners_of(ranks: int) -> Int64:
    """The ranks that others fold into."""
    return np.arange(ranks - core_of(ranks))


def folded(of: Collective, size_bytes: int | None = None) -> Iterator[CallStep]:
    """The ranks beyond send their partners so many bytes, or the operation's."""
    partners = partners_of(of.ranks)
    if len(partners):
        yield of.moved(partners + core_of(of.ranks), partners, size_bytes)


def folded_and_combined(of: Collective, size_bytes: int | None = None) -> Iterator[CallStep]:
    """Likewise, and these combine them with theirs."""
    partners = partners_of(of.ranks)
    if len(partners):
        yield from folded(of, size_bytes)
        yield of.combined(partners, size_bytes)


def unfolded(of: Collective, size_bytes: Int64 | None = None) -> Iterator[CallStep]:
    """The ranks beyond get the result, or so many bytes of it each."""
    partners = partners_of(of.ranks)
    if len(partners):
        yield of.moved(partners, partners + core_of(of.ranks), size_bytes)


def core_exchanges(ranks: int) -> Iterator[tuple[Int64, Int64]]:
    """The ranks that are left and, round for round, the peer of each: twice as far every time."""
    left = np.arange(core_of(ranks))
    for stride in strides_below(len(left)):
        yield left, left ^ stride
