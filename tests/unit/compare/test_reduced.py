"""What is said of the slowest ranks' batches is what is said of those of all ranks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from harness.many_ranks import drawn, kept, run_of, said

from leadline.compare.operations import operations_of, operations_of_strips
from leadline.record.batches import StripedBatches
from leadline.record.reduction import FEW_RANKS, reduced
from leadline.record.run import Run
from leadline.record.slices import Int32, Slice


def from_parquet(run: Run) -> Run:
    """`run` as it is read from its tables."""
    assert run.strips is not None
    columns = {"start_ns", "end_ns", "elapsed_ns", "flags", "rank"}
    values = {name: getattr(run.batches, name) for name in columns}
    striped = StripedBatches(run.strips, values.__getitem__, has_spread=True)
    return replace(run, batches=striped)


@pytest.mark.parametrize("seed", range(6))
def test_everything_said_is_the_same(seed: int) -> None:
    slices, other = drawn(seed), run_of(drawn(100 + seed))
    expected = said(run_of(slices), other)
    run = run_of(kept(slices))
    assert run.batches.flags.size < run_of(slices).batches.flags.size / 4
    assert said(run, other) == expected
    assert said(from_parquet(run), other) == expected
    assert "undecided" in expected[1] or "faster" in expected[1]


Fault = Callable[[Slice], Slice]


def _lowest(taken: Slice) -> Slice:
    """Keeps the lowest rank's batches."""
    found = reduced(taken)
    return replace(found, start_ns=taken.start_ns[:1], end_ns=taken.end_ns[:1])


def _slowests_flags(taken: Slice) -> Slice:
    """Forgets what other ranks flagged."""
    longest = np.argmax(taken.end_ns - taken.start_ns, axis=0)[np.newaxis]
    return replace(reduced(taken), flags=np.take_along_axis(taken.flags, longest, axis=0))


def _extent(taken: Slice) -> Slice:
    """From the first start to the last end."""
    found = reduced(taken)
    assert found.spread is not None
    start, end = found.spread.first_start_ns, found.spread.last_end_ns
    return replace(found, start_ns=start[np.newaxis], end_ns=end[np.newaxis])


def _undisturbed(taken: Slice) -> Slice:
    """Forgets what happened to ranks whose batches aren't kept."""
    found = reduced(taken)
    assert found.disturbance is not None
    first = {
        name: getattr(found.disturbance, name)[:1]
        for name in ("window_ns", "run_delay_ns", "involuntary_switches", "minor_faults",
                     "core_latency_ns")
    }  # fmt: skip
    none: Int32 = np.zeros(0, np.int32)
    return replace(found, others=none, disturbance=replace(found.disturbance, **first))


@pytest.mark.parametrize("fault", [_lowest, _slowests_flags, _extent, _undisturbed])
def test_a_wrong_reduction_would_be_seen(fault: Fault) -> None:
    slices, other = drawn(0), run_of(drawn(100))
    wrong = [fault(one) if one.ranks.size > FEW_RANKS else one for one in slices]
    assert said(run_of(wrong), other) != said(run_of(slices), other)


def test_few_ranks_and_times_of_the_root_are_kept_as_they_are() -> None:
    slices = drawn(0)
    for before, after in zip(slices, kept(slices), strict=True):
        assert (after.slowest is None) == (before.ranks.size == 1)
        assert after.ranks.size == 1
    few = [_of_ranks(one, FEW_RANKS) for one in slices]
    assert all(a is b for a, b in zip(few, kept(few), strict=True))


def _of_ranks(taken: Slice, number: int) -> Slice:
    return replace(
        taken,
        ranks=taken.ranks[:number],
        others=np.concatenate([taken.ranks[number:], taken.others]),
        start_ns=taken.start_ns[:number],
        end_ns=taken.end_ns[:number],
        flags=taken.flags[:number],
    )


def test_whoever_was_the_slowest_a_slice_is_one_group() -> None:
    run = run_of(kept(drawn(1)))
    assert run.strips is not None
    found, expected = operations_of(run.batches), operations_of_strips(run.strips)
    assert expected is not None
    for name in ("configuration", "cell", "block", "visit", "attempt", "numbers", "first"):
        assert np.array_equal(getattr(found, name), getattr(expected, name)), name
