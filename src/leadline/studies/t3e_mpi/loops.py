"""What was measured of broadcasts and reductions, in a loop and one at a time, by PEs.

The paper's time of a broadcast is the last end on any PE minus the root's start, over the calls of
a loop that begins after a barrier. Here a loop is long and begins anywhere, so that a call takes
what it takes on the slowest PE. One at a time, all begin at a deadline by the clock they share, the
root with them, and the last end counts: the paper's definition with a single call.
"""

from __future__ import annotations

import math

from leadline.studies.estimates import Quantity
from leadline.studies.results import Measurand, Results, UnmeasuredError, uncrowded
from leadline.studies.t3e_mpi.stages import COLLECTIVE_BYTES, CROWDED, LOOPED, SINGLE

A_CORE_EACH = "one at a time: only where each PE has a core"


def looped(results: Results, variant: str, pattern: str, pes: int) -> Quantity:
    """A call in a loop, s, be it on shared cores; UnmeasuredError says why there is none."""
    shared = pes in results.pes(CROWDED) and pes not in results.pes(LOOPED)
    stage = CROWDED if shared else LOOPED
    return results.time(Measurand(stage, variant, pes, pattern, COLLECTIVE_BYTES))


def looped_pes(results: Results) -> list[int]:
    """The numbers of PEs that called in a loop, rising."""
    return sorted({*results.pes(LOOPED), *results.pes(CROWDED)})


def single(results: Results, variant: str, pattern: str, pes: int) -> Quantity:
    """A call alone, s; UnmeasuredError as above."""
    if pes not in results.pes(SINGLE) and pes in results.pes(CROWDED):
        raise UnmeasuredError(A_CORE_EACH)
    return results.time(Measurand(SINGLE, variant, pes, pattern, COLLECTIVE_BYTES))


def counted(results: Results, variant: str, pattern: str, pes: int) -> Quantity:
    """A call in a loop as it takes part in findings: with a core for each PE."""
    return uncrowded(looped(results, variant, pattern, pes), pes)


def received(time: Quantity, pes: int) -> Quantity:
    """What `pes` PEs receive together of a broadcast that takes so long, bytes/s."""
    return Quantity(time.run, math.log(pes * COLLECTIVE_BYTES) - time.logs, time.crowded)


def counted_pes(results: Results, *variants: str, pattern: str) -> list[int]:
    """The numbers of PEs at which all of `variants` were measured with a core for each."""
    return [
        pes
        for pes in results.pes(LOOPED)
        if all(pes in _sweep(results, one, pattern) for one in variants)
    ]


def _sweep(results: Results, variant: str, pattern: str) -> dict[int, Quantity]:
    return results.sweep(Measurand(LOOPED, variant, 0, pattern, COLLECTIVE_BYTES))
