"""What the study measures: the paper's seven collective operations, by size and PEs.

Each operation is timed alone: all PEs begin together, and the slowest one's end counts. PEs that
share cores can't begin together; they are a stage of their own, called in a loop, with the two
operations that need all PEs at once, since a library that never yields a core takes milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from leadline.measure.spec import Request
from leadline.papers.estimates import Quantity, ratio
from leadline.papers.results import Measurand, Results, UnmeasuredError, cores_for, uncrowded
from leadline.papers.study import Stage

COLLECTIVES, CROWDED = "collectives", "crowded"
FULL_S, QUICK_S = 400.0, 84.0
"""Default budgets."""
PATIENCE_S = 15.0
"""Libraries that never yield a core need seconds for what others do in a microsecond."""
KINDS = ("mpich", "openmpi", "impi", "mpi")


@dataclass(frozen=True, slots=True)
class CollectiveCall:
    """One of the paper's operations."""

    name: str
    pattern: str
    sized: bool = True


BARRIER = CollectiveCall("barrier", "barrier", False)
TOTAL_EXCHANGE = CollectiveCall("total exchange", "alltoall")
CALLS = (
    BARRIER,
    CollectiveCall("broadcast", "bcast"),
    CollectiveCall("gather", "gather"),
    CollectiveCall("scatter", "scatter"),
    CollectiveCall("reduction", "reduce"),
    CollectiveCall("scan", "scan"),
    TOTAL_EXCHANGE,
)
SHORT_BYTES, LONG_BYTES = 8, 65_536
"""The shortest that a reduction has, and the paper's long message."""
SIZES = (
    SHORT_BYTES, 64, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, LONG_BYTES, 131_072, 262_144,
)  # fmt: skip
QUICK_SIZES = (SHORT_BYTES, 64, 512, 2048, 8192, 16_384, 32_768, LONG_BYTES)
"""Enough for a form in two pieces, as of a library that changes its algorithm."""
NUMBERS_OF_PES = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""The last is the paper's."""
PAPERS_PES = NUMBERS_OF_PES[-1]
FEWEST = 3
"""How many numbers of PEs it takes at least to see how times grow."""
MOST_CROWDED = {True: 4, False: 8}
"""By quick: up to so many PEs share cores, if fewer don't."""


def numbers_of_pes(quick: bool, cores: int) -> tuple[int, ...]:
    """Numbers of PEs with a core each, ascending; with `quick` the ends and the middle alone."""
    within = [pes for pes in NUMBERS_OF_PES if pes <= cores] or [NUMBERS_OF_PES[0]]
    if not quick:
        return tuple(within)
    return tuple(dict.fromkeys((within[0], within[len(within) // 2], within[-1])))


def crowd(quick: bool, cores: int) -> tuple[int, ...]:
    """Numbers of PEs that share cores, where there are few; with `quick` the largest alone."""
    most = numbers_of_pes(quick, cores)[-1]
    numbers = tuple(pes for pes in NUMBERS_OF_PES if most < pes <= MOST_CROWDED[quick])
    return numbers[-1:] if quick else numbers


def stages(budget_s: float, quick: bool, cores: int) -> tuple[Stage, ...]:
    """All numbers of PEs with a core each in one campaign: forms over them are of one hour."""
    patterns = tuple(call.pattern for call in CALLS)
    sizes = QUICK_SIZES if quick else SIZES
    few = crowd(quick, cores)
    apart = _request(0.82 * budget_s if few else budget_s, patterns, sizes)
    campaigns = [Stage(COLLECTIVES, replace(apart, ranks=numbers_of_pes(quick, cores)))]
    if few:
        at_once = (BARRIER.pattern, TOTAL_EXCHANGE.pattern)
        shared = _request(0.18 * budget_s, at_once, (SHORT_BYTES,))
        campaigns.append(Stage(CROWDED, replace(shared, ranks=few)))
    return tuple(campaigns)


def _request(budget_s: float, patterns: tuple[str, ...], sizes: tuple[int, ...]) -> Request:
    return Request(patterns=patterns, sizes=sizes, budget_s=budget_s, patience_s=PATIENCE_S)


# -- times -----------------------------------------------------------------------------------------


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
    apart = [
        configuration.ranks
        for configuration in run.configurations
        if not configuration.oversubscribed
    ]
    if not apart:
        raise UnmeasuredError(cores_for(2))
    return max(apart)


def sizes(results: Results) -> list[int]:
    """Sizes of the operations that have one, ascending."""
    run = results.runs.get(COLLECTIVES)
    return sorted({cell.size_bytes for cell in run.cells if cell.size_bytes}) if run else []


def surely_first(results: Results, call: CollectiveCall, pes: int, size_bytes: int) -> str | None:
    """The library that is surely faster than each other that has the operation; None: none is.

    UnmeasuredError: fewer than two have it, or the time of one that has it is lost.
    """
    able = [
        variant
        for variant in variants(results)
        if not results.absent(COLLECTIVES, variant, call.pattern)
    ]
    if len(able) < 2:
        raise UnmeasuredError(TWO_LIBRARIES)
    times = {variant: counted(results, variant, call, pes, size_bytes) for variant in able}
    for variant, quantity in times.items():
        if all(
            surely_faster(quantity, other) for rival, other in times.items() if rival != variant
        ):
            return variant
    return None


def surely_faster(quantity: Quantity, other: Quantity) -> bool:
    """Whether the whole interval of the ratio says so."""
    low = ratio(other, quantity).low
    return low is not None and low > 1
