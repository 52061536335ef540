"""Figures of models: panels, their lines, and what lies on them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import replace

import pytest
from harness.models import barrier, bcast, lacking, pingpong, reduce_apart, stated
from tests.support.fitted_runs import run_of_models

from leadline.compare.analysis import Analysis
from leadline.models.model import Break, Model
from leadline.models.prediction import predict
from leadline.models.sampling import FittedSweep, fitted_curves, fitted_sweeps
from leadline.report.figures.fitted import FittedPanel, drawn_panels, fitted_panels, swept_panels
from leadline.report.figures.plots import plotted
from leadline.report.figures.style import rank_ticks


def panels(*models: Model, noise: float = 0.0) -> list[FittedPanel]:
    analysis = Analysis(run_of_models(models, noise))
    return fitted_panels(plotted([analysis]), fitted_curves(models))


def test_each_pattern_and_number_of_ranks_has_a_panel_and_each_variant_a_line_in_it() -> None:
    found = panels(pingpong(), pingpong("openmpi"), bcast())
    assert [panel.title for panel in found] == [
        "pingpong, 2 ranks", *(f"bcast, {ranks} ranks" for ranks in (2, 4, 8, 12, 16, 32, 64)),
    ]  # fmt: skip
    assert [line.series.name for line in found[0].lines] == ["mpich", "openmpi"]


def test_residuals_are_nought_where_the_model_is_what_was_measured() -> None:
    (panel,) = panels(pingpong())
    (line,) = panel.lines
    assert [point.x for point in line.residuals] == list(pingpong().sizes_bytes)
    for point in line.residuals:
        assert (point.y, point.low, point.high) == pytest.approx((0, 0, 0), abs=0.1)  # of whole ns


def test_residuals_are_per_cent_of_the_curve() -> None:
    model = pingpong()
    analysis = Analysis(run_of_models([model], noise=0.05))
    (panel,) = fitted_panels(plotted([analysis]), fitted_curves([model]))
    (line,) = panel.lines
    rows = {row.size_bytes: row.median_s for row in analysis.summaries}
    for point in line.residuals:
        form = float(predict(model, 2, point.x).seconds)
        assert point.y == pytest.approx(100 * (rows[point.x] / form - 1))
        assert point.low is not None and point.high is not None
        assert point.low < point.y < point.high


def test_residuals_are_expected_within_the_interval_of_their_own_piece() -> None:
    (panel,) = panels(pingpong())
    (line,) = panel.lines
    assert [point.x for point in line.expected] == list(pingpong().sizes_bytes)
    for point in line.expected:
        assert point.low is not None and point.high is not None
        assert -15 < point.low < point.y == 0 < point.high < 15


def test_residuals_are_off_the_form_where_predictions_follow_what_it_lacks() -> None:
    model = lacking()
    (panel,) = panels(model)
    (line,) = panel.lines
    alone = predict(replace(model, residuals=None), 2, model.sizes_bytes).seconds
    off = 100 * (predict(model, 2, model.sizes_bytes).seconds / alone - 1)
    assert [point.y for point in line.expected] == pytest.approx(off.tolist())
    assert [point.y for point in line.residuals] == pytest.approx(off.tolist(), abs=0.1)
    assert off.min() < -5 and off.max() > 0


def texts(svg: bytes) -> set[str]:
    nodes = (node for node in ET.fromstring(svg).iter() if node.tag.endswith("text"))
    return {"".join(node.itertext()).strip() for node in nodes}


def test_legend_names_variants_and_the_kinds_of_breakpoints_that_there_are() -> None:
    text = texts(drawn_panels(panels(pingpong(), pingpong("openmpi")), "svg"))
    assert {"mpich", "openmpi", "residual, %", "time"} <= text
    assert {kind for kind in Break if kind in text} == {Break.PROTOCOL_SWITCH, Break.CACHE_EDGE}


def test_model_without_intervals_is_drawn_without_a_band() -> None:
    with_band = drawn_panels(panels(pingpong()), "svg")
    assert b"FillBetween" in with_band
    (panel,) = panels(stated())
    assert panel.lines[0].series.name == "torus (simulated)"


@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_same_models_give_the_same_bytes(form: str) -> None:
    found = panels(pingpong())
    assert drawn_panels(found, form) == drawn_panels(found, form)


def test_rounding_has_no_axis_of_its_own() -> None:
    messages = {one.replace("\u2212", "-") for one in texts(drawn_panels(panels(stated()), "svg"))}
    assert {"-0.1", "0.1"} <= messages


# -- against ranks ---------------------------------------------------------------------------------


def swept(*models: Model) -> list[FittedPanel]:
    analysis = Analysis(run_of_models(models, 0.0))
    return swept_panels(plotted([analysis]), fitted_sweeps(models))


def test_each_pattern_and_size_has_a_panel_against_ranks() -> None:
    found = swept(barrier(), barrier("openmpi"), bcast())
    assert [panel.title for panel in found[:4]] == [
        "barrier",
        "bcast, 0 B",
        "bcast, 8 B",
        "bcast, 512 B",
    ]
    assert all(panel.ranks for panel in found)
    assert [line.name for line in found[0].lines] == ["mpich", "openmpi"]


def test_residuals_over_ranks_are_nought_where_the_model_is_what_was_measured() -> None:
    for panel in swept(barrier(), bcast(), reduce_apart()):
        for line in panel.lines:
            assert isinstance(line.curve, FittedSweep)
            assert [point.x for point in line.points] == sorted(
                curve.ranks for curve in line.curve.measured
            )
            assert [point.y for point in line.residuals] == pytest.approx(
                [0] * len(line.points),
                abs=0.1,  # of whole ns
            )


def test_powers_of_two_and_others_can_be_told_apart() -> None:
    (powers, others), *_ = (panel.lines for panel in swept(reduce_apart()))
    assert (powers.name, others.name) == ("mpich", "mpich, other p")
    assert powers.look["markerfacecolor"] == powers.look["color"] == others.look["color"]
    assert (others.look["markerfacecolor"], others.look["linestyle"]) == ("white", ":")


def test_axis_of_ranks_names_the_numbers_that_were_measured() -> None:
    (panel,) = swept(barrier())
    text = texts(drawn_panels([panel], "svg"))
    assert {"ranks p", "2", "4", "8", "12", "16", "32", "64", "barrier"} <= text


@pytest.mark.parametrize(
    ("numbers", "ticks"),
    [
        ([5], [5]),
        (range(2, 9), [2, 3, 4, 5, 6, 7, 8]),
        (range(2, 33), [2, 3, 4, 5, 6, 8, 10, 12, 16, 19, 23, 32]),
        (range(2, 301), [2, 4, 8, 16, 32, 64, 128, 256]),
        ([3, 6, 12, 24, 48, 96, 100], [3, 6, 12, 24, 48, 96]),
    ],
)
def test_names_of_numbers_of_ranks_leave_room_between_them(
    numbers: Sequence[int], ticks: Sequence[int]
) -> None:
    assert rank_ticks(numbers) == ticks
