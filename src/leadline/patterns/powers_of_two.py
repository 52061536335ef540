"""Powers of two, in which many algorithms pair their ranks."""

from __future__ import annotations

from typing import overload

from leadline.statistics.permutation import Bools
from leadline.topology.networks import Int64


@overload
def is_power_of_two(ranks: int) -> bool: ...
@overload
def is_power_of_two(ranks: Int64) -> Bools: ...
def is_power_of_two(ranks: int | Int64) -> bool | Bools:
    """Whether `ranks`, at least 1, is 1, 2, 4, 8 ...; elementwise for an array."""
    return (ranks & (ranks - 1)) == 0


def core_of(ranks: int) -> int:
    """Largest power of two that isn't above `ranks`."""
    return int(2 ** (ranks.bit_length() - 1))
