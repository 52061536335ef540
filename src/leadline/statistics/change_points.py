"""Where a series of values changes its level: a test of every stretch of it, then of its parts.

The statistic of a stretch is how far its mean is from that of the rest, standardised; that of a
series the largest over all its stretches. Its p-value comes from permuting the series, so that no
distribution is assumed and trying all stretches is paid for. Stretches, not mere splits, find a
level that lasted for a while and went back. Stray values are drawn in first.

Sources: Olshen, Venkatraman, Lucito and Wigler 2004 (circular binary segmentation with its
permutation reference); Bai 1997 (placing changes again); Fearnhead and Rigaill 2019 (why the
weight of a stray value must be bounded).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import permutations

import numpy as np

from leadline.statistics.intervals import Floats

MOST_ENUMERATED = 7
"""Values of a series of which all orders are tried; of longer ones DRAWN orders at random."""
DRAWN = 5_000
ROUNDING = 1 + 1e-9
"""Statistics that differ by less are equal."""
FARTHEST = 3.0
"""Standard deviations, estimated by the median absolute deviation, that a value may be away."""


def drawn_in(values: Floats) -> Floats:
    """`values`, those that are far from the median moved to FARTHEST standard deviations from it.

    A stray value then weighs no more than a true change does. More than half equal: as they are.
    """
    middle = np.median(values)
    deviation = 1.4826 * np.median(np.abs(values - middle))  # of a normal distribution
    if deviation == 0:
        return values
    reach = FARTHEST * deviation
    return np.clip(values, middle - reach, middle + reach)


def stretch_statistics(values: Floats, length: int) -> Floats:
    """The sum of each stretch of `length` less what the mean gives, over sqrt(length outside / n).

    Shape (..., n - length + 1) of `values`, shape (..., n), 0 < length < n; element i belongs to
    the stretch that begins with value i. In the unit of the values: permuting a series leaves its
    spread alone, so it needn't be divided by.
    """
    n = values.shape[-1]
    sums = np.cumsum(values - values.mean(axis=-1, keepdims=True), axis=-1)
    inside = sums[..., length - 1 :].copy()
    inside[..., 1:] -= sums[..., :-length]
    statistics: Floats = inside / math.sqrt(length * (n - length) / n)
    return statistics


def strongest_stretch(values: Floats, seed: int = 0) -> tuple[int, int, float]:
    """The first value of the stretch that differs most, the first after it, and the p-value.

    The p-value is that of the hypothesis that the level never changes. n < 2: (0, n, 1). All equal:
    p is 1. Among equal stretches the shortest is taken, then the first.
    """
    n = values.size
    if n < 2:
        return 0, n, 1.0
    orders = _orders(values, seed)
    largest, first, end = np.zeros(len(orders)), 0, n
    for length in range(1, n):
        strengths = np.abs(stretch_statistics(orders, length))
        if strengths[0].max() > largest[0] * ROUNDING:
            first = int(strengths[0].argmax())
            end = first + length
        largest = np.maximum(largest, strengths.max(axis=1))
    return first, end, float(np.mean(largest * ROUNDING >= largest[0]))


def _orders(values: Floats, seed: int) -> Floats:
    """Orders of `values`, shape (orders, n), the first being the one observed."""
    if values.size <= MOST_ENUMERATED:
        return np.array(list(permutations(values)))
    orders = np.tile(values, (DRAWN, 1))
    np.random.default_rng(seed).permuted(orders[1:], axis=1, out=orders[1:])
    return orders


def fewest_values(alpha: float) -> int:
    """How long a series must be for a change in its middle to be significant at `alpha`.

    Of all orders those are as extreme that have the lower half in a row, end and beginning being
    neighbours: n / C(n, n/2).
    """
    n = 2
    while n / math.comb(n, n // 2) > alpha:
        n += 1
    return n


def change_points(values: Floats, alpha: float, seed: int = 0) -> tuple[int, ...]:
    """The indices, rising, of the values with which a new level begins.

    The strongest stretch is cut out as long as the p-value is at most `alpha`, and so are the
    parts' own; so a series without a change gets one with that chance. Each place is then sought
    again between its neighbours (Bai 1997), for further levels mislead the first cuts.
    """
    series = drawn_in(values) if values.size else values
    starts = tuple(_changes(series, 0, alpha, seed))
    bounds = (0, *starts, values.size)
    return tuple(
        first + best_split(series[first:end])
        for first, end in zip(bounds[:-2], bounds[2:], strict=True)
    )


def best_split(values: Floats) -> int:
    """After how many of two values or more the mean changes most."""
    n = values.size
    before = np.arange(1, n)
    sums = np.cumsum(values - values.mean())[:-1]
    return int(np.argmax(np.abs(sums) / np.sqrt(before * (n - before) / n))) + 1


def _changes(values: Floats, origin: int, alpha: float, seed: int) -> Iterator[int]:
    first, end, p = strongest_stretch(values, seed)
    if p > alpha:
        return
    cuts = [cut for cut in (first, end) if 0 < cut < values.size]
    for start, stop in zip([0, *cuts], [*cuts, values.size], strict=True):
        if start:
            yield origin + start
        yield from _changes(values[start:stop], origin + start, alpha, seed)
