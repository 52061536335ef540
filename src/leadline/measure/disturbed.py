"""Slices that a disturbance can't spoil: long enough for many batches, and taken again.

Taken again where ranks waited for a core or their cores were in another state than in most visits,
the causes of a disturbance and never a time, and where none of the batches counts. All attempts are
recorded; which one counts `compare` decides, by the same causes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from leadline.backends.kinds.kind import USUAL_BYTES_PER_S
from leadline.compare.samples import run_delay_shares
from leadline.measure.core_states import CoreStates
from leadline.record.reduction import spread_of
from leadline.record.slices import DISTURBED_SHARE, LEFT_OUT, BatchFlag, Slice

MOST_ATTEMPTS = 3
FREE_RETRIES, RETRIES_A_VISIT = 8, 0.5
"""What a campaign may take again: where everything is disturbed, a third of its slices at most.

Besides those with a wrong number of repetitions, which the next attempt puts right.
"""
ENOUGH_BATCHES = 15 + 2
"""Of a slice, with those of its warm-up."""


class Retries:
    """How many slices of a campaign may be taken again."""

    def __init__(self, states: CoreStates) -> None:
        """Of a campaign that has not begun, and is to be in one of these states of the cores."""
        self._states = states
        self._visits = self._retries = 0

    def attempts(
        self, take: Callable[[int], Slice | None], crowded: bool, in_time: bool = True
    ) -> Iterator[Slice]:
        """The slices of one visit, until one is undisturbed, in the state and has what counts.

        `take` takes one, given the number of the attempt, or None where that fails. Where ranks
        are `crowded`, more than there are cores, they disturb each other: there is one attempt.
        Where a campaign isn't `in_time`, only a wrong number of repetitions makes a second one.
        """
        self._visits += 1
        miscounted = False
        for attempt in range(MOST_ATTEMPTS):
            self._retries += attempt > 0 and not miscounted
            taken = take(attempt)
            if taken is None:
                return
            yield taken
            other = self._states.worth_again(taken)
            spoiled = other or is_disturbed(taken) or not has_batches_that_count(taken)
            miscounted = _is_miscounted(taken)
            if crowded or not spoiled or not (miscounted or (in_time and self._left())):
                return

    def _left(self) -> bool:
        return self._retries < FREE_RETRIES + RETRIES_A_VISIT * self._visits


def is_disturbed(taken: Slice) -> bool:
    """Whether any rank waited for a core for longer than DISTURBED_SHARE of the slice.

    What the system doesn't say disturbs nobody.
    """
    if taken.disturbance is None:
        return False
    return bool((run_delay_shares(taken.disturbance) > DISTURBED_SHARE).any())


def _is_miscounted(taken: Slice) -> bool:
    return bool((taken.flags & int(BatchFlag.MISCOUNTED)).any())


def has_batches_that_count(taken: Slice) -> bool:
    """Whether any batch, on all of its ranks, is part of estimates."""
    return bool((~np.any(taken.flags & int(LEFT_OUT), axis=0)).any())


def step_s(taken: Slice) -> float:
    """From the beginning of a batch to that of the next, the median; nan with one batch or none."""
    steps = np.diff(spread_of(taken).lowest_rank_start_ns)
    return float(np.median(steps)) * 1e-9 if steps.size else math.nan


def slice_s(planned_s: float, step_s: float, message_bytes: int) -> float:
    """How long a slice is to last: as planned, or longer for ENOUGH_BATCHES of large messages.

    Up to the time that a plan expects of so many operations of `message_bytes` over a slow library.
    `step_s` is from batch to batch; nan, not known: as planned.
    """
    if math.isnan(step_s):
        return planned_s
    longest_s = ENOUGH_BATCHES * message_bytes / USUAL_BYTES_PER_S
    return max(planned_s, min(ENOUGH_BATCHES * step_s, longest_s))
