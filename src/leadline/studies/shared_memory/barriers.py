"""What the paper says of barriers, held against this machine's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from leadline.studies.estimates import estimate, linear_over_logarithmic, ratio
from leadline.studies.findings import Claim, Conclusion, Evidence, above, between
from leadline.studies.published.cray_mpt import T3D, barrier
from leadline.studies.results import Measurand, Results, UnmeasuredError, cores_for
from leadline.studies.shared_memory.stages import (
    BARRIER,
    CROWDED,
    FETCH_AND_INCREMENT,
    LOADED,
    QUEUEING,
    TASKS,
)

ORDER_OF_MAGNITUDE = 10.0
MORE_PES = "more PEs than cores; the paper went no further than 16"


def _barrier(results: Results) -> Measurand:
    """SHMEM's own, of any number of PEs."""
    return Measurand(TASKS, results.library("shmem"), 0, BARRIER)


def _more_pes_take_longer(results: Results) -> Conclusion:
    times = results.sweep(_barrier(results))
    if len(times) < 2:
        raise UnmeasuredError(cores_for(4))
    few, many = min(times), max(times)
    found = ratio(times[many], times[few])
    return above(Evidence(f"the barrier of {many} PEs takes {{}} times that of {few}", found), 1)


def _linear_growth(results: Results) -> Conclusion:
    found = linear_over_logarithmic(results.sweep(_barrier(results)))
    if found is None:
        raise UnmeasuredError(cores_for(8))
    text = "a line in log2 of the PEs fits {} times as well as a line in the PEs"
    return between(Evidence(text, found), None, 1)


def _hardware_barrier_faster(results: Results) -> Conclusion:
    pes, time = results.widest(_barrier(results))
    mine = estimate(time).scaled(1 / barrier(T3D, pes).time_s)
    return above(Evidence(f"SHMEM's barrier of {pes} PEs takes {{}} times the T3D's", mine), 1)


def _counter_much_faster(results: Results) -> Conclusion:
    variant = results.library("shm")
    _, queueing = results.widest(Measurand(TASKS, variant, 0, QUEUEING))
    _, counter = results.widest(Measurand(TASKS, variant, 0, FETCH_AND_INCREMENT))
    text = "idle, the queueing barrier takes {} times the fetch-and-increment one's time"
    return above(Evidence(text, ratio(queueing, counter)), ORDER_OF_MAGNITUDE)


def _queueing_best_under_load(results: Results) -> Conclusion:
    """The load is processes that spin on the PEs' cores; more PEs than cores are one as well."""
    variant = results.library("shm")
    found = {}
    for pattern in (FETCH_AND_INCREMENT, QUEUEING):
        _, found[pattern] = results.widest(Measurand(LOADED, variant, 0, pattern))
    text = "with spinning processes beside it fetch-and-increment takes {} times queueing's time"
    evidence = Evidence(text, ratio(found[FETCH_AND_INCREMENT], found[QUEUEING]))
    return above(evidence, 1, *_in_a_crowd(results, variant))


def _in_a_crowd(results: Results, variant: str) -> Iterator[Evidence]:
    counter = results.crowded(Measurand(CROWDED, variant, 0, FETCH_AND_INCREMENT))
    queueing = results.crowded(Measurand(CROWDED, variant, 0, QUEUEING))
    for most in sorted(counter.keys() & queueing.keys())[-1:]:
        text = f"{{}} times with {most} PEs on shared cores"
        yield Evidence(text, ratio(counter[most], queueing[most]))


def _crowded_pes(results: Results) -> Conclusion:
    """Here more PEs than cores are the very thing that is looked at."""
    place = _barrier(results)
    few, before = results.widest(place)
    crowded = results.crowded(replace(place, stage=CROWDED))
    if not crowded:
        raise UnmeasuredError(MORE_PES)
    many = min(crowded)
    text = f"the barrier of {many} PEs on shared cores takes {{}} times that of {few} PEs"
    return above(Evidence(text, ratio(crowded[many], before)), many / few)


CLAIMS = (
    Claim("barriers", "A barrier takes longer with more PEs", _more_pes_take_longer),
    Claim(
        "barriers",
        "A software barrier's time grows about as the PEs, not as their logarithm",
        _linear_growth,
    ),
    Claim(
        "barriers",
        "The T3D's hardware barrier beats a software barrier",
        _hardware_barrier_faster,
    ),
    Claim(
        "barriers",
        "Fetch-and-increment beats a queueing barrier by an order of magnitude",
        _counter_much_faster,
    ),
    Claim(
        "barriers",
        "A queueing barrier works best on a heavily loaded system",
        _queueing_best_under_load,
    ),
    Claim(
        "running with MPT",
        "More PEs than CPUs don't run in parallel: their barrier grows beyond their number",
        _crowded_pes,
    ),
)
