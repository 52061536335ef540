"""What coefficients are worth saying: without what arithmetic left over, and the rate of bytes."""

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
"""Of a piece's time: a term that never adds more was left over by arithmetic."""
SMALLEST = sys.float_info.min
"""To divide by in place of nought."""
SEEN = 0.05
"""Of a time: without an interval, bytes that take less of it may as well take none, and times that
differ by less may as well be alike."""


def without_rounding(piece: Piece, ranks: int) -> Piece:
    """`piece`, coefficients 0 whose terms add nothing on `ranks`, at any size from 1 B on."""
    sizes = max(piece.least_bytes, 1), max(piece.most_bytes, 1)
    shares = np.max([_shares(piece, ranks, m) for m in sizes], axis=0)
    coefficients = tuple(
        one if share > ROUNDING else replace(one, value=_nought(one.value))
        for one, share in zip(piece.coefficients, shares.tolist(), strict=True)
    )
    return replace(piece, coefficients=coefficients)


def _shares(piece: Piece, ranks: int, size_bytes: int) -> Floats:
    """Of each term in what all add at one size, whatever their signs."""
    parts = np.abs(_parts(piece, ranks, size_bytes))
    return np.asarray(parts / max(parts.sum(), SMALLEST))


def _parts(piece: Piece, ranks: int, size_bytes: int) -> Floats:
    """What each term adds at one size, in seconds."""
    p, m = np.array(float(ranks)), np.array(float(size_bytes))
    return np.array([one.value.value * float(one.term.of(p, m)) for one in piece.coefficients])


def least_sum(piece: Piece, ranks: Sequence[int], per_byte: bool) -> float:
    """The start-up in seconds, or the time of a byte, on those of `ranks` where it is the least."""
    parts = [one for one in piece.coefficients if one.term.per_byte is per_byte]
    ends = [np.array(float(p)) for p in (ranks[0], ranks[-1])]  # every scaling rises
    return min(sum(one.value.value * float(one.term.scaling.of(p)) for one in parts) for p in ends)


def falls_with_size(piece: Piece, ranks: Sequence[int]) -> bool:
    """Whether the largest size takes clearly less than the smallest, on any number of ranks."""
    times = _corners(piece, ranks)
    return bool(np.any(times[:, 1] < (1 - SEEN) * times[:, 0]))


def falls_with_ranks(piece: Piece, ranks: Sequence[int]) -> bool:
    """Whether the most ranks take clearly less time than the fewest, at any size."""
    times = _corners(piece, ranks)
    return bool(np.any(times[1] < (1 - SEEN) * times[0]))


def _corners(piece: Piece, ranks: Sequence[int]) -> Floats:
    """Times on the fewest and the most ranks, at the smallest and the largest size: (2, 2)."""
    p = np.array([[float(ranks[0])], [float(ranks[-1])]])
    m = np.array([[float(piece.least_bytes), float(piece.most_bytes)]])
    times = sum(one.value.value * one.term.of(p, m) for one in piece.coefficients)
    return np.broadcast_to(times, (2, 2))


def _nought(found: Estimate) -> Estimate:
    """0, in the same interval if that holds it."""
    return replace(found, value=0.0) if found.holds(0.0) else Estimate(0.0, n=found.n)


def byte_rate(piece: Piece, ranks: int) -> Estimate | None:
    """One over the time of a byte, in bytes a second.

    None where that time depends on the number of ranks, or where a byte doesn't surely cost any:
    by its interval, or without one by what bytes add within the piece on `ranks`.
    """
    found = _of_a_byte(piece)
    if found is None or found.value <= 0:
        return None
    if found.low is not None:
        return found.inverse() if found.low > 0 else None
    added = found.value * (piece.most_bytes - piece.least_bytes)
    whole = _parts(piece, ranks, piece.most_bytes).sum()
    return found.inverse() if added >= SEEN * whole else None


def least_rate(piece: Piece) -> float | None:
    """What bytes surely reach where they may cost nothing; None: there is no such bound."""
    found = _of_a_byte(piece)
    high = None if found is None else found.high
    return 1 / high if high is not None and high > 0 else None


def _of_a_byte(piece: Piece) -> Estimate | None:
    """The time of a byte, where it is one on all ranks."""
    per_byte = [one for one in piece.coefficients if one.term.per_byte]
    if len(per_byte) != 1 or per_byte[0].term.scaling is not Scaling.CONSTANT:
        return None
    return per_byte[0].value
