"""What the paper says of broadcasts and reductions, held against the MPIs of today."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.statistics.estimate import Estimate
from leadline.studies.estimates import Quantity, ratio
from leadline.studies.findings import Claim, Conclusion, Evidence, above, between
from leadline.studies.results import Results, UnmeasuredError, cores_for
from leadline.studies.t3e_mpi.loops import counted, counted_pes
from leadline.studies.t3e_mpi.sends import mpichs, printed, vendors
from leadline.studies.t3e_mpi.stages import BCAST, PAPERS_PES, REDUCE, between_powers

NEARLY_THE_SAME = 1.1
"""Times that differ by less than this factor; the paper's on 128 PEs differ by 1.086."""
MOST = PAPERS_PES[-1]


def _both(results: Results, pattern: str, pes: int) -> tuple[Quantity, Quantity]:
    """MPICH's time, and that of who stands for Cray's."""
    mpich, other = mpichs(results), vendors(results)
    return counted(results, mpich, pattern, pes), counted(results, other, pattern, pes)


def _shared(results: Results, pattern: str) -> list[int]:
    """The numbers of PEs at which both count."""
    mpich, other = mpichs(results), vendors(results)
    found = counted_pes(results, mpich, other, pattern=pattern)
    if not found:
        _both(results, pattern, PAPERS_PES[0])  # says why
        raise UnmeasuredError(cores_for(PAPERS_PES[0]))
    return found


def _largest(among: Sequence[int], least: int) -> int:
    """The largest of `among`; UnmeasuredError: there is none, and it would take `least` cores."""
    if not among:
        raise UnmeasuredError(cores_for(least))
    return among[-1]


def _there(pattern: str, above: str, below: str) -> Evidence:
    """A ratio of the paper's times on 128 PEs."""
    value = printed(pattern, above, str(MOST), "time") / printed(pattern, below, str(MOST), "time")
    text = f"on {MOST} PEs of the T3E it was {{}} times"
    return Evidence(text, Estimate(value), published=True)


def _broadcast_faster(results: Results) -> Conclusion:
    pes = _shared(results, BCAST)[-1]
    found = ratio(*_both(results, BCAST, pes))
    text = f"{mpichs(results)}'s of {pes} PEs takes {{}} times that of {vendors(results)}"
    return above(Evidence(text, found), 1, _there(BCAST, "mpich", "cray-mpi"))


def _broadcast_scales(results: Results) -> Conclusion:
    """By how much more one grows than the other: a ratio of ratios, paired block by block."""
    few, *more = _shared(results, BCAST)
    many = _largest(more, PAPERS_PES[1])
    growths = [
        Quantity(last.run, last.logs - first.logs)
        for first, last in zip(_both(results, BCAST, few), _both(results, BCAST, many), strict=True)
    ]
    text = f"from {few} to {many} PEs {mpichs(results)}'s grows {{}} times as much as the other's"
    return above(Evidence(text, ratio(*growths)), 1)


def _reduce(results: Results, pes: int) -> Evidence:
    mine, other = _both(results, REDUCE, pes)
    text = f"{vendors(results)}'s of {pes} PEs takes {{}} times that of {mpichs(results)}"
    return Evidence(text, ratio(other, mine))


def _reduce_faster_between(results: Results) -> Conclusion:
    found = [pes for pes in _shared(results, REDUCE) if between_powers(pes)]
    least = next(filter(between_powers, PAPERS_PES))
    return above(_reduce(results, _largest(found, least)), 1)


def _reduce_alike_at_powers(results: Results) -> Conclusion:
    found = [pes for pes in _shared(results, REDUCE) if not between_powers(pes) and pes < MOST]
    evidence = _reduce(results, _largest(found, PAPERS_PES[0]))
    return between(evidence, 1 / NEARLY_THE_SAME, NEARLY_THE_SAME)


def _reduce_slower_on_most(results: Results) -> Conclusion:
    if MOST not in _shared(results, REDUCE):
        raise UnmeasuredError(cores_for(MOST))
    there = _there(REDUCE, "cray-mpi", "mpich")
    return between(_reduce(results, MOST), None, 1, there)


CLAIMS = (
    Claim("s5.2, MPI_Bcast", "The vendor's MPI broadcasts faster than MPICH", _broadcast_faster),
    Claim(
        "s5.2, MPI_Bcast",
        "The vendor's broadcast scales better: MPICH's grows more with the PEs",
        _broadcast_scales,
    ),
    Claim(
        "s6",
        "Between powers of two MPICH's MPI_Reduce is faster than that of the vendor's MPI",
        _reduce_faster_between,
    ),
    Claim(
        "s6",
        "Where the PEs are a power of two, both MPI_Reduces take nearly the same, within a tenth",
        _reduce_alike_at_powers,
    ),
    Claim("s6", "On 128 PEs the vendor's MPI_Reduce is the faster one", _reduce_slower_on_most),
)
