"""What the study measures: campaigns one after the other, each a share of the time."""

from __future__ import annotations

from dataclasses import replace

from leadline.measure.spec import SLICE_PATIENCE_S, Request, VariantSpec
from leadline.papers.cray_mpt.printed import PES, VECTOR_BYTES
from leadline.papers.study import Addition, Stage
from leadline.record.run import Cadence

LATENCY, TASKS, VECTORS = "latency", "tasks", "vectors"
LOADED, CROWDED = "loaded", "crowded"
WORD_BYTES = 8
FULL_S, QUICK_S = 380.0, 82.0
"""Default budgets; libraries that spin while PEs outnumber cores may add a third."""
CROWDED_PATIENCE_S = {True: 5.0, False: 10.0}
"""By quick: what takes longer is given up (vectors may take a little longer). Libraries that never
yield a core need seconds for what others do in a microsecond."""

PINGPONG, PUT_FLAG, BARRIER = "pingpong", "put_flag", "barrier"
PACKED = "pingpong_packed"
"""Messages packed before and not unpacked, for PVM; MPI has them too."""
QUEUEING, FETCH_AND_INCREMENT = "barrier_futex", "barrier_counter"
LIBRARY_SUM, LIBRARY_MAXIMUM, LIBRARY_AND = "allreduce", "allreduce:max", "allreduce:land"
MASTER_SUM, MASTER_MAXIMUM, MASTER_AND = "gsum_master", "gmax_master", "gland_master"
"""The paper's: all put a word to PE 0 and get the result from it; patterns without a size."""
LIBRARY_REDUCTIONS = (LIBRARY_SUM, LIBRARY_MAXIMUM, LIBRARY_AND)
MASTER_REDUCTIONS = (MASTER_SUM, MASTER_MAXIMUM, MASTER_AND)
LOG2_SUM = "vector_sum_log2"
"""The paper's: a log2 reduction."""
SIZES = (0, WORD_BYTES, 1024, 8192, 65_536, 262_144, 524_288, 1_048_576, 2_097_152)
QUICK_SIZES = (0, WORD_BYTES, 8192, 262_144, 1_048_576, 2_097_152)
"""Sizes from an eighth of the largest on show the asymptote."""


PVM_DIRECT, PVM_IN_PLACE = "pvm-direct", "pvm-inplace"
PVM_WAYS = Addition(
    "pvm",
    patterns=(PACKED,),
    variants=(
        VariantSpec(PVM_DIRECT, "pvm", arguments=("direct",)),
        VariantSpec(PVM_IN_PLACE, "pvm", arguments=("direct", "inplace")),
    ),
)
"""What sets its packing apart; past its daemon; and there from the user's memory, which isn't
packed into PVM's."""

CROWD = ("shmem", "shm")
"""Libraries whose barriers the paper gives under load; others would take the time of these."""


def stages(budget_s: float, quick: bool, cores: int) -> tuple[Stage, ...]:
    """The campaigns that take about `budget_s` seconds together.

    Each number of PEs has launches of its own, whose start-up takes most of a short campaign, and
    PEs beyond the `cores` stall each other. So the quick study has fewer sizes and at most two
    numbers of PEs, the second up to twice the cores, and up to four times for the crowd alone.
    """
    barriers = (BARRIER, FETCH_AND_INCREMENT, QUEUEING)
    words = (*barriers, *LIBRARY_REDUCTIONS, *MASTER_REDUCTIONS)
    least = PES[:1]
    tasks = tuple(dict.fromkeys((*least, _most(2 * cores)))) if quick else PES
    crowd = tuple(p for p in ((_most(4 * cores),) if quick else PES) if p > cores)

    def request(
        share: float, pes: tuple[int, ...], patterns: tuple[str, ...], *sizes: int
    ) -> Request:
        patience_s = SLICE_PATIENCE_S if max(pes) <= cores else CROWDED_PATIENCE_S[quick]
        return Request(
            patterns=patterns,
            sizes=sizes,
            ranks=pes,
            budget_s=share * budget_s,
            patience_s=patience_s,
        )

    messages = request(0.27, least, (PINGPONG, PUT_FLAG), *(QUICK_SIZES if quick else SIZES))
    sums = (LIBRARY_SUM, LOG2_SUM)
    # beside a process that spins on each core; back to back, for isolated operations that all
    # ranks begin in time are those that met no load
    loaded = replace(request(0.08, least, barriers, 0), load=None, cadence=Cadence.STREAMING)
    campaigns = [
        Stage(LATENCY, messages, additions=(PVM_WAYS,)),
        Stage(TASKS, request(0.35, tasks, words, WORD_BYTES)),
        Stage(VECTORS, request(0.18, least if quick else PES, sums, VECTOR_BYTES)),
        Stage(LOADED, loaded, CROWD),
    ]
    if crowd:
        campaigns.append(Stage(CROWDED, request(0.12, crowd, barriers, 0), CROWD))
    return tuple(campaigns)


def _most(limit: int) -> int:
    """The largest of the paper's numbers of PEs up to `limit`; the least at any rate."""
    return max(pes for pes in PES if pes <= max(limit, PES[0]))
