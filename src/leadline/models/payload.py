"""How many bytes an operation delivers to all ranks together: f(m, p) = m F(p).

Source: Hwang, Wang and Wang 1997 (HPCA-3), extended; docs/numbers.md has the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from leadline.models.algorithms import operation_of


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
