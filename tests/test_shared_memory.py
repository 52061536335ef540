"""The study of SHMEM and PVM: put to the Crays' own figures, and to made-up ones."""

from __future__ import annotations

import pytest

from leadline.studies.findings import Answer, Finding, answered
from leadline.studies.results import Results
from leadline.studies.shared_memory.findings import CLAIMS
from study_results import j90, today

HOLDS, FAILS, OPEN = Answer.HOLDS, Answer.FAILS, Answer.OPEN
CLAIMED = {claim.text: claim for claim in CLAIMS}


def found(text: str, measured: Results) -> Finding:
    (finding,) = answered([CLAIMED[text]], measured)
    return finding


def first(finding: Finding) -> float:
    return finding.conclusion.evidence[0].estimate.value


@pytest.mark.parametrize(
    ("text", "on_j90", "on_today", "answer_today"),
    [
        ("SHMEM has a lower latency than PVM", 450 / 15, 20, HOLDS),
        ("PVM's packing and unpacking costs it bandwidth against SHMEM", 70 / 34, 50, HOLDS),
        ("Shared memory has more bandwidth than the T3D's network", 700 / 130, 10e3 / 130, HOLDS),
        ("Shared memory has a higher latency than the T3D's network", 7.5, 0.25, FAILS),
        ("Its bandwidth takes longer packets to reach than the T3D's", 105 / 2.6, 50 / 2.6, HOLDS),
        ("Small packets are faster on the T3D, by SHMEM", 15.0114 / 2.06154, 0.2430, FAILS),
        ("Small packets are faster on the T3D, by PVM", 450.0235 / 230.308, 0.04359, FAILS),
        ("A couple of barriers inside the test raise its latency", 15.2 / 15, 0.4, HOLDS),
        ("A barrier takes longer with more PEs", 46.6 / 7.6, 4.01, HOLDS),
        ("The T3D's hardware barrier beats a software barrier", 46.6 / 0.74, 0.5419, FAILS),
    ],
)
def test_j90_answers_as_the_paper_does_and_another_machine_for_itself(
    text: str, on_j90: float, on_today: float, answer_today: Answer
) -> None:
    finding = found(text, j90())
    assert first(finding) == pytest.approx(on_j90, rel=2e-3)
    assert finding.conclusion.answer is HOLDS
    finding = found(text, today())
    assert first(finding) == pytest.approx(on_today, rel=2e-3)
    assert finding.conclusion.answer is answer_today


def test_growth_of_barriers_is_told_from_the_line_that_fits() -> None:
    text = "A software barrier's time grows about as the PEs, not as their logarithm"
    finding = found(text, j90())
    assert first(finding) == pytest.approx(12.82 / 73.5, rel=0.01)
    assert finding.conclusion.answer is HOLDS
    assert found(text, today()).conclusion.answer is FAILS
