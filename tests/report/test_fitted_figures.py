"""Figures of models: panels, their lines, and what lies on them."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from tests.support.fitted_runs import run_of_models
from tests.support.models import bcast, pingpong, stated

from leadline.compare.analysis import Analysis
from leadline.models.model import Model
from leadline.models.sampling import fitted_curves
from leadline.report.figures.fitted import FittedPanel, drawn_panels, fitted_panels
from leadline.report.figures.plots import plotted


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
        assert point.y == pytest.approx(100 * (rows[point.x] / line.fitted[point.x].value - 1))
        assert point.low is not None and point.high is not None
        assert point.low < point.y < point.high


def test_residuals_are_expected_within_the_interval_of_their_own_piece() -> None:
    (panel,) = panels(pingpong())
    (line,) = panel.lines
    assert [size for size, _, _ in line.expected] == list(pingpong().sizes_bytes)
    assert all(-15 < low < 0 < high < 15 for _, low, high in line.expected)


def texts(svg: bytes) -> set[str]:
    nodes = (node for node in ET.fromstring(svg).iter() if node.tag.endswith("text"))
    return {"".join(node.itertext()).strip() for node in nodes}


def test_legend_names_variants_and_the_kinds_of_breakpoints_that_there_are() -> None:
    said = texts(drawn_panels(panels(pingpong(), pingpong("openmpi")), "svg"))
    assert {"mpich", "openmpi", "protocol switch", "cache edge", "residual, %", "time"} <= said
    assert "change of form" not in said


def test_model_without_intervals_is_drawn_without_a_band() -> None:
    with_band = drawn_panels(panels(pingpong()), "svg")
    assert b"FillBetween" in with_band
    (panel,) = panels(stated())
    assert panel.lines[0].series.name == "torus (simulated)"


@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_same_models_give_the_same_bytes(form: str) -> None:
    found = panels(pingpong())
    assert drawn_panels(found, form) == drawn_panels(found, form)
