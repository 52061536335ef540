"""Papers made again, as text and for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support import json_schema
from tests.support.made_again import FIGURES, GUESSED, KEY, ring

from leadline.papers.cells import ReproducedCell
from leadline.papers.published import PublishedFigure
from leadline.papers.recipe import Relation
from leadline.report.formats.csv_text import csv_text
from leadline.report.formats.json_text import document_text
from leadline.report.formats.markdown import markdown_lines
from leadline.report.formats.plain_text import Role, text_lines
from leadline.report.programs.reproduced import reproduced_content, reproduced_records
from leadline.report.text.reproduced import ratios, reproduced_document


def text(*changed: ReproducedCell) -> str:
    """What a reader sees of the ring, with some cells changed."""
    paper = ring()
    by_id = {cell.id: cell for cell in (*paper.cells, *changed)}
    found = replace(paper, cells=tuple(by_id.values()))
    return "\n".join(line.text for line in text_lines(reproduced_document([found]), 100)) + "\n"


def cell(name: str) -> ReproducedCell:
    return next(one for one in ring().cells if one.id == f"{KEY}.{name}")


def test_text_of_a_paper_is_as_agreed(golden: Callable[[str, str], None]) -> None:
    golden("reproduced.text", text())
    lines = markdown_lines(reproduced_document([ring()]))
    golden("reproduced.markdown", "\n".join(lines) + "\n")


def test_reason_of_several_cells_is_said_once() -> None:
    assert text().count(GUESSED) == 1
    assert text().count("[1]") == 4  # a figure of the table, one of the text, a sentence, itself


def test_sentence_about_a_time_has_its_unit_and_one_about_a_ratio_has_none(
    snapshot: SnapshotAssertion,
) -> None:
    output = next(one for one in ring().cells if one.text)
    timed = replace(output, unit="ms", ours=14.43, bounds=(5.12, 675.0), published=None)
    unbounded = replace(timed, bounds=(0.0, math.inf))
    assert [ratios(one) for one in (timed, replace(timed, unit="x"), unbounded)] == snapshot


def test_tables_come_before_the_text_and_every_figure_is_there() -> None:
    tables = list(ring().tables())
    assert [table.number for table in tables] == [2, None]
    shown = [one.id for table in tables for one in table.cells]
    assert sorted(shown + [one.id for one in ring().lacking]) == sorted(one.id for one in FIGURES)


@pytest.mark.parametrize(
    ("ours", "relation", "words"),
    [
        (4.001, Relation.ABOUT, "0 %"),
        (4.01, Relation.ABOUT, "+0.2 %"),
        (3.0, Relation.ABOUT, "-25 %"),
        (60.0, Relation.ABOUT, "+1,400 %"),
        (3.9, Relation.MOST, "kept"),
        (4.4, Relation.MOST, "+10 %"),
        (3.61, Relation.LEAST, "-9.8 %"),
    ],
)
def test_deviation_is_told_as_finely_as_it_matters(
    ours: float, relation: Relation, words: str
) -> None:
    (line,) = [
        line
        for line in text(replace(cell("peak"), ours=ours, relation=relation)).splitlines()
        if line.startswith("  peak  ")
    ]
    assert f"  {words}  " in line


def test_contradictions_are_told_of_a_paper_by_itself() -> None:
    (contradiction,) = ring().paper.contradictions
    assert contradiction.found in text()
    of_two = text_lines(reproduced_document([ring(), ring()]), 100)
    assert not any(contradiction.found in line.text for line in of_two)


def test_table_of_a_paper_stays_whole_on_a_narrow_terminal() -> None:
    lines = text_lines(reproduced_document([ring()]), 80)
    titles = [line.text for line in lines if line.role is Role.TITLE]
    assert [title.split()[0] for title in titles] == ["predicted,", "paper", "figure", "figure"]


def test_programs_get_every_setting() -> None:
    hops = PublishedFigure(
        id=f"{KEY}.hops", system="RING/8", quantity="config", value=8, unit="hops",
        condition="all the way round", where="s2",
    )  # fmt: skip
    (paper,) = reproduced_content([replace(ring(), settings=(hops,))])["papers"]
    assert paper["setting_figures"] == [
        {
            "id": hops.id, "value": 8, "unit": "hops", "condition": hops.condition, "where": "s2",
        }
    ]  # fmt: skip
    assert reproduced_content([ring()])["papers"][0]["setting_figures"] == []


def test_programs_get_every_cell_with_what_it_needs_to_hold() -> None:
    printed = document_text(reproduced_content([ring()]))
    json_schema.check("reproduce", printed)
    content = json.loads(printed)
    assert [one["id"] for one in content["cells"]] == [one.id for one in ring().cells]
    assert [(one["least"], one["most"]) for one in content["cells"] if one["sentence"]] == [
        (1.9, 2.3), (1.0, None), (None, 1.1),
    ]  # fmt: skip
    assert [one["holds"] for one in content["cells"][-3:]] == [True, False, False]
    (contradiction,) = content["papers"][0]["contradictions"]
    assert contradiction["ids"] == [f"{KEY}.peak"]
    rows = csv_text(reproduced_records([ring()])).splitlines()
    assert len(rows) == 1 + len(ring().cells)
