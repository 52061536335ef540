"""What the paper says of messages between two PEs, held against the MPIs of today.

MPICH is MPICH; in the place of Cray's own MPI is another that was measured, a vendor's where there
is one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from leadline.statistics.estimate import Estimate
from leadline.studies.estimates import Quantity, Signed, estimate, ratio
from leadline.studies.findings import Claim, Conclusion, Evidence, above, between
from leadline.studies.results import Results, uncrowded
from leadline.studies.t3e_mpi.sends import (
    STANDING_FOR,
    at_a_megabyte,
    intercept_of,
    latency,
    mpichs,
    peak_of_all,
    printed,
    vendors,
)
from leadline.studies.t3e_mpi.stages import ISEND, PES, SEND, SSEND, MessageMode
from leadline.studies.units import Unit

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


CLAIMS = (
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
