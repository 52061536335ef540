"""Prefix reductions: on each rank the elements of those up to it, or before it, combined."""

from __future__ import annotations

from collections.abc import Iterator

from leadline.simulate.programs.calls import CallStep, received, sent
from leadline.simulate.programs.collective import Collective, strides_below


def recursive_doubling(of: Collective) -> Iterator[CallStep]:
    """What a rank has so far goes on to the rank twice as far (Hillis and Steele 1986)."""
    for stride in strides_below(of.ranks):
        yield from _round(of, stride)


def exclusive_recursive_doubling(of: Collective) -> Iterator[CallStep]:
    """Likewise, with a second result that leaves a rank's own elements out."""
    for stride in strides_below(of.ranks):
        yield from _round(of, stride)
        if stride > 1:
            yield of.combined(of.places[stride:])


def _round(of: Collective, stride: int) -> Iterator[CallStep]:
    """A rank sends before it receives: the last ones, which don't send, begin a chain."""
    behind = of.places[:-stride]
    yield CallStep((sent(behind, behind + stride, of.size_bytes, of.tag),))
    yield CallStep((received(behind + stride, behind, of.size_bytes, of.tag),))
    yield of.combined(behind + stride)


def linear(of: Collective) -> Iterator[CallStep]:
    """Each rank receives from the one before, combines, and passes the result on."""
    return _passed_on(of, of.ranks)


def exclusive_linear(of: Collective) -> Iterator[CallStep]:
    """Likewise; the last one has nothing to combine for a rank after it."""
    return _passed_on(of, of.ranks - 1)


def _passed_on(of: Collective, combining: int) -> Iterator[CallStep]:
    """Of the first `combining` ranks all but rank 0 combine."""
    first, then = of.places[:-1], of.places[1:]
    yield CallStep((received(then, first, of.size_bytes, of.tag),))
    yield of.combined(of.places[1:combining])
    yield CallStep((sent(first, then, of.size_bytes, of.tag),))
