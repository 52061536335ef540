"""The paper's sentences, compared with the MPIs of today, and the study as a whole.

MPICH is MPICH; in the place of Cray's own MPI is another that was measured, a vendor's where there
is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
    MODES,
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
"""Share of the highest bandwidth from which on a curve is at its maximum."""


def _latency(results: Results, variant: str, mode: MessageMode) -> Quantity:
    return uncrowded(latency(results, variant, mode), PES)


def _peak(results: Results, variant: str, mode: MessageMode) -> Quantity:
    return uncrowded(peak_of_all(results, variant, mode)[1], PES)


def _intercept(results: Results, variant: str, mode: MessageMode) -> Signed:
    return uncrowded(intercept_of(results, variant, mode), PES)


def _papers_value(value: float, unit: Unit = Unit.FACTOR) -> Evidence:
    return Evidence("on the T3E it was {}", Estimate(value), unit, published=True)


# -- one library beside the other, one mode beside the other ---------------------------------------


_MEASURED = {"bandwidth": _peak, "latency": _latency}
"""By the word of a figure's id."""
Sent = tuple[str, MessageMode]
"""By whom, in the ids of the paper's figures, and how."""


def _printed(quantity: str, sent: Sent) -> float:
    """The paper's value; for MPI_Isend's latency it has a least and a most."""
    who, mode = sent
    end = ("least",) if (quantity, mode) == ("latency", ISEND) else ()
    return printed(mode.id, who, quantity, *end)


@dataclass(frozen=True, slots=True)
class _Contrast:
    """A claim: one quantity of messages sent in one way is so many times that in another."""

    text: str
    quantity: str
    over: Sent
    under: Sent
    least: float = 1.0
    most: float | None = None

    @property
    def claim(self) -> Claim:
        """With the section that is about how `over` was sent."""
        return Claim(SECTIONS[self.over[1]], self.text, self.test)

    def test(self, results: Results) -> Conclusion:
        """The ratio of who stands for both here, beside the paper's."""
        (over, mode), (under, other_mode) = self.over, self.under
        stand_ins = {
            who: variant_of(results)
            for who, variant_of in STANDING_FOR.items()
            if who in (over, under)
        }
        measured = _MEASURED[self.quantity]
        factor = ratio(
            measured(results, stand_ins[over], mode),
            measured(results, stand_ins[under], other_mode),
        )
        text = (
            f"{stand_ins[over]}'s by {mode.name} is {{}} times that by {other_mode.name}"
            if over == under
            else f"{stand_ins[over]}'s is {{}} times {stand_ins[under]}'s"
        )
        theirs = _printed(self.quantity, self.over) / _printed(self.quantity, self.under)
        return between(Evidence(text, factor), self.least, self.most, _papers_value(theirs))


# -- sizes and intercepts --------------------------------------------------------------------------


def _lower_intercept(results: Results) -> Conclusion:
    mpich, other = mpichs(results), vendors(results)
    signed = _intercept(results, other, SEND).above(_intercept(results, mpich, SEND))
    theirs = printed(SEND.id, CRAY_MPI, "intercept") - printed(SEND.id, MPICH_THEN, "intercept")
    text = f"{other}'s is {{}} above {mpich}'s"
    return above(
        Evidence(text, estimate(signed), Unit.SECONDS), 0, _papers_value(theirs, Unit.MICROSECONDS)
    )


def _most_at_a_megabyte(who: str, results: Results) -> Conclusion:
    variant = STANDING_FOR[who](results)
    megabyte, elsewhere = (
        uncrowded(quantity, PES) for quantity in at_a_megabyte(results, variant, SEND)
    )
    size, _ = peak_of_all(results, variant, SEND)
    return above(
        Evidence(
            f"{variant}'s at 1 MiB is {{}} times the highest elsewhere", ratio(megabyte, elsewhere)
        ),
        NEAR_THE_MOST,
        Evidence("the highest of all is at {}", Estimate(size), Unit.BYTES),
    )


def _large_ones_start_later(results: Results) -> Conclusion:
    other = vendors(results)
    signed = _intercept(results, other, SEND).above(_latency(results, other, SEND))
    theirs = printed(SEND.id, CRAY_MPI, "intercept") - printed(SEND.id, CRAY_MPI, "latency")
    return above(
        Evidence(f"{other}'s intercept is {{}} above its latency", estimate(signed), Unit.SECONDS),
        0,
        _papers_value(theirs, Unit.MICROSECONDS),
    )


SECTIONS = {SEND: "s5.1.1", SSEND: "s5.1, Ssend", ISEND: "s5.1, Isend"}
_THE_VENDORS = "the vendor's MPI"
_MPICH = {mode: (MPICH_THEN, mode) for mode in MODES}
_VENDOR = {mode: (CRAY_MPI, mode) for mode in MODES}

_OF_SEND = (
    _Contrast(
        f"MPICH's MPI_Send has more bandwidth than that of {_THE_VENDORS}",
        "bandwidth",
        _MPICH[SEND],
        _VENDOR[SEND],
    ),
    _Contrast("MPICH's MPI_Send has the lower latency", "latency", _VENDOR[SEND], _MPICH[SEND]),
)
_OF_SSEND = (
    _Contrast(
        "The two MPI_Ssends' bandwidths are alike, within a tenth",
        "bandwidth",
        _MPICH[SSEND],
        _VENDOR[SSEND],
        1 / ALIKE,
        ALIKE,
    ),
    _Contrast(
        "The vendor's MPI has more bandwidth by MPI_Ssend than by MPI_Send",
        "bandwidth",
        _VENDOR[SSEND],
        _VENDOR[SEND],
    ),
    _Contrast("MPICH's MPI_Ssend has the lower latency", "latency", _VENDOR[SSEND], _MPICH[SSEND]),
    _Contrast(
        f"MPI_Ssend's latency is above MPI_Send's in {_THE_VENDORS}",
        "latency",
        _VENDOR[SSEND],
        _VENDOR[SEND],
    ),
    _Contrast(
        "MPI_Ssend's latency is above MPI_Send's in MPICH",
        "latency",
        _MPICH[SSEND],
        _MPICH[SEND],
    ),
)
_OF_ISEND = (
    _Contrast(
        f"MPICH's MPI_Isend has more bandwidth than that of {_THE_VENDORS}",
        "bandwidth", _MPICH[ISEND], _VENDOR[ISEND],
    ),
    _Contrast(
        "MPICH's MPI_Isend has MPI_Send's bandwidth, within a twentieth",
        "bandwidth", _MPICH[ISEND], _MPICH[SEND], 1 / SAME, SAME,
    ),
    _Contrast(
        f"MPI_Isend of {_THE_VENDORS} has MPI_Send's bandwidth, within a twentieth",
        "bandwidth", _VENDOR[ISEND], _VENDOR[SEND], 1 / SAME, SAME,
    ),
    _Contrast(
        "MPICH's MPI_Isend has the lower latency", "latency", _VENDOR[ISEND], _MPICH[ISEND]
    ),
    _Contrast(
        "MPI_Isend's latency is above MPI_Send's in MPICH",
        "latency", _MPICH[ISEND], _MPICH[SEND],
    ),
    _Contrast(
        f"MPI_Isend's latency is above MPI_Send's in {_THE_VENDORS}",
        "latency", _VENDOR[ISEND], _VENDOR[SEND],
    ),
)  # fmt: skip
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
    *(contrast.claim for contrast in _OF_SEND),
    Claim(SECTIONS[SEND], "MPICH's MPI_Send has the lower intercept", _lower_intercept),
    *(contrast.claim for contrast in (*_OF_SSEND, *_OF_ISEND)),
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
    numbers = counted_pes(results, mpich, other, pattern=pattern)
    if not numbers:
        _both(results, pattern, PAPERS_PES[0])  # says why
        raise UnmeasuredError(cores_for(PAPERS_PES[0]))
    return numbers


def _largest(among: Sequence[int], least: int) -> int:
    """The largest of `among`; UnmeasuredError: there is none, and it would take `least` cores."""
    if not among:
        raise UnmeasuredError(cores_for(least))
    return among[-1]


def _papers_on_most(pattern: str, above: str, below: str) -> Evidence:
    """A ratio of the paper's times on 128 PEs."""
    value = printed(pattern, above, str(MOST), "time") / printed(pattern, below, str(MOST), "time")
    text = f"on {MOST} PEs of the T3E it was {{}} times"
    return Evidence(text, Estimate(value), published=True)


def _broadcast_faster(results: Results) -> Conclusion:
    pes = _shared(results, BCAST)[-1]
    factor = ratio(*_both(results, BCAST, pes))
    text = f"{mpichs(results)}'s of {pes} PEs takes {{}} times that of {vendors(results)}"
    return above(Evidence(text, factor), 1, _papers_on_most(BCAST, "mpich", "cray-mpi"))


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


@dataclass(frozen=True, slots=True)
class _Reduction:
    """A claim's test: the vendor's MPI_Reduce takes so many times MPICH's time on some PEs."""

    among: Callable[[int], bool]
    """Whether it is about so many PEs; the largest number of these decides."""
    needs: int
    """Number of cores that it takes at least."""
    least: float | None = None
    most: float | None = None
    papers: tuple[Evidence, ...] = ()
    """The paper's."""

    def __call__(self, results: Results) -> Conclusion:
        """Holds where the whole interval of the ratio lies between the bounds."""
        pes = _largest(list(filter(self.among, _shared(results, REDUCE))), self.needs)
        quantity, other = _both(results, REDUCE, pes)
        text = f"{vendors(results)}'s of {pes} PEs takes {{}} times that of {mpichs(results)}"
        return between(Evidence(text, ratio(other, quantity)), self.least, self.most, *self.papers)


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
        _Reduction(between_powers, next(filter(between_powers, PAPERS_PES)), least=1),
    ),
    Claim(
        "s6",
        "Where the PEs are a power of two, both MPI_Reduces take nearly the same, within a tenth",
        _Reduction(
            lambda pes: not between_powers(pes) and pes < MOST,
            PAPERS_PES[0],
            1 / NEARLY_THE_SAME,
            NEARLY_THE_SAME,
        ),
    ),
    Claim(
        "s6",
        "On 128 PEs the vendor's MPI_Reduce is the faster one",
        _Reduction(
            lambda pes: pes == MOST,
            MOST,
            most=1,
            papers=(_papers_on_most(REDUCE, "cray-mpi", "mpich"),),
        ),
    ),
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
