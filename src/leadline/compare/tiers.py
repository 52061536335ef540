"""An order with ties: which libraries are shown to be ahead of which, in one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, product

from leadline.compare.comparisons import Comparison


def tiers_of(pairs: Sequence[Comparison]) -> tuple[tuple[str, ...], ...]:
    """Those compared in `pairs`, in tiers: each of one is faster than each of all that follow.

    The finest order of which that is true: who is in one tier isn't told apart from all others in
    it. Within a tier the more others one is faster than, the further to the front; ties stay in
    order of arrival. No pair: no tier.
    """
    names = dict.fromkeys(name for pair in pairs for name in (pair.baseline, pair.candidate))
    won = {pair.in_order for pair in pairs if pair.in_order}
    lead = Counter(winner for winner, _ in won)
    lead.subtract(loser for _, loser in won)
    ordered = sorted(names, key=lambda name: -lead[name])
    cuts = [
        place
        for place in range(1, len(ordered))
        if won.issuperset(product(ordered[:place], ordered[place:]))
    ]
    return tuple(tuple(ordered[i:j]) for i, j in pairwise([0, *cuts, len(ordered)]) if i < j)
