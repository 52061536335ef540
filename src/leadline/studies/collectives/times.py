"""Times of collective operations by library, operation, PEs and size, and who is the fastest."""

from __future__ import annotations

from dataclasses import replace

from leadline.studies.collectives.stages import (
    COLLECTIVES,
    CROWDED,
    KINDS,
    CollectiveCall,
)
from leadline.studies.estimates import Quantity, ratio
from leadline.studies.results import Measurand, Results, UnmeasuredError, cores_for, uncrowded

TWO_LIBRARIES = "two libraries at least; name another one in --backends"


def variants(results: Results) -> list[str]:
    """All that were measured."""
    return results.in_order(KINDS)


def place(variant: str, call: CollectiveCall, pes: int, size_bytes: int) -> Measurand:
    """Where it was measured with a core for each PE, or should have been."""
    return Measurand(COLLECTIVES, variant, pes, call.pattern, size_bytes * call.sized)


def time(
    results: Results, variant: str, call: CollectiveCall, pes: int, size_bytes: int
) -> Quantity:
    """One operation, s; UnmeasuredError says why there is none."""
    where = place(variant, call, pes, size_bytes)
    shared = pes in results.pes(CROWDED) and pes not in results.pes(COLLECTIVES)
    return results.time(replace(where, stage=CROWDED) if shared else where)


def counted(
    results: Results, variant: str, call: CollectiveCall, pes: int, size_bytes: int
) -> Quantity:
    """The time as it takes part in findings: with a core for each PE."""
    return uncrowded(time(results, variant, call, pes, size_bytes), pes)


def widest(results: Results) -> int:
    """The most PEs that have a core each, of any library; UnmeasuredError where none have."""
    run = results.runs.get(COLLECTIVES)
    if run is None:
        raise UnmeasuredError(f"the stage {COLLECTIVES} wasn't measured")
    apart = [one.ranks for one in run.configurations if not one.oversubscribed]
    if not apart:
        raise UnmeasuredError(cores_for(2))
    return max(apart)


def sizes(results: Results) -> list[int]:
    """Those of operations that have a size, rising."""
    run = results.runs.get(COLLECTIVES)
    return sorted({cell.size_bytes for cell in run.cells if cell.size_bytes}) if run else []


def surely_first(results: Results, call: CollectiveCall, pes: int, size_bytes: int) -> str | None:
    """The library that is surely faster than each other that has the operation; None: none is.

    UnmeasuredError: fewer than two have it, or the time of one that has it is lost.
    """
    able = [one for one in variants(results) if not results.absent(COLLECTIVES, one, call.pattern)]
    if len(able) < 2:
        raise UnmeasuredError(TWO_LIBRARIES)
    found = {variant: counted(results, variant, call, pes, size_bytes) for variant in able}
    for variant, mine in found.items():
        if all(surely_faster(mine, other) for one, other in found.items() if one != variant):
            return variant
    return None


def surely_faster(mine: Quantity, other: Quantity) -> bool:
    """Whether the whole interval of the ratio says so."""
    low = ratio(other, mine).low
    return low is not None and low > 1
