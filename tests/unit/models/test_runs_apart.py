from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from harness.models import pingpong
from harness.synthetic import Campaign
from harness.synthetic import pingpong as cell
from scipy import stats
from tests.support.curves import observations

from leadline.compare.analysis import Analysis
from leadline.compare.between import RunsApart, recorded
from leadline.models.closed_form import fit
from leadline.models.fitted import apart_by, apart_of, fitted
from leadline.models.model import Model, RunSpread
from leadline.models.prediction import predict


def of_levels(*levels: float) -> list[dict[tuple[object, ...], float]]:
    """Runs of two curves of two sizes, the second of which moves half as much."""
    return [
        {("a", 8): level, ("a", 64): level + 1, ("b", 8): level / 2, ("b", 64): level / 2 - 3}
        for level in levels
    ]


def test_curves_variances_are_averaged_by_hand() -> None:
    # of -3, -1, 1 and 3 % the variance is 20 / 3, of half of these a quarter of that
    first, *others = of_levels(-0.03, -0.01, 0.01, 0.03)
    found = apart_by(first, others)
    assert found is not None
    assert found.deviation == pytest.approx(math.sqrt((20 / 3 + 5 / 3) / 2) / 100)
    assert found.quantile == pytest.approx(stats.t.ppf(0.975, 3))
    assert found.runs == 4


def test_few_runs_tell_nothing_and_those_of_something_else_are_none() -> None:
    first, *others = of_levels(0.0, 0.1, 0.2)
    assert apart_by(first, others) is None
    assert apart_by(first, [*others, {("c", 8): 0.0}]) is None
    third = of_levels(0.3)[0]
    among = apart_by(first, [*others, {("c", 8): 0.0}, third])
    assert among is not None and among == apart_by(first, [*others, third])


def test_sizes_that_one_run_lacks_count_in_none() -> None:
    first, *others = of_levels(-0.03, -0.01, 0.01, 0.03)
    expected = apart_by(first, others)
    others[0]["a", 4096] = 100.0
    assert apart_by(first, others) == expected


def test_only_what_all_runs_have_counts() -> None:
    first, *others = of_levels(-0.03, -0.01, 0.01, 0.03)
    del others[1]["b", 8], others[1]["b", 64]
    found = apart_by(first, others)
    assert found is not None
    assert found.deviation == pytest.approx(math.sqrt(20 / 3) / 100)
    del others[2]["a", 8], others[2]["a", 64]
    assert apart_by(first, others) is None, "nothing is left that all have"


def test_comparisons_and_models_see_the_same_runs_alike() -> None:
    levels = (-0.03, -0.01, 0.01, 0.03)
    runs_of: list[dict[tuple[object, ...], float]] = [{("a", 8): level} for level in levels]
    found = apart_by(runs_of[0], runs_of[1:])
    spread = recorded([[np.array([[level]]) for level in levels]])
    assert spread is not None and found is not None
    assert found.deviation == pytest.approx(spread.sizes[0])
    assert recorded([[np.zeros((1, 1))] * 3]) is None


def runs(levels: tuple[float, ...]) -> list[Analysis]:
    cells = tuple(cell(size) for size in (8, 64, 512, 4096))
    slow = [{"mpich": level} for level in levels]
    return [Analysis(Campaign(["mpich"], cells, slowdown=one).run()) for one in slow]


def test_interval_has_each_part_by_its_own_quantile_by_hand() -> None:
    model = pingpong()
    assert model.scatter is not None
    apart = replace(model.scatter, runs_apart=RunSpread(0.05, 3.0, 4))
    widths = []
    for one in (model, replace(model, scatter=apart)):
        found = predict(one, 2, 512)
        widths.append(np.log(found.high / found.seconds))
    assert widths[1] == pytest.approx(np.hypot(widths[0], math.sqrt(2) * 0.15))


def test_runs_whose_levels_stray_lie_within_as_often_as_said() -> None:
    generator = np.random.default_rng(5)
    sizes = np.array([8, 64, 512, 4096])
    held = []
    for level, later in 0.1 * generator.standard_normal((200, 2)):
        noise = np.exp(level + 0.002 * generator.standard_normal((1, 4, 8)))
        model = fit(observations((1e-6 + 1e-9 * sizes)[None, :, None] * noise, sizes=list(sizes)))
        assert isinstance(model, Model) and model.scatter is not None
        known = replace(model.scatter, runs_apart=RunSpread(0.1, 1.96, 0))
        found = predict(replace(model, scatter=known), 2, 64)
        held.append(found.low <= 1.064e-6 * math.exp(later) <= found.high)
    assert 0.91 < np.mean(held) < 0.99


def test_what_is_stated_is_known() -> None:
    (analysis,) = runs((1.0,))
    found = apart_of(analysis, RunsApart(0.03))
    assert found is not None
    assert (found.deviation, found.quantile) == pytest.approx((math.log(1.03), 1.959964))
    assert found.runs == 0
    assert apart_of(analysis, RunsApart()) is None


def test_runs_beside_widen_predictions_of_all_models() -> None:
    analysis, *beside = runs((1.0, 1.02, 0.98, 1.01))
    apart = apart_of(analysis, RunsApart(beside=tuple(beside)))
    assert apart is not None and 0.01 < apart.deviation < 0.03
    for model in fitted(analysis, apart=apart):
        assert isinstance(model, Model)
        assert model.scatter is None or model.scatter.runs_apart == apart
