"""Slices joined to the columns of a run, and columns of a run that are read when first needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from leadline.record.quantities import UNKNOWN
from leadline.record.slices import (
    SPREAD,
    BatchColumns,
    Batches,
    CommunicationTimes,
    Counts,
    Disturbance,
    Int32,
    LinkUse,
    Nanoseconds,
    RankSpread,
    Slice,
    StripConditions,
    Strips,
    Verified,
)

NO_LINK = LinkUse("", 0, 0, 0.0)
"""Stands for the link of slices during which none was watched."""
NOT_VERIFIED = Verified("", 0.0, 0.0)
"""Stands for the check of slices in which no real number was checked."""


def batches_of(slices: Sequence[Slice]) -> BatchColumns:
    """The batches of `slices` one after the other, rank by rank within a slice; none: length 0."""
    sizes = np.array([slice_.start_ns.size for slice_ in slices], dtype=np.int64)

    def repeated(values: Iterable[int]) -> Int32:
        return np.repeat(np.array([*values], dtype=np.int32), sizes)

    return BatchColumns(
        configuration=repeated(s.configuration for s in slices),
        cell=repeated(s.cell for s in slices),
        block=repeated(s.block for s in slices),
        visit=repeated(s.visit for s in slices),
        attempt=repeated(s.attempt for s in slices),
        launch=repeated(s.launch for s in slices),
        batch=_joined((np.indices(s.start_ns.shape)[1] for s in slices), np.int32),
        rank=_joined(
            (
                np.repeat(s.ranks, s.start_ns.shape[1]) if s.slowest is None else s.slowest
                for s in slices
            ),
            np.int32,
        ),
        start_ns=_joined((s.start_ns for s in slices), np.int64),
        end_ns=_joined((s.end_ns for s in slices), np.int64),
        repetitions=repeated(s.repetitions for s in slices),
        flags=_joined((s.flags for s in slices), np.int32),
        spread=_spread_beside(slices),
    )


def _spread_beside(slices: Sequence[Slice]) -> RankSpread | None:
    """The spread over ranks of each row of batches_of; None: no slice has one."""
    if all(slice_.spread is None for slice_ in slices):
        return None

    def column(name: str) -> Nanoseconds:
        parts = (
            np.full(s.start_ns.size, UNKNOWN) if s.spread is None else getattr(s.spread, name)
            for s in slices
        )
        joined: Nanoseconds = _joined(parts, np.int64)
        return joined

    return RankSpread(**{name: column(name) for name in SPREAD})


def columns_of(batches: Batches) -> BatchColumns:
    """`batches` with every column in memory, so that a file they are read from may be removed."""
    return BatchColumns(
        **{field.name: getattr(batches, field.name) for field in fields(BatchColumns)}
    )


def strips_of(slices: Sequence[Slice]) -> Strips:
    """A strip for each rank of each of `slices`, whose rows are those of batches_of."""
    parts = ([s.start_ns.shape[1]] * s.ranks.size + [0] * s.others.size for s in slices)
    lengths = _joined(map(np.array, parts), np.int64)
    return Strips(
        configuration=_by_rank(slices, (s.configuration for s in slices)),
        cell=_by_rank(slices, (s.cell for s in slices)),
        block=_by_rank(slices, (s.block for s in slices)),
        visit=_by_rank(slices, (s.visit for s in slices)),
        attempt=_by_rank(slices, (s.attempt for s in slices)),
        launch=_by_rank(slices, (s.launch for s in slices)),
        rank=_joined((part for s in slices for part in (s.ranks, s.others)), np.int32),
        repetitions=_by_rank(slices, (s.repetitions for s in slices)),
        first=np.cumsum(lengths) - lengths,
        length=lengths,
    )


def conditions_of(slices: Sequence[Slice]) -> StripConditions:
    """The conditions of each of strips_of."""
    links = [slice_.link or NO_LINK for slice_ in slices]
    checked = [slice_.verified or NOT_VERIFIED for slice_ in slices]
    warm_ups = [
        (UNKNOWN,) * 3 if warm_up is None
        else (warm_up.elapsed_ns, warm_up.operations, int(warm_up.converged))
        for warm_up in (slice_.warm_up for slice_ in slices)
    ]  # fmt: skip

    def disturbance(name: str) -> Counts:
        found: Counts = _joined((_condition(s, s.disturbance, name) for s in slices), np.int64)
        return found

    def communication(name: str) -> Counts:
        found: Counts = _joined((_condition(s, s.communication, name) for s in slices), np.int64)
        return found

    return StripConditions(
        window_ns=disturbance("window_ns"),
        run_delay_ns=disturbance("run_delay_ns"),
        involuntary_switches=disturbance("involuntary_switches"),
        minor_faults=disturbance("minor_faults"),
        core_latency_ns=disturbance("core_latency_ns"),
        link=_by_rank(slices, (link.name for link in links), np.object_),
        link_bytes=_by_rank(slices, (link.bytes for link in links), np.int64),
        link_window_ns=_by_rank(slices, (link.window_ns for link in links), np.int64),
        link_bytes_per_s=_by_rank(slices, (link.bytes_per_s for link in links), np.float64),
        warm_up_ns=_by_rank(slices, (ns for ns, _, _ in warm_ups), np.int64),
        warm_up_operations=_by_rank(
            slices, (operations for _, operations, _ in warm_ups), np.int64
        ),
        warm_up_converged=_by_rank(slices, (converged for *_, converged in warm_ups), np.int64),
        communication_ns=communication("communication_ns"),
        repetitions_ns=communication("repetitions_ns"),
        verified=_by_rank(slices, (verified.quantity for verified in checked), np.object_),
        verified_expected=_by_rank(slices, (verified.expected for verified in checked), np.float64),
        verified_seen=_by_rank(slices, (verified.seen for verified in checked), np.float64),
    )


def unknown_conditions(strips: int) -> StripConditions:
    """Conditions of so many strips during which nothing was observed."""
    unknown = np.full(strips, UNKNOWN, np.int64)
    none = np.zeros(strips, np.int64)
    nameless = np.full(strips, NO_LINK.name, np.object_)
    unchecked = np.full(strips, NOT_VERIFIED.quantity, np.object_)
    zeros = none.astype(np.float64)
    return StripConditions(
        *(unknown,) * 5, nameless, none, none, zeros, *(unknown,) * 5, unchecked, zeros, zeros
    )


def _by_rank(slices: Sequence[Slice], values: Iterable[Any], dtype: type = np.int32) -> Any:
    """Each slice's value once for each of its ranks."""
    ranks = np.array([slice_.ranks.size + slice_.others.size for slice_ in slices], dtype=np.int64)
    return np.repeat(np.array([*values], dtype=dtype), ranks)


def _joined(parts: Iterable[Any], dtype: type) -> Any:
    return np.concatenate([np.empty(0, dtype), *(part.ravel() for part in parts)], dtype=dtype)


def _condition(
    slice_: Slice, of_ranks: Disturbance | CommunicationTimes | None, name: str
) -> Counts:
    """The column `name` of `of_ranks`; UNKNOWN for each rank of the slice where that is None."""
    if of_ranks is None:
        return np.full(slice_.ranks.size + slice_.others.size, UNKNOWN, np.int64)
    found: Counts = getattr(of_ranks, name)
    return found


class StripedBatches:
    """Batches computed from their strips; columns that differ within a strip are read when needed.

    A run of 4e7 batches has 2e5 strips, and most reports need few columns.
    """

    def __init__(
        self, strips: Strips, read: Callable[[str], npt.NDArray[Any]], has_spread: bool = False
    ) -> None:
        """Strips follow each other without a gap; `read` returns a column by its name.

        `has_spread`: some slices have the slowest rank's batches only, and the spread over ranks.
        """
        self.strips, self._read, self._has_spread = strips, read, has_spread

    def _repeated(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        repeated: npt.NDArray[Any] = np.repeat(values, self.strips.length)
        return repeated

    @cached_property
    def configuration(self) -> Int32:
        """As in Batches, like all that follow."""
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
    def attempt(self) -> Int32:
        """Number of the slice within the visit."""
        return self._repeated(self.strips.attempt)

    @cached_property
    def launch(self) -> Int32:
        """Number of the launch."""
        return self._repeated(self.strips.launch)

    @cached_property
    def batch(self) -> Int32:
        """Number within the slice."""
        rows = np.arange(int(self.strips.length.sum()))
        numbers: Int32 = (rows - self._repeated(self.strips.first)).astype(np.int32)
        return numbers

    @cached_property
    def rank(self) -> Int32:
        """The rank that recorded it."""
        return self._read("rank") if self._has_spread else self._repeated(self.strips.rank)

    @cached_property
    def repetitions(self) -> Int32:
        """Repetitions of the operation in the batch."""
        return self._repeated(self.strips.repetitions)

    @cached_property
    def start_ns(self) -> Nanoseconds:
        """Start of the batch."""
        return self._read("start_ns")

    @cached_property
    def end_ns(self) -> Nanoseconds:
        """End of the batch."""
        return self._read("end_ns")

    @cached_property
    def flags(self) -> Int32:
        """A combination of BatchFlag."""
        return self._read("flags")

    @cached_property
    def elapsed_ns(self) -> Nanoseconds:
        """From start to end."""
        return self._read("elapsed_ns")

    @cached_property
    def spread(self) -> RankSpread | None:
        """Spread over ranks, where the slowest one's batches are kept."""
        if not self._has_spread:
            return None
        return RankSpread(**{name: self._read(name) for name in SPREAD})
