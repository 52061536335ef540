from __future__ import annotations

import numpy as np
import pytest

from leadline.models.fitting import (
    NormalEquations,
    Points,
    families,
    fit_of,
    relative_weights,
)
from leadline.models.forms import ClosedForm, Scaling
from leadline.models.model import RankSet
from leadline.models.segments import ranges_of
from leadline.patterns.powers_of_two import is_power_of_two

RANKS = np.array([2.0, 3, 4, 6, 8])
BYTES = np.array([0.0, 8, 64, 512, 4096, 32_768])
SURFACE = ClosedForm(Scaling.LOGARITHMIC, Scaling.LINEAR)
LINE = ClosedForm(Scaling.CONSTANT, Scaling.CONSTANT)


def scattered() -> Points:
    generator = np.random.default_rng(3)
    seconds = 1e-6 + 1e-9 * BYTES * RANKS[:, None] * generator.uniform(0.5, 1.5, (5, 6))
    seconds[0, 2] = np.nan
    return Points(RANKS, BYTES, seconds)


def test_normal_equations_of_all_ranges_give_what_least_squares_gives_of_each() -> None:
    points = scattered()
    equations = NormalEquations.of(points, relative_weights(points)[None], tuple(Scaling))
    coefficients, costs = equations.solved(SURFACE.terms)
    design = points.design(SURFACE.terms)
    for number, (first, last) in enumerate(zip(*ranges_of(6).bounds, strict=True)):
        here = points.present[:, first : last + 1]
        times = points.seconds[:, first : last + 1][here]
        matrix = design[:, first : last + 1][here] / times[:, None]
        expected, _, rank, _ = np.linalg.lstsq(matrix, np.ones(times.size), rcond=1e-14)
        if rank < 4:
            assert costs[0, number] == np.inf
        else:
            assert coefficients[:, 0, number] == pytest.approx(expected, rel=1e-5)
            cost = np.sum((1 - matrix @ expected) ** 2)
            assert costs[0, number] == pytest.approx(cost, abs=1e-9)


def test_a_range_that_does_not_determine_a_form_costs_infinitely_much() -> None:
    points = Points(np.array([2.0]), BYTES, np.full((1, 6), 1e-6))
    equations = NormalEquations.of(points, relative_weights(points)[None], (Scaling.CONSTANT,))
    _, costs = equations.solved(LINE.terms)
    assert costs[0, ranges_of(6).number[1, 1]] == np.inf
    assert costs[0, ranges_of(6).number[1, 2]] == pytest.approx(0, abs=1e-12)


def test_powers_of_two_are_a_family_of_their_own_where_they_are_apart() -> None:
    assert is_power_of_two(np.array([1, 2, 3, 6, 8])).tolist() == [True, True, False, False, True]
    apart = ClosedForm(Scaling.CONSTANT, None, powers_apart=True)
    names, rows = zip(*families(apart, RANKS), strict=True)
    assert names == (RankSet.POWERS_OF_TWO, RankSet.OTHERS)
    assert rows[1].tolist() == [False, True, False, True, False]
    assert [name for name, _ in families(LINE, RANKS)] == [RankSet.ALL]


def test_a_fit_is_linear_in_times_and_leaves_out_what_is_missing() -> None:
    points = scattered()
    fit = fit_of(SURFACE, points)
    surface = fit.surface(points.seconds)
    other = points.seconds * 1.1
    assert fit.surface(other) == pytest.approx(1.1 * surface)
    assert fit.surface(np.stack([points.seconds, other]))[1] == pytest.approx(1.1 * surface)
    (piece,) = fit.families[0][1]
    assert piece.fitted_to(points.seconds) == pytest.approx(piece.coefficients)


def test_leverage_is_what_a_points_own_time_moves_its_fitted_one_by() -> None:
    points = scattered()
    fit = fit_of(SURFACE, points)
    moved = points.seconds.copy()
    moved[3, 4] += 1e-6
    by = fit.surface(moved)[3, 4] - fit.surface(points.seconds)[3, 4]
    assert fit.leverage[3, 4] == pytest.approx(by / 1e-6)
    assert fit.leverage[0, 2] == 0
    assert fit.leverage.sum() == pytest.approx(len(SURFACE.terms))


def test_errors_count_relative_to_fitted_times_by_hand() -> None:
    # two sizes alike but for 1 and 2 s: weights by measured times say 1.2 s, by fitted ones 1.5 s
    points = Points(np.array([2.0]), np.array([1.0, 2]), np.array([[1.0, 2.0]]))
    (piece,) = fit_of(ClosedForm(Scaling.CONSTANT, None), points).families[0][1]
    assert piece.coefficients == pytest.approx([1.5])
