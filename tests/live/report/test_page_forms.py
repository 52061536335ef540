"""Closed forms on the page: their charts, their table, and how they are read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from harness.browser import Browser
from harness.models import (
    REFUSED,
    SIZES,
    barrier,
    bcast,
    lacking,
    pingpong,
    reduce_apart,
    stated,
)
from syrupy.assertion import SnapshotAssertion
from tests.support.fitted_runs import reported
from tests.support.pages import drawn, focus, settled, spoken, text, texts
from tests.support.texts import numbers

from leadline.models.fitted import Overview
from leadline.models.model import Model, NotFitted
from leadline.models.prediction import predict
from leadline.report.page import page

FORMS, RESIDUALS = "#forms .chart:first-child", "#forms .chart:last-child"


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Browser:
    """A page of two ping-pongs and a broadcast with their models."""
    return shown(browser, tmp_path, pingpong(), pingpong("openmpi"), bcast())


def shown(browser: Browser, folder: Path, *models: Model | NotFitted) -> Browser:
    file = folder / "forms.html"
    file.write_text(page(reported(models)))
    browser.open(file)
    settled(browser)
    assert browser.complaints == []
    return browser


def test_each_form_is_a_line_and_each_breakpoint_has_its_interval_at_its_foot(
    opened: Browser,
) -> None:
    assert drawn(opened, FORMS, "path.line") == 2
    assert drawn(opened, FORMS, "path.band") == 2
    assert drawn(opened, FORMS, "path.break.protocol_switch") == 2
    assert drawn(opened, FORMS, "path.break.cache_edge") == 2
    assert drawn(opened, FORMS, "rect.between") == 4


def wrong_points(browser: Browser, model: Model) -> list[int]:
    """The sizes at which the first line of the first chart isn't what `model` predicts there."""
    points = "fittedLines(DOCUMENT.forms[0])[0].form.points"
    line = browser.evaluate(f"{points}.map(({{ x, y, low, high }}) => [x, y, low, high])")
    expected = predict(model, model.ranks[0], [size for size, *_ in line])
    rows = zip(line, expected.seconds, expected.low, expected.high, strict=True)
    return [
        size for (size, *found), *row in rows if found != pytest.approx(list(map(float, row)), 1e-3)
    ]


def test_curves_and_bands_are_what_the_model_predicts(opened: Browser) -> None:
    assert wrong_points(opened, pingpong()) == []


def test_line_is_the_form_s_and_predictions_are_said(
    browser: Browser, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    model = lacking()
    shown(browser, tmp_path, model)
    points = "fittedLines(DOCUMENT.forms[0])[0].form.points"
    line = dict(browser.evaluate(f"{points}.map(({{ x, y }}) => [x, y])"))
    alone = predict(replace(model, residuals=None), 2, list(line)).seconds
    assert list(line.values()) == pytest.approx(alone.tolist(), 1e-3)
    focus(browser, f"{FORMS} .plot")
    browser.press("ArrowRight")
    predicted_s = float(predict(model, 2, min(line)).seconds)
    assert predicted_s != pytest.approx(1.2e-6, 0.01)
    assert {"1.2", f"{1e6 * predicted_s:.3g}"} <= set(numbers(spoken(browser, FORMS)))
    assert spoken(browser, FORMS) == snapshot


def test_a_point_that_is_off_its_model_is_noticed(opened: Browser) -> None:
    opened.evaluate("void (FITTED.columns.y[1] *= 1.01)")
    assert wrong_points(opened, pingpong()) == [8]


def test_residuals_have_points_and_bands_but_no_lines(opened: Browser) -> None:
    assert drawn(opened, RESIDUALS, "path.line") == 0
    assert drawn(opened, RESIDUALS, "path.band") == 2
    assert drawn(opened, RESIDUALS, "path.whisker") == 2 * len(SIZES)


def test_arrow_keys_read_times_forms_and_breakpoints(
    opened: Browser, snapshot: SnapshotAssertion
) -> None:
    focus(opened, f"{FORMS} .plot")
    opened.press(*["ArrowRight"] * 5)
    assert spoken(opened, FORMS) == snapshot
    opened.press("ArrowRight")
    assert spoken(opened, FORMS) == snapshot


def test_arrow_keys_read_residuals_with_their_intervals(opened: Browser) -> None:
    focus(opened, f"{RESIDUALS} .plot")
    opened.press("ArrowRight")
    found, low, high = map(float, numbers(text(opened, f"{RESIDUALS} .legend td")))
    assert low < found < high and low < 0


def test_name_in_the_legend_hides_points_and_form(opened: Browser) -> None:
    focus(opened, f"{FORMS} .legend button")
    opened.press("Enter")
    assert drawn(opened, FORMS, "path.line") == 1
    assert drawn(opened, FORMS, "path.break") == 2


def test_every_curve_with_a_form_can_be_chosen(
    opened: Browser, snapshot: SnapshotAssertion
) -> None:
    titles = opened.evaluate(
        "[...document.querySelector('#forms select').options].map(one => one.text)"
    )
    assert titles == snapshot
    assert len(titles) == 1 + 7 + len(bcast().sizes_bytes)


def choose_form(browser: Browser, index: int) -> None:
    chosen = "document.querySelector('#forms select')"
    browser.evaluate(
        f"({chosen}.selectedIndex = {index}, {chosen}.dispatchEvent(new Event('change')))"
    )
    settled(browser)


def test_form_against_ranks_is_read_at_the_numbers_measured(
    opened: Browser, snapshot: SnapshotAssertion
) -> None:
    choose_form(opened, 8)
    focus(opened, f"{FORMS} .plot")
    opened.press("ArrowRight", "ArrowRight")
    assert spoken(opened, FORMS) == snapshot
    assert drawn(opened, FORMS, "path.line") == 1


def test_powers_of_two_are_a_line_apart_where_the_form_has_them_apart(
    browser: Browser, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    shown(browser, tmp_path, reduce_apart())
    choose_form(browser, 9)
    assert drawn(browser, FORMS, "path.line") == 2
    assert drawn(browser, FORMS, "path.line.dashed") == 1
    assert texts(browser, f"{FORMS} .legend button") == snapshot


@pytest.mark.parametrize("width", [360, 1600])
def test_nothing_sticks_out_sideways(opened: Browser, width: int) -> None:
    opened.resize(width, 800)
    settled(opened)
    assert opened.evaluate("document.documentElement.scrollWidth") <= width


def test_table_of_models_is_there_without_scripts(tmp_path: Path) -> None:
    with Browser() as browser:
        browser.run_scripts(False)
        file = tmp_path / "forms.html"
        file.write_text(page(reported([pingpong()])))
        browser.open(file)
        found = [numbers(cell) for cell in texts(browser, "#models tbody td")]
        assert ["11", "724"] in found  # where it breaks
        assert browser.evaluate("document.querySelector('#forms').hidden")


def test_model_of_one_size_is_drawn_against_ranks_alone(
    browser: Browser, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    shown(browser, tmp_path, barrier())
    assert "barrier" in text(browser, "#models")
    assert text(browser, f"{FORMS} figcaption") == snapshot
    assert browser.evaluate("document.querySelector('#forms label').hidden")


def test_stated_values_have_a_form_without_a_band(browser: Browser, tmp_path: Path) -> None:
    shown(browser, tmp_path, stated())
    assert drawn(browser, FORMS, "path.line") == 1
    assert drawn(browser, FORMS, "path.band") == 0


def test_where_nothing_is_fitted_there_is_no_section(browser: Browser, tmp_path: Path) -> None:
    written = reported([pingpong()])
    (measured,) = written.measured
    refused = replace(measured, forms=Overview((REFUSED,), 0))
    file = tmp_path / "refused.html"
    file.write_text(page(replace(written, measured=(refused,), curves=((),))))
    browser.open(file)
    settled(browser)
    assert browser.complaints == []
    assert browser.evaluate("document.querySelector('#models').hidden")
    assert browser.evaluate("document.querySelector('nav a[href=\"#models\"]').hidden")


def test_what_is_left_out_is_said(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "many.html"
    file.write_text(page(reported([pingpong()], left_out=51)))
    browser.open(file)
    assert "51" in numbers(text(browser, "#models"))
