"""The benchmark of studies reads how many findings were told from what each of them prints."""

from __future__ import annotations

from dataclasses import replace

import pytest
from bench.study import ANSWERS

from leadline.papers.applications.study import STUDY
from leadline.papers.findings import Conclusion, Finding, Outcome
from leadline.papers.study import Studied
from leadline.report.formats.plain_text import text_lines
from leadline.report.text.study import study_document


@pytest.mark.parametrize("own", [True, False], ids=["own questions", "a paper's findings"])
def test_answers_are_counted_whoever_asks(own: bool) -> None:
    findings = (Finding("table 1", "It is so", Conclusion(Outcome.HOLDS)),)
    studied = Studied(replace(STUDY, own_claims=own), (), (), findings, ())
    printed = "\n".join(line.text for line in text_lines(study_document(studied), 100))
    found = ANSWERS.search(printed)
    assert found and found[1] == "1 hold, 0 don't hold, 0 can't be told"
