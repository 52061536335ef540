"""The aggregated bandwidth: what all ranks together deliver in the limit of long messages.

R_inf(p) = lim f(m, p) / D(m, p) over the last piece, where f is the payload of all ranks. Source:
Hwang, Wang and Wang 1997 (HPCA-3).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from leadline.models.lines import Line, lines, positive_estimate
from leadline.models.model import Aggregate, Model
from leadline.statistics.estimate import Estimate

Payload = Callable[[int], float | None]
"""F(p): the bytes delivered on so many ranks, in sizes of the cell; None: not defined."""


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
    unsure = 0.0
    if model.scatter is not None:
        unsure = model.scatter.quantile * last.spread(0, 1)
    return slope > unsure and 2 * slope * last.most_bytes >= last.at(last.most_bytes)


def _rate(model: Model, last: Line, delivered: float) -> Estimate:
    slope = last.slope_s_per_byte
    return positive_estimate(model, delivered / slope, last.spread(0, 1) / slope)


def _half(model: Model, pieces: Sequence[Line]) -> Estimate:
    """The size from which on half of the limit is reached for good: T(m) <= 2 D m.

    A shorter one may reach it too, where time jumps above it or a byte costs less: those say
    nothing of what follows, so the pieces are gone through from the last one back.
    """
    limit = pieces[-1].slope_s_per_byte
    starts = [0.0, *(one.bytes.value for one in model.breakpoints)]
    for k, (piece, start) in reversed(list(enumerate(zip(pieces, starts, strict=True)))):
        gain = 2 * limit - piece.slope_s_per_byte
        if piece is not pieces[-1] and piece.startup_s > gain * starts[k + 1]:
            return model.breakpoints[k].bytes  # not even where the piece ends
        if piece.startup_s > max(gain, 0.0) * start:
            size = piece.startup_s / gain
            return positive_estimate(model, size, _half_spread(piece, pieces[-1], gain))
    return Estimate(0.0)


def _half_spread(piece: Line, last: Line, gain: float) -> float:
    """Of the size's logarithm, to first order; pieces are taken for independent."""
    if piece is last:
        return last.spread(1 / piece.startup_s, -1 / gain)
    own = piece.spread(1 / piece.startup_s, 1 / gain)
    return math.hypot(own, last.spread(0, 2 / gain))
