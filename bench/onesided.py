"""Puts, and ping-pong by puts and flags, against loops written by hand over the same library.

Goal: the upper bound of the paired ratio tool / by hand is at most 1.03 at 8 B.
"""

from __future__ import annotations

from collections.abc import Mapping

from bench.live import mpi_backends, variant_of
from bench.loops import Row, held_to_limit, tool_over_hand, with_loop
from leadline.backends.backend import Backend
from leadline.backends.discovery import find_backends

SIZE = 8


def measure(budget_s: float = 30.0, blocks: int = 16) -> dict[str, object]:
    """The ratio tool / by hand with its 95 % interval: puts over each library, flags over SHMEM."""
    usable = [backend for backend in find_backends() if backend.kind == "shmem" and backend.usable]
    shmem = {backend.kind: backend for backend in usable[:1]}
    rows = _rows("put", "put_mpi.c", mpi_backends(), budget_s, blocks)
    if shmem:
        rows += _rows("put", "put_shmem.c", shmem, budget_s, blocks)
        rows += _rows("put_flag", "put_flag_shmem.c", shmem, budget_s, blocks)
    missing = {} if shmem else {"missing": "OpenSHMEM; see leadline doctor"}
    return held_to_limit(rows) | missing


def _rows(
    pattern: str, source: str, backends: Mapping[str, Backend], budget_s: float, blocks: int
) -> list[Row]:
    loop = with_loop(source)
    variants = [variant_of(backend, name, loop) for name, backend in backends.items()]
    return tool_over_hand(variants, [SIZE], pattern=pattern, budget_s=budget_s, blocks=blocks)
