"""Coefficients as they are reported: without rounding residue, and as rates of bytes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from leadline.models.forms import Scaling
from leadline.models.model import Piece
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats

ROUNDING = 1e-9
"""Share of a piece's time: a term that never adds more is a rounding residue."""
SMALLEST = sys.float_info.min
"""Divisor in place of zero."""
SEEN = 0.05
"""Share of a time: without an interval, bytes that take less of it may as well take none, and times
that differ by less may as well be equal."""


def without_rounding(piece: Piece, ranks: int) -> Piece:
    """`piece` with coefficients 0 whose terms add nothing on `ranks`, at any size from 1 B on.

    A coefficient set to 0 keeps its interval if that contains 0.
    """
    shares = []
    for size_bytes in (max(piece.least_bytes, 1), max(piece.most_bytes, 1)):
        parts = np.abs(_parts(piece, ranks, size_bytes))
        shares.append(parts / max(parts.sum(), SMALLEST))
    coefficients = []
    for coefficient, share in zip(piece.coefficients, np.max(shares, axis=0).tolist(), strict=True):
        if share > ROUNDING:
            coefficients.append(coefficient)
            continue
        value = coefficient.value
        zero = replace(value, value=0.0) if value.holds(0.0) else Estimate(0.0, n=value.n)
        coefficients.append(replace(coefficient, value=zero))
    return replace(piece, coefficients=tuple(coefficients))


def _parts(piece: Piece, ranks: int, size_bytes: int) -> Floats:
    """Contribution of each term at one size, in seconds."""
    p, m = np.array(float(ranks)), np.array(float(size_bytes))
    return np.array(
        [
            coefficient.value.value * float(coefficient.term.of(p, m))
            for coefficient in piece.coefficients
        ]
    )


def least_sum(piece: Piece, ranks: Sequence[int], per_byte: bool) -> float:
    """Least start-up in seconds, or least time of a byte, over `ranks`."""
    parts = [
        coefficient for coefficient in piece.coefficients if coefficient.term.per_byte is per_byte
    ]
    ends = [np.array(float(p)) for p in (ranks[0], ranks[-1])]  # every scaling rises
    return min(
        sum(part.value.value * float(part.term.scaling.of(p)) for part in parts) for p in ends
    )


def falls_with_size(piece: Piece, ranks: Sequence[int]) -> bool:
    """Whether the largest size takes clearly less than the smallest, on any number of ranks."""
    times = _corners(piece, ranks)
    return bool(np.any(times[:, 1] < (1 - SEEN) * times[:, 0]))


def falls_with_ranks(piece: Piece, ranks: Sequence[int]) -> bool:
    """Whether the most ranks take clearly less time than the fewest, at any size."""
    times = _corners(piece, ranks)
    return bool(np.any(times[1] < (1 - SEEN) * times[0]))


def _corners(piece: Piece, ranks: Sequence[int]) -> Floats:
    """Times on the fewest and most ranks, at the smallest and largest size, shape (2, 2)."""
    p = np.array([[float(ranks[0])], [float(ranks[-1])]])
    m = np.array([[float(piece.least_bytes), float(piece.most_bytes)]])
    times = sum(
        coefficient.value.value * coefficient.term.of(p, m) for coefficient in piece.coefficients
    )
    return np.broadcast_to(times, (2, 2))


def byte_rate(piece: Piece, ranks: int) -> Estimate | None:
    """Reciprocal of the time of a byte, in bytes per second.

    None where that time depends on the number of ranks, or may be zero: by its interval, or without
    one by the share of bytes in the time within the piece on `ranks`.
    """
    byte_s = _of_a_byte(piece)
    if byte_s is None or byte_s.value <= 0:
        return None
    if byte_s.low is not None:
        return byte_s.inverse() if byte_s.low > 0 else None
    added = byte_s.value * (piece.most_bytes - piece.least_bytes)
    whole = _parts(piece, ranks, piece.most_bytes).sum()
    return byte_s.inverse() if added >= SEEN * whole else None


def least_rate(piece: Piece) -> float | None:
    """Lower bound of the rate of bytes where they may cost nothing; None: there is no bound."""
    byte_s = _of_a_byte(piece)
    high = None if byte_s is None else byte_s.high
    return 1 / high if high is not None and high > 0 else None


def _of_a_byte(piece: Piece) -> Estimate | None:
    """Time of a byte, where it is the same on all numbers of ranks; None elsewhere."""
    per_byte = [coefficient for coefficient in piece.coefficients if coefficient.term.per_byte]
    if len(per_byte) != 1 or per_byte[0].term.scaling is not Scaling.CONSTANT:
        return None
    return per_byte[0].value
