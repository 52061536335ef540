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
from tests.support.fitted_runs import reported
from tests.support.pages import count, focus, settled, text

from leadline.models.model import Model, NotFitted
from leadline.models.overview import Overview
from leadline.models.prediction import predict
from leadline.report.page import page

TIME, RESIDUALS = "#forms .chart:first-child", "#forms .chart:last-child"


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
    assert count(opened, f"{TIME} .plot path.line") == 2
    assert count(opened, f"{TIME} .plot path.band") == 2
    assert count(opened, f"{TIME} .plot path.break.protocol_switch") == 2
    assert count(opened, f"{TIME} .plot path.break.cache_edge") == 2
    assert count(opened, f"{TIME} .plot rect.between") == 4


def wrong_points(browser: Browser, model: Model) -> list[int]:
    """The sizes at which the first line of the first chart isn't what `model` predicts there."""
    points = "fittedLines(DOCUMENT.forms[0])[0].form.points"
    drawn = browser.evaluate(f"{points}.map(({{ x, y, low, high }}) => [x, y, low, high])")
    expected = predict(model, model.ranks[0], [size for size, *_ in drawn])
    rows = zip(drawn, expected.seconds, expected.low, expected.high, strict=True)
    return [
        size for (size, *found), *row in rows if found != pytest.approx(list(map(float, row)), 1e-3)
    ]


def test_curves_and_bands_are_what_the_model_predicts(opened: Browser) -> None:
    assert wrong_points(opened, pingpong()) == []


def test_line_is_the_form_s_and_predictions_are_said(browser: Browser, tmp_path: Path) -> None:
    model = lacking()
    shown(browser, tmp_path, model)
    points = "fittedLines(DOCUMENT.forms[0])[0].form.points"
    drawn = dict(browser.evaluate(f"{points}.map(({{ x, y }}) => [x, y])"))
    alone = predict(replace(model, residuals=None), 2, list(drawn)).seconds
    assert list(drawn.values()) == pytest.approx(alone.tolist(), 1e-3)
    focus(browser, f"{TIME} .plot")
    browser.press("ArrowRight")
    said = str(browser.evaluate(f"document.querySelector('{TIME} .spoken').textContent"))
    predicted_s = float(predict(model, 2, min(drawn)).seconds)
    assert predicted_s != pytest.approx(1.2e-6, 0.01)
    assert f", form 1.2 us, predicted {1e6 * predicted_s:.3g} us (" in said


def test_a_point_that_is_off_its_model_is_noticed(opened: Browser) -> None:
    opened.evaluate("void (FITTED.columns.y[1] *= 1.01)")
    assert wrong_points(opened, pingpong()) == [8]


def test_residuals_have_points_and_bands_but_no_lines(opened: Browser) -> None:
    assert count(opened, f"{RESIDUALS} .plot path.line") == 0
    assert count(opened, f"{RESIDUALS} .plot path.band") == 2
    assert count(opened, f"{RESIDUALS} .plot path.whisker") == 2 * len(SIZES)


def test_arrow_keys_read_times_forms_and_breakpoints(opened: Browser) -> None:
    focus(opened, f"{TIME} .plot")
    opened.press(*["ArrowRight"] * 5)
    said = str(opened.evaluate(f"document.querySelector('{TIME} .spoken').textContent"))
    assert said.startswith("8 KiB: mpich 3.7")
    assert ", form 3.74 us (3." in said
    opened.press("ArrowRight")
    said = str(opened.evaluate(f"document.querySelector('{TIME} .spoken').textContent"))
    assert said.startswith("11,585 B: mpich protocol switch")


def test_arrow_keys_read_residuals_with_their_intervals(opened: Browser) -> None:
    focus(opened, f"{RESIDUALS} .plot")
    opened.press("ArrowRight")
    said = text(opened, f"{RESIDUALS} .legend td")
    assert " %, interval -" in said and said.endswith(" %")


def test_name_in_the_legend_hides_points_and_form(opened: Browser) -> None:
    focus(opened, f"{TIME} .legend button")
    opened.press("Enter")
    assert count(opened, f"{TIME} .plot path.line") == 1
    assert count(opened, f"{TIME} .plot path.break") == 2


def test_every_curve_with_a_form_can_be_chosen(opened: Browser) -> None:
    titles = opened.evaluate(
        "[...document.querySelector('#forms select').options].map(one => one.text)"
    )
    assert titles[:2] == ["pingpong, 2 ranks", "bcast, 2 ranks"]
    assert titles[8:10] == ["bcast, 0 B against ranks", "bcast, 8 B against ranks"]
    assert len(titles) == 1 + 7 + len(bcast().sizes_bytes)


def choose_form(browser: Browser, index: int) -> None:
    chosen = "document.querySelector('#forms select')"
    browser.evaluate(
        f"({chosen}.selectedIndex = {index}, {chosen}.dispatchEvent(new Event('change')))"
    )
    settled(browser)


def test_form_against_ranks_is_read_at_the_numbers_measured(opened: Browser) -> None:
    choose_form(opened, 8)
    focus(opened, f"{TIME} .plot")
    opened.press("ArrowRight", "ArrowRight")
    said = str(opened.evaluate(f"document.querySelector('{TIME} .spoken').textContent"))
    assert said.startswith("4 ranks: mpich 2.") and ", form 2.6 us (" in said
    assert count(opened, f"{TIME} .plot path.line") == 1


def test_powers_of_two_are_a_line_apart_where_the_form_has_them_apart(
    browser: Browser, tmp_path: Path
) -> None:
    shown(browser, tmp_path, reduce_apart())
    choose_form(browser, 9)
    assert count(browser, f"{TIME} .plot path.line") == 2
    assert count(browser, f"{TIME} .plot path.line.dashed") == 1
    assert "mpich, other numbers" in text(browser, f"{TIME} .legend")


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
        assert "protocol switch" in text(browser, "#models")
        assert browser.evaluate("document.querySelector('#forms').hidden")


def test_model_of_one_size_is_drawn_against_ranks_alone(browser: Browser, tmp_path: Path) -> None:
    shown(browser, tmp_path, barrier())
    assert "barrier" in text(browser, "#models")
    assert text(browser, f"{TIME} figcaption") == "barrier against ranks: time and closed form"
    assert browser.evaluate("document.querySelector('#forms label').hidden")


def test_stated_values_have_a_form_without_a_band(browser: Browser, tmp_path: Path) -> None:
    shown(browser, tmp_path, stated())
    assert count(browser, f"{TIME} .plot path.line") == 1
    assert count(browser, f"{TIME} .plot path.band") == 0


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
    assert "51 more pairs of pattern and variant" in text(browser, "#models")
