"""Grids that a number of ranks can be cut into."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline.errors import UsageError


def even_grids(ranks: int, ndims: int) -> Sequence[tuple[int, ...]]:
    """All grids of `ranks`, the lengths of each longest first, the most even grid first.

    UsageError: a number below 1.
    """
    if ranks < 1 or ndims < 1:
        raise UsageError(f"{ranks} ranks can't be cut along {ndims} axes; both must be at least 1")
    return sorted(_factorisations(ranks, ndims, ranks), key=evenness)


def evenness(dims: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """The less the more even: the sum of lengths, of equal ones the longest."""
    return sum(dims), dims


def _factorisations(ranks: int, ndims: int, longest: int) -> Iterator[tuple[int, ...]]:
    """All products of `ndims` lengths that don't rise, the first at most `longest`."""
    if ndims == 1:
        if ranks <= longest:
            yield (ranks,)
        return
    for length in _divisors(ranks):
        if length <= longest and length**ndims >= ranks:
            for rest in _factorisations(ranks // length, ndims - 1, length):
                yield (length, *rest)


def _divisors(number: int) -> list[int]:
    low = [part for part in range(1, int(number**0.5) + 1) if number % part == 0]
    return sorted({*low, *(number // part for part in low)})
