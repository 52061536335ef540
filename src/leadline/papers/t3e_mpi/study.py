"""The paper's sentences, held against the MPIs of today, and the study as a whole.

MPICH is MPICH; in the place of Cray's own MPI is another that was measured, a vendor's where there
is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from leadline.papers.catalogue import figure_of
from leadline.papers.estimates import Quantity, Signed, estimate, ratio
from leadline.papers.findings import Claim, Conclusion, Evidence, above, between
from leadline.papers.results import Results, UnmeasuredError, cores_for, uncrowded
from leadline.papers.study import Scale, Study
from leadline.papers.t3e_mpi import KEY, SOURCE, ZIB
from leadline.papers.t3e_mpi.stages import (
    BCAST,
    FULL_S,
    ISEND,
    KINDS,
    PAPERS_PES,
    PES,
    QUICK_S,
    REDUCE,
    SEND,
    SSEND,
    STANDING_FOR,
    MessageMode,
    at_a_megabyte,
    between_powers,
    counted,
    counted_pes,
    intercept_of,
    latency,
    mpichs,
    peak_of_all,
    printed,
    stages,
    vendors,
)
from leadline.papers.t3e_mpi.tables import figures, tables
from leadline.papers.units import Unit
from leadline.statistics.estimate import Estimate

MPICH_THEN, CRAY_MPI = STANDING_FOR
"""In the ids of the paper's figures."""
ALIKE = 1.1
"""Bandwidths that differ by less than this factor are called alike; the paper's differ by 1.02."""
SAME = 1.05
"""Likewise of one library in two modes; the paper's differ by 1.02."""
NEAR_THE_MOST = 0.95
"""Of the highest bandwidth: so near a curve is at its maximum."""


def _latency(results: Results, variant: str, mode: MessageMode) -> Quantity:
    return uncrowded(latency(results, variant, mode), PES)


def _peak(results: Results, variant: str, mode: MessageMode) -> Quantity:
    return uncrowded(peak_of_all(results, variant, mode)[1], PES)


def _intercept(results: Results, variant: str, mode: MessageMode) -> Signed:
    return uncrowded(intercept_of(results, variant, mode), PES)


def _there(value: float, unit: Unit = Unit.FACTOR) -> Evidence:
    return Evidence("on the T3E it was {}", Estimate(value), unit, published=True)


def _papers_ratio(mode: MessageMode, above: str, below: str, *said: str) -> float:
    return printed(mode.id, above, *said) / printed(mode.id, below, *said)


# -- one library beside the other ------------------------------------------------------------------


def _bandwidths(mode: MessageMode, results: Results) -> tuple[Evidence, Evidence]:
    mpich, other = mpichs(results), vendors(results)
    found = ratio(_peak(results, mpich, mode), _peak(results, other, mode))
    theirs = _papers_ratio(mode, MPICH_THEN, CRAY_MPI, "bandwidth")
    return Evidence(f"{mpich}'s is {{}} times {other}'s", found), _there(theirs)


def _more_bandwidth(mode: MessageMode, results: Results) -> Conclusion:
    mine, there = _bandwidths(mode, results)
    return above(mine, 1, there)


def _alike(mode: MessageMode, results: Results) -> Conclusion:
    mine, there = _bandwidths(mode, results)
    return between(mine, 1 / ALIKE, ALIKE, there)


def _lower_latency(mode: MessageMode, results: Results) -> Conclusion:
    mpich, other = mpichs(results), vendors(results)
    found = ratio(_latency(results, other, mode), _latency(results, mpich, mode))
    end = ("least",) if mode is ISEND else ()
    theirs = _papers_ratio(mode, CRAY_MPI, MPICH_THEN, "latency", *end)
    return above(Evidence(f"{other}'s is {{}} times {mpich}'s", found), 1, _there(theirs))


def _lower_intercept(results: Results) -> Conclusion:
    mpich, other = mpichs(results), vendors(results)
    found = _intercept(results, other, SEND).above(_intercept(results, mpich, SEND))
    theirs = printed(SEND.id, CRAY_MPI, "intercept") - printed(SEND.id, MPICH_THEN, "intercept")
    text = f"{other}'s is {{}} above {mpich}'s"
    return above(
        Evidence(text, estimate(found), Unit.SECONDS), 0, _there(theirs, Unit.MICROSECONDS)
    )


# -- one mode beside the other ---------------------------------------------------------------------


def _modes(
    quantity: Callable[[Results, str, MessageMode], Quantity],
    mode: MessageMode,
    who: str,
    results: Results,
) -> Evidence:
    """A quantity of `mode` over that of MPI_Send, of who stands for `who`."""
    variant = STANDING_FOR[who](results)
    found = ratio(quantity(results, variant, mode), quantity(results, variant, SEND))
    return Evidence(f"{variant}'s by {mode.name} is {{}} times that by MPI_Send", found)


def _of_send(mode: MessageMode, who: str, *said: str) -> float:
    return printed(mode.id, who, *said) / printed(SEND.id, who, said[0])


def _more_than_send(who: str, mode: MessageMode, results: Results) -> Conclusion:
    there = _there(_of_send(mode, who, "bandwidth"))
    return above(_modes(_peak, mode, who, results), 1, there)


def _as_much_as_send(who: str, mode: MessageMode, results: Results) -> Conclusion:
    there = _there(_of_send(mode, who, "bandwidth"))
    return between(_modes(_peak, mode, who, results), 1 / SAME, SAME, there)


def _later_than_send(who: str, mode: MessageMode, results: Results) -> Conclusion:
    end = ("least",) if mode is ISEND else ()
    there = _there(_of_send(mode, who, "latency", *end))
    return above(_modes(_latency, mode, who, results), 1, there)


# -- sizes -----------------------------------------------------------------------------------------


def _most_at_a_megabyte(who: str, results: Results) -> Conclusion:
    variant = STANDING_FOR[who](results)
    here, elsewhere = (uncrowded(one, PES) for one in at_a_megabyte(results, variant, SEND))
    size, _ = peak_of_all(results, variant, SEND)
    return above(
        Evidence(
            f"{variant}'s at 1 MiB is {{}} times the highest elsewhere", ratio(here, elsewhere)
        ),
        NEAR_THE_MOST,
        Evidence("the highest of all is at {}", Estimate(size), Unit.BYTES),
    )


def _large_ones_start_later(results: Results) -> Conclusion:
    other = vendors(results)
    found = _intercept(results, other, SEND).above(_latency(results, other, SEND))
    theirs = printed(SEND.id, CRAY_MPI, "intercept") - printed(SEND.id, CRAY_MPI, "latency")
    return above(
        Evidence(f"{other}'s intercept is {{}} above its latency", estimate(found), Unit.SECONDS),
        0,
        _there(theirs, Unit.MICROSECONDS),
    )


SECTIONS = {SEND: "s5.1.1", SSEND: "s5.1, Ssend", ISEND: "s5.1, Isend"}
_THE_VENDORS = "the vendor's MPI"


def _claim(mode: MessageMode, text: str, test: Callable[[Results], Conclusion]) -> Claim:
    return Claim(SECTIONS[mode], text, test)


_OF_MESSAGES = (
    Claim(
        "s5.1",
        f"In {_THE_VENDORS} large messages have another latency than empty ones, a longer one",
        _large_ones_start_later,
    ),
    Claim(
        "s5.1",
        "MPICH's bandwidth reaches its maximum at about a megabyte",
        partial(_most_at_a_megabyte, MPICH_THEN),
    ),
    Claim(
        "s5.1",
        f"The bandwidth of {_THE_VENDORS} reaches its maximum at about a megabyte",
        partial(_most_at_a_megabyte, CRAY_MPI),
    ),
    _claim(
        SEND,
        f"MPICH's MPI_Send has more bandwidth than that of {_THE_VENDORS}",
        partial(_more_bandwidth, SEND),
    ),
    _claim(SEND, "MPICH's MPI_Send has the lower latency", partial(_lower_latency, SEND)),
    _claim(SEND, "MPICH's MPI_Send has the lower intercept", _lower_intercept),
    _claim(
        SSEND,
        "The two MPI_Ssends' bandwidths are alike, within a tenth",
        partial(_alike, SSEND),
    ),
    _claim(
        SSEND,
        "The vendor's MPI has more bandwidth by MPI_Ssend than by MPI_Send",
        partial(_more_than_send, CRAY_MPI, SSEND),
    ),
    _claim(SSEND, "MPICH's MPI_Ssend has the lower latency", partial(_lower_latency, SSEND)),
    _claim(
        SSEND,
        f"MPI_Ssend's latency is above MPI_Send's in {_THE_VENDORS}",
        partial(_later_than_send, CRAY_MPI, SSEND),
    ),
    _claim(
        SSEND,
        "MPI_Ssend's latency is above MPI_Send's in MPICH",
        partial(_later_than_send, MPICH_THEN, SSEND),
    ),
    _claim(
        ISEND,
        f"MPICH's MPI_Isend has more bandwidth than that of {_THE_VENDORS}",
        partial(_more_bandwidth, ISEND),
    ),
    _claim(
        ISEND,
        "MPICH's MPI_Isend has MPI_Send's bandwidth, within a twentieth",
        partial(_as_much_as_send, MPICH_THEN, ISEND),
    ),
    _claim(
        ISEND,
        f"MPI_Isend of {_THE_VENDORS} has MPI_Send's bandwidth, within a twentieth",
        partial(_as_much_as_send, CRAY_MPI, ISEND),
    ),
    _claim(ISEND, "MPICH's MPI_Isend has the lower latency", partial(_lower_latency, ISEND)),
    _claim(
        ISEND,
        "MPI_Isend's latency is above MPI_Send's in MPICH",
        partial(_later_than_send, MPICH_THEN, ISEND),
    ),
    _claim(
        ISEND,
        f"MPI_Isend's latency is above MPI_Send's in {_THE_VENDORS}",
        partial(_later_than_send, CRAY_MPI, ISEND),
    ),
)


# -- claims about collectives ----------------------------------------------------------------------


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


def _there_on_most(pattern: str, above: str, below: str) -> Evidence:
    """A ratio of the paper's times on 128 PEs."""
    value = printed(pattern, above, str(MOST), "time") / printed(pattern, below, str(MOST), "time")
    text = f"on {MOST} PEs of the T3E it was {{}} times"
    return Evidence(text, Estimate(value), published=True)


def _broadcast_faster(results: Results) -> Conclusion:
    pes = _shared(results, BCAST)[-1]
    found = ratio(*_both(results, BCAST, pes))
    text = f"{mpichs(results)}'s of {pes} PEs takes {{}} times that of {vendors(results)}"
    return above(Evidence(text, found), 1, _there_on_most(BCAST, "mpich", "cray-mpi"))


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
    there = _there_on_most(REDUCE, "cray-mpi", "mpich")
    return between(_reduce(results, MOST), None, 1, there)


_OF_COLLECTIVES = (
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


# -- the study -------------------------------------------------------------------------------------


CLAIMS = (*_OF_MESSAGES, *_OF_COLLECTIVES)
"""The paper's findings, in its order."""

STUDY = Study(
    name="t3e-mpi",
    title="MPICH and a vendor's MPI",
    question="Does what a paper found of MPICH and Cray's own MPI on the T3E hold of today's MPIs?",
    source=SOURCE,
    paper=KEY,
    scale=Scale({ZIB: int(figure_of(f"{KEY}.zib.pes").si)}, PAPERS_PES),
    full_s=FULL_S,
    quick_s=QUICK_S,
    stages=stages,
    tables=tables,
    claims=CLAIMS,
    kinds=KINDS,
    figures=figures,
)
