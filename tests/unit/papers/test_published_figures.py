"""Every figure that could be read of the papers is a constant, once, and nothing else is."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace

import pytest
from harness.places import DATA
from syrupy.assertion import SnapshotAssertion

from leadline.errors import UsageError
from leadline.papers.catalogue import PAPERS, figure_of
from leadline.papers.published import NOT_RECOVERABLE, PublishedFigure

FILES = {
    "mpi-mpich-t3e.txt": "t3e-mpi",
    "mpt-shmem-pvm.txt": "cray-mpt",
    "collectives-sp2-t3d-paragon.txt": "collectives",
    "mpich-pvm-ethernet-atm.txt": "ethernet-atm",
    "pe-mapping-t3e.txt": "t3e-mapping",
}
"""What the file of figures calls each paper."""
OWN = {"id", "binary"}
"""What a constant has, and no row of the file."""
ASIDE = "; see derived_checks.csv for 1/time"
"""Of some conditions: a remark of who read the papers."""
FIGURES = [figure for paper in PAPERS for figure in paper.figures]

Row = frozenset[tuple[str, object]]


def read_rows() -> Counter[Row]:
    """Those of the file, with values as numbers and papers by their keys."""
    with (DATA / "published_figures.csv").open(newline="") as file:
        return Counter(map(row_of, csv.DictReader(file)))


def row_of(read: Mapping[str, str]) -> Row:
    changed = {
        "paper": FILES[read["paper"]],
        "value": float(read["value"]) if read["value"] else None,
        "condition": read["condition"].removesuffix(ASIDE),
    }
    return frozenset({**read, **changed}.items())


def constants(figures: Iterable[PublishedFigure]) -> Counter[Row]:
    names = [field.name for field in fields(PublishedFigure) if field.name not in OWN]
    return Counter(
        frozenset([("paper", paper_of(one)), *((name, getattr(one, name)) for name in names)])
        for one in figures
    )


def paper_of(figure: PublishedFigure) -> str:
    return figure.id.partition(".")[0]


def test_constants_are_the_figures_that_were_read_no_more_and_no_less() -> None:
    assert constants(FIGURES) == read_rows()
    assert len(FIGURES) == 188


def test_figures_are_counted_by_paper_and_by_whether_they_have_a_value() -> None:
    counted = {
        paper.key: (len(paper.figures), sum(one.value is None for one in paper.figures))
        for paper in PAPERS
    }
    assert counted == {
        "t3e-mpi": (56, 7), "cray-mpt": (62, 0), "collectives": (8, 1), "ethernet-atm": (19, 4),
        "t3e-mapping": (43, 5),
    }  # fmt: skip


def planted(figure: PublishedFigure) -> Iterator[PublishedFigure]:
    """Faults of reading and of copying."""
    yield replace(figure, value=9.1)
    yield replace(figure, unit="ms")
    yield replace(figure, procs="64")
    yield replace(figure, condition="")


@pytest.mark.parametrize("fault", range(4))
def test_planted_fault_in_a_constant_is_found(fault: int) -> None:
    wrong = list(planted(FIGURES[0]))[fault]
    assert len(constants([wrong, *FIGURES[1:]]) - read_rows()) == 1


def test_figure_that_is_missing_or_doubled_is_found() -> None:
    assert constants(FIGURES[1:]) != read_rows() != constants([FIGURES[0], *FIGURES])


# -- ids -------------------------------------------------------------------------------------------


def test_every_id_is_its_papers_and_no_other_figures() -> None:
    for paper in PAPERS:
        assert {paper_of(one) for one in paper.figures} == {paper.key}
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
