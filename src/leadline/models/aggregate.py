"""What all ranks together deliver: the payload of an operation, and its rate for long messages.

An operation delivers f(m, p) = m F(p) bytes to all ranks together; docs/numbers.md has the table.
The aggregated bandwidth is R_inf(p) = lim f(m, p) / D(m, p) over the last piece.

Source: Hwang, Wang and Wang 1997 (HPCA-3), extended.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from leadline.models.algorithms import operation_of
from leadline.models.lines import Line, half_width, lines, positive_estimate
from leadline.models.model import Aggregate, Model
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE


def _one(ranks: int) -> float:
    return 1.0


def _others(ranks: int) -> float:
    return ranks - 1.0


def _pairs(ranks: int) -> float:
    return float(ranks * (ranks - 1))


_PAYLOADS: Mapping[str, Callable[[int], float]] = {
    "pingpong": _one,
    "pingpong_sync": _one,
    "pingpong_nonblocking": _one,
    "pingpong_buffered": _one,
    "pingpong_persistent": _one,
    "pingpong_anysource": _one,
    "unexpected": _one,
    "stream": _one,
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
    "total_exchange": _pairs,
    "reduce_scatter": _pairs,
}


def contributions(pattern: str, ranks: int) -> float | None:
    """F(p) of `pattern`, with its options; None: no payload is defined.

    Of neighbours on a grid the run knows it: Run.sends_of.
    """
    counted = _PAYLOADS.get(operation_of(pattern) or "")
    return None if counted is None else counted(ranks)


Payload = Callable[[int], float | None]
"""F(p): the bytes delivered on so many ranks, in sizes of the cell; None: not defined."""


BISECTIONS = 60
"""More change no digit of a size."""


def aggregates(model: Model, payload: Payload) -> tuple[Aggregate, ...]:
    """By ranks, where the largest messages fitted spend at least half of their time on their bytes.

    Elsewhere no limit is in sight, as with Hockney's asymptotic bandwidth.
    """
    return tuple(_aggregates(model, payload))


def _aggregates(model: Model, payload: Payload) -> Iterator[Aggregate]:
    for ranks in model.ranks:
        delivered = payload(ranks)
        pieces = lines(model, ranks)
        if delivered and _has_limit(model, pieces[-1]):
            yield Aggregate(
                ranks=ranks,
                bytes_per_s=_rate(model, pieces[-1], delivered),
                half_bytes=_half(model, pieces),
            )


def _has_limit(model: Model, last: Line) -> bool:
    """Whether bytes surely cost time, and at the largest size most of it."""
    slope = last.slope_s_per_byte
    surely = slope > half_width(model, last.spread(0, 1))
    return surely and 2 * slope * last.most_bytes >= last.at(last.most_bytes)


def _rate(model: Model, last: Line, delivered: float) -> Estimate:
    slope = last.slope_s_per_byte
    return positive_estimate(model, delivered / slope, last.spread(0, 1) / slope)


# -- half of the limit -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Excess:
    """T(m) - 2 D m of a piece: by how much m bytes take longer than with half of the limit."""

    piece: Line
    last: Line
    """The same line, or an independent one."""

    def at(self, size: float, sure: float) -> float:
        """So many standard errors above what is expected."""
        excess = self.piece.at(size) - 2 * self.last.slope_s_per_byte * size
        return excess + sure * self._spread(size) if sure else excess

    def _spread(self, size: float) -> float:
        if self.piece is self.last:
            return self.last.spread(1, -size)
        return math.hypot(self.piece.spread(1, size), self.last.spread(0, 2 * size))

    def zero(self, start: float, end: float, sure: float) -> float:
        """Where it falls to nought: it is above at `start`, and isn't at `end`."""
        most = end if math.isfinite(end) else max(2 * start, 1.0)
        while self.at(most, sure) > 0:
            start, most = most, 2 * most
        for _ in range(BISECTIONS):
            middle = (start + most) / 2
            start, most = (middle, most) if self.at(middle, sure) > 0 else (start, middle)
        return most


def _half(model: Model, pieces: Sequence[Line]) -> Estimate:
    """The size from which on half of the limit is reached for good: T(m) <= 2 D m.

    Its bounds are where that falls below by its own interval at either end (Fieller 1954), so that
    a piece that may lose half again is counted with those that do.
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
    """That size, the pieces being gone through from the last one back; 0: every size has half.

    A shorter one may have it too, where time jumps above it or a byte costs less.
    """
    starts = [0.0, *(one.bytes.value for one in model.breakpoints)]
    ends = [*starts[1:], math.inf]
    for k, (piece, start, end) in reversed(list(enumerate(zip(pieces, starts, ends, strict=True)))):
        excess = _Excess(piece, pieces[-1])
        if math.isfinite(end) and excess.at(end, sure) > 0:
            return model.breakpoints[k].bytes  # not even where the piece ends
        if excess.at(start, sure) > 0:
            return Estimate(excess.zero(start, end, sure))
    return Estimate(0.0)
