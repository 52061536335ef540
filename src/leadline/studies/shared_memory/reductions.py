"""What the paper says of global communications, held against this machine's."""

from __future__ import annotations

from leadline.studies.estimates import estimate, ratio
from leadline.studies.findings import Claim, Conclusion, Evidence, Outcome, above, between
from leadline.studies.published.cray_mpt import T3D, VECTOR_BYTES, reductions, vector_sum
from leadline.studies.results import Measurand, Results
from leadline.studies.shared_memory.stages import (
    LIBRARY_SUM,
    LOG2_SUM,
    MASTER_SUM,
    TASKS,
    VECTORS,
)

NOT_FAR_BEHIND = 3.0
"""The J90's reductions of a word took 1.4 to 5 times the T3D's, its sums at most 2.9 times."""


def _word_keeps_up(results: Results) -> Conclusion:
    variant = results.library("shmem")
    pes, time = results.widest(Measurand(TASKS, variant, 0, MASTER_SUM))
    found = estimate(time).scaled(1 / reductions(T3D, pes).sum_s)
    text = f"the sum of a word on each of {pes} PEs takes {{}} times the T3D's time"
    return between(Evidence(text, found), None, NOT_FAR_BEHIND)


def _vectors_favour_shared_memory(results: Results) -> Conclusion:
    """By how much slower 100,000 words are than one, here over there."""
    variant = results.library("shmem")
    pes, word = results.widest(Measurand(TASKS, variant, 0, MASTER_SUM))
    vector = results.counted(Measurand(VECTORS, variant, pes, LOG2_SUM, VECTOR_BYTES))
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
    pes, log2 = results.widest(Measurand(VECTORS, variant, 0, LOG2_SUM, VECTOR_BYTES))
    own = results.counted(Measurand(VECTORS, variant, pes, LIBRARY_SUM, VECTOR_BYTES))
    text = f"of {pes} PEs the log2 reduction takes {{}} times the library's time"
    return above(Evidence(text, ratio(log2, own)), 1)


def _multigrid(_: Results) -> Conclusion:
    return Conclusion(
        Outcome.OPEN,
        needs="the class and the iterations that were run, which the paper doesn't name; "
        "leadline study applications runs NAS MG",
    )


CLAIMS = (
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
