"""Figures are rows of a table in their paper's folder, once, and nothing else is."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import fields
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

import leadline.papers
from leadline.errors import UsageError
from leadline.papers.catalogue import PAPERS, all_papers, figure_of
from leadline.papers.published import (
    NOT_RECOVERABLE,
    PublishedFigure,
    contradictions_in,
    figures_in,
)

FOLDERS = Path(leadline.papers.__file__).parent
FIGURES = [figure for paper in all_papers() for figure in paper.figures]
HEADER = ",".join(field.name for field in fields(PublishedFigure))


# -- the tables ------------------------------------------------------------------------------------


def test_every_folder_with_figures_is_a_paper_s() -> None:
    folders = {f"leadline.papers.{path.parent.name}" for path in FOLDERS.glob("*/figures.csv")}
    assert folders == set(PAPERS.values())
    for paper in all_papers():
        assert paper.title and paper.title in paper.source
        assert paper.contradictions


@pytest.mark.parametrize("package", PAPERS.values())
def test_table_has_a_line_a_figure_and_names_its_columns(package: str) -> None:
    text = (FOLDERS / package.rpartition(".")[2] / "figures.csv").read_text(encoding="utf-8")
    header, *lines = text.removesuffix("\n").split("\n")
    assert header == HEADER
    assert len(lines) == len(figures_in(package))
    assert all(line == line.strip() for line in lines)


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.id)
def test_figure_says_of_what_it_is_and_where_it_stands(figure: PublishedFigure) -> None:
    assert figure.system and figure.quantity and figure.where
    assert all(value == value.strip() for value in texts(figure))
    assert (figure.unit == "") is (figure.quantity == NOT_RECOVERABLE)
    if figure.unit:
        assert figure.printed(1.0) > 0  # the unit is known
    assert not figure.binary or figure.unit[0] in "MG"


def texts(figure: PublishedFigure) -> list[str]:
    values = (getattr(figure, field.name) for field in fields(PublishedFigure))
    return [value for value in values if isinstance(value, str)]


def test_contradictions_are_about_figures_that_there_are() -> None:
    for package in PAPERS.values():
        for one in contradictions_in(package):
            assert one.figures and all(figure_of(name) for name in one.figures)
            assert one.printed and one.found and one.reading


def test_whole_numbers_stay_whole() -> None:
    assert repr(figure_of("t3e-mpi.send.mpich.bandwidth").value) == "342"
    assert repr(figure_of("cray-mpt.table2.t3d.2.time").value) == "0.65"


def test_figures_are_counted_by_paper_and_by_whether_they_have_a_value() -> None:
    counted = {
        paper.key: (len(paper.figures), sum(one.value is None for one in paper.figures))
        for paper in all_papers()
    }
    assert counted == {
        "t3e-mpi": (56, 7), "cray-mpt": (62, 0), "collectives": (8, 1), "ethernet-atm": (19, 4),
        "t3e-mapping": (43, 5),
    }  # fmt: skip
    assert len(FIGURES) == 188


# -- ids -------------------------------------------------------------------------------------------


def test_every_id_is_its_papers_and_no_other_figures() -> None:
    for paper in all_papers():
        assert {one.id.partition(".")[0] for one in paper.figures} == {paper.key}
    assert max(Counter(one.id for one in FIGURES).values()) == 1


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.id)
def test_ids_are_lower_case_words_between_dots(figure: PublishedFigure) -> None:
    assert re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", figure.id)
    assert figure_of(figure.id) is figure


def test_unknown_id_is_refused_with_the_nearest(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as caught:
        figure_of("cray-mpt.table4.t3d.3")
    assert str(caught.value) == snapshot


# -- values ----------------------------------------------------------------------------------------


def test_what_has_no_value_has_a_reason_and_no_si_value(snapshot: SnapshotAssertion) -> None:
    lacking = [one for one in FIGURES if one.value is None]
    assert all(one.condition for one in lacking)
    assert {one.quantity for one in lacking} == {NOT_RECOVERABLE, "config"}
    with pytest.raises(ValueError) as caught:
        _ = figure_of("t3e-mpi.figure1").si
    assert str(caught.value) == snapshot


@pytest.mark.parametrize(
    ("name", "si"),
    [
        ("cray-mpt.table2.t3d.2.time", 0.65e-6),
        ("cray-mpt.table4.j90.16", 181.88e-3),
        ("cray-mpt.table1.t3d.shmem.bandwidth", 130e6),
        ("cray-mpt.table2.j90.16.rate", 0.021e6),
        ("collectives.total-exchange.t3d.64", 1.745e9),
        ("ethernet-atm.peak.atm.mpich", 19e6 / 8),
        ("ethernet-atm.netperf", 60 * 2**20 / 8),
        ("t3e-mpi.bcast.cray-mpi.128.bandwidth", 11.2 * 2**20),
        ("t3e-mpi.bcast.cray-mpi.128.accumulated", 1.4 * 2**30),
        ("t3e-mapping.halo.gain.least", 0.02),
        ("t3e-mpi.hardware.memory", 2**31),
    ],
)
def test_si_values_are_the_nearest_there_are(name: str, si: float) -> None:
    assert figure_of(name).si == si


def test_every_figure_with_a_value_has_one_in_si_units() -> None:
    assert all(one.si > 0 for one in FIGURES if one.value is not None)


def test_ranks_are_one_number_or_refused() -> None:
    assert figure_of("t3e-mapping.halo.8x4x4.without").ranks == 128
    with pytest.raises(ValueError, match=">8"):
        _ = figure_of("t3e-mapping.halo.gain.least").ranks
