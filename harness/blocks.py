"""Runs whose block medians are exactly the numbers given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from leadline.record.run import Buffers, Cadence, Cell, Configuration, Failure, Run, WhoseTime
from leadline.record.slices import BatchColumns


def cell(size_bytes: int, pattern: str = "pingpong", buffers: Buffers = Buffers.ECHO) -> Cell:
    return Cell(pattern, size_bytes, buffers, Cadence.STREAMING, 1, WhoseTime.ROOT)


def configuration(variant: str, **other: Any) -> Configuration:
    usual: dict[str, Any] = {
        "backend": variant,
        "version": "1.0",
        "ranks": 2,
        "binding": (0, 1),
        "algorithms": {"pingpong": "native", "bcast": "binomial"},
    }
    return Configuration(variant, **(usual | other))


def run_of_blocks(
    seconds: npt.ArrayLike,
    configurations: Sequence[Configuration],
    cells: Sequence[Cell],
    path: str = "runs/one",
    machine: Mapping[str, Any] | None = None,
    complete: bool = True,
    failures: tuple[Failure, ...] = (),
) -> Run:
    """One batch of one repetition on rank 0 for each of `seconds`, nan: none.

    Shape (configurations, cells, blocks); whole nanoseconds.
    """
    array = np.asarray(seconds, dtype=np.float64)
    where = np.argwhere(~np.isnan(array)).astype(np.int32)
    elapsed_ns = np.rint(array[tuple(where.T)] * 1e9).astype(np.int64)
    none, one = np.zeros(len(where), np.int32), np.ones(len(where), np.int32)
    start = np.arange(len(where), dtype=np.int64)
    c, k, b = where.T
    batches = BatchColumns(c, k, b, *(none,) * 5, start, start + elapsed_ns, one, none)
    metadata = {"machine": machine or {}}
    return Run(path, complete, metadata, tuple(configurations), tuple(cells), batches, failures)
