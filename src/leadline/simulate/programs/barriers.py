"""Barriers: messages of one byte."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from leadline.simulate.programs import broadcasts, rooted_blocks
from leadline.simulate.programs.calls import CallStep
from leadline.simulate.programs.collective import Collective, strides_below
from leadline.simulate.programs.folding import core_exchanges, folded, unfolded

_NOTICE_BYTES = 1


def _notices(of: Collective) -> Collective:
    return replace(of, blocks=np.full(of.ranks, _NOTICE_BYTES))


def dissemination(of: Collective) -> Iterator[CallStep]:
    """In each round to the rank twice as far ahead (Hensgen, Finkel and Manber 1988)."""
    for stride in strides_below(of.ranks):
        yield of.moved(of.places, of.places + stride, _NOTICE_BYTES)


def recursive_doubling(of: Collective) -> Iterator[CallStep]:
    """Exchanges with ranks twice as far; those beyond the largest power of two fold."""
    notices = _notices(of)
    yield from folded(notices)
    for ranks, peers in core_exchanges(of.ranks):
        yield notices.moved(ranks, peers)
    yield from unfolded(notices)


def tree(of: Collective) -> Iterator[CallStep]:
    """Up a binomial tree, and down again."""
    for stride in strides_below(of.ranks):
        senders = np.arange(stride, of.ranks, 2 * stride)
        yield of.moved(senders, senders - stride, _NOTICE_BYTES)
    yield from broadcasts.binomial(_notices(of))


def linear(of: Collective) -> Iterator[CallStep]:
    """To rank 0, which answers all."""
    notices = _notices(of)
    yield from rooted_blocks.linear_gather(notices)
    yield from rooted_blocks.linear_scatter(notices)
