"""What papers make of times: latencies, intercepts, bandwidths and ratios."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from leadline.reproduce.recipe import Seconds

LINE_BYTES = 1_000_000, 2_000_000
"""Between which a line has its slope and its constant."""


def only(seconds: Seconds) -> float:
    """The one time."""
    (found,) = seconds
    return found


def intercept(seconds: Seconds) -> float:
    """The constant of the line through LINE_BYTES."""
    first, second = seconds
    return 2 * first - second


def slope_rate(seconds: Seconds) -> float:
    """B/s of the line through LINE_BYTES, which no size has quite: the asymptotic rate."""
    first, second = seconds
    return (LINE_BYTES[1] - LINE_BYTES[0]) / (second - first)


def rate(size_bytes: int) -> Callable[[Seconds], float]:
    """B/s of so many bytes in the one time."""
    return lambda seconds: size_bytes / only(seconds)


def per_second(seconds: Seconds) -> float:
    """How many there are in a second."""
    return 1.0 / only(seconds)


def ratio(seconds: Seconds) -> float:
    """The first time over the second."""
    first, second = seconds
    return first / second


def halves(values: Seconds) -> tuple[Sequence[float], Sequence[float]]:
    """What was asked for first, and as many of what was asked for then."""
    middle = len(values) // 2
    return values[:middle], values[middle:]


def ratios(seconds: Seconds) -> list[float]:
    """Each time of the first half over its like of the second."""
    return [one / other for one, other in zip(*halves(seconds), strict=True)]


def least_ratio(seconds: Seconds) -> float:
    """The least of `ratios`."""
    return min(ratios(seconds))
