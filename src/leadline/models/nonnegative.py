"""Least squares with coefficients that aren't negative, of few terms and many problems at once."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np

from leadline.statistics.intervals import Floats

RIDGE = 1e-10
"""Of each term's own weight: keeps terms that go together apart, and changes nothing else."""


def nonnegative(products: Floats, moments: Floats) -> Floats:
    """The coefficients, shape (..., terms), whose sum of squared errors is least.

    `products` are sums of terms by terms, shape (..., terms, terms), `moments` of terms by what is
    fitted, (..., terms). Few terms: every set of them that may be above zero is tried, the others
    being zero, as one such set has the least (Lawson and Hanson 1974, section 23.2).
    """
    terms = moments.shape[-1]
    best, explained = np.zeros_like(moments), np.zeros(moments.shape[:-1])
    for inside in _subsets(terms):
        coefficients = np.zeros_like(moments)
        coefficients[..., inside] = _solved(products[..., inside, :][..., inside], moments, inside)
        gain = np.sum(coefficients * moments, axis=-1)
        better = (coefficients >= 0).all(axis=-1) & (gain > explained)
        best = np.where(better[..., None], coefficients, best)
        explained = np.where(better, gain, explained)
    return best


def _subsets(terms: int) -> list[list[int]]:
    """All but the empty one."""
    sizes = range(1, terms + 1)
    return list(map(list, chain.from_iterable(combinations(range(terms), n) for n in sizes)))


def _solved(products: Floats, moments: Floats, inside: list[int]) -> Floats:
    own = np.einsum("...ii->...i", products)
    ridge = np.where(own > 0, RIDGE * own, 1.0)
    kept = products + ridge[..., None] * np.eye(len(inside))
    return np.asarray(np.linalg.solve(kept, moments[..., inside, None])[..., 0])
