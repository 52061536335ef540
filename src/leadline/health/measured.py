"""Observations of each pair from the run of a round: its latency, its rate, its stalls."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from leadline.health.matchings import HostPair, pair_of
from leadline.health.observations import Observation, Round, Symptom
from leadline.record.run import Run
from leadline.record.slices import LEFT_OUT
from leadline.statistics.intervals import Floats

PATTERN = "pingpong"
SMALL_BYTES = 8
SMALLEST_LARGE, LARGEST = 4096, 2**20
"""Range of the messages that rates are taken from, in bytes."""
LARGE_S = 2e-3
"""Time of one of them, in seconds: long beside its latency, short beside a round."""


def round_of(run: Run, pairs: Sequence[HostPair], large: int) -> Round:
    """Observations of `pairs` from `run`, in which each was a variant.

    Rates are taken from messages of `large` bytes alone, as those of other sizes don't compare.
    """
    seen: list[Observation] = []
    for number, configuration in enumerate(run.configurations):
        times_s = {k: v for k, v in _times_s(run, number).items() if k in (SMALL_BYTES, large)}
        pair = pair_of(*configuration.hosts)
        seen += (Observation(pair, *symptom) for symptom in _symptoms(times_s))
    return Round(tuple(pairs), tuple(seen))


def large_bytes(run: Run) -> int:
    """The size, a power of two, of messages that take LARGE_S over the typical pair of `run`."""
    each = [_times_s(run, number) for number in range(len(run.configurations))]
    known = [seconds for times in each if (seconds := _seconds_a_byte(times)) is not None]
    if not known:
        return SMALLEST_LARGE
    fitting = LARGE_S / max(float(np.median(known)), LARGE_S / LARGEST)
    return int(max(SMALLEST_LARGE, 2 ** math.floor(math.log2(fitting))))


def _times_s(run: Run, configuration: int) -> dict[int, Floats]:
    """Seconds of a message in each batch that counts, shape (n,), by size, as rank 0 timed them."""
    batches, by_size = run.batches, {}
    for number, cell in enumerate(run.cells):
        counted = (batches.configuration == configuration) & (batches.cell == number)
        counted &= (batches.rank == 0) & (batches.flags & int(LEFT_OUT) == 0)
        messages = batches.repetitions[counted] * cell.messages_per_repetition
        if counted.any():
            by_size[cell.size_bytes] = batches.elapsed_ns[counted] / messages * 1e-9
    return by_size


def _symptoms(times_s: dict[int, Floats]) -> Iterator[tuple[Symptom, float]]:
    """Each symptom with the logarithm of a number that grows as things get worse."""
    small = times_s.get(SMALL_BYTES)
    if small is not None:
        undisturbed_s = _undisturbed_s(small)
        yield Symptom.LATENCY, math.log(undisturbed_s)
        yield Symptom.STALLS, math.log(float(np.mean(small)) / undisturbed_s)
    a_byte_s = _seconds_a_byte(times_s)
    if a_byte_s is not None:
        yield Symptom.RATE, math.log(a_byte_s)


def _undisturbed_s(times_s: Floats) -> float:
    """The least time: a slow link is slow every time, a busy core holds up most batches."""
    return float(np.min(times_s))


def _seconds_a_byte(times_s: dict[int, Floats]) -> float | None:
    """Seconds of one byte more; None where a size is missing, or large messages aren't slower."""
    if len(times_s) < 2:
        return None
    (small, first), (large, last) = ((size, times_s[size]) for size in (min(times_s), max(times_s)))
    longer_s = _undisturbed_s(last) - _undisturbed_s(first)
    return longer_s / (large - small) if longer_s > 0 else None
