"""Figures of the papers drawn again: ours from machine files alone, theirs where they are read."""

from __future__ import annotations

import math

import pytest
from harness.reproduced import redrawn, shipped, without_values

from leadline.papers.cells import ReproducedFigure, figures_of
from leadline.papers.layout import StudyCurve
from leadline.papers.recipe import ONLY_DRAWN, recipes_for

Points = dict[tuple[str, str], tuple[tuple[int, float], ...]]


def named() -> dict[str, ReproducedFigure]:
    return {one.id: one for one in redrawn()}


def points(figures: tuple[ReproducedFigure, ...], published: bool) -> Points:
    return {
        (one.id, curve.name): values(curve)
        for one in figures
        for curve in one.figure.curves
        if curve.published is published
    }


def values(curve: StudyCurve) -> tuple[tuple[int, float], ...]:
    return tuple((point.at, point.estimate.value) for point in curve.points)


def curve(figure: str, name: str, published: bool = False) -> dict[int, float]:
    """The one of the paper's whose name begins so where `published`, or ours of that name."""
    (found,) = [
        one
        for one in named()[figure].figure.curves
        if one.published is published
        and (one.name.startswith(f"{name} (") if published else one.name == name)
    ]
    return dict(values(found))


def test_every_paper_has_figures_in_its_place_and_each_one_its_own_name() -> None:
    papers = list(dict.fromkeys(one.paper for one in redrawn()))
    assert papers == [one.paper.key for one in recipes_for()]
    assert len({one.id for one in redrawn()}) == len(redrawn()) == 25
    assert len({one.figure.name for one in redrawn()}) == len(redrawn())
    assert all(one.id.startswith(f"{one.paper}.") for one in redrawn())


def test_what_is_said_to_be_drawn_in_its_place_is() -> None:
    messages = {
        name for one in recipes_for() for name, why in one.lacking.items() if why == ONLY_DRAWN
    }
    assert len(messages) == 13
    assert messages <= named().keys()


def test_ours_are_the_same_without_published_values() -> None:
    with without_values():
        after = figures_of(recipes_for(), shipped)
    assert points(after, published=False) == points(redrawn(), published=False)
    spoilt = [x for of in points(after, published=True).values() for _, x in of if math.isnan(x)]
    assert len(spoilt) > 20


def test_theirs_are_what_is_printed_in_the_figures_own_unit() -> None:
    assert curve("t3e-mpi.figure1", "MPICH 1.1", published=True) == {1 << 20: 342e6}
    assert curve("t3e-mpi.figure5", "MPICH 1.1", published=True) == {128: pytest.approx(1318e-6)}
    assert curve("cray-mpt.table2", "CRAY T3D", published=True)[16] == pytest.approx(0.74e-6)
    drawn = named()["collectives.operations.t3d"].figure.curves
    (range_of_all,) = [one for one in drawn if one.library == "range"]
    assert [x for _, x in values(range_of_all)] == pytest.approx([5.12e-3, 675e-3])


def test_a_paper_s_points_look_like_ours() -> None:
    for one in redrawn():
        ours = {(c.library, c.network) for c in one.figure.curves if not c.published}
        theirs = {(c.library, c.network) for c in one.figure.curves if c.published}
        assert {pair for pair in theirs - ours if pair[0] != "range"} == set(), one.id


def test_curves_go_through_what_cells_have() -> None:
    """The same simulation: on 128 PEs, and of two."""
    accumulated = curve("t3e-mpi.figure4.accumulated", "MPICH 1.1")
    time = curve("t3e-mpi.figure4", "MPICH 1.1")
    assert accumulated[128] == pytest.approx(127 * 1024 / time[128])
    assert curve("t3e-mapping.figure4", "2 PEs")[4_000_000] == pytest.approx(200e6, rel=0.01)


def test_broadcasts_step_at_powers_of_two_and_linear_reductions_do_not() -> None:
    bcast, reduce = (curve(f"t3e-mpi.figure{number}", "MPICH 1.1") for number in (4, 5))
    assert {2, 4, 8, 16, 32, 64, 128} <= bcast.keys()
    assert bcast[32] < 1.05 * bcast[20]
    assert bcast[36] > 1.1 * bcast[32]
    assert reduce[32] / reduce[20] == pytest.approx(31 / 19, rel=0.05)


def test_pairs_lose_half_in_order_little_sorted_and_nothing_laid_by_load() -> None:
    ways = {way: curve("t3e-mapping.figure4.pes", way) for way in (
        "in order", "sorted", "least load",
    )}  # fmt: skip
    pes = (2, 4, 8, 16, 32, 64, 128)
    assert all(tuple(of) == pes for of in ways.values())
    assert ways["in order"][64] < 0.5 * ways["in order"][2]
    assert all(ways["sorted"][n] >= ways["in order"][n] for n in pes)
    assert min(ways["least load"].values()) > 0.99 * ways["in order"][2]


def test_only_readable_points_of_a_drawing_are_published() -> None:
    """No point is made up for a curve of which the text says nothing."""
    assert curve("ethernet-atm.figure1", "MPICH, ATM", published=True) == {8192: 19e6 / 8}
    assert not [1 for name, _ in points(redrawn(), published=True) if name.endswith("atm.figure3")]
