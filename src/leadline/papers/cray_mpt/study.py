"""The paper's sentences, compared with this machine's measurements, and the study as a whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from leadline.papers.cray_mpt import KEY, SOURCE
from leadline.papers.cray_mpt.printed import (
    PES,
    PROCESSORS,
    T3D,
    VECTOR_BYTES,
    value,
)
from leadline.papers.cray_mpt.stages import (
    BARRIER,
    CROWDED,
    FETCH_AND_INCREMENT,
    FULL_S,
    LATENCY,
    LIBRARY_SUM,
    LOADED,
    LOG2_SUM,
    MASTER_SUM,
    PACKED,
    PINGPONG,
    PVM_IN_PLACE,
    QUEUEING,
    QUICK_S,
    TASKS,
    VECTORS,
    WORD_BYTES,
    stages,
)
from leadline.papers.cray_mpt.tables import asymptotic_bandwidth, message_pattern, tables
from leadline.papers.estimates import Quantity, estimate, linear_over_logarithmic, ratio
from leadline.papers.findings import (
    Claim,
    Conclusion,
    Evidence,
    Outcome,
    QuantityIn,
    RatioTest,
    above,
    between,
)
from leadline.papers.results import Measurand, Results, UnmeasuredError, cores_for
from leadline.papers.study import Scale, Study
from leadline.papers.units import Unit

SIMILAR = 1.25
"""Bandwidths that differ by less than this factor are called similar."""
NOTABLE_SHARE = 0.02


def _message(kind: str, size_bytes: int = 0) -> QuantityIn:
    """Half a round trip of `size_bytes` through the library `kind`."""

    def quantity(results: Results) -> Quantity:
        variant = results.library(kind)
        return results.counted(Measurand(LATENCY, variant, 2, message_pattern(kind), size_bytes))

    return quantity


def _bandwidth(kind: str) -> QuantityIn:
    def quantity(results: Results) -> Quantity:
        _message(kind)(results)  # a curve of shared cores is none
        return asymptotic_bandwidth(results, results.library(kind), message_pattern(kind))

    return quantity


def _packed(results: Results) -> Quantity:
    return asymptotic_bandwidth(results, results.library("pvm"), PACKED)


def _similar_without_packing(results: Results) -> Conclusion:
    shmem = _bandwidth("shmem")(results)
    text = "SHMEM's bandwidth is {} times PVM's without packing and unpacking"
    in_place = asymptotic_bandwidth(results, PVM_IN_PLACE, PINGPONG)
    return between(
        Evidence(text, ratio(shmem, _packed(results))),
        1 / SIMILAR,
        SIMILAR,
        Evidence(
            "{} times PVM's past its daemon and from the user's memory", ratio(shmem, in_place)
        ),
    )


def _barriers_raise_latency(results: Results) -> Conclusion:
    barrier = results.counted(Measurand(TASKS, results.library("shmem"), 2, BARRIER))
    factor = ratio(barrier, _message("shmem")(results)).scaled(2)
    text = "two barriers take {} times as long as an empty message"
    return above(Evidence(text, factor), NOTABLE_SHARE)


LATENCY_THERE = {library: value(T3D, "table1", library, "latency") for library in ("shmem", "pvm")}
BANDWIDTH_THERE = {
    library: value(T3D, "table1", library, "bandwidth") for library in ("shmem", "pvm")
}
"""On the T3D, by library."""


_OF_MESSAGES = (
    Claim(
        "table 1",
        "SHMEM has a lower latency than PVM",
        RatioTest("PVM's latency is {} times SHMEM's", _message("pvm"), _message("shmem"), least=1),
    ),
    Claim(
        "table 1",
        "SHMEM has a higher bandwidth than PVM",
        RatioTest(
            "SHMEM's bandwidth is {} times PVM's", _bandwidth("shmem"), _bandwidth("pvm"), least=1
        ),
    ),
    Claim(
        "latency and bandwidth",
        "Packing and unpacking lower PVM's bandwidth",
        RatioTest(
            "PVM's bandwidth without packing and unpacking is {} times that with both",
            _packed,
            _bandwidth("pvm"),
            least=1,
        ),
    ),
    Claim(
        "latency and bandwidth",
        "Without them PVM's bandwidth is like SHMEM's, within a quarter",
        _similar_without_packing,
    ),
    Claim(
        "latency and bandwidth",
        "Shared memory has more bandwidth than the T3D's network",
        RatioTest(
            "SHMEM's bandwidth is {} times the T3D's",
            _bandwidth("shmem"),
            BANDWIDTH_THERE["shmem"],
            least=1,
            shown=("it is {}", Unit.BYTES_PER_SECOND),
        ),
    ),
    Claim(
        "latency and bandwidth",
        "Shared memory has a higher latency than the T3D's network",
        RatioTest(
            "SHMEM's latency is {} times the T3D's",
            _message("shmem"),
            LATENCY_THERE["shmem"],
            least=1,
            shown=("it is {}", Unit.SECONDS),
        ),
    ),
    Claim(
        "latency and bandwidth",
        "Its bandwidth takes longer packets to reach than the T3D's",
        RatioTest(
            "packets here must be {} times as long as on the T3D",
            # n_1/2, latency times bandwidth: a packet that takes twice as long as an empty one
            lambda results: _message("shmem")(results).times(_bandwidth("shmem")(results)),
            LATENCY_THERE["shmem"] * BANDWIDTH_THERE["shmem"],
            least=1,
            shown=("half of the bandwidth takes {}", Unit.BYTES),
        ),
    ),
    *(
        Claim(
            "latency and bandwidth",
            f"Small packets are faster on the T3D, by {kind.upper()}",
            RatioTest(
                f"a word through {kind.upper()} takes {{}} times the T3D's time",
                _message(kind, WORD_BYTES),
                LATENCY_THERE[kind] + WORD_BYTES / BANDWIDTH_THERE[kind],
                least=1,
            ),
        )
        for kind in ("shmem", "pvm")
    ),
    Claim(
        "latency and bandwidth",
        "A couple of barriers inside the test raise its latency",
        _barriers_raise_latency,
    ),
)


# -- claims about barriers -------------------------------------------------------------------------


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
    factor = ratio(times[many], times[few])
    return above(Evidence(f"the barrier of {many} PEs takes {{}} times that of {few}", factor), 1)


def _linear_growth(results: Results) -> Conclusion:
    factor = linear_over_logarithmic(results.sweep(_barrier(results)))
    if factor is None:
        raise UnmeasuredError(cores_for(8))
    text = "a line in log2 of the PEs fits {} times as well as a line in the PEs"
    return between(Evidence(text, factor), None, 1)


@dataclass(frozen=True, slots=True)
class _BesideT3d:
    """A claim's test: SHMEM's time on the most PEs that have a core each, over the T3D's."""

    text: str
    """A sentence with a gap for the number of PEs, then one for how many times."""
    pattern: str
    t3ds_time: Callable[[int], float]
    """The T3D's time, s, on so many PEs."""
    least: float | None = None
    most: float | None = None

    def __call__(self, results: Results) -> Conclusion:
        """Holds where the whole interval lies between the bounds."""
        place = Measurand(TASKS, results.library("shmem"), 0, self.pattern)
        pes, time = results.widest(place)
        factor = estimate(time).scaled(1 / self.t3ds_time(pes))
        return between(Evidence(self.text.format(pes, "{}"), factor), self.least, self.most)


def _widest(pattern: str) -> QuantityIn:
    """A barrier over raw shared memory, of the most PEs that have a core each."""

    def quantity(results: Results) -> Quantity:
        return results.widest(Measurand(TASKS, results.library("shm"), 0, pattern))[1]

    return quantity


def _queueing_best_under_load(results: Results) -> Conclusion:
    """The load is processes that spin on the PEs' cores; more PEs than cores are one as well."""
    variant = results.library("shm")
    times = {}
    for pattern in (FETCH_AND_INCREMENT, QUEUEING):
        _, times[pattern] = results.widest(Measurand(LOADED, variant, 0, pattern))
    text = "with spinning processes beside it fetch-and-increment takes {} times queueing's time"
    evidence = Evidence(text, ratio(times[FETCH_AND_INCREMENT], times[QUEUEING]))
    counter, queueing = (
        results.crowded(Measurand(CROWDED, variant, 0, pattern)) for pattern in times
    )
    in_a_crowd = [
        Evidence(f"{{}} times with {pes} PEs on shared cores", ratio(counter[pes], queueing[pes]))
        for pes in sorted(counter.keys() & queueing.keys())[-1:]
    ]
    return above(evidence, 1, *in_a_crowd)


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


_OF_BARRIERS = (
    Claim("barriers", "A barrier takes longer with more PEs", _more_pes_take_longer),
    Claim(
        "barriers",
        "A software barrier's time grows about as the PEs, not as their logarithm",
        _linear_growth,
    ),
    Claim(
        "barriers",
        "The T3D's hardware barrier beats a software barrier",
        _BesideT3d(
            "SHMEM's barrier of {} PEs takes {} times the T3D's",
            BARRIER,
            lambda pes: value(T3D, "table2", pes, "time"),
            least=1,
        ),
    ),
    Claim(
        "barriers",
        "Fetch-and-increment beats a queueing barrier by an order of magnitude",
        RatioTest(
            "idle, the queueing barrier takes {} times the fetch-and-increment one's time",
            _widest(QUEUEING),
            _widest(FETCH_AND_INCREMENT),
            least=ORDER_OF_MAGNITUDE,
        ),
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


# -- claims about reductions -----------------------------------------------------------------------


NOT_FAR_BEHIND = 3.0
"""The J90's reductions of a word took 1.4 to 5 times the T3D's, its sums at most 2.9 times."""


def _vectors_favour_shared_memory(results: Results) -> Conclusion:
    """By how much slower 100,000 words are than one, here over there."""
    variant = results.library("shmem")
    pes, word = results.widest(Measurand(TASKS, variant, 0, MASTER_SUM))
    vector = results.counted(Measurand(VECTORS, variant, pes, LOG2_SUM, VECTOR_BYTES))
    t3ds_time = value(T3D, "table4", pes)
    slower = ratio(vector, word).scaled(value(T3D, "table3", pes, "gsum") / t3ds_time)
    return between(
        Evidence("going from one word to 100,000 costs {} times what it costs the T3D", slower),
        None,
        1,
        Evidence(
            f"the vector sum of {pes} PEs takes {{}} times the T3D's time",
            estimate(vector).scaled(1 / t3ds_time),
        ),
    )


def _library_beats_log2(results: Results) -> Conclusion:
    variant = results.library("shmem")
    pes, log2 = results.widest(Measurand(VECTORS, variant, 0, LOG2_SUM, VECTOR_BYTES))
    own = results.counted(Measurand(VECTORS, variant, pes, LIBRARY_SUM, VECTOR_BYTES))
    text = f"of {pes} PEs the log2 reduction takes {{}} times the library's time"
    return above(Evidence(text, ratio(log2, own)), 1)


_OF_REDUCTIONS = (
    Claim(
        "global communications",
        "Reductions of one word lag not far behind the T3D's, within a factor of 3",
        _BesideT3d(
            "the sum of a word on each of {} PEs takes {} times the T3D's time",
            MASTER_SUM,
            lambda pes: value(T3D, "table3", pes, "gsum"),
            most=NOT_FAR_BEHIND,
        ),
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
    Claim(
        "global communications",
        "The MG benchmark runs faster than on the T3D",
        lambda _: Conclusion(
            Outcome.OPEN,
            needs="the class and the iterations that were run, which the paper doesn't name; "
            "leadline study applications runs NAS MG",
        ),
    ),
)


# -- the study -------------------------------------------------------------------------------------


CLAIMS = (*_OF_MESSAGES, *_OF_BARRIERS, *_OF_REDUCTIONS)
"""The paper's findings, in its order."""

STUDY = Study(
    name="shared-memory",
    title="SHMEM and PVM on shared memory",
    question="Does what Cray Research found of SHMEM and PVM on shared memory hold here?",
    source=SOURCE,
    paper=KEY,
    scale=Scale(PROCESSORS, PES),
    full_s=FULL_S,
    quick_s=QUICK_S,
    stages=stages,
    tables=tables,
    claims=CLAIMS,
    also=("pvm",),
)
