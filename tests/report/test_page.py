"""The page in a real browser, opened from disk as its readers open it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from bench.browser import Browser
from tests.support.synthetic import BARRIER, Campaign, configuration, one_slice, pingpong

from leadline.cli import main
from leadline.compare.analysis import Analysis
from leadline.compare.summaries import Summary
from leadline.record.caveats import Caveat
from leadline.record.run import Configuration, Failure
from leadline.report.text.phrases import measured_time
from leadline.store import Journal, load
from leadline.units import format_size

SIZES = tuple(pingpong(size) for size in (0, 8, 512, 65536, 1_048_576, 2_000_000))
HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "\"'><img src=x onerror=alert(3)>",
    "line\u2028separator&amp;",
)
FAILURES = (Failure(2, 6, 3, "crash", "rank 1 ended by <b>signal 11</b>"),)
CAVEAT = Caveat("binding", "rank 0 runs on cores 0,1", "check that the launcher binds nothing")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as one:
        yield one


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with reports of a usual run, of two runs, of hostile names, and of ranks."""
    folder = tmp_path_factory.mktemp("pages")
    libraries = Campaign(["shm", "mpich", "openmpi", "impi"], (*SIZES, BARRIER))
    libraries.write(folder / "usual", FAILURES, [CAVEAT])
    Campaign(["mpich", "openmpi"], SIZES).write(folder / "before")
    Campaign(["mpich", "openmpi"], SIZES, slowdown={"mpich": 1.2}).write(folder / "after")
    write_hostile(folder / "hostile")
    write_sweep(folder / "ranks")
    for name in ("usual", "hostile", "ranks"):
        assert main(["report", str(folder / name), "--out", str(folder / f"{name}.html")]) == 0
    both = [str(folder / name) for name in ("before", "after")]
    assert main(["report", *both, "--out", str(folder / "both.html")]) == 0
    return folder


def write_hostile(directory: Path) -> None:
    named = [
        Configuration(name, "mpich", name, 2, (), {"A": name}, (name,), transport=name)
        for name in HOSTILE
    ]
    with Journal.create(directory, {"machine": {"host": HOSTILE[0], "cpu": HOSTILE[1]}}) as journal:
        journal.add_cells([replace(pingpong(8), pattern=HOSTILE[2])])
        for one in named:
            index = journal.add_configuration(one)
            for block in range(8):
                journal.add_slice(one_slice((index, 0, block, 0), [[900 + 100 * index] * 5]))
        journal.add_warning(Caveat(HOSTILE[0], HOSTILE[1], HOSTILE[2]))
        journal.add_failure(Failure(0, 0, 1, HOSTILE[0], HOSTILE[1]))
        journal.close(True)


def write_sweep(directory: Path) -> None:
    with Journal.create(directory, {}) as journal:
        journal.add_cells([BARRIER])
        for ranks in (2, 3, 4, 6, 8):
            one = replace(configuration("mpich", ranks), oversubscribed=ranks > 4)
            index = journal.add_configuration(one)
            for block in range(8):
                elapsed = [[1000 * ranks + 10 * block] * 5] * ranks
                journal.add_slice(one_slice((index, 0, block, 0), elapsed))
        journal.close(True)


@pytest.fixture
def usual(browser: Browser, pages: Path) -> Browser:
    browser.open(pages / "usual.html")
    settled(browser)
    return browser


def settled(browser: Browser) -> None:
    """Waits until charts have their size."""
    frames = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    browser.evaluate(f"STARTED.then(() => {frames}).then(() => null)")


def count(browser: Browser, selector: str) -> int:
    return int(browser.evaluate(f"document.querySelectorAll({selector!r}).length"))


def text(browser: Browser, selector: str) -> str:
    return str(browser.evaluate(f"document.querySelector({selector!r}).innerText"))


# -- as a whole ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["usual", "both", "hostile", "ranks"])
def test_page_asks_for_nothing_but_itself_and_complains_of_nothing(
    browser: Browser, pages: Path, name: str
) -> None:
    file = pages / f"{name}.html"
    browser.open(file)
    settled(browser)
    assert browser.requests == [file.as_uri()]
    assert browser.complaints == []


def test_first_screen_says_who_is_fastest(usual: Browser) -> None:
    assert "openmpi is the fastest in" in text(usual, "#findings .lead")
    assert "times faster than" in text(usual, "#findings .sentences")


def test_curves_have_a_line_and_a_band_for_each_series(usual: Browser) -> None:
    time, ratio = "#curves .chart:first-child", "#curves .chart:last-child"
    assert count(usual, f"{time} .plot path.line") == 4
    assert count(usual, f"{time} .plot path.band") == 4
    assert count(usual, f"{ratio} .plot path.line") == 2  # openmpi and impi against mpich
    assert count(usual, f"{ratio} .plot rect.threshold") == 1


def test_two_variants_are_compared_once_in_the_table(usual: Browser) -> None:
    rows = "[...document.querySelectorAll('#table-compared tbody tr')]"
    cells = "[0, 2, 3, 4].map(i => row.cells[i].textContent)"
    found = list(map(tuple, usual.evaluate(f"{rows}.map(row => {cells})")))
    pairs = [(pattern, size, *sorted(names)) for pattern, size, *names in found]
    assert len(set(pairs)) == len(pairs) > 0
    assert {(a, b) for _, _, a, b in pairs} == {
        ("impi", "mpich"), ("impi", "openmpi"), ("impi", "shm"),
        ("mpich", "openmpi"), ("mpich", "shm"), ("openmpi", "shm"),
    }  # fmt: skip


def test_other_sections_draw_what_they_are_about(usual: Browser) -> None:
    assert count(usual, "#distributions .plot path.line") == 4
    assert count(usual, "#distributions .plot circle.block") == 4 * 8
    assert count(usual, "#tax .plot .interval") == 2 * 3  # ping-pong and barrier of three libraries
    assert "hidden" in str(usual.evaluate("document.querySelector('#ranks').outerHTML"))[:80]


def test_ranks_of_two_families_are_two_lines_and_crowded_ones_are_shaded(
    browser: Browser, pages: Path
) -> None:
    browser.open(pages / "ranks.html")
    settled(browser)
    assert count(browser, "#ranks .plot path.line") == 2
    assert count(browser, "#ranks .plot path.line.dashed") == 1
    assert count(browser, "#ranks .plot rect.shade") == 1


def test_warnings_and_failures_come_with_their_remedies(usual: Browser) -> None:
    shown = text(usual, "#warnings")
    assert CAVEAT.remedy in shown
    assert "rank 1 ended by <b>signal 11</b>" in shown


def test_two_runs_are_compared_with_each_other(browser: Browser, pages: Path) -> None:
    browser.open(pages / "both.html")
    settled(browser)
    assert text(browser, "#findings .lead").startswith("Regression")
    assert "mpich (after)" in text(browser, "#curves .legend")
    assert "of two runs, unpaired" in text(browser, "#curves .chart:last-child figcaption")


def test_all_later_runs_are_lines_of_one_ratio_chart(browser: Browser, pages: Path) -> None:
    runs = [str(pages / name) for name in ("before", "after", "later")]
    Campaign(["mpich"], SIZES, slowdown={"mpich": 0.8}).write(pages / "later")
    assert main(["report", *runs, "--out", str(pages / "three.html")]) == 0
    browser.open(pages / "three.html")
    settled(browser)
    names = "[...document.querySelectorAll('#curves .chart:last-child button')]"
    assert browser.evaluate(f"{names}.map(one => one.innerText)") == [
        "mpich (after)", "openmpi (after)", "mpich (later)",
    ]  # fmt: skip
    assert "later against before" in text(browser, "#findings")


# -- names that would be code ----------------------------------------------------------------------


def test_hostile_names_are_shown_as_they_are(browser: Browser, pages: Path) -> None:
    browser.open(pages / "hostile.html")
    settled(browser)
    whole = text(browser, "body")
    for name in HOSTILE[:3]:
        assert name in whole
    assert HOSTILE[0] in browser.evaluate("document.querySelector('#curves .plot').textContent")
    assert count(browser, "img, body script:not([type])") == 1  # the page's own script
    assert browser.named("Page.javascriptDialogOpening") == []


def test_what_scripts_read_holds_no_markup_and_nothing_but_ascii(pages: Path) -> None:
    page = (pages / "hostile.html").read_text()
    packed = page.split('<script type="application/gzip"')[1].split(">")[1].split("<")[0]
    assert re.fullmatch("[A-Za-z0-9+/=]+", packed)
    assert page.count("<script") == 2


# -- everything is there, whoever reads ------------------------------------------------------------


def table_rows(browser: Browser, table: str) -> list[list[str]]:
    rows = f"[...document.querySelectorAll('#table-{table} tbody tr')]"
    cells = "[...row.cells].map(cell => cell.textContent)"
    return list(browser.evaluate(f"{rows}.map(row => {cells})"))


def read_out(browser: Browser, chart: str) -> set[str]:
    """What the arrow keys read in a chart, stop by stop."""
    focus(browser, f"{chart} .plot")
    found: list[str] = []
    while True:
        browser.press("ArrowRight")
        said = str(browser.evaluate(f"document.querySelector('{chart} .spoken').textContent"))
        if found[-1:] == [said]:
            return set(found)
        found.append(said)


def choices(browser: Browser, section: str, which: int = 0) -> int:
    list_of = f"document.querySelectorAll('#{section} .controls select')[{which}]"
    return int(browser.evaluate(f"{list_of}.options.length"))


def choose(browser: Browser, section: str, index: int, which: int = 0) -> None:
    list_of = f"document.querySelectorAll('#{section} .controls select')[{which}]"
    browser.evaluate(
        f"({list_of}.selectedIndex = {index}, {list_of}.dispatchEvent(new Event('change')))"
    )
    settled(browser)


def missing_times(browser: Browser, rows: Sequence[Summary]) -> set[str]:
    """The rows that the charts of the curves don't read out, of a run of several sizes."""
    said: set[str] = set()
    for index in range(choices(browser, "curves")):
        choose(browser, "curves", index)
        title = text(browser, "#curves .chart figcaption").partition(",")[0]
        if count(browser, "#curves .chart:first-child .legend"):
            stops = read_out(browser, "#curves .chart:first-child")
        else:
            plot = "document.querySelector('#curves .plot').ariaLabel"
            stops = {f"0 B: {browser.evaluate(plot).partition(': time: ')[2]}"}
        said |= {
            f"{title} {stop.partition(': ')[0]} {one}"
            for stop in stops
            for one in stop.partition(": ")[2].split("; ")
        }
    expected = {
        f"{row.pattern} {format_size(row.size_bytes)} {row.variant} {measured_time(row)}"
        for row in rows
    }
    return expected - said


def test_every_number_is_in_the_tables_and_in_the_charts(usual: Browser, pages: Path) -> None:
    rows = Analysis(load(pages / "usual")).summaries
    shown = {(r[0], r[2], r[3], r[4], r[6]) for r in table_rows(usual, "measured")}
    assert shown == {
        (r.pattern, format_size(r.size_bytes), r.variant, measured_time(r), f"{r.samples:,}")
        for r in rows
    }
    assert missing_times(usual, rows) == set()


def test_a_number_that_no_chart_has_is_noticed(usual: Browser, pages: Path) -> None:
    rows = Analysis(load(pages / "usual")).summaries
    usual.evaluate("void (DOCUMENT.curves[0].lines[1].rows.pop())")
    assert len(missing_times(usual, rows)) == 1


def test_every_comparison_is_in_the_table_and_in_a_chart(usual: Browser) -> None:
    said: set[str] = set()
    for index in range(choices(usual, "curves")):
        choose(usual, "curves", index)
        for baseline in range(choices(usual, "curves", 1)):
            choose(usual, "curves", baseline, 1)
            chart = "#curves .chart:last-child"
            label = f"document.querySelector('{chart} .plot').ariaLabel"
            said |= (
                read_out(usual, chart)
                if count(usual, f"{chart} .legend")
                else {str(usual.evaluate(label))}
            )
    together = "; ".join(said)
    judged = [(row[3], row[6]) for row in table_rows(usual, "compared")]
    assert [pair for pair in judged if f"{pair[0]} {pair[1]}" not in together] == []


def test_quantiles_and_blocks_are_those_of_the_samples(usual: Browser, pages: Path) -> None:
    run = load(pages / "usual")
    found = next(one for one in Analysis(run).distributions if run.cells[one.cell] == SIZES[2])
    cells = "cellsOf(DOCUMENT.curves[0])[2].sides[0]"
    assert usual.evaluate(f"{cells}.quantiles") == pytest.approx(found.quantiles_s, rel=6e-4)
    assert usual.evaluate(f"{cells}.blocks") == pytest.approx(found.blocks_s, rel=1e-5)


def test_text_and_tables_are_complete_without_scripts(usual: Browser, pages: Path) -> None:
    tables = [table_rows(usual, name) for name in ("measured", "compared")]
    sections = ("#findings", "#warnings", "#provenance")
    texts = [usual.evaluate(f"document.querySelector('{one}').textContent") for one in sections]
    with Browser() as browser:
        browser.run_scripts(False)
        browser.open(pages / "usual.html")
        assert [table_rows(browser, name) for name in ("measured", "compared")] == tables
        assert [
            browser.evaluate(f"document.querySelector('{one}').textContent") for one in sections
        ] == texts
        assert "doesn't run" in text(browser, "noscript")
        assert browser.evaluate("document.querySelector('#curves').hidden")


def test_older_browser_says_why_there_are_no_charts_and_has_the_rest(pages: Path) -> None:
    with Browser() as browser:
        browser.run_before_page("delete globalThis.DecompressionStream")
        browser.open(pages / "usual.html")
        settled(browser)
        assert browser.complaints == []
        assert "yours doesn't" in text(browser, "#outdated")
        assert browser.evaluate("document.querySelector('#curves').hidden")
        focus(browser, "#table-measured th:nth-child(4) button")
        browser.press("Enter")
        assert first_column(browser, 3)[0] == "impi"


# -- by keyboard -----------------------------------------------------------------------------------


def focus(browser: Browser, selector: str) -> None:
    browser.evaluate(f"document.querySelector({selector!r}).focus()")


def test_first_tab_offers_to_skip_to_the_findings(usual: Browser) -> None:
    usual.press("Tab")
    assert usual.evaluate("document.activeElement.innerText") == "Skip to the findings"
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
    assert text(usual, "#curves .legend caption") == "8 B"
    assert "us ±" in text(usual, "#curves .legend td")
    assert "8 B: shm" in str(
        usual.evaluate("document.querySelector('#curves .spoken').textContent")
    )
    usual.press("Escape")
    assert text(usual, "#curves .legend td") == ""


def test_pointer_reads_a_chart_too(usual: Browser) -> None:
    usual.evaluate("document.querySelector('#curves').scrollIntoView({behavior: 'instant'})")
    box = usual.evaluate(
        "(({left, top, width, height}) => [left + width / 2, top + height / 2])"
        "(document.querySelector('#curves .plot').getBoundingClientRect())"
    )
    usual.point(*box)
    assert "us ±" in text(usual, "#curves .legend td")


def test_name_in_the_legend_hides_its_line(usual: Browser) -> None:
    focus(usual, "#curves .legend button")
    usual.press("Enter")
    assert count(usual, "#curves .chart:first-child .plot path.line") == 3
    usual.press("Enter")
    assert count(usual, "#curves .chart:first-child .plot path.line") == 4


def first_column(browser: Browser, column: int) -> list[str]:
    rows = "[...document.querySelectorAll('#table-measured tbody tr:not([hidden])')]"
    return list(browser.evaluate(f"{rows}.map(row => row.cells[{column}].textContent)"))


def test_enter_on_a_column_sorts_by_numbers_up_and_then_down(usual: Browser) -> None:
    focus(usual, "#table-measured th:nth-child(3) button")
    usual.press("Enter")
    assert first_column(usual, 2)[:5] == ["0 B"] * 5
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
    assert text(usual, "#table-measured output") == "1 of 28 rows"


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


def test_paper_has_every_column_and_no_words_on_what_only_a_screen_can_do(usual: Browser) -> None:
    usual.resize(718, 1000)  # A4 without its margins
    usual.show_as("print")
    settled(usual)
    assert usual.evaluate("document.documentElement.scrollWidth") <= 718
    tables = "[...document.querySelectorAll('.tall table')]"
    assert usual.evaluate(f"Math.max(...{tables}.map(one => one.offsetWidth))") <= 718
    assert "press a name" not in text(usual, "#curves")
    usual.show_as("screen")
    assert "press a name" in text(usual, "#curves")
