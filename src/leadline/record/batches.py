"""Slices put together into the columns of a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from leadline.record.run import Batches, Int32, Slice


def batches_of(slices: Sequence[Slice]) -> Batches:
    """The batches of `slices` one after the other, rank by rank within a slice; none: length 0."""
    sizes = np.array([slice_.start_ns.size for slice_ in slices], dtype=np.int64)

    def repeated(values: Iterable[int]) -> Int32:
        return np.repeat(np.array([*values], dtype=np.int32), sizes)

    def joined(parts: Iterable[Any], dtype: type) -> Any:
        return np.concatenate([np.empty(0, dtype), *(part.ravel() for part in parts)], dtype=dtype)

    return Batches(
        configuration=repeated(s.configuration for s in slices),
        cell=repeated(s.cell for s in slices),
        block=repeated(s.block for s in slices),
        visit=repeated(s.visit for s in slices),
        batch=joined((np.indices(s.start_ns.shape)[1] for s in slices), np.int32),
        rank=joined((np.repeat(s.ranks, s.start_ns.shape[1]) for s in slices), np.int32),
        start_ns=joined((s.start_ns for s in slices), np.int64),
        end_ns=joined((s.end_ns for s in slices), np.int64),
        repetitions=repeated(s.repetitions for s in slices),
        flags=joined((s.flags for s in slices), np.int32),
    )
