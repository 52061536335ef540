"""The page of runs in which not everything was measured, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness.browser import Browser
from harness.synthetic import Campaign, pingpong
from tests.support.mixed import FASTEST, Word, constant, write_mixed, write_words
from tests.support.pages import count, settled

from leadline.cli import main
from leadline.record.run import Origin

SIZES = tuple(pingpong(size) for size in (8, 512, 65536))
MODEL = Word("model", Origin.PREDICTED, constant(4e-6), reach=0.25)
TIMES = "#curves .chart:first-child"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of measured values beside others, and of others alone."""
    folder = tmp_path_factory.mktemp("pages")
    write_mixed(folder / "mixed", Campaign(["shm", "mpich", "openmpi"], SIZES), FASTEST, MODEL)
    write_words(folder / "alone", SIZES, FASTEST, MODEL)
    for name in ("mixed", "alone"):
        assert main(["report", str(folder / name), "--out", str(folder / f"{name}.html")]) == 0
    return folder


def opened(browser: Browser, page: Path) -> Browser:
    """The page, once its charts have their size."""
    browser.open(page)
    settled(browser)
    assert browser.complaints == []
    return browser


def text(browser: Browser, selector: str) -> str:
    return str(browser.evaluate(f"document.querySelector({selector!r}).textContent"))


def test_fastest_simulation_leads_nothing(browser: Browser, pages: Path) -> None:
    page = opened(browser, pages / "mixed.html")
    assert text(page, "#findings .lead") == "Of 3 cells: openmpi is the fastest in 3."
    assert "torus" not in text(page, "#findings .sentences")
    assert "torus" not in text(page, "#findings .matrix")
    assert "torus" not in text(page, "#findings figcaption")
    assert "torus (simulated)" in text(page, "h1")


def test_lines_of_what_was_not_measured_are_broken_and_named(browser: Browser, pages: Path) -> None:
    page = opened(browser, pages / "mixed.html")
    assert count(page, f"{TIMES} .plot path.line") == 5
    assert count(page, f"{TIMES} .plot path.line.dashed") == 2
    assert count(page, f"{TIMES} .plot path.hollow") == 2 * len(SIZES)
    assert count(page, f"{TIMES} .plot path.band") == 4  # the simulation came without
    assert count(page, f"{TIMES} .legend path.hollow") == 2
    legend = text(page, f"{TIMES} .legend")
    assert "torus (simulated)" in legend and "model (predicted)" in legend
    assert "weren't measured" in text(page, "#curves p")


def test_only_measured_sides_are_said_to_be_paired(browser: Browser, pages: Path) -> None:
    caption = "#curves .chart:last-child figcaption"
    alone = opened(browser, pages / "alone.html")
    assert text(alone, caption).endswith("time relative to torus (simulated)")
    mixed = opened(browser, pages / "mixed.html")
    assert text(mixed, caption).endswith("time relative to mpich, paired, block by block")
    rows = "[...document.querySelectorAll('#table-compared tbody tr')]"
    cells = "[3, 4, 8].map(i => row.cells[i].textContent)"
    for candidate, baseline, how in mixed.evaluate(f"{rows}.map(row => {cells})"):
        measured = not any(name.endswith(")") for name in (candidate, baseline))
        assert how == ("paired" if measured else "-")


def test_tables_and_settings_have_a_column_of_origins(browser: Browser, pages: Path) -> None:
    page = opened(browser, pages / "mixed.html")
    for words in ("Everything measured, and what wasn't", "torus (simulated)", "predicted"):
        assert words in text(page, "#table-measured")
    assert "origin" in text(page, "#provenance table")
    assert "torus (simulated)" in text(page, "#table-compared")
    assert "simulated" in text(page, "#warnings")


def test_page_of_what_was_not_measured_says_so_first(browser: Browser, pages: Path) -> None:
    page = opened(browser, pages / "alone.html")
    lead = "Nothing was measured here: these times are predicted and simulated."
    assert text(page, "#findings .lead") == lead
    assert count(page, f"{TIMES} .plot path.line.dashed") == 2
    assert count(page, f"{TIMES} .plot path.line:not(.dashed)") == 0


def test_page_of_what_was_measured_says_nothing_of_it(browser: Browser, pages: Path) -> None:
    Campaign(["mpich", "openmpi"], SIZES).write(pages / "plain")
    assert main(["report", str(pages / "plain"), "--out", str(pages / "plain.html")]) == 0
    page = opened(browser, pages / "plain.html")
    assert "weren't measured" not in text(page, "#curves p")
    assert count(page, f"{TIMES} .plot path.dashed") == 0
