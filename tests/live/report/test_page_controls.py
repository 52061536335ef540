"""What a reader does with the page, by keyboard and pointer, on screens and on paper."""

from __future__ import annotations

import pytest
from harness.browser import Browser
from tests.support.pages import TIME, drawn, first_column, focus, seen, settled, spoken, text
from tests.support.texts import numbers

# -- by keyboard -----------------------------------------------------------------------------------


def test_first_tab_offers_to_skip_to_the_findings(usual: Browser) -> None:
    usual.press("Tab")
    assert usual.evaluate("document.activeElement.className") == "skip"
    assert usual.evaluate("document.activeElement.innerText") != ""
    assert usual.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
    usual.press("Enter")
    assert usual.evaluate("location.hash") == "#findings"


def test_everything_that_acts_can_be_reached_and_shows_its_focus(usual: Browser) -> None:
    reached = set()
    for _ in range(200):
        usual.press("Tab")
        what = usual.evaluate(
            "[document.activeElement.localName, document.activeElement.className.baseVal,"
            " getComputedStyle(document.activeElement).outlineStyle]"
        )
        if what[0] == "body":
            break
        assert what[2] != "none", what
        reached.add("plot" if what[1] == "plot" else what[0])
    assert {"a", "button", "select", "plot", "input", "div", "summary"} <= reached


def test_arrow_keys_read_a_chart_with_its_intervals(usual: Browser) -> None:
    focus(usual, "#curves .plot")
    usual.press("ArrowRight", "ArrowRight")
    assert text(usual, f"{TIME} .legend caption") == "8 B"
    assert "us ±" in text(usual, f"{TIME} .legend td")
    assert "8 B: shm" in spoken(usual, TIME)
    usual.press("Escape")
    assert text(usual, f"{TIME} .legend td") == ""


def test_pointer_reads_a_chart_too(usual: Browser) -> None:
    usual.evaluate("document.querySelector('#curves').scrollIntoView({behavior: 'instant'})")
    box = usual.evaluate(
        "(({left, top, width, height}) => [left + width / 2, top + height / 2])"
        "(document.querySelector('#curves .plot').getBoundingClientRect())"
    )
    usual.point(*box)
    assert "us ±" in text(usual, f"{TIME} .legend td")


def test_name_in_the_legend_hides_its_line(usual: Browser) -> None:
    focus(usual, "#curves .legend button")
    usual.press("Enter")
    assert drawn(usual, TIME, "path.line") == 3
    usual.press("Enter")
    assert drawn(usual, TIME, "path.line") == 4


def test_enter_on_a_column_sorts_by_numbers_up_and_then_down(usual: Browser) -> None:
    focus(usual, "#table-measured th:nth-child(3) button")
    usual.press("Enter")
    assert set(first_column(usual, 2)[:5]) == {"0 B", "-"}
    head = "document.querySelector('#table-measured th:nth-child(3)').ariaSort"
    assert usual.evaluate(head) == "ascending"
    usual.press("Enter")
    assert first_column(usual, 2)[0] == "2,000,000 B"
    assert usual.evaluate(head) == "descending"


def test_words_typed_filter_the_rows(usual: Browser) -> None:
    focus(usual, "#table-measured input")
    usual.press(*"impi 64")
    assert set(first_column(usual, 3)) == {"impi"}
    assert first_column(usual, 2) == ["64 KiB"]
    assert numbers(text(usual, "#table-measured output")) == ["1", "28"]


# -- light and dark --------------------------------------------------------------------------------


def paper(browser: Browser) -> str:
    return str(browser.evaluate("getComputedStyle(document.body).backgroundColor"))


def test_page_follows_the_reader_s_scheme_and_the_switch(usual: Browser) -> None:
    usual.prefer("light")
    light = paper(usual)
    usual.prefer("dark")
    dark = paper(usual)
    assert light != dark
    focus(usual, "#theme")
    usual.press("Enter")
    assert paper(usual) == light
    usual.prefer("light")
    assert paper(usual) == light


@pytest.mark.parametrize("width", [360, 1600])
def test_nothing_sticks_out_sideways(usual: Browser, width: int) -> None:
    usual.resize(width, 800)
    settled(usual)
    assert usual.evaluate("document.documentElement.scrollWidth") <= width


def test_paper_has_all_times_and_no_words_on_what_only_a_screen_can_do(usual: Browser) -> None:
    usual.resize(718, 1000)  # A4 without its margins
    usual.show_as("print")
    settled(usual)
    assert usual.evaluate("document.documentElement.scrollWidth") <= 718
    assert 0 < usual.evaluate("document.querySelector('.heat').offsetWidth") <= 718
    widths = usual.evaluate("[...document.querySelectorAll('.tools')].map(one => one.offsetWidth)")
    assert set(widths) == {0}
    assert not seen(usual, "#curves .hint")
    assert seen(usual, "#tables .paper")
    usual.show_as("screen")
    assert seen(usual, "#curves .hint")
    assert not seen(usual, "#tables .paper")
