"""Every figure of a paper has its row: ours beside it, or why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from harness.reproduced import FITTED, MACHINES, PAPERS_MADE, kept, made, recipes_of, shipped
from syrupy.assertion import SnapshotAssertion

from leadline.papers.catalogue import PAPERS, all_papers, figure_of
from leadline.papers.cells import Label, ReproducedCell, cells_of
from leadline.papers.cray_mpt import recipe as cray_mpt
from leadline.papers.recipe import PaperRecipes, Relation, recipes_for
from leadline.papers.reproduction import (
    WITHIN,
    PaperSummary,
    fitted_constants,
    fitted_ids,
    summary_of,
)
from leadline.papers.simulation import CellSpec, in_a_loop, times_of
from leadline.simulate.machine import Compute, MachineModel


def rowless(recipes: PaperRecipes) -> set[str]:
    """Figures that have no row, or two."""
    settings = [one.id for one in recipes.settings()]
    rows = Counter([*(one.figure for one in recipes.recipes), *recipes.lacking, *settings])
    return {one.id for one in recipes.paper.figures if rows[one.id] != 1} | {
        name for name in rows if name not in {one.id for one in recipes.paper.figures}
    }


@pytest.mark.parametrize("module", PAPERS_MADE)
def test_every_figure_is_made_or_lacks_with_a_reason_or_is_a_setting(module: str) -> None:
    assert rowless(recipes_of(module)) == set()
    cells = kept(module)
    figures = {one.id for one in recipes_of(module).paper.figures}
    settings = {one.id for one in recipes_of(module).settings()}
    assert figures - settings == {name for name, one in cells.items() if not one.text}


def test_every_paper_is_made_again_in_the_order_of_the_papers() -> None:
    assert [one.paper for one in recipes_for()] == list(all_papers())
    assert [recipes_of(module).paper for module in PAPERS_MADE] == list(all_papers())


def test_figure_without_a_row_is_found() -> None:
    recipes = recipes_of("t3e_mpi")
    assert rowless(replace(recipes, recipes=recipes.recipes[1:])) == {recipes.recipes[0].figure}
    assert rowless(replace(recipes, lacking={**recipes.lacking, "t3e-mpi.figure9": ""}))


@pytest.mark.parametrize("module", PAPERS_MADE)
def test_what_is_not_reproducible_says_why_and_what_is_has_a_value(module: str) -> None:
    for one in kept(module).values():
        assert (one.ours is None) is (one.label is Label.NOT_REPRODUCIBLE)
        assert one.reason or one.ours is not None, one.id


@pytest.mark.parametrize("module", PAPERS_MADE)
def test_every_miss_has_a_reason(module: str) -> None:
    missed = {
        name
        for name, one in kept(module).items()
        if one.holds is False or (not one.text and abs(one.deviation or 0.0) > WITHIN)
    }
    assert missed
    assert {name for name in missed if not kept(module)[name].reason} == set()


@pytest.mark.parametrize("module", PAPERS_MADE)
def test_sentences_are_rows_of_their_paper(module: str) -> None:
    for one in kept(module).values():
        if one.text:
            assert one.id.startswith(f"{one.paper}.sentence.")
            assert one.holds is not None


# -- the T3E's messages ----------------------------------------------------------------------------


def test_t3e_has_what_was_fitted_of_its_messages() -> None:
    cells = kept("t3e_mpi")
    sends = {name for name in FITTED if name.split(".")[1] in ("send", "ssend", "isend")}
    assert len(sends) == 18
    assert max(abs(cells[name].deviation or 0.0) for name in sends) < 0.02


def test_accumulated_bandwidth_is_that_of_127_receivers() -> None:
    cells = kept("t3e_mpi")
    ours = {
        text: cells[f"t3e-mpi.bcast.mpich.128.{text}"].ours
        for text in ("time", "bandwidth", "accumulated")
    }
    assert ours["time"]
    assert ours["bandwidth"] == pytest.approx(1024 / (1e-6 * ours["time"]) / 2**20)
    assert ours["accumulated"] == pytest.approx(127 * (ours["bandwidth"] or 0.0))


def test_reasons_of_collectives_say_what_messages_one_after_the_other_take() -> None:
    cells = kept("t3e_mpi")
    for library, seven_us, all_us in (("mpich", 70, 1270), ("cray-mpi", 100, 1810)):
        asked = in_a_loop(("cray-t3e-900", library), "pingpong", 2, 1024)
        message_us = 1e6 * times_of([asked], shipped)[asked]
        assert 7 * message_us == pytest.approx(seven_us, rel=0.01)
        assert 127 * message_us == pytest.approx(all_us, rel=0.01)
        assert f"{seven_us} " in cells[f"t3e-mpi.bcast.{library}.128.time"].reason
        assert f"{all_us} " in cells[f"t3e-mpi.reduce.{library}.128.time"].reason


def test_reason_of_nas_mg_says_what_it_takes_by_the_rate_of_memory_alone() -> None:
    cells = kept("cray_mpt")
    for system, told_s in cray_mpt.MEMORY_ALONE.items():
        asked = cray_mpt.solving(system, 16)
        machine = shipped(asked.machine)
        fed = replace(machine, compute=replace(machine.compute, flop_per_s=1e15))
        took_s = cray_mpt.solution([times_of([asked], {asked.machine: fed}.__getitem__)[asked]])
        assert f"{took_s:.1f} s" == told_s
        assert cells[f"cray-mpt.nas-mg.{system}.16"].reason.endswith(told_s)


def test_bounds_that_are_figures_are_least_and_most_in_whatever_order_the_paper_has_them() -> None:
    recipes = recipes_of("collectives")
    turned = replace(recipes, paper=replace(recipes.paper, figures=recipes.paper.figures[::-1]))
    bounds = [one.bounds for name, one in made(turned).items() if ".range-" in name]
    assert bounds == [(5.12, 675.0)] * 2


# -- others ----------------------------------------------------------------------------------------


def within(module: str, label: Label, names: str) -> int:
    """How many cells whose ids begin so have the label and are reached."""
    return sum(
        one.label is label and one.deviation is not None and abs(one.deviation) <= WITHIN
        for name, one in kept(module).items()
        if name.startswith(names)
    )


def test_ten_of_the_twelve_hop_counts_are_reached_and_the_reordered_ones_are_predicted() -> None:
    table = "t3e-mapping.table1"
    assert within("t3e_mapping", Label.FITTED, table) == 6
    assert within("t3e_mapping", Label.PREDICTED, table) == 4


def test_contention_is_predicted_by_the_constants_of_two_pes() -> None:
    cells = kept("t3e_mapping")
    assert cells["t3e-mapping.halo.8x4x4.without"].label is Label.PREDICTED
    assert within("t3e_mapping", Label.PREDICTED, "t3e-mapping.halo.8x4x4.without") == 1
    assert within("t3e_mapping", Label.FITTED, "t3e-mapping.pair") == 2
    assert (cells["t3e-mapping.pair.64.share"].ours or 1.0) < 0.5


def test_alltoalls_reach_their_bandwidths_and_barriers_their_bound() -> None:
    assert within("collectives", Label.FITTED, "collectives.total-exchange") == 3
    assert kept("collectives")["collectives.barrier.others.ratio"].deviation == 0.0


def test_all_long_collectives_take_times_in_the_printed_range() -> None:
    cells = kept("collectives")
    for end in ("least", "most"):
        sentence = cells[f"collectives.sentence.range-{end}"]
        assert (sentence.label, sentence.holds) == (Label.PREDICTED, True)
        assert (sentence.unit, sentence.bounds) == ("ms", (5.12, 675.0))
        assert sentence.ours == cells[f"collectives.range.64.{end}"].ours


def test_collective_that_takes_longer_than_the_range_is_found() -> None:
    """A Paragon of a third of the rate takes 0.9 s for a total exchange."""

    def slow(name: str) -> MachineModel:
        machine = shipped(name)
        if name != "intel-paragon":
            return machine
        nic = replace(machine.nic, in_bytes_per_s=4e6, out_bytes_per_s=4e6)
        return replace(machine, nic=nic)

    recipes = replace(recipes_of("collectives"), recipes=(), lacking={})
    about = tuple(one for one in recipes.sentences if one.within)
    paper = replace(recipes.paper, figures=tuple(map(figure_of, about[0].within or ())))
    lacking = {one.id: "x" for one in paper.figures}
    planted = replace(recipes, paper=paper, sentences=about, lacking=lacking)
    found = {one.id: one.holds for one in cells_of([planted], slow, FITTED) if one.text}
    key = "collectives.sentence.range"
    assert found == {f"{key}-least": True, f"{key}-most": False}


def test_reason_why_the_t3d_is_not_first_is_that_it_alone_computes(
    snapshot: SnapshotAssertion,
) -> None:
    sentence = kept("collectives")["collectives.sentence.t3d-best"]
    assert sentence.reason == snapshot
    (recipe,) = [one for one in recipes_of("collectives").sentences if one.id == sentence.id]
    free = shipped("ibm-sp2").compute
    assert shipped("intel-paragon").compute == free != shipped("cray-t3d").compute
    times = times_of(recipe.cells, lambda name: replace(shipped(name), compute=free))
    assert recipe.made(times, shipped) == 1.0


def test_vector_sums_of_the_t3d_are_predicted_from_the_first() -> None:
    assert within("cray_mpt", Label.PREDICTED, "cray-mpt.table4.t3d") == 3
    assert within("cray_mpt", Label.PREDICTED, "cray-mpt.table4.j90") == 0


def test_multigrid_is_fitted_and_says_what_memory_alone_would_take() -> None:
    cells = kept("cray_mpt")
    for system, rate, memory_s in (("t3d", 64.2e6, 7.6), ("j90", 143e6, 3.4)):
        cell = cells[f"cray-mpt.nas-mg.{system}.16"]
        assert cell.label is Label.FITTED
        assert abs(cell.deviation or 1.0) < 0.005
        asked = cray_mpt.solving(system, 16)
        slow = replace(shipped(f"cray-{system}"), compute=Compute(bytes_per_s=rate))
        times = times_of([asked], {slow.name: slow}.__getitem__)
        assert cray_mpt.solution([times[asked]]) == pytest.approx(memory_s, abs=0.05)
        assert f"{memory_s} s" in cell.reason


def test_sentences_that_follow_from_fitted_figures_are_labelled_so() -> None:
    for name in ("ethernet-atm.sentence.mpich-over-pvm", "collectives.sentence.paragon-long"):
        module = name.split(".")[0].replace("-", "_")
        assert kept(module)[name].label is Label.FITTED


def test_suns_reach_all_that_is_printed_of_them() -> None:
    cells = kept("ethernet_atm").values()
    assert all(abs(one.deviation or 0.0) < 0.06 for one in cells if not one.text)
    failing = {one.id.rpartition(".")[2] for one in cells if one.holds is False}
    assert failing == {"latency", "peak-at-8-kib"}  # of neither is a figure printed


# -- cells and summaries ---------------------------------------------------------------------------


def cell(relation: Relation, ours: float | None, published: float | None = 2.0) -> ReproducedCell:
    return ReproducedCell(
        id="x.y", paper="x", published=published, ours=ours, unit="s", relation=relation,
        label=Label.PREDICTED,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("relation", "ours", "deviation"),
    [
        (Relation.ABOUT, 3.0, 0.5), (Relation.ABOUT, 1.0, -0.5), (Relation.LEAST, 3.0, 0.0),
        (Relation.LEAST, 1.0, -0.5), (Relation.MOST, 3.0, 0.5), (Relation.MOST, 1.0, 0.0),
        (Relation.ABOUT, None, None),
    ],
)  # fmt: skip
def test_deviation_is_from_the_figure_or_beyond_the_bound(
    relation: Relation, ours: float | None, deviation: float | None
) -> None:
    assert cell(relation, ours).deviation == deviation
    assert cell(relation, ours, published=None).deviation is None


def test_gains_are_compared_as_times() -> None:
    """No gain where 2 % was printed is 2 % off, and no ratio of 0."""
    one = replace(cell(Relation.LEAST, ours=0.0), unit="%", gain=True)
    assert one.deviation == pytest.approx(-0.02 / 1.02)
    assert kept("t3e_mapping")["t3e-mapping.halo.gain.least"].gain
    assert abs(kept("t3e_mapping")["t3e-mapping.halo.gain.least"].deviation or 1.0) < 0.02


def test_gains_count_as_within_by_themselves() -> None:
    """Nearly nothing isn't nearly 2 %, though times are; a bound that is kept is kept."""
    gains = replace(cell(Relation.LEAST, ours=0.02), unit="%", gain=True)
    assert not gains.is_within(0.1)
    assert replace(gains, ours=1.9, published=2.0).is_within(0.1)
    assert replace(gains, ours=44.0, published=2.0).is_within(0.1)
    assert replace(gains, gain=False, ours=1.9).is_within(0.1)
    assert not replace(gains, ours=None).is_within(0.1)


def test_summary_counts_every_figure_once() -> None:
    recipes, cells = recipes_of("t3e_mpi"), list(kept("t3e_mpi").values())
    found = summary_of(recipes.paper, cells, MACHINES)
    assert found.figures + found.settings == len(recipes.paper.figures) == 56
    assert found.labels == {
        Label.FITTED: 20, Label.PREDICTED: 6, Label.MEASURED: 0, Label.NOT_REPRODUCIBLE: 10,
    }  # fmt: skip
    assert (found.fitted_within, found.predicted_within) == (18, 0)
    assert found.share_predicted_within == 0.0
    assert (found.sentences, found.sentences_that_hold) == (24, 21)
    assert (found.predicted_sentences, found.predicted_sentences_that_hold) == (5, 3)


def test_share_of_no_predictions_is_none() -> None:
    recipes = recipes_of("t3e_mpi")
    found: PaperSummary = summary_of(recipes.paper, [], MACHINES)
    assert found.share_predicted_within is None


def test_constants_are_counted_against_figures() -> None:
    """Of the SP2 and the Paragon each: half of a latency, and a rate; the T3D has a barrier too."""
    assert fitted_constants([shipped("ibm-sp2")], "collectives") == 2
    assert fitted_constants([shipped("cray-t3d")], "collectives") == 3
    assert fitted_constants([shipped("ibm-sp2")], "t3e-mpi") == 0


ASSUMED = {"collectives": 3}
"""Constants beside fitted ones that no figure made: each machine's start-up."""


def surplus(machines: Sequence[MachineModel], paper: str) -> int:
    """How many more constants its figures made than it has figures that are named for them."""
    named = sum(name.startswith(f"{paper}.") for name in fitted_ids(machines))
    return fitted_constants(machines, paper) - ASSUMED.get(paper, 0) - named


@pytest.mark.parametrize("paper", PAPERS)
def test_no_more_constants_are_fitted_than_figures(paper: str) -> None:
    assert surplus(MACHINES, paper) <= 0


def test_constants_that_no_figure_is_named_for_are_found() -> None:
    """The T3E's file with five figures to its name fewer."""
    few = [
        replace(
            one,
            fitted={
                key: tuple(name for name in named if ".ssend." not in name)
                for key, named in one.fitted.items()
            },
        )
        for one in MACHINES
    ]
    assert surplus(few, "t3e-mpi") > 0


def test_ids_are_gathered_over_machines() -> None:
    assert fitted_ids([]) == frozenset()
    assert fitted_ids([shipped("ibm-sp2")]) == {"collectives.total-exchange.sp2.64"}


# -- what is simulated -----------------------------------------------------------------------------


def test_times_are_those_of_what_was_asked_each_once() -> None:
    where = "cray-t3e-900", "mpich"
    short, long = (in_a_loop(where, "pingpong", 2, size) for size in (0, 1_000_000))
    times = times_of([short, long, short], shipped)
    assert times.keys() == {short, long}
    assert times[short] == pytest.approx(7e-6)
    assert times[long] > 100 * times[short]


def test_cell_without_a_time_is_refused() -> None:
    nobody: CellSpec = in_a_loop(("cray-t3e-900", "mpich"), "bcast", 1, 8)
    with pytest.raises(ValueError, match=r"\bCellSpec\("):
        times_of([nobody], shipped)
