"""When a block must end, and whose turn is next, so that cells that it has no time for differ.

A cell is measured under all of its variants or under none, so that ratios stay paired by visit.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from leadline.measure.pace import NextBlock
from leadline.measure.plan import Group

T = TypeVar("T")
_Pair = tuple[int, int]
"""(configuration, cell)."""


class Deadline:
    """That of one block, by a clock in seconds, and what the block missed for it."""

    def __init__(self, now_s: float, upcoming: NextBlock, groups: Sequence[Group]) -> None:
        """Of a block that begins now, and takes the `groups` one after the other."""
        self._end_s = now_s + upcoming.end_s
        lasting_s = 0.0 if upcoming.hurried else max(upcoming.usual_s, upcoming.most_s)
        self._unhurried_until_s = now_s + lasting_s if upcoming.is_bound else math.inf
        self._groups = groups
        self.missed_s = 0.0
        """What its first visits would have taken longer, had they had time for all cells."""

    def of_party(self, now_s: float, group: Group, parties_left: int) -> float:
        """When the visits of `group` must end, whose last `parties_left` begin one now.

        Groups and parties that follow get as much time for a slice.
        """
        keys = [one.key for one in self._groups]
        later = self._groups[keys.index(group.key) + 1 :]
        slices = group.slices_per_visit
        share = slices / (slices + sum(one.slices_per_visit for one in later))
        return now_s + (self._end_s - now_s) * share / parties_left

    def has_time(self, now_s: float) -> bool:
        """Whether what was disturbed may be taken again."""
        return now_s < self._unhurried_until_s

    def visit_s(self, took_s: float, share: float, first: bool) -> float | None:
        """What a visit that took so long for a `share` of its cells takes; None: that isn't known.

        Of the first one what is missing is missed.
        """
        if first and share < 1:
            whole_s = took_s / share if share else None
            self.missed_s += max((whole_s or took_s) - took_s, 1e-9)
            return whole_s
        return took_s if share == 1 else None


class Turns:
    """The random order of a campaign's cells and variants, in which no cell is left behind."""

    def __init__(self, seed: int) -> None:
        """The same for the same `seed`."""
        self._random = random.Random(seed)
        self._blocks: dict[_Pair, set[int]] = {}

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """`items` in random order."""
        return self._random.sample(items, len(items))

    def ordered(self, cells: Sequence[T], pairs_of: Callable[[T], Iterable[_Pair]]) -> list[T]:
        """Those of `cells` first whose pairs were measured in the fewest blocks, else at random."""

        def blocks(cell: T) -> int:
            return min((len(self._blocks.get(pair, ())) for pair in pairs_of(cell)), default=0)

        return sorted(self.shuffled(cells), key=blocks)

    def took(self, pairs: Iterable[_Pair], block: int) -> None:
        """Takes in that `block` has these `pairs`."""
        for pair in pairs:
            self._blocks.setdefault(pair, set()).add(block)
