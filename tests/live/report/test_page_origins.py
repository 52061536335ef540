"""The page of runs in which not everything was measured, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness.browser import Browser
from harness.synthetic import Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.mixed import FASTEST, Word, constant, write_mixed, write_words
from tests.support.pages import RATIO, TIME, count, drawn, settled, texts
from tests.support.texts import numbers

from leadline.cli import main
from leadline.record.run import Origin

SIZES = tuple(pingpong(size) for size in (8, 512, 65536))
MODEL = Word("model", Origin.PREDICTED, constant(4e-6), reach=0.25)


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
    lead = text(page, "#findings .lead")
    assert numbers(lead) == ["3", "3"]
    assert "openmpi" in lead and not any(name in lead for name in ("torus", "model", "mpich"))
    assert "torus" not in text(page, "#findings .sentences")
    assert "torus" not in text(page, "#findings .matrix")
    assert "torus" not in text(page, "#findings figcaption")
    assert "torus (simulated)" in text(page, "h1")


def test_lines_of_what_was_not_measured_are_broken_and_named(browser: Browser, pages: Path) -> None:
    page = opened(browser, pages / "mixed.html")
    assert drawn(page, TIME, "path.line") == 5
    assert drawn(page, TIME, "path.line.dashed") == 2
    assert drawn(page, TIME, "path.hollow") == 2 * len(SIZES)
    assert drawn(page, TIME, "path.band") == 4  # the simulation came without
    assert count(page, f"{TIME} .legend path.hollow") == 2
    legend = text(page, f"{TIME} .legend")
    assert "torus (simulated)" in legend and "model (predicted)" in legend


def test_only_measured_sides_are_said_to_be_paired(
    browser: Browser, pages: Path, snapshot: SnapshotAssertion
) -> None:
    alone = opened(browser, pages / "alone.html")
    assert text(alone, f"{RATIO} figcaption") == snapshot
    mixed = opened(browser, pages / "mixed.html")
    assert text(mixed, f"{RATIO} figcaption") == snapshot
    rows = "[...document.querySelectorAll('#table-compared tbody tr')]"
    cells = "[3, 4, 8].map(i => row.cells[i].textContent)"
    for candidate, baseline, how in mixed.evaluate(f"{rows}.map(row => {cells})"):
        measured = not any(name.endswith(")") for name in (candidate, baseline))
        assert how == ("paired" if measured else "-")


def test_tables_and_settings_have_a_column_of_origins(
    browser: Browser, pages: Path, snapshot: SnapshotAssertion
) -> None:
    page = opened(browser, pages / "mixed.html")
    for words in ("torus (simulated)", "predicted"):
        assert words in text(page, "#table-measured")
    assert texts(page, "#table-measured h3") == snapshot
    assert "origin" in texts(page, "#provenance th")
    assert "torus (simulated)" in text(page, "#table-compared")
    assert "simulated" in text(page, "#warnings")


def test_page_of_what_was_not_measured_says_so_first(
    browser: Browser, pages: Path, snapshot: SnapshotAssertion
) -> None:
    page = opened(browser, pages / "alone.html")
    assert text(page, "#findings .lead") == snapshot
    assert drawn(page, TIME, "path.line.dashed") == 2
    assert drawn(page, TIME, "path.line:not(.dashed)") == 0


def test_page_of_what_was_measured_says_nothing_of_it(
    browser: Browser, pages: Path, snapshot: SnapshotAssertion
) -> None:
    Campaign(["mpich", "openmpi"], SIZES).write(pages / "plain")
    assert main(["report", str(pages / "plain"), "--out", str(pages / "plain.html")]) == 0
    mixed = text(opened(browser, pages / "mixed.html"), "#curves p").strip()
    page = opened(browser, pages / "plain.html")
    plain = text(page, "#curves p").strip()
    assert mixed.startswith(plain)
    assert mixed.removeprefix(plain).strip() == snapshot
    assert drawn(page, TIME, "path.dashed") == 0
