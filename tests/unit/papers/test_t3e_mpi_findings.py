"""What findings of MPICH and a vendor's MPI are held to: bounds, the paper's ratios, and words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.study_results import results
from tests.support.t3e_study import (
    CORES,
    MPICH,
    PAPERS,
    PAPERS_CALLS,
    VENDOR,
    Lines,
    calls,
    messages,
    t3e,
)

from leadline.papers.findings import Conclusion, Outcome, answered
from leadline.papers.results import Measurand, Results
from leadline.papers.t3e_mpi.stages import (
    BCAST,
    COLLECTIVE_BYTES,
    ISEND,
    LOOPED,
    MEGABYTE,
    MESSAGES,
    PES,
    REDUCE,
    SEND,
    SSEND,
    MessageMode,
    vendors,
)
from leadline.papers.t3e_mpi.study import CLAIMS, STUDY

HOLDS, FAILS, OPEN = Outcome.HOLDS, Outcome.FAILS, Outcome.OPEN
CLAIMED = {claim.text: claim for claim in CLAIMS}
ALIKE = "The two MPI_Ssends' bandwidths are alike, within a tenth"
AS_SEND = "MPICH's MPI_Isend has MPI_Send's bandwidth, within a twentieth"
AT_A_MEGABYTE = "MPICH's bandwidth reaches its maximum at about a megabyte"
SAME_AT_POWERS = (
    "Where the PEs are a power of two, both MPI_Reduces take nearly the same, within a tenth"
)
BROADCASTS = "The vendor's MPI broadcasts faster than MPICH"


def concluded(text: str, measured: Results) -> Conclusion:
    (finding,) = answered([CLAIMED[text]], measured)
    return finding.conclusion


# -- bounds ----------------------------------------------------------------------------------------


def faster(library: str, mode: MessageMode, than: tuple[str, MessageMode], times: float) -> Results:
    """The paper's machine, where `library` has so many `times` the bandwidth `than` another."""
    line = PAPERS[than[0], than[1].pattern]
    rate = line.highest_bytes_per_s * times
    changed = {(library, mode.pattern): replace(line, highest_bytes_per_s=rate)}
    lines: Lines = {**PAPERS, **changed}
    return results(messages(lines), cores=CORES)


@pytest.mark.parametrize(
    ("times", "answer"), [(1.08, HOLDS), (1 / 1.08, HOLDS), (1.12, FAILS), (1 / 1.12, FAILS)]
)
def test_alike_is_within_a_tenth(times: float, answer: Outcome) -> None:
    planted = faster(MPICH, SSEND, (VENDOR, SSEND), times)
    assert concluded(ALIKE, planted).answer is answer
    calls_of = {**PAPERS_CALLS, (MPICH, REDUCE): {2: 20e-6 * times}, (VENDOR, REDUCE): {2: 20e-6}}
    two = results(calls({key: calls_of[key] for key in PAPERS_CALLS}), cores=CORES)
    assert concluded(SAME_AT_POWERS, two).answer is answer


@pytest.mark.parametrize(
    ("times", "answer"), [(1.04, HOLDS), (1 / 1.04, HOLDS), (1.06, FAILS), (1 / 1.06, FAILS)]
)
def test_modes_have_the_same_within_a_twentieth(times: float, answer: Outcome) -> None:
    assert concluded(AS_SEND, faster(MPICH, ISEND, (MPICH, SEND), times)).answer is answer


@pytest.mark.parametrize(
    ("share", "answer"), [(0.96, HOLDS), (0.94, FAILS)], ids=["holds", "fails"]
)
def test_a_megabyte_has_nearly_the_highest_bandwidth(
    share: float, answer: Outcome, snapshot: SnapshotAssertion
) -> None:
    times = messages(PAPERS)
    highest = PAPERS[MPICH, SEND.pattern].highest_bytes_per_s
    times[Measurand(MESSAGES, MPICH, PES, SEND.pattern, MEGABYTE)] = MEGABYTE / (share * highest)
    conclusion = concluded(AT_A_MEGABYTE, results(times, cores=CORES))
    assert conclusion.answer is answer
    assert conclusion.evidence[0].estimate.value == pytest.approx(share)
    assert conclusion.evidence[0].text == snapshot


# -- the paper's figures, and who stands for whom --------------------------------------------------


def test_on_the_papers_machine_each_finding_has_the_papers_figure() -> None:
    beside = [
        [one.estimate.value for one in finding.conclusion.evidence]
        for finding in answered(CLAIMS, t3e())
        if finding.conclusion.evidence[-1].published
    ]
    assert len(beside) == 17
    for here, there in beside:
        assert here == pytest.approx(there, rel=1e-4)


def test_places_are_the_papers_sections() -> None:
    for claim in CLAIMS:
        for mode in (SSEND, ISEND):
            assert (mode.name in claim.text) == (claim.where == f"s5.1, {mode.name[4:]}")


def test_intel_mpi_stands_for_the_vendors_before_open_mpi(snapshot: SnapshotAssertion) -> None:
    lines: Lines = {**PAPERS, ("openmpi", SEND.pattern): PAPERS[VENDOR, SEND.pattern]}
    both = results(dict(reversed(messages(lines).items())), cores=CORES)
    assert vendors(both) == VENDOR
    evidence = concluded("MPICH's MPI_Send has the lower intercept", both).evidence
    assert evidence[0].text == snapshot


def test_lost_number_of_pes_is_left_to_the_next(snapshot: SnapshotAssertion) -> None:
    times = calls(PAPERS_CALLS)
    del times[Measurand(LOOPED, MPICH, CORES, BCAST, COLLECTIVE_BYTES)]
    conclusion = concluded(BROADCASTS, results(times, cores=CORES))
    assert conclusion.evidence[0].text == snapshot
    assert conclusion.evidence[0].estimate.value == pytest.approx(150 / 80)


def test_quick_study_takes_two_minutes_at_most() -> None:
    assert STUDY.quick_s <= 120
