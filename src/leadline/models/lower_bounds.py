"""The least time that any algorithm takes over links on which a message takes alpha + beta n.

A rank sends one message and receives another at a time. What is combined costs nothing here.
Source: Chan, Heimlich, Purkayastha and van de Geijn 2007 (CCPE 19), section 3.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from leadline.models.algorithms import operation_of, rounds
from leadline.models.lines import Line, estimate, lines
from leadline.models.model import Model
from leadline.statistics.estimate import Estimate


@dataclass(frozen=True, slots=True)
class MessageCost:
    """What a message between two ranks costs."""

    alpha_s: Estimate
    """The shortest."""
    beta_s_per_byte: Estimate
    """Each byte of one as long as the operation's: no more than it adds to the shortest."""


def link_at(pingpong: Model, size_bytes: int) -> MessageCost:
    """What messages of `size_bytes` cost by the model of a ping-pong, between two ranks."""
    pieces = lines(pingpong, pingpong.ranks[0])
    shortest = pieces[0]
    least = shortest.least_bytes
    longest = next((one for one in pieces if size_bytes <= one.most_bytes), pieces[-1])
    return MessageCost(
        alpha_s=estimate(pingpong, shortest.at(least), shortest.spread(1, least)),
        beta_s_per_byte=_per_byte(pingpong, shortest, longest, size_bytes).clipped(0, math.inf),
    )


def _per_byte(pingpong: Model, shortest: Line, longest: Line, size_bytes: int) -> Estimate:
    """Beyond a cache's edge the slope is more than the bytes before it took: so it's the chord."""
    slope = estimate(pingpong, longest.slope_s_per_byte, longest.spread(0, 1))
    least = shortest.least_bytes
    if longest is shortest:
        return slope
    chord = (longest.at(size_bytes) - shortest.at(least)) / (size_bytes - least)
    if slope.value <= chord:
        return slope
    spread = math.hypot(longest.spread(1, size_bytes), shortest.spread(1, least))
    return estimate(pingpong, chord, spread / (size_bytes - least))


def _all_others(ranks: int) -> float:
    return ranks - 1.0


_BYTES: Mapping[str, Callable[[int], float]] = {
    "barrier": lambda ranks: 0.0,
    "bcast": lambda ranks: 1.0,
    "reduce": lambda ranks: 1.0,
    "scan": lambda ranks: 1.0,
    "exscan": lambda ranks: 1.0,
    "gather": _all_others,
    "scatter": _all_others,
    "allgather": _all_others,
    "total_exchange": _all_others,
    "reduce_scatter": _all_others,
    "allreduce": lambda ranks: 2 * (ranks - 1) / ranks,
}
"""What the busiest rank must send or receive, in sizes of the cell."""


def least_time(pattern: str, ranks: int, size_bytes: int, link: MessageCost) -> Estimate | None:
    """No algorithm is faster, as the larger of two bounds; None: none is known for `pattern`.

    All ranks take part only after log2 p rounds of messages; and the busiest rank's bytes come in
    one message at least. The two needn't be reached by the same algorithm.
    """
    moved = _BYTES.get(operation_of(pattern) or "")
    if moved is None:
        return None
    in_rounds = link.alpha_s.scaled(rounds(ranks))
    in_bytes = _sum(link.alpha_s, link.beta_s_per_byte.scaled(moved(ranks) * size_bytes))
    return max(in_rounds, in_bytes, key=lambda bound: bound.value)


def over(time: Estimate, bound: Estimate) -> Estimate:
    """A time over its bound; relative errors of the two, which are independent, add as squares."""
    ratio = time.value / bound.value
    if time.bounds is None or bound.bounds is None or bound.bounds[0] <= 0:
        return Estimate(ratio, n=time.n)
    below = math.hypot(_below(time), _above(bound))
    above = math.hypot(_above(time), _below(bound))
    return Estimate(ratio, ratio * math.exp(-below), ratio * math.exp(above), time.level, time.n)


def _below(one: Estimate) -> float:
    """How far the lower bound lies away, in logarithms; 0 or below it: as far as can be told."""
    assert one.low is not None
    return math.log(one.value / one.low) if one.low > 0 else math.inf


def _above(one: Estimate) -> float:
    assert one.high is not None
    return math.log(one.high / one.value)


def _sum(one: Estimate, other: Estimate) -> Estimate:
    """Of two numbers whose errors may go together, so that their bounds add."""
    value = one.value + other.value
    if one.bounds is None or other.bounds is None:
        return Estimate(value, n=one.n)
    low, high = (a + b for a, b in zip(one.bounds, other.bounds, strict=True))
    return Estimate(value, low, high, one.level, one.n)
