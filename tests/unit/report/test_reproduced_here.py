"""What was measured of a paper on this machine: beside what is simulated, as text and elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from tests.support import json_schema
from tests.support.made_again import KEY, ring, ring_measured_here

from leadline.report.formats.json_text import document_text
from leadline.report.formats.plain_text import text_lines
from leadline.report.page.reproduced import reproduced_page
from leadline.report.programs.reproduced import reproduced_content
from leadline.report.text.reproduced import reproduced_document
from leadline.reproduce.cell import Label
from leadline.reproduce.reproduction import ReproducedPaper


def text(found: ReproducedPaper) -> str:
    lines = text_lines(reproduced_document([found]), 100)
    return "\n".join(line.text for line in lines) + "\n"


def test_text_of_what_was_measured_is_as_agreed(golden: Callable[[str, str], None]) -> None:
    golden("reproduced-here.text", text(ring_measured_here()))


def test_simulated_figures_and_sentences_are_what_they_were() -> None:
    measured, alone = ring_measured_here(), ring()
    assert list(measured.tables()) == list(alone.tables())
    assert (measured.sentences, measured.lacking) == (alone.sentences, alone.lacking)
    assert {**measured.summary.labels, Label.MEASURED: 0} == alone.summary.labels
    assert measured.summary.figures == alone.summary.figures


def test_nothing_measured_leaves_the_text_without_a_word_of_it() -> None:
    assert "measured" not in text(ring())


def test_programs_get_libraries_and_intervals() -> None:
    content = reproduced_content([ring_measured_here()])
    json_schema.check("reproduce", document_text(content))
    cells = [one for one in content["cells"] if one["label"] == "measured here"]
    assert [(one["library"], one["low"], one["high"]) for one in cells] == [
        ("mpich", 9100.0, 9300.0), ("openmpi", None, None), ("pvm", None, None),
        (None, 2.4, 2.7), (None, None, None),
    ]  # fmt: skip
    assert [one["holds"] for one in cells if one["sentence"]] == [True, None]
    (paper,) = content["papers"]
    assert (paper["measured_here"], paper["findings"], paper["findings_that_hold"]) == (1, 2, 1)


def test_page_has_them_in_its_table_and_the_findings_below() -> None:
    page = reproduced_page([ring_measured_here()], ())
    assert "mpich · 9,100 to 9,300" in page
    assert "<td>2,300 times<td>" in page
    assert "Put to what was measured here: 1 hold, 0 don&#x27;t hold, 1 can&#x27;t be told" in page
    assert page.count("a machine with 8 cores or more") == 1
    assert "Put to what was measured" not in reproduced_page([ring()], ())
    assert KEY in page
