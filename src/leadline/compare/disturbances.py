"""What disturbed each slice, told by its cause: the time for which ranks waited for a core.

A slice that was disturbed, or not in the run's state, is taken again in the same visit; which
attempt counts is decided by the cause as well, never by what was measured.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from leadline.compare.operations import Operations, extents, largest_of_ranks, slice_of
from leadline.record.run import Run
from leadline.record.slices import Disturbance, StripConditions
from leadline.statistics.intervals import Floats


def waited_of(run: Run, groups: Operations) -> Floats:
    """Of each of `groups`, the largest share of its time for which a rank waited for a core.

    Shape (groups,); 0 where the run doesn't say.
    """
    if run.strips is None or run.conditions is None:
        return np.zeros(groups.numbers.size)
    return largest_of_ranks(run.strips, run_delay_shares(run.conditions), groups)


def run_delay_shares(found: StripConditions | Disturbance) -> Floats:
    """Of each strip, or each rank, the share of its window; 0 where it isn't known."""
    said = (found.run_delay_ns >= 0) & (found.window_ns > 0)
    shares: Floats = np.divide(
        found.run_delay_ns, found.window_ns, out=np.zeros(said.shape), where=said
    )
    return shares


def used_attempts(
    groups: Operations, waited: Floats, outside: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Which of `groups` count: of each visit the attempt that waited least, of equals the first.

    Not those `outside` the run's state. `waited` is infinite where all batches are flagged: that
    attempt has nothing to count.
    """
    if not groups.numbers.size:
        return np.zeros(0, np.bool_)
    place = slice_of(groups)
    attempts = np.full(extents(place), np.inf)
    np.minimum.at(attempts, place, np.where(outside, np.inf, waited))
    first = np.argmin(attempts, axis=-1)[place[:-1]] == groups.attempt
    return np.asarray(first & ~outside)
