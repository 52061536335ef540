"""Figures measured here: which of a paper's they are, in its units, and what they lack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.collectives_study import LIKE_THE_T3D, measured
from tests.support.study_results import j90, results
from tests.support.t3e_study import MPICH, PAPERS, VENDOR, messages, t3e

from leadline.papers.catalogue import figure_of, paper_of, study_named
from leadline.papers.cells import Label, ReproducedCell
from leadline.papers.findings import answered
from leadline.papers.recipe import Relation, recipes_for
from leadline.papers.reproduction import (
    MORE_PES_THAN_CORES,
    measured_cells,
    measured_figures,
    summary_of,
)
from leadline.papers.results import Results
from leadline.papers.study import Studied
from leadline.papers.t3e_mpi.tables import figures as t3e_figures

WITHIN = 0.02


def studied(name: str, found: Results) -> Studied:
    study = study_named(name)
    return Studied(study, (), tuple(study.tables(found)), answered(study.claims, found), ())


def cells(name: str, found: Results) -> list[ReproducedCell]:
    relations = {"collectives.total-exchange.sp2.64": Relation.LEAST}
    return list(measured_cells(studied(name, found), relations))


def figures(found: Iterable[ReproducedCell]) -> list[ReproducedCell]:
    return [one for one in found if not one.text]


def printed(paper: str, *without: str) -> set[str]:
    """Ids of the paper's results, but for those with one of the words."""
    return {
        one.id
        for one in paper_of(paper).figures
        if one.value is not None and one.quantity != "config"
        if not set(one.id.split(".")) & set(without)
    }


def test_machine_with_the_t3es_figures_measures_each_in_the_papers_unit() -> None:
    found = figures(cells("t3e-mpi", t3e()))
    assert {one.id for one in found} == printed("t3e-mpi", "most", "hardware")
    assert len(found) == len({one.id for one in found})
    for one in found:
        assert one.deviation == pytest.approx(0, abs=WITHIN), one
        assert one.label is Label.MEASURED and one.unit == figure_of(one.id).unit
        assert one.library == (MPICH if ".mpich." in one.id else VENDOR)
        assert one.interval == pytest.approx((one.ours, one.ours), rel=1e-9)


def test_machine_with_the_j90s_figures_measures_each_beside_the_t3ds() -> None:
    found = figures(cells("shared-memory", j90()))
    own = [one for one in found if ".j90." in one.id]
    assert {one.id for one in own} == printed("cray-mpt", "t3d", "nas-mg") & {o.id for o in own}
    assert len(own) == 2 * 2 + 2 * 4 + 3 * 4 + 4
    assert {one.id.replace(".j90.", ".t3d.") for one in own} == {
        one.id for one in found if ".t3d." in one.id
    }
    off = {one.id: one.deviation for one in own if one.unit != "Mbarr/s"}
    assert off == pytest.approx(dict.fromkeys(off, 0), abs=WITHIN)


def test_figures_of_64_pes_are_measured_on_as_many_alone() -> None:
    many = figures(cells("collectives", measured(LIKE_THE_T3D)))
    assert {one.id.split(".")[-2] for one in many} == {"t3d", "paragon", "sp2"}
    rate = next(one for one in many if one.id == "collectives.total-exchange.t3d.64")
    assert rate.library == "mpich"
    assert rate.deviation == pytest.approx(0, abs=0.05)
    few = measured(LIKE_THE_T3D, cores=2, pes=(2,))
    assert figures(cells("collectives", few)) == []


def test_bound_of_the_papers_is_a_bound_of_what_is_measured() -> None:
    found = figures(cells("collectives", measured(LIKE_THE_T3D)))
    kept = {one.id: one.deviation for one in found if one.relation is Relation.LEAST}
    assert kept == {"collectives.total-exchange.sp2.64": 0}


def test_more_pes_than_cores_are_told() -> None:
    found = figures(cells("t3e-mpi", results(messages(PAPERS), cores=1)))
    assert {one.reason for one in found} == {MORE_PES_THAN_CORES}
    assert not {one.reason for one in figures(cells("t3e-mpi", t3e()))} - {""}


def test_library_that_the_machine_lacks_is_a_row_with_the_remedy() -> None:
    remedy = "leadline get mpich"
    times = {place: time for place, time in messages(PAPERS).items() if place.variant == VENDOR}
    found = figures(cells("t3e-mpi", results(times, missing={"mpich": remedy})))
    lacking = [one for one in found if ".mpich." in one.id]
    assert len(lacking) == 9
    assert all((one.ours, one.reason) == (None, remedy) for one in lacking)


def test_findings_are_sentences_by_their_number_with_the_papers_ratio(
    snapshot: SnapshotAssertion,
) -> None:
    texts = [one for one in cells("t3e-mpi", t3e()) if one.text]
    assert [one.id for one in texts] == [f"t3e-mpi.finding.{n}" for n in range(1, 23)]
    assert all(one.holds for one in texts)
    more = texts[3]
    assert more.text == snapshot
    assert more.unit == "x"
    assert more.published == pytest.approx(342 / 163)
    assert more.ours == pytest.approx(342 / 163, rel=WITHIN)
    intercept = texts[0]
    assert intercept.unit == "s"
    assert intercept.published == pytest.approx(48e-6)


def test_finding_that_cant_be_told_neither_holds_nor_fails_and_says_what_it_takes(
    snapshot: SnapshotAssertion,
) -> None:
    few = results(messages(PAPERS), cores=2)
    last = cells("t3e-mpi", few)[-1]
    assert (last.holds, last.ours) == (None, None)
    assert last.reason == snapshot


def test_figures_of_a_study_are_its_papers_measured_here() -> None:
    drawn = replace(studied("t3e-mpi", t3e()), figures=tuple(t3e_figures(t3e())))
    found = list(measured_figures([drawn]))
    assert [one.id for one in found] == [
        f"t3e-mpi.here.{name}" for name in ("1-send", "2-ssend", "3-isend", "4-bcast", "5-reduce")
    ]
    assert {(one.paper, one.where) for one in found} == {("t3e-mpi", "Measured here")}
    assert found[0].figure.name == "t3e-mpi-here-1-send"
    nothing = replace(drawn, figures=tuple(t3e_figures(results({}))))
    assert list(measured_figures([nothing])) == []


def test_summary_counts_figures_once_and_simulated_ones_as_before() -> None:
    (paper,) = recipes_for("t3e-mpi")
    twice = [*cells("t3e-mpi", t3e())] * 2
    counted = summary_of(paper.paper, twice, [])
    assert counted.labels[Label.MEASURED] == len(printed("t3e-mpi", "most", "hardware"))
    assert (counted.figures, counted.sentences) == (0, 0)
    assert (counted.findings, counted.findings_that_hold) == (44, 44)
