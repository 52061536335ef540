"""The page of reproduced papers, in a real browser, opened from disk."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from harness.browser import Browser
from syrupy.assertion import SnapshotAssertion
from tests.support.made_again import GUESSED, KEY, ring
from tests.support.pages import HOSTILE, count, drawn, seen, settled, spoken, text, texts
from tests.support.redrawn import redrawn
from tests.support.texts import numbers

from leadline.papers.cells import Label, ReproducedFigure
from leadline.papers.findings import Outcome
from leadline.papers.published import Contradiction
from leadline.papers.reproduction import ReproducedPaper
from leadline.report.page.reproduced import reproduced_page
from leadline.report.text.reproduced import (
    name_words,
    off_words,
    published_words,
    ratios,
    value_words,
)

LINE_SEPARATOR, SHOWN = "\u2028", r"\u2028"
PLOT = f"[data-figures={KEY}] .plot"
TABLE = f"#table-{KEY}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reproduced")


def opened(
    browser: Browser,
    folder: Path,
    papers: Sequence[ReproducedPaper],
    figures: Sequence[ReproducedFigure] = (),
) -> Path:
    file = folder / "page.html"
    file.write_text(reproduced_page(papers, figures))
    browser.open(file)
    settled(browser)
    return file


@pytest.fixture
def shown(browser: Browser, folder: Path) -> Browser:
    opened(browser, folder, [ring()], [redrawn()])
    return browser


def rows(browser: Browser) -> list[list[str]]:
    cells = "[...row.cells].map(one => one.textContent)"
    found = browser.evaluate(
        f"[...document.querySelectorAll('{TABLE} tbody tr')].map(row => {cells})"
    )
    return [list(map(str, row)) for row in found]


def test_page_asks_for_nothing_but_itself_and_complains_of_nothing(
    browser: Browser, folder: Path
) -> None:
    file = opened(browser, folder, [ring()], [redrawn()])
    assert browser.requests == [file.as_uri()]
    assert browser.complaints == []
    outside = re.findall(r"https?://[^\s\"']+", file.read_text())
    assert set(outside) == {"http://www.w3.org/2000/svg"}  # the name of a format


def test_every_figure_is_a_row_with_both_values_label_and_reason(shown: Browser) -> None:
    expected = [
        [
            name_words(one.id), published_words(one), value_words(one.ours), off_words(one),
            one.label,
        ]
        for one in ring().cells
        if not one.text
    ]  # fmt: skip
    assert [row[:5] for row in rows(shown)] == expected
    assert [row[5] for row in rows(shown)] == ["", "", "[1]", "", "[1]", "", "[2]", "[3]"]
    assert rows(shown)[3][6:] == ["RING/8 · time", "Table 2"]


def test_mark_leads_to_its_reason(shown: Browser) -> None:
    link = f"document.querySelectorAll('{TABLE} tbody a')[%d]"
    for number, reason in enumerate((GUESSED, GUESSED, "the maker's word", "only drawn")):
        href = shown.evaluate(f"{link % number}.getAttribute('href')")
        assert text(shown, str(href)) == f"{reason}."
        assert shown.evaluate(f"{link % number}.title") == reason


def test_a_cell_that_is_lost_is_missed(browser: Browser, folder: Path) -> None:
    whole = ring()
    opened(browser, folder, [replace(whole, cells=whole.cells[1:])])
    assert [row[0] for row in rows(browser)][:2] == ["share", "gain"]


def test_sentences_say_whether_they_hold_with_both_ratios(shown: Browser) -> None:
    sentences = [one for one in ring().cells if one.text]
    told = f"#paper-{KEY} .sentences"
    assert texts(shown, f"{told} dt") == [one.text.capitalize() for one in sentences]
    answers = texts(shown, f"{told} dd")
    for one, answer in zip(sentences, answers, strict=True):
        assert ratios(one) in answer and one.label in answer
    assert ["[1]" in answer for answer in answers] == [False, True, False]
    held = [Outcome.HOLDS if one.holds else Outcome.FAILS for one in sentences]
    assert texts(shown, f"{told} b") == held


def test_contradiction_says_how_it_is_read(shown: Browser) -> None:
    (one,) = ring().paper.contradictions
    told = f"#paper-{KEY} .warnings"
    (printed,), (found,) = texts(shown, f"{told} dt"), texts(shown, f"{told} dd")
    assert printed.startswith(one.printed) and "peak" in printed
    assert found == one.found + one.reading


def test_settings_are_folded_below_their_paper(browser: Browser, folder: Path) -> None:
    hops = replace(ring().paper.figures[0], id=f"{KEY}.hops", value=8.0, unit="hops")
    opened(browser, folder, [replace(ring(), settings=(hops,))])
    folded = f"#paper-{KEY} details"
    assert browser.evaluate(f"document.querySelector('{folded}').open") is False
    (heading,) = texts(browser, f"{folded} summary")
    assert numbers(heading) == ["1"]
    (row,) = texts(browser, f"{folded} tbody tr")
    assert row.split() == ["hops8", "hopsRING/8text"]


def test_summary_and_lead_count_them(shown: Browser) -> None:
    assert numbers(text(shown, ".lead")) == ["8", "1", "4", "2", "10", "3", "1"]
    assert Label.NOT_REPRODUCIBLE in texts(shown, "#summary th")
    summary = "[...document.querySelectorAll('#summary tbody tr')].map(row => row.innerText)"
    assert [row.split() for row in shown.evaluate(summary)] == [
        [KEY, "8", "2", "2", "of", "4", "2", "1", "of", "3", "0"]
    ]


def test_figure_has_a_line_for_ours_and_rings_for_what_was_printed(shown: Browser) -> None:
    assert count(shown, f"{PLOT} path.line") == 1
    assert count(shown, f"{PLOT} path.ring") == 2
    assert count(shown, f"{PLOT} path:not([class]), {PLOT} path[class='']") == 3
    title = text(shown, f"[data-figures={KEY}] figcaption")
    assert title == "Figure 1: Bandwidth"


def test_figure_is_read_by_keyboard(shown: Browser, snapshot: SnapshotAssertion) -> None:
    shown.evaluate(f"document.querySelector('{PLOT}').focus()")
    shown.press("ArrowRight", "ArrowRight")
    assert spoken(shown, f"[data-figures={KEY}]") == snapshot


@pytest.mark.parametrize("logarithmic", [False, True])
def test_axes_are_those_of_the_figure(
    browser: Browser, folder: Path, logarithmic: bool, snapshot: SnapshotAssertion
) -> None:
    opened(browser, folder, [ring()], [redrawn(logarithmic=logarithmic)])
    ticks = browser.evaluate(
        f"[...document.querySelectorAll('{PLOT} .tick')].map(t => t.textContent)"
    )
    assert ("0" in ticks, "0 B" in ticks) == (not logarithmic, not logarithmic)
    labels = browser.evaluate(
        f"[...document.querySelectorAll('{PLOT} .label')].map(t => t.textContent)"
    )
    assert labels == snapshot


def test_dots_are_figures_with_both_values_and_none_is_lost(shown: Browser) -> None:
    assert drawn(shown, "#deviations", "circle.block") == 6
    assert [numbers(one) for one in texts(shown, "#deviations .value")] == [
        ["2", "2", "10"], ["2", "4", "10"],
    ]  # fmt: skip


def test_table_sorts_by_how_far_off_ours_is(shown: Browser) -> None:
    shown.evaluate(f"document.querySelectorAll('{TABLE} th button')[3].click()")
    assert [row[3] for row in rows(shown)] == [
        "-40 %", "-0.1 %", "kept", "0 %", "+1.4 %", "+250 %", "-", "-",
    ]  # fmt: skip


def test_paper_without_drawings_has_no_empty_place_for_them(browser: Browser, folder: Path) -> None:
    opened(browser, folder, [ring()])
    assert browser.evaluate(f"document.querySelector('[data-figures={KEY}]').offsetParent") is None


@pytest.mark.parametrize("planted", HOSTILE)
def test_planted_markup_stays_text(browser: Browser, folder: Path, planted: str) -> None:
    browser.run_before_page("window.alert = () => { document.title = 'fooled'; };")
    opened(browser, folder, [hostile(planted)], [redrawn(planted)])
    assert browser.complaints == []
    assert "fooled" not in str(browser.evaluate("document.title"))
    assert count(browser, "main img, main b:not([class])") == 0
    shown = str(browser.evaluate("document.querySelector('main').textContent"))
    for before in ("Messages in a ring", "Said", "600 ", "gives", "why", "Bandwidth", "be read."):
        assert f"{before}{planted.replace(LINE_SEPARATOR, SHOWN)}" in shown


def hostile(planted: str) -> ReproducedPaper:
    """Planted in each text of the paper that a page could show."""
    whole = ring()
    *numbers, wire, drawn, told, other, _ = whole.cells
    contradictions = (
        Contradiction((f"{KEY}.{planted}",), f"prints{planted}", f"gives{planted}", planted),
    )
    return replace(
        whole,
        paper=replace(
            whole.paper, title=f"Messages in a ring{planted}", source=planted,
            contradictions=contradictions,
        ),
        machines=(planted,),
        cells=(
            *numbers,
            replace(wire, unit=planted, reason=f"why{planted}", published=600.0),
            replace(drawn, id=f"{KEY}.{planted}"),
            replace(told, text=f"said{planted}"),
            replace(other, reason=planted),
        ),
    )  # fmt: skip


def test_page_is_no_wider_than_a_telephone(browser: Browser, folder: Path) -> None:
    browser.resize(400, 800)
    try:
        opened(browser, folder, [ring()], [redrawn()])
        assert browser.evaluate("document.documentElement.scrollWidth") == 400
        titles = browser.evaluate(
            "[...document.querySelectorAll('.group')].map(t => t.textContent)"
        )
        assert set(titles) == {KEY}
    finally:
        browser.resize(1280, 900)


def test_address_of_a_paper_leads_to_it_past_charts_that_are_drawn_later(
    browser: Browser, folder: Path
) -> None:
    second = replace(ring(), paper=replace(ring().paper, key="second"))
    file = folder / "two.html"
    file.write_text(reproduced_page([ring(), second], [redrawn()] * 6))
    browser.open(file, "#paper-second")
    settled(browser)
    top = "document.getElementById('paper-second').getBoundingClientRect().top"
    assert 0 <= float(browser.evaluate(top)) < 100


def test_text_is_complete_without_scripts(browser: Browser, folder: Path) -> None:
    browser.run_scripts(False)
    try:
        file = folder / "mute.html"
        file.write_text(reproduced_page([ring()], [redrawn()]))
        browser.open(file)
        assert len(rows(browser)) == 8
        assert seen(browser, "noscript")
        assert not browser.evaluate(f"document.querySelector('[data-figures={KEY}]').offsetParent")
    finally:
        browser.run_scripts(True)
