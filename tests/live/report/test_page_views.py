"""Parts of charts, charts read together, views as addresses, and files to take away."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from harness.browser import Browser
from syrupy.assertion import SnapshotAssertion
from tests.support.pages import RATIO, TIME, drawn, focus, settled, text, texts

SVG = "{http://www.w3.org/2000/svg}"


def address(browser: Browser) -> str:
    return str(browser.evaluate("location.hash"))


def shown_sizes(browser: Browser, chart: str) -> list[str]:
    """The ticks below a plot."""
    ticks = f"[...document.querySelectorAll('{chart} .plot .tick[text-anchor=middle]')]"
    return list(browser.evaluate(f"{ticks}.map(one => one.textContent)"))


@pytest.fixture
def fresh(pages: Path) -> Iterator[Browser]:
    """A browser that saw no other address, with the usual page."""
    with Browser() as one:
        one.open(pages / "usual.html")
        settled(one)
        yield one


# -- read together, in parts -----------------------------------------------------------------------


def test_charts_above_each_other_are_read_at_the_same_size(fresh: Browser) -> None:
    focus(fresh, f"{TIME} .plot")
    fresh.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert text(fresh, f"{TIME} .legend caption") == "512 B"
    assert text(fresh, f"{RATIO} .legend caption") == "512 B"
    assert text(fresh, f"{RATIO} .legend td") != ""


def test_part_that_is_dragged_over_fills_all_charts_read_with_it(fresh: Browser) -> None:
    fresh.evaluate(f"document.querySelector('{TIME}').scrollIntoView({{behavior: 'instant'}})")
    left, top, width = fresh.evaluate(
        "(({left, top, width}) => [left, top, width])"
        f"(document.querySelector('{TIME} .plot').getBoundingClientRect())"
    )
    whole = shown_sizes(fresh, TIME)
    fresh.drag((left + 0.5 * width, top + 100), (left + 0.95 * width, top + 120))
    part = shown_sizes(fresh, TIME)
    assert "0 B" in whole
    assert "0 B" not in part
    assert shown_sizes(fresh, RATIO) == part
    assert "sizes=" in address(fresh)
    focus(fresh, f"{RATIO} .plot")
    fresh.press("0")
    assert shown_sizes(fresh, TIME) == whole
    assert "sizes=" not in address(fresh)


def test_plus_and_minus_show_fewer_and_more_sizes(fresh: Browser) -> None:
    whole = shown_sizes(fresh, TIME)
    focus(fresh, f"{TIME} .tools button")  # plus
    fresh.press("Enter")
    fewer = shown_sizes(fresh, TIME)
    assert "0 B" in whole
    assert "0 B" not in fewer
    fresh.evaluate(f"document.querySelectorAll('{TIME} .tools button')[1].click()")
    assert shown_sizes(fresh, TIME) == whole


# -- as an address ---------------------------------------------------------------------------------


def test_address_opens_what_was_selected(fresh: Browser, pages: Path) -> None:
    fresh.evaluate("document.querySelector('#curves .controls button').click()")  # bandwidth
    fresh.evaluate(f"document.querySelector('{TIME} .legend button').click()")  # shm
    fresh.evaluate(
        "(one => { one.selectedIndex = 2; one.dispatchEvent(new Event('change')); })"
        "(document.querySelectorAll('#curves select')[1])"
    )
    output = address(fresh)
    with Browser() as other:
        other.open(pages / "usual.html", output)
        settled(other)
        assert text(other, f"{TIME} figcaption").endswith("bandwidth")
        assert "impi" in text(other, f"{RATIO} figcaption")
        assert drawn(other, TIME, "path.line") == 3
        assert text(other, f"{TIME} .legend .off th") == "shm"
        assert address(other) == output
        assert other.complaints == []


def test_cell_of_a_table_selects_its_curve_and_size(fresh: Browser) -> None:
    fresh.evaluate("document.querySelector('.heat tr[data-size=\"512\"] td').click()")
    assert text(fresh, f"{TIME} .legend caption") == "512 B"
    fresh.evaluate("document.querySelector('.heat tbody[data-curve^=barrier] a').click()")
    assert text(fresh, f"{TIME} figcaption").startswith("barrier, ")
    fresh.evaluate("document.querySelector('.matrix tr[data-curve^=pingpong] td').click()")
    assert text(fresh, f"{TIME} figcaption").startswith("pingpong, ")


@pytest.mark.parametrize(
    "output",
    ["#curve=<img src=x onerror=alert(1)>&sizes=8..", "#at=%00&hide=&hide=a&=", "#a=%E0%A4"],
)
def test_address_that_names_nothing_shows_what_comes_first(
    browser: Browser, pages: Path, output: str
) -> None:
    browser.open(pages / "both.html")  # leaves the usual page, or only its fragment would change
    browser.open(pages / "usual.html", output)
    settled(browser)
    assert text(browser, f"{TIME} figcaption").startswith("pingpong, ")
    assert browser.complaints == []


# -- limits ----------------------------------------------------------------------------------------


def test_wild_interval_sets_no_axis(fresh: Browser) -> None:
    wild = "{ y: 1, low: 0.001, high: 900 }"
    narrow = "[1.1, 1.2, 1.3].map((y) => ({ y, low: 0.98 * y, high: 1.02 * y }))"
    found = fresh.evaluate(f"limiting([{wild}, ...{narrow}], Math.log)")
    assert (min(found), max(found)) == (pytest.approx(1), pytest.approx(1.3 * 1.02))


def test_interval_of_a_single_estimate_sets_its_axis(fresh: Browser) -> None:
    found = fresh.evaluate("limiting([{ y: 1, low: 0.001, high: 900 }], Math.log)")
    assert (min(found), max(found)) == (0.001, 900)


# -- files -----------------------------------------------------------------------------------------


def saved(browser: Browser, folder: Path, button: str) -> Path:
    """The file that a button makes."""
    browser.save_into(folder)
    before = len(list(folder.iterdir()))
    browser.evaluate(f"document.querySelector({button!r}).click()")
    browser.wait_for_files(before + 1)
    return max(folder.iterdir(), key=lambda one: one.stat().st_mtime_ns)


def test_chart_is_saved_as_svg_that_needs_no_page(fresh: Browser, tmp_path: Path) -> None:
    file = saved(fresh, tmp_path, f"{TIME} .tools button[aria-label$=SVG]")
    assert file.name == "pingpong-2-ranks-time.svg"
    root = ElementTree.parse(file).getroot()
    assert root.tag == f"{SVG}svg"
    words = [one.text for one in root.iter(f"{SVG}text")]
    assert {text(fresh, f"{TIME} figcaption"), "mpich", "1 MiB"} <= set(words)
    assert set(texts(fresh, f"{TIME} .plot .label")) <= set(words)
    strokes = {one.get("stroke") for one in root.iter(f"{SVG}path")}
    assert len([one for one in strokes if one and one.startswith("rgb")]) >= 4
    assert not [one for one in root.iter() if one.get("class")]
    assert "var(" not in file.read_text()


def test_chart_is_saved_as_csv_in_units_of_the_si(
    fresh: Browser, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    file = saved(fresh, tmp_path, f"{TIME} .tools button[aria-label$=CSV]")
    head, *rows = csv.reader(file.read_text().splitlines())
    assert head == snapshot
    assert {row[0] for row in rows} == {"shm", "mpich", "openmpi", "impi"}
    assert len(rows) == 4 * 6
    assert all(float(row[3]) < float(row[2]) < float(row[4]) < 1e-3 for row in rows)


@pytest.mark.parametrize("table", [".matrix", ".heat", "table.small", "#table-measured table"])
def test_table_is_saved_with_all_its_rows(fresh: Browser, tmp_path: Path, table: str) -> None:
    rows = fresh.evaluate(
        f"[...document.querySelector('{table}').rows].filter(row => row.cells.length > 1).length"
    )
    place = f"document.querySelector('{table}').closest('figure, .sortable, #times')"
    fresh.evaluate(f"{place}.querySelector('.tools button[aria-label$=CSV]').id = 'csv'")
    found = list(csv.reader(saved(fresh, tmp_path, "#csv").read_text().splitlines()))
    assert len(found) == rows
    assert len({len(row) for row in found}) == 1


def test_field_with_a_comma_or_a_quote_is_one_field(fresh: Browser) -> None:
    fields = ["a,b", 'c"d', "e\nf", "g", 1.5, None]
    written = str(fresh.evaluate(f"csvText([{fields!r}])".replace("None", "null")))
    (read,) = csv.reader([re.sub("\r\n$", "", written)], strict=True)
    assert read == ["a,b", 'c"d', "e\nf", "g", "1.5", ""]
