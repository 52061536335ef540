"""Aggregate bandwidth: the payload of an operation, and its rate for long messages.

An operation delivers f(m, p) = m F(p) bytes to all ranks together; docs/numbers.md has the table.
The aggregated bandwidth is R_inf(p) = lim f(m, p) / D(m, p) over the last piece.

Source: Hwang, Wang and Wang 1997 (HPCA-3), extended.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from leadline.models.algorithms import operation_of
from leadline.models.lines import Line, half_width, lines, positive_estimate
from leadline.models.model import Aggregate, Model
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE


def _one_payload(ranks: int) -> float:
    return 1.0


def _others(ranks: int) -> float:
    return ranks - 1.0


def _pairs(ranks: int) -> float:
    return float(ranks * (ranks - 1))


_PAYLOADS: Mapping[str, Callable[[int], float]] = {
    "pingpong": _one_payload,
    "pingpong_sync": _one_payload,
    "pingpong_nonblocking": _one_payload,
    "pingpong_buffered": _one_payload,
    "pingpong_persistent": _one_payload,
    "pingpong_anysource": _one_payload,
    "unexpected": _one_payload,
    "stream": _one_payload,
    "exchange": lambda ranks: 2.0,
    "message_rate": lambda ranks: float(ranks // 2),
    "bcast": _others,
    "gather": _others,
    "scatter": _others,
    "reduce": _others,
    "scan": _others,
    "exscan": _others,
    "allreduce": lambda ranks: 2.0 * (ranks - 1),
    "allgather": _pairs,
    "alltoall": _pairs,
    "reduce_scatter": _pairs,
}


def contributions(pattern: str, ranks: int) -> float | None:
    """F(p) of `pattern`, with its options; None: no payload is defined.

    For exchanges between neighbours on a grid the run has it: Run.sends_of.
    """
    counted = _PAYLOADS.get(operation_of(pattern) or "")
    return None if counted is None else counted(ranks)


Payload = Callable[[int], float | None]
"""F(p): bytes delivered on so many ranks, in sizes of the cell; None: not defined."""


BISECTIONS = 60
"""Steps of the bisection; more change no digit of a size."""


def aggregates(model: Model, payload: Payload) -> tuple[Aggregate, ...]:
    """Aggregate bandwidth by ranks, where the largest messages fitted are bound by their bytes.

    These must spend at least half of their time on bytes that surely cost any. Elsewhere no limit
    is in sight, as with Hockney's asymptotic bandwidth.
    """
    by_ranks = []
    for ranks in model.ranks:
        delivered = payload(ranks)
        pieces = lines(model, ranks)
        last = pieces[-1]
        slope, slope_error = last.slope_s_per_byte, last.spread(0, 1)
        if not (delivered and slope > half_width(model, slope_error)):
            continue
        if 2 * slope * last.most_bytes >= last.at(last.most_bytes):
            rate = positive_estimate(model, delivered / slope, slope_error / slope)
            by_ranks.append(Aggregate(ranks, bytes_per_s=rate, half_bytes=_half(model, pieces)))
    return tuple(by_ranks)


def _half(model: Model, pieces: Sequence[Line]) -> Estimate:
    """Size from which on half of the limit is reached for good: T(m) <= 2 D m.

    Its bounds are where that inequality holds by its own interval at either end (Fieller 1954), so
    that a piece that may fall below half again is counted with those that do.
    """
    value = _reached(model, pieces, 0.0).value
    if model.scatter is None:
        return Estimate(value, n=model.blocks)
    sure = half_width(model, 1.0)
    early, late = _reached(model, pieces, -sure), _reached(model, pieces, sure)
    low = early.value if early.low is None else early.low
    high = late.value if late.high is None else late.high
    return Estimate(value, min(low, value), max(high, value), CONFIDENCE, model.blocks)


def _reached(model: Model, pieces: Sequence[Line], sure: float) -> Estimate:
    """Size as in `_half`, `sure` standard errors above what is expected; 0: every size has half.

    Pieces are searched from the last one back, as a shorter size may have half too, where the time
    jumps above it or a byte costs less.
    """
    starts = [0.0, *(each.bytes.value for each in model.breakpoints)]
    ends = [*starts[1:], math.inf]
    for k, (piece, start, end) in reversed(list(enumerate(zip(pieces, starts, ends, strict=True)))):
        excess = _Excess(piece, pieces[-1])
        if math.isfinite(end) and excess.at(end, sure) > 0:
            return model.breakpoints[k].bytes  # not even where the piece ends
        if excess.at(start, sure) > 0:
            return Estimate(excess.zero(start, end, sure))
    return Estimate(0.0)


@dataclass(frozen=True, slots=True)
class _Excess:
    """Excess T(m) - 2 D m of a piece: time of m bytes beyond that at half of the limit."""

    piece: Line
    last: Line
    """Line of the last piece: the same one, or an independent one."""

    def at(self, size: float, sure: float) -> float:
        """Excess at `size`, `sure` standard errors above what is expected."""
        excess = self.piece.at(size) - 2 * self.last.slope_s_per_byte * size
        if not sure:
            return excess
        if self.piece is self.last:
            return excess + sure * self.last.spread(1, -size)
        spread = math.hypot(self.piece.spread(1, size), self.last.spread(0, 2 * size))
        return excess + sure * spread

    def zero(self, start: float, end: float, sure: float) -> float:
        """Size at which the excess falls to zero: it is above at `start`, and isn't at `end`."""
        most = end if math.isfinite(end) else max(2 * start, 1.0)
        while self.at(most, sure) > 0:
            start, most = most, 2 * most
        for _ in range(BISECTIONS):
            middle = (start + most) / 2
            start, most = (middle, most) if self.at(middle, sure) > 0 else (start, middle)
        return most
