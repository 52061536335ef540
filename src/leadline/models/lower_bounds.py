"""Lower bounds of the time of any algorithm over links on which a message takes alpha + beta n.

A rank sends one message and receives another at a time. Combining costs nothing here.
Source: Chan, Heimlich, Purkayastha and van de Geijn 2007 (CCPE 19), section 3.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from leadline.models.algorithms import operation_of, rounds
from leadline.models.lines import estimate, lines
from leadline.models.model import Model
from leadline.statistics.estimate import Estimate


@dataclass(frozen=True, slots=True)
class MessageCost:
    """Cost of a message between two ranks."""

    alpha_s: Estimate
    """Time of the shortest message."""
    beta_s_per_byte: Estimate
    """Time of each byte of a message as long as the operation's: no more than it adds to the
    shortest."""


def link_at(pingpong: Model, size_bytes: int) -> MessageCost:
    """Cost of messages of `size_bytes` between two ranks, by the model of a ping-pong."""
    pieces = lines(pingpong, pingpong.ranks[0])
    shortest = pieces[0]
    least = shortest.least_bytes
    longest = next((piece for piece in pieces if size_bytes <= piece.most_bytes), pieces[-1])
    per_byte = estimate(pingpong, longest.slope_s_per_byte, longest.spread(0, 1))
    if longest is not shortest:
        # beyond a cache's edge a byte costs more than those before it did: the chord is the bound
        chord = (longest.at(size_bytes) - shortest.at(least)) / (size_bytes - least)
        if per_byte.value > chord:
            spread = math.hypot(longest.spread(1, size_bytes), shortest.spread(1, least))
            per_byte = estimate(pingpong, chord, spread / (size_bytes - least))
    return MessageCost(
        alpha_s=estimate(pingpong, shortest.at(least), shortest.spread(1, least)),
        beta_s_per_byte=per_byte.clipped(0, math.inf),
    )


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
    "alltoall": _all_others,
    "reduce_scatter": _all_others,
    "allreduce": lambda ranks: 2 * (ranks - 1) / ranks,
}
"""Bytes that the busiest rank must send or receive, in sizes of the cell."""


def least_time(pattern: str, ranks: int, size_bytes: int, link: MessageCost) -> Estimate | None:
    """Time that no algorithm falls below: the larger of two bounds; None: not known for `pattern`.

    All ranks take part only after log2 p rounds of messages; and the busiest rank's bytes come in
    one message at least. The two bounds needn't be reached by the same algorithm.
    """
    moved = _BYTES.get(operation_of(pattern) or "")
    if moved is None:
        return None
    in_rounds = link.alpha_s.scaled(rounds(ranks))
    alpha, bytes_s = link.alpha_s, link.beta_s_per_byte.scaled(moved(ranks) * size_bytes)
    in_bytes = Estimate(alpha.value + bytes_s.value, n=alpha.n)
    # errors of the two may be correlated, so that their bounds add
    if alpha.bounds is not None and bytes_s.bounds is not None:
        low, high = (a + b for a, b in zip(alpha.bounds, bytes_s.bounds, strict=True))
        in_bytes = Estimate(in_bytes.value, low, high, alpha.level, alpha.n)
    return max(in_rounds, in_bytes, key=lambda bound: bound.value)


def over(time: Estimate, bound: Estimate) -> Estimate:
    """Ratio of a time to its bound; relative errors, which are independent, add as squares."""
    ratio = time.value / bound.value
    if time.bounds is None or bound.bounds is None or bound.bounds[0] <= 0:
        return Estimate(ratio, n=time.n)
    below = math.hypot(_below(time), _above(bound))
    above = math.hypot(_above(time), _below(bound))
    return Estimate(ratio, ratio * math.exp(-below), ratio * math.exp(above), time.level, time.n)


def _below(estimate: Estimate) -> float:
    """Distance of the lower bound in logarithms; infinite where the bound isn't positive."""
    assert estimate.low is not None
    return math.log(estimate.value / estimate.low) if estimate.low > 0 else math.inf


def _above(estimate: Estimate) -> float:
    """Distance of the upper bound in logarithms."""
    assert estimate.high is not None
    return math.log(estimate.high / estimate.value)
