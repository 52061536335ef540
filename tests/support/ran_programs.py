"""Results of the study of applications: programs that take what models of their calls say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from harness.blocks import cell, configuration
from harness.synthetic import one_slice
from tests.support.study_results import results

from leadline.compare.analysis import Analysis
from leadline.papers.applications.measured import measured_programs
from leadline.papers.applications.stages import ALONE, COMPUTING, LIMIT, PROGRAMS, QUICK_SIZES
from leadline.papers.applications.study import CLAIMS
from leadline.papers.findings import Finding, answered
from leadline.papers.layout import StudyTable, TableEntry
from leadline.papers.results import Measurand, Results, results_of
from leadline.papers.study import MeasuredProgram
from leadline.record.batches import batches_of, conditions_of, strips_of
from leadline.record.run import Failure, Run
from leadline.record.slices import CommunicationTimes, Slice

CORES = 2
COMPUTED = {"mg:S": 100e-6, "mg_puts:S": 100e-6, "stap:small": 1e-3}
"""Seconds of a repetition on one of two ranks."""
ON_ONE_RANK = {"mg:S": 180e-6, "stap:small": 2e-3}
PER_CALL: Mapping[str, tuple[float, float]] = {
    # seconds of a call, and of each of its bytes
    "cyclic": (1e-6, 1e-9),
    "put_flag": (0.4e-6, 0.4e-9),
    "allgather": (2e-6, 0.0),
    "alltoall": (4e-6, 0.25e-9),
}
CALLS_S = {
    # Of mg:S on two ranks: three exchanges of each of 9,248, 2,592, 800 and 288 bytes, each of two
    # messages or two puts; a gather. Of stap:small a corner turn of 262,144 bytes; a gather.
    "mg:S": 12 * 1e-6 + 3 * 12_928 * 1e-9 + 2e-6,
    "mg_puts:S": 24 * 0.4e-6 + 6 * 12_928 * 0.4e-9 + 2e-6,
    "stap:small": 4e-6 + 262_144 * 0.25e-9 + 2e-6,
}
LIBRARIES = {"openmpi": 1.0, "mpich": 2.0, "shmem": 1.5, LIMIT: 0.5}
"""By how much their calls take longer than these."""


def times(
    libraries: Mapping[str, float] = LIBRARIES,
    slower: Mapping[tuple[str, str], float] | None = None,
    sizes: Sequence[int] = QUICK_SIZES,
) -> dict[Measurand, float]:
    """Seconds by place; `slower`: what a program takes, of what it should."""
    found: dict[Measurand, float] = {
        Measurand(PROGRAMS, COMPUTING, 2, name): seconds for name, seconds in COMPUTED.items()
    }
    for variant, factor in libraries.items():
        for name, computed in COMPUTED.items():
            more = (slower or {}).get((variant, name), 1.0)
            seconds = more * (computed + factor * CALLS_S[name])
            found[Measurand(PROGRAMS, variant, 2, name)] = seconds
        for pattern, (start, per_byte) in PER_CALL.items():
            for size in sizes:
                seconds = factor * (start + size * per_byte)
                found[Measurand(PROGRAMS, variant, 2, pattern, size)] = seconds
    for name, seconds in ON_ONE_RANK.items():
        found[Measurand(ALONE, LIMIT, 1, name)] = seconds
    return found


def ran(
    libraries: Mapping[str, float] = LIBRARIES,
    slower: Mapping[tuple[str, str], float] | None = None,
) -> Results:
    """On two cores."""
    return results(times(libraries, slower), cores=CORES)


HUNG = "no result from openmpi, mg:S after 60 s: rank 1 is stuck (rank 1 waits; rank 0 ended)"
WRONG = "openmpi, mg:S: norm 5.4e-05, expected 5.3e-05, repetition 4\nof 4"


def failed(
    variant: str,
    label: str,
    code: str,
    message: str,
    slower: Mapping[tuple[str, str], float] | None = None,
) -> Results:
    """Where a library failed at a program, and so has no time of it."""
    place = Measurand(PROGRAMS, variant, 2, label)
    mine = {one: value for one, value in times(slower=slower).items() if one != place}
    whole = results(mine, cores=CORES)
    run = whole.runs[PROGRAMS]
    at = [(one.variant, one.ranks) for one in run.configurations].index((variant, 2))
    failure = Failure(at, [one.pattern for one in run.cells].index(label), 3, code, message)
    analysis = Analysis(replace(run, failures=(failure,)))
    return results_of({**whole.analyses, PROGRAMS: analysis})


# -- what is said of them --------------------------------------------------------------------------

CLAIMED = {claim.text: claim for claim in CLAIMS}
FASTEST = "One library is the fastest for NAS MG by messages"
PUTS = "Puts are faster than any library's messages, over OpenSHMEM"
COMPUTES = "NAS MG by messages computes for most of its time over its fastest library"
TOLD = "A model tells the time of NAS MG by messages within a factor of 1.25, over every library"


def found(text: str, measured: Results) -> Finding:
    (finding,) = answered([CLAIMED[text]], measured)
    return finding


def row(table: StudyTable, *labels: str) -> tuple[TableEntry, ...]:
    (entries,) = [one.entries for one in table.rows if one.labels == labels]
    return entries


def program(measured: Results, label: str, variant: str, ranks: int = 2) -> MeasuredProgram:
    (one,) = [
        one
        for one in measured_programs(measured)
        if (f"{one.name}:{one.problem}", one.variant, one.ranks) == (label, variant, ranks)
    ]
    return one


def spent(block: int, *of_ranks: tuple[int, int]) -> Slice:
    """A slice of two ranks; of each communication and repetitions, ns."""
    return replace(
        one_slice((0, 0, block, 0), [[50, 50], [50, 50]]),
        repetitions=1,
        communication=CommunicationTimes(*np.array(of_ranks).T),
    )


def spending(*slices: Slice) -> Results:
    """mg:S over openmpi."""
    run = Run(
        "runs/programs",
        True,
        {},
        (configuration("openmpi", algorithms={"mg": "native"}),),
        (cell(0, "mg:S"),),
        batches_of(slices),
        strips=strips_of(slices),
        conditions=conditions_of(slices),
    )
    return results_of({PROGRAMS: Analysis(run)})
