"""The paper's findings, sentence by sentence, each held against what this machine measured."""

from __future__ import annotations

from leadline.published.cray_mpt import (
    PES,
    T3D,
    VECTOR_BYTES,
    Transfer,
    barrier,
    reductions,
    transfer,
    vector_sum,
)
from leadline.studies.estimates import (
    Estimate,
    Quantity,
    estimate,
    linear_over_logarithmic,
    ratio,
)
from leadline.studies.findings import (
    Answer,
    Claim,
    Conclusion,
    Evidence,
    Unit,
    above,
    between,
)
from leadline.studies.results import Place, Results, UnmeasuredError
from leadline.studies.shared_memory.stages import (
    BARRIER,
    FETCH_AND_INCREMENT,
    LATENCY,
    LIBRARY_SUM,
    LOG2_SUM,
    MASTER_SUM,
    PINGPONG,
    PVM_IN_PLACE,
    QUEUEING,
    TASKS,
    VECTORS,
    WORD_BYTES,
)
from leadline.studies.shared_memory.tables import asymptotic_bandwidth, message_pattern

SIMILAR = 1.25
"""Bandwidths that differ by less than this factor are called similar."""
ORDER_OF_MAGNITUDE = 10.0
NOTABLE_SHARE = 0.02
NOT_FAR_BEHIND = 3.0
"""The J90's reductions of a word took 1.4 to 5 times the T3D's, its sums at most 2.9 times."""


def _message(results: Results, kind: str, size_bytes: int = 0) -> Quantity:
    """Half a round trip of `size_bytes` through the library `kind`."""
    variant = results.library(kind)
    return results.counted(Place(LATENCY, variant, 2, message_pattern(kind), size_bytes))


def _bandwidth(results: Results, kind: str) -> Quantity:
    _message(results, kind)  # a curve of shared cores is none
    return asymptotic_bandwidth(results, results.library(kind), message_pattern(kind))


def _widest(results: Results, place: Place) -> tuple[int, Quantity]:
    """The most PEs that have a core each, and their time; `place.pes` is ignored."""
    times = results.sweep(place)
    if not times:
        least = Place(place.stage, place.variant, PES[0], place.pattern, place.size_bytes)
        return PES[0], results.counted(least)
    return max(times), times[max(times)]


# -- messages --------------------------------------------------------------------------------------


def _lower_latency(results: Results) -> Conclusion:
    found = ratio(_message(results, "pvm"), _message(results, "shmem"))
    return above(Evidence("PVM's latency is {} times SHMEM's", found), 1)


def _packing_costs_bandwidth(results: Results) -> Conclusion:
    found = ratio(_bandwidth(results, "shmem"), _bandwidth(results, "pvm"))
    return above(Evidence("SHMEM's bandwidth is {} times PVM's with packing", found), 1)


def _similar_without_packing(results: Results) -> Conclusion:
    results.library("pvm")  # missing: said with its remedy
    in_place = asymptotic_bandwidth(results, PVM_IN_PLACE, PINGPONG)
    found = ratio(_bandwidth(results, "shmem"), in_place)
    text = "SHMEM's bandwidth is {} times PVM's of messages left in place"
    return between(Evidence(text, found), 1 / SIMILAR, SIMILAR)


def _more_bandwidth_than_t3d(results: Results) -> Conclusion:
    mine = estimate(_bandwidth(results, "shmem"))
    theirs = transfer(T3D, "SHMEM").bandwidth_bytes_per_s
    return above(
        Evidence("SHMEM's bandwidth is {} times the T3D's", mine.scaled(1 / theirs)),
        1,
        Evidence("it is {}", mine, Unit.BYTES_PER_SECOND),
    )


def _more_latency_than_t3d(results: Results) -> Conclusion:
    mine = estimate(_message(results, "shmem"))
    theirs = transfer(T3D, "SHMEM").latency_s
    return above(
        Evidence("SHMEM's latency is {} times the T3D's", mine.scaled(1 / theirs)),
        1,
        Evidence("it is {}", mine, Unit.SECONDS),
    )


def _larger_packets_needed(results: Results) -> Conclusion:
    """n_1/2 = latency times bandwidth: the packet that takes twice as long as an empty one."""
    mine = estimate(_message(results, "shmem").times(_bandwidth(results, "shmem")))
    there = transfer(T3D, "SHMEM")
    half = there.latency_s * there.bandwidth_bytes_per_s
    return above(
        Evidence("packets here must be {} times as long as on the T3D", mine.scaled(1 / half)),
        1,
        Evidence("half of the bandwidth takes {}", mine, Unit.BYTES),
    )


def _time_there(row: Transfer, size_bytes: int) -> float:
    return row.latency_s + size_bytes / row.bandwidth_bytes_per_s


def _small_packets(results: Results, kind: str, library: str) -> Conclusion:
    mine = estimate(_message(results, kind, WORD_BYTES))
    theirs = _time_there(transfer(T3D, library), WORD_BYTES)
    text = f"a word through {library} takes {{}} times the T3D's time"
    return above(Evidence(text, mine.scaled(1 / theirs)), 1)


def _small_packets_by_shmem(results: Results) -> Conclusion:
    return _small_packets(results, "shmem", "SHMEM")


def _small_packets_by_pvm(results: Results) -> Conclusion:
    return _small_packets(results, "pvm", "PVM")


def _barriers_raise_latency(results: Results) -> Conclusion:
    one = results.counted(Place(TASKS, results.library("shmem"), 2, BARRIER))
    found = ratio(one, _message(results, "shmem")).scaled(2)
    text = "two barriers take {} times as long as an empty message"
    return above(Evidence(text, found), NOTABLE_SHARE)


# -- barriers --------------------------------------------------------------------------------------


def _barrier(results: Results) -> Place:
    """SHMEM's own, of any number of PEs."""
    return Place(TASKS, results.library("shmem"), 0, BARRIER)


def _more_pes_take_longer(results: Results) -> Conclusion:
    times = results.sweep(_barrier(results))
    if len(times) < 2:
        raise UnmeasuredError("a machine with 4 cores or more, one for each PE")
    few, many = min(times), max(times)
    found = ratio(times[many], times[few])
    return above(Evidence(f"the barrier of {many} PEs takes {{}} times that of {few}", found), 1)


def _linear_growth(results: Results) -> Conclusion:
    found = linear_over_logarithmic(results.sweep(_barrier(results)))
    if found is None:
        raise UnmeasuredError("a machine with 8 cores or more, one for each PE")
    text = "a line in log2 of the PEs fits {} times as well as a line in the PEs"
    return between(Evidence(text, found), None, 1)


def _hardware_barrier_faster(results: Results) -> Conclusion:
    pes, time = _widest(results, _barrier(results))
    mine = estimate(time).scaled(1 / barrier(T3D, pes).time_s)
    return above(Evidence(f"SHMEM's barrier of {pes} PEs takes {{}} times the T3D's", mine), 1)


def _counter_much_faster(results: Results) -> Conclusion:
    found = _queueing_over_counter(results, TASKS)
    text = "idle, the queueing barrier takes {} times the fetch-and-increment one's time"
    return above(Evidence(text, found), ORDER_OF_MAGNITUDE)


def _queueing_over_counter(results: Results, stage: str) -> Estimate:
    variant = results.library("shm")
    queueing, counter = (
        _widest(results, Place(stage, variant, 0, pattern))[1]
        for pattern in (QUEUEING, FETCH_AND_INCREMENT)
    )
    return ratio(queueing, counter)


def _queueing_best_under_load(results: Results) -> Conclusion:
    """The load is the PEs' own: as many as were measured beyond the cores."""
    variant = results.library("shm")
    counter, queueing = (
        {
            pes: results.times[place]
            for pes in results.pes(TASKS)
            if (place := Place(TASKS, variant, pes, pattern)) in results.times
        }
        for pattern in (FETCH_AND_INCREMENT, QUEUEING)
    )
    crowded = [pes for pes in counter if counter[pes].crowded and pes in queueing]
    if not crowded:
        raise UnmeasuredError("more PEs than cores; the paper went no further than 16")
    most = max(crowded)
    text = f"with {most} PEs on shared cores fetch-and-increment takes {{}} times queueing's time"
    return above(Evidence(text, ratio(counter[most], queueing[most])), 1)


def _crowded_pes(results: Results) -> Conclusion:
    """Here more PEs than cores are the very thing that is looked at."""
    place = _barrier(results)
    few, before = _widest(results, place)
    crowded = [p for p in results.pes(TASKS) if p > few]
    if not crowded:
        raise UnmeasuredError("more PEs than cores; the paper went no further than 16")
    many = crowded[0]
    after = results.time(Place(TASKS, place.variant, many, BARRIER))
    text = f"the barrier of {many} PEs on shared cores takes {{}} times that of {few} PEs"
    return above(Evidence(text, ratio(after, before)), many / few)


# -- global communications -------------------------------------------------------------------------


def _word_keeps_up(results: Results) -> Conclusion:
    variant = results.library("shmem")
    pes, time = _widest(results, Place(TASKS, variant, 0, MASTER_SUM, WORD_BYTES))
    found = estimate(time).scaled(1 / reductions(T3D, pes).sum_s)
    text = f"the sum of a word on each of {pes} PEs takes {{}} times the T3D's time"
    return between(Evidence(text, found), None, NOT_FAR_BEHIND)


def _vectors_favour_shared_memory(results: Results) -> Conclusion:
    """By how much slower 100,000 words are than one, here over there."""
    variant = results.library("shmem")
    pes, word = _widest(results, Place(TASKS, variant, 0, MASTER_SUM, WORD_BYTES))
    vector = results.counted(Place(VECTORS, variant, pes, LOG2_SUM, VECTOR_BYTES))
    there = vector_sum(T3D, pes).time_s
    slower = ratio(vector, word).scaled(reductions(T3D, pes).sum_s / there)
    return between(
        Evidence("going from one word to 100,000 costs {} times what it costs the T3D", slower),
        None,
        1,
        Evidence(
            f"the vector sum of {pes} PEs takes {{}} times the T3D's time",
            estimate(vector).scaled(1 / there),
        ),
    )


def _library_beats_log2(results: Results) -> Conclusion:
    variant = results.library("shmem")
    pes, log2 = _widest(results, Place(VECTORS, variant, 0, LOG2_SUM, VECTOR_BYTES))
    own = results.counted(Place(VECTORS, variant, pes, LIBRARY_SUM, VECTOR_BYTES))
    text = f"of {pes} PEs the log2 reduction takes {{}} times the library's time"
    return above(Evidence(text, ratio(log2, own)), 1)


def _multigrid(_: Results) -> Conclusion:
    return Conclusion(Answer.OPEN, needs="NAS MG itself: an application, not a pattern of messages")


CLAIMS = (
    Claim("table 1", "SHMEM has a lower latency than PVM", _lower_latency),
    Claim(
        "table 1",
        "PVM's packing and unpacking costs it bandwidth against SHMEM",
        _packing_costs_bandwidth,
    ),
    Claim(
        "latency and bandwidth",
        "Without packing PVM's peak bandwidth is like SHMEM's, within a quarter",
        _similar_without_packing,
    ),
    Claim(
        "latency and bandwidth",
        "Shared memory has more bandwidth than the T3D's network",
        _more_bandwidth_than_t3d,
    ),
    Claim(
        "latency and bandwidth",
        "Shared memory has a higher latency than the T3D's network",
        _more_latency_than_t3d,
    ),
    Claim(
        "latency and bandwidth",
        "Its bandwidth takes longer packets to reach than the T3D's",
        _larger_packets_needed,
    ),
    Claim(
        "latency and bandwidth",
        "Small packets are faster on the T3D, by SHMEM",
        _small_packets_by_shmem,
    ),
    Claim(
        "latency and bandwidth",
        "Small packets are faster on the T3D, by PVM",
        _small_packets_by_pvm,
    ),
    Claim(
        "latency and bandwidth",
        "A couple of barriers inside the test raise its latency",
        _barriers_raise_latency,
    ),
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
    Claim(
        "global communications",
        "Reductions of one word lag not far behind the T3D's, within a factor of 3",
        _word_keeps_up,
    ),
    Claim(
        "global communications",
        "Reductions of long vectors suit shared memory better than those of a word",
        _vectors_favour_shared_memory,
    ),
    Claim(
        "global communications",
        "The library's reduction is faster than a log2 one",
        _library_beats_log2,
    ),
    Claim("global communications", "The MG benchmark runs faster than on the T3D", _multigrid),
)
