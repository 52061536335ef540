"""What was measured of a paper on this machine: beside what is simulated, as text and elsewhere."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from syrupy.assertion import SnapshotAssertion
from tests.support import json_schema
from tests.support.made_again import KEY, ring, ring_measured_here

from leadline.papers.cells import Label
from leadline.papers.reproduction import ReproducedPaper
from leadline.report.formats.json_text import document_text
from leadline.report.formats.plain_text import text_lines
from leadline.report.page.reproduced import reproduced_page
from leadline.report.programs.reproduced import reproduced_content
from leadline.report.text.reproduced import reproduced_document


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


def plain(markup: str) -> str:
    return html.unescape(re.sub("<[^>]*>", "", markup)).strip()


def texts(page: str, tag: str) -> list[str]:
    """Those of all elements so called."""
    return list(map(plain, re.findall(f"<{tag}>.*?</{tag}>", page, re.DOTALL)))


def rows(page: str) -> list[list[str]]:
    """The cells of each row of the tables above the scripts."""
    tables = re.findall("<table.*?</table>", page.partition("<script")[0], re.DOTALL)
    return [
        [plain(cell) for cell in row.split("<td>")[1:]]
        for table in tables
        for row in table.split("<tr>")[1:]
    ]


def test_page_has_them_in_its_table_and_the_findings_below(snapshot: SnapshotAssertion) -> None:
    page, alone = (reproduced_page([one], ()) for one in (ring_measured_here(), ring()))
    assert [row for row in rows(page) if Label.MEASURED in row] == snapshot
    assert not any(Label.MEASURED in row for row in rows(alone))
    headings, findings = (
        [one for one in texts(page, tag) if one not in texts(alone, tag)] for tag in ("h3", "dd")
    )
    assert (headings, findings) == snapshot
    assert KEY in page
