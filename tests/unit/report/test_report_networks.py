"""The study of Ethernet and ATM as it is printed and drawn."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support import json_schema
from tests.support.networked import VARIANTS, curves, emulated_s, papers
from tests.support.study_results import noisy, results

from leadline.papers.ethernet_atm.study import STUDY
from leadline.papers.findings import answered
from leadline.papers.results import Results
from leadline.papers.study import Studied
from leadline.report.figures.figure import Figure, drawn
from leadline.report.figures.plots import studied_figure
from leadline.report.figures.style import look
from leadline.report.formats.json_text import document_text
from leadline.report.formats.plain_text import text_lines
from leadline.report.programs.study import study_content
from leadline.report.text.study import study_document

Golden = Callable[[str, str], None]
PAPERS = papers()


def studied(found: Results) -> Studied:
    tables, findings = tuple(STUDY.tables(found)), answered(STUDY.claims, found)
    return Studied(STUDY, ("networks/ethernet", "networks/atm"), tables, findings, ())


def shown(found: Results) -> list[Figure]:
    assert STUDY.figures
    return [studied_figure(figure) for figure in STUDY.figures(found)]


def test_text_fits_and_has_the_papers_figures_beside_those_here(golden: Golden) -> None:
    lines = [
        line.text
        for line in text_lines(study_document(studied(results(noisy(curves(emulated_s))))), 100)
    ]
    assert max(map(len, lines)) <= 100
    golden("study_networks.text", "\n".join(lines) + "\n")


def test_json_has_the_same_figures_in_bytes_a_second() -> None:
    printed = document_text(study_content(studied(PAPERS)))
    json_schema.check("study", printed)
    figures = json.loads(printed)["figures"]
    theirs = [f["value"] for f in figures if f["row"] == "the paper, ATM, MPICH"]
    assert theirs == [19e6 / 8, 0.123, None, 8192]
    assert {f["unit"] for f in figures} == {"B/s", "s", "share", "B", "times"}


def test_library_has_a_colour_and_a_network_a_stroke() -> None:
    lines = {line.name: line for line in shown(PAPERS)[0].lines}
    for variant in VARIANTS:
        ethernet, atm = (lines[f"{variant}, {network}"] for network in ("Ethernet", "ATM"))
        assert (ethernet.stroke, atm.stroke) == ("-", "--")
        assert look(ethernet.series)[:2] == look(atm.series)[:2]
    assert len({look(lines[f"{one}, ATM"].series)[0] for one in VARIANTS}) == len(VARIANTS)


def test_printed_point_has_its_librarys_colour_and_no_line() -> None:
    *_, printed = shown(PAPERS)[0].lines
    assert printed.loose
    (point,) = printed.points
    assert point.x == 8192
    assert point.y == pytest.approx(19)
    mine = next(line for line in shown(PAPERS)[0].lines if line.name == "mpich, ATM")
    assert look(printed.series)[0] == look(mine.series)[0]


def test_figure_is_linear_from_nought_in_the_papers_units(snapshot: SnapshotAssertion) -> None:
    bandwidth, _, round_trip, small = shown(PAPERS)
    assert (bandwidth.x_label, bandwidth.y_label, round_trip.y_label) == snapshot
    image = drawn(bandwidth, "svg", (5.0, 3.6)).decode()
    words = {element.text for element in ET.fromstring(image).iter() if element.text}
    assert {bandwidth.x_label, bandwidth.y_label, "0", "2,500", "5,000", "10,000"} <= words
    assert {line.name for line in bandwidth.lines} <= words
    assert "200" in drawn(small, "svg", (5.0, 3.6)).decode()
    assert image.encode() == drawn(bandwidth, "svg", (5.0, 3.6))
