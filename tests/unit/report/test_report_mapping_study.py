"""The study of mapping as it is printed and drawn."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support import json_schema
from tests.support.mapping_study import PAPERS, measured, places
from tests.support.study_results import noisy, results
from tests.support.texts import numbers

from leadline.papers.findings import answered
from leadline.papers.results import Results
from leadline.papers.study import Studied, mapped
from leadline.papers.t3e_mapping.stages import HALO, NEIGHBOURS, OPEN, PES
from leadline.papers.t3e_mapping.study import STUDY
from leadline.record.run import GridPlacement
from leadline.report.figures.figure import Figure, PlottedLine, PlottedPoint, drawn
from leadline.report.figures.plots import studied_figure
from leadline.report.formats.json_text import document_text
from leadline.report.formats.plain_text import text_lines
from leadline.report.programs.study import study_content
from leadline.report.series import SeriesStyle
from leadline.report.text.study import study_document

Golden = Callable[[str, str], None]
HOSTS = tuple(f"node{number}" for number in range(1, 5))
LAID = tuple(
    GridPlacement(pattern, tuple(range(PES)), "hops", "nodes:4x4", before, after)
    for pattern, before, after in ((OPEN, 6 / 7, 2 / 7), (HALO, 1.0, 2 / 3))
)


def studied(found: Results) -> Studied:
    tables, findings = tuple(STUDY.tables(found)), answered(STUDY.claims, found)
    return Studied(STUDY, ("mine/uncongested", "mine/neighbours"), tables, findings, ())


def as_the_papers() -> Results:
    """On four hosts, half of whose halo's links were the limit: in order, not mapped."""
    found = measured(PAPERS, cores=2)
    run = found.runs[NEIGHBOURS]
    laid = {mapped("mpich"): LAID}
    configurations = tuple(
        replace(one, hosts=HOSTS, placement=laid.get(one.variant, ())) for one in run.configurations
    )
    found.runs[NEIGHBOURS] = replace(run, configurations=configurations)  # type: ignore[index]
    for place, time in found.times.items():
        free = (place.variant, place.pattern) == (mapped("mpich"), HALO)
        found.times[place] = replace(  # type: ignore[index]
            time, crowded=free, link_share=0.43 if free else 0.97
        )
    return found


def test_text_has_the_papers_tables_beside_those_here_and_says_what_was_the_limit(
    golden: Golden,
) -> None:
    lines = [line.text for line in text_lines(study_document(studied(as_the_papers())), 100)]
    assert max(map(len, lines)) <= 100
    golden("study_mapping.text", "\n".join(lines) + "\n")


def test_json_has_hops_and_what_links_carried() -> None:
    printed = document_text(study_content(studied(as_the_papers())))
    json_schema.check("study", printed)
    report = json.loads(printed)
    (hops,) = (f for f in report["figures"] if f["row"] == f"here, {HALO}" and f["value"] == 1.0)
    assert (hops["quantity"], hops["unit"]) == ("without reordering", "hops")
    carried = [f for f in report["figures"] if f["table"] == 4 and HALO in f["row"]]
    assert [(f["value"], f["unit"], f["crowded"]) for f in carried] == [
        (0.97, "share", False), (0.43, "share", True),
    ]  # fmt: skip
    assert "43" in numbers(report["findings"][-1]["needs"])


def shown(found: Results) -> list[Figure]:
    assert STUDY.figures
    return [studied_figure(figure) for figure in STUDY.figures(found)]


def test_figures_have_a_curve_for_each_way_and_both_axes_are_logarithmic(
    snapshot: SnapshotAssertion,
) -> None:
    pairs, halo = shown(as_the_papers())
    assert [line.name for line in pairs.lines] == snapshot
    assert [line.stroke for line in pairs.lines] == ["-", "--", "-."]
    assert len(halo.lines) == 2
    assert [point.y for point in halo.lines[1].points] == pytest.approx(
        [4 * 32_768 * 154 / 1e6], rel=0.02
    )
    assert not halo.linear
    assert halo.y_label.encode() in drawn(halo, "svg", (5.0, 3.6))
    assert halo.y_label == snapshot
    assert shown(results({}))[0].lines == []


def test_a_library_of_which_one_order_failed_has_the_other_drawn() -> None:
    times = {place: t for place, t in places(PAPERS).items() if "mapped" not in place.variant}
    assert [len(one.lines) for one in shown(results(noisy(times)))] == [2, 1]


def faces(figure: Figure) -> tuple[int, int]:
    """White markers, and shades."""
    drawing = ET.fromstring(drawn(figure, "svg", (5.0, 3.6)).decode())
    styles = [element.get("style", "") for element in drawing.iter()]
    hollow = [s for s in styles if "fill: #ffffff" in s and "stroke: #2175d5" in s]
    return len(hollow), sum("fill: #eeeeee" in style for style in styles)


@pytest.mark.parametrize(
    ("crowded", "hollow", "shaded"),
    [
        ((False, False, False), 0, 0),
        ((True, False, False), 1, 0),
        ((False, True, True), 0, 1),
        ((True, False, True), 1, 1),
    ],
)
def test_shade_begins_where_all_that_follow_are_crowded_and_others_before_it_are_hollow(
    crowded: tuple[bool, ...], hollow: int, shaded: int
) -> None:
    points = [PlottedPoint(10**n, 1.0, None, None, one) for n, one in enumerate(crowded, 1)]
    line = PlottedLine("mpich", SeriesStyle("mpich", "s0", 0), points)
    assert faces(Figure("bytes", "s", [line], str)) == (hollow, shaded)
    fit = replace(line, points=[replace(point, crowded=False) for point in points])
    assert faces(Figure("bytes", "s", [line, fit], str)) == (sum(crowded), 0)
