"""Ratios in words, rounded so that no digit contradicts the verdict beside it.

What is printed lies on the same side of each margin of the threshold as the number itself: a bound
of 1.021 stays 1.021 beside "faster by more than 2 %", and isn't 1.0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from leadline.compare.curves import Comparison, Range
from leadline.statistics.estimate import Estimate
from leadline.units import significant

MOST_DECIMALS = 9
"""A number that needs more decimals to differ from a margin equals it."""


@dataclass(frozen=True, slots=True)
class Times:
    """A ratio and its interval in words, with as many decimals as the interval is worth."""

    value: str
    bounds: str = ""
    """E.g. "2.5 to 2.7"; empty without an interval."""

    def __str__(self) -> str:
        """E.g. "2.6 (2.5 to 2.7)"."""
        return f"{self.value} ({self.bounds})" if self.bounds else self.value


def in_words(ratio: Estimate, threshold: float | None = None, inverted: bool = False) -> Times:
    """A known ratio and its interval, e.g. 2.6 and "2.5 to 2.7", 1.052 and "1.047 to 1.058".

    In a wide interval each bound has the decimals of its own size: "0.02 to 49".

    Args:
        ratio: With or without bounds.
        threshold: Share that no digit may be rounded across; None: any may.
        inverted: Whether to give one over the ratio.
    """
    ratio, margins = _turned(ratio, threshold, inverted)
    decimals = _decimals(ratio)
    value = _rounded(ratio.value, decimals, margins)
    if ratio.bounds is None:
        return Times(value)
    narrow = decimals > _least_decimals(ratio.value)
    low, high = (
        _rounded(bound, decimals if narrow else _least_decimals(bound), margins)
        for bound in ratio.bounds
    )
    return Times(value, f"{low} to {high}")


def ratio_words(row: Comparison, threshold: float) -> Times:
    """A row's known ratio, as `in_words`; for two simulations, which are exact, three digits."""
    if row.in_simulation:
        return Times(significant(row.effect.value))
    return in_words(row.effect, threshold)


def span(range_: Range, threshold: float, inverted: bool = False) -> str:
    """The least and the largest ratio of several cells, e.g. "1.22 to 1.65"; of one its interval.

    Each as it stands in its cell, unless its decimals would turn the two around: then both have
    those of the one that is known less well. Cells that read the same have an interval in which
    all of theirs lie, and none if one of them has none.
    """
    if len(range_.cells) == 1:
        return str(in_words(range_.lowest, threshold, inverted))
    ends = [_turned(estimate, threshold, inverted) for estimate in (range_.lowest, range_.highest)]
    (least, margins), (most, _) = sorted(ends, key=lambda end: end[0].value)
    known = _decimals(least), _decimals(most)
    low, high = _rounded(least.value, known[0], margins), _rounded(most.value, known[1], margins)
    if float(low.replace(",", "")) >= float(high.replace(",", "")):
        low, high = (_rounded(estimate.value, min(known), margins) for estimate in (least, most))
    if low != high:
        return f"{low} to {high}"
    together = replace(range_.lowest, low=None, high=None)
    bounds = [cell.effect.bounds for cell in range_.cells]
    if None not in bounds:
        lows, highs = zip(*filter(None, bounds), strict=True)
        together = replace(range_.lowest, low=min(lows), high=max(highs))
    return str(in_words(together, threshold, inverted))


def _turned(
    ratio: Estimate, threshold: float | None, inverted: bool
) -> tuple[Estimate, tuple[float, ...]]:
    """A ratio and what it may not be rounded to or across: where ratios begin to differ."""
    margins = () if threshold is None else (1 - threshold, 1 + threshold)
    if inverted:
        return ratio.inverse(), tuple(1 / margin for margin in margins)
    return ratio, margins


def _decimals(ratio: Estimate) -> int:
    """Decimals that a half width is worth, three at most."""
    decimals = _least_decimals(ratio.value)
    if ratio.bounds is None:
        return decimals
    low, high = ratio.bounds
    while decimals < 3 and high - low < 1.99 * 10**-decimals:  # 2, but for rounding
        decimals += 1
    return decimals


def _least_decimals(value: float) -> int:
    """Decimals that show a digit other than zero."""
    if value >= 9.95:
        return 0
    return 1 if value >= 0.095 or value <= 0 else -math.floor(math.log10(value))


def _rounded(value: float, decimals: int, margins: tuple[float, ...]) -> str:
    """With more decimals where the text would otherwise lie on a margin, or beyond it."""
    while decimals < MOST_DECIMALS and any(
        _side(float(f"{value:.{decimals}f}"), margin) != _side(value, margin) for margin in margins
    ):
        decimals += 1
    return f"{value:,.{decimals}f}"


def _side(value: float, margin: float) -> int:
    return (value > margin) - (value < margin)
