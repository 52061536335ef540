"""Slices put together into the columns of a run, and columns that are told by slices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from leadline.record.run import BatchColumns, Batches, Int32, Nanoseconds, Slice


def batches_of(slices: Sequence[Slice]) -> BatchColumns:
    """The batches of `slices` one after the other, rank by rank within a slice; none: length 0."""
    sizes = np.array([slice_.start_ns.size for slice_ in slices], dtype=np.int64)

    def repeated(values: Iterable[int]) -> Int32:
        return np.repeat(np.array([*values], dtype=np.int32), sizes)

    def joined(parts: Iterable[Any], dtype: type) -> Any:
        return np.concatenate([np.empty(0, dtype), *(part.ravel() for part in parts)], dtype=dtype)

    return BatchColumns(
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


def columns_of(batches: Batches) -> BatchColumns:
    """`batches` with every column at hand, whatever they are kept as: their file may then go."""
    return BatchColumns(**{one.name: getattr(batches, one.name) for one in fields(BatchColumns)})


@dataclass(frozen=True, slots=True)
class Strips:
    """What one rank recorded in one slice: rows that differ in number and time alone; shape (s,).

    The numbers of a strip's batches count from 0, all with the same repetitions.
    """

    configuration: Int32
    cell: Int32
    block: Int32
    visit: Int32
    rank: Int32
    repetitions: Int32
    first: npt.NDArray[np.int64]
    """Row of the batches with which it begins."""
    length: npt.NDArray[np.int64]


class StripedBatches:
    """Batches told by their strips; times and flags are read when the first one asks for them.

    A run of 4e7 batches has 2e5 strips: most reports get by without most columns.
    """

    def __init__(self, strips: Strips, read: Callable[[str], npt.NDArray[Any]]) -> None:
        """Strips follow each other without a gap; `read` gives a column by its name."""
        self.strips, self._read = strips, read

    def _repeated(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        repeated: npt.NDArray[Any] = np.repeat(values, self.strips.length)
        return repeated

    @cached_property
    def configuration(self) -> Int32:
        """As Batches has it, like all that follow."""
        return self._repeated(self.strips.configuration)

    @cached_property
    def cell(self) -> Int32:
        """Index into Run.cells."""
        return self._repeated(self.strips.cell)

    @cached_property
    def block(self) -> Int32:
        """Number of the block."""
        return self._repeated(self.strips.block)

    @cached_property
    def visit(self) -> Int32:
        """Number of the visit."""
        return self._repeated(self.strips.visit)

    @cached_property
    def batch(self) -> Int32:
        """Number within the slice."""
        rows = np.arange(int(self.strips.length.sum()))
        numbers: Int32 = (rows - self._repeated(self.strips.first)).astype(np.int32)
        return numbers

    @cached_property
    def rank(self) -> Int32:
        """Who recorded it."""
        return self._repeated(self.strips.rank)

    @cached_property
    def repetitions(self) -> Int32:
        """Of the operation in the batch."""
        return self._repeated(self.strips.repetitions)

    @cached_property
    def start_ns(self) -> Nanoseconds:
        """When it began."""
        return self._read("start_ns")

    @cached_property
    def end_ns(self) -> Nanoseconds:
        """When it was over."""
        return self._read("end_ns")

    @cached_property
    def flags(self) -> Int32:
        """A combination of BatchFlag."""
        return self._read("flags")

    @cached_property
    def elapsed_ns(self) -> Nanoseconds:
        """From start to end."""
        return self._read("elapsed_ns")
