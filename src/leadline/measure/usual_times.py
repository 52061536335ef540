"""Whether the operations of a block took times of another kind than those before. Pure."""

from __future__ import annotations

from math import exp, isfinite, log
from statistics import median

OTHER_KIND = 3.0
"""How many times as long, or as short. Sent through sockets instead of shared memory, small
messages take 16 times as long, large ones 2 to 4."""


class UsualTimes:
    """What the cells of each configuration took, block by block."""

    def __init__(self) -> None:
        """Of a campaign that has not begun."""
        self._before: dict[tuple[int, int], list[float]] = {}
        """Medians of blocks, by configuration and cell."""
        self._now: dict[tuple[int, int], list[float]] = {}

    def add(self, configuration: int, cell: int, seconds: float) -> None:
        """What an operation took in the block that goes on; what isn't known counts for nothing."""
        if isfinite(seconds) and seconds > 0:
            self._now.setdefault((configuration, cell), []).append(seconds)

    def end_block(self) -> dict[int, float]:
        """By configuration, how many times as long the median cell took as in its median block.

        Of those that are of OTHER_KIND; of blocks before, a cell has one at least.
        """
        logs: dict[int, list[float]] = {}
        for key, seconds in self._now.items():
            before = self._before.setdefault(key, [])
            if before:
                logs.setdefault(key[0], []).append(log(median(seconds) / median(before)))
            before.append(median(seconds))
        self._now.clear()
        found = {configuration: median(values) for configuration, values in logs.items()}
        return {one: exp(value) for one, value in found.items() if abs(value) >= log(OTHER_KIND)}
