"""The page in a real browser, opened from disk as its readers open it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from harness.browser import Browser
from harness.synthetic import Campaign, configuration, one_slice, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.pages import (
    FAILURES,
    HOSTILE,
    RATIO,
    SIZES,
    TIME,
    WARNING,
    count,
    drawn,
    first_column,
    focus,
    seen,
    settled,
    spoken,
    text,
    texts,
)
from tests.support.texts import numbers

from leadline.cli import main
from leadline.compare.analysis import Analysis
from leadline.compare.summaries import Summary
from leadline.report.text.phrases import measured_time
from leadline.store import Journal, load
from leadline.units import format_size, rate_unit

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
    lead = text(usual, "#findings .lead")
    assert re.findall("openmpi|impi|mpich|shm", lead) == ["openmpi", "impi"]
    assert numbers(lead) == ["7", "4", "3"]
    first = text(usual, "#findings .sentences dd")
    assert re.findall("openmpi|impi|mpich|shm", first)[:2] == ["openmpi", "impi"]
    assert numbers(first)[:2] == ["1.73", "1.95"]


def test_curves_have_a_line_and_a_band_for_each_series(usual: Browser) -> None:
    assert drawn(usual, TIME, "path.line") == 4
    assert drawn(usual, TIME, "path.band") == 4
    assert drawn(usual, RATIO, "path.line") == 2  # openmpi and impi against mpich
    assert drawn(usual, RATIO, "rect.threshold") == 1


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


def test_page_writes_sizes_and_rates_as_python_does(usual: Browser) -> None:
    sizes = [0, 8, 1023, 1024, 1280, 1300, 1_572_864, 1_049_600, 3 << 29, 2_000_000]
    sizes += [10**8, 10**11, 25_600_000]
    assert usual.evaluate(f"{sizes}.map(formatSize)") == list(map(format_size, sizes))
    rates = [52e3, 999.4e6, 999.6e6, 5.25e9, 2.649e12]
    units = [rate_unit(rate)[0] for rate in rates]
    assert [str(one).split()[1] for one in usual.evaluate(f"{rates}.map(formatRate)")] == units


def test_other_sections_draw_what_they_are_about(usual: Browser) -> None:
    assert drawn(usual, "#distributions", "path.line") == 4
    assert drawn(usual, "#distributions", "circle.block") == 4 * 8
    assert (
        drawn(usual, "#overhead", ".interval") == 2 * 3
    )  # ping-pong and barrier of three libraries
    assert usual.evaluate("document.querySelector('#ranks').hidden")


def test_ranks_of_two_families_are_two_lines_and_crowded_ones_are_shaded(
    browser: Browser, pages: Path
) -> None:
    browser.open(pages / "ranks.html")
    settled(browser)
    assert drawn(browser, "#ranks", "path.line") == 2
    assert drawn(browser, "#ranks", "path.line.dashed") == 1
    assert drawn(browser, "#ranks", "rect.shade") == 1


def test_warnings_and_failures_come_with_their_remedies(usual: Browser) -> None:
    output = text(usual, "#warnings")
    assert WARNING.remedy in output
    assert FAILURES[0].message in output


def test_two_runs_are_compared_with_each_other(
    browser: Browser, pages: Path, snapshot: SnapshotAssertion
) -> None:
    browser.open(pages / "both.html")
    settled(browser)
    assert count(browser, ".matrix .slower") == len(SIZES)
    assert text(browser, "#findings .lead") == snapshot
    assert "mpich (after)" in text(browser, "#curves .legend")
    assert text(browser, f"{RATIO} figcaption") == snapshot


def test_all_later_runs_are_lines_of_one_ratio_chart(browser: Browser, pages: Path) -> None:
    runs = [str(pages / name) for name in ("before", "after", "later")]
    Campaign(["mpich"], SIZES, slowdown={"mpich": 0.8}).write(pages / "later")
    assert main(["report", *runs, "--out", str(pages / "three.html")]) == 0
    browser.open(pages / "three.html")
    settled(browser)
    names = "[...document.querySelectorAll('#curves .chart:last-child .legend button')]"
    assert browser.evaluate(f"{names}.map(one => one.innerText)") == [
        "mpich (after)", "openmpi (after)", "mpich (later)",
    ]  # fmt: skip
    headings = [heading for heading in texts(browser, "#findings h3") if "later" in heading]
    assert ["before" in heading for heading in headings] == [True]


# -- names that would be code ----------------------------------------------------------------------


def test_hostile_names_are_shown_as_they_are(browser: Browser, pages: Path) -> None:
    browser.open(pages / "hostile.html")
    settled(browser)
    whole = text(browser, "body")
    for name in HOSTILE[:3]:
        assert name in whole
    assert HOSTILE[0] in browser.evaluate("document.querySelector('#curves .plot').textContent")
    assert count(browser, "img") == 0
    assert count(browser, "body script:not([type])") == 1  # the page's own
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
        output = spoken(browser, chart)
        if found[-1:] == [output]:
            return set(found)
        found.append(output)


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
    messages: set[str] = set()
    for index in range(choices(browser, "curves")):
        choose(browser, "curves", index)
        title = text(browser, f"{TIME} figcaption").partition(",")[0]
        if count(browser, f"{TIME} .legend"):
            stops = read_out(browser, TIME)
        else:
            plot = "document.querySelector('#curves .plot').ariaLabel"
            stops = {f"0 B: {browser.evaluate(plot).partition(': time: ')[2]}"}
        messages |= {
            f"{title} {stop.partition(': ')[0]} {one}"
            for stop in stops
            for one in stop.partition(": ")[2].split("; ")
        }
    expected = {
        f"{row.pattern} {format_size(row.size_bytes)} {row.variant} {measured_time(row)}"
        for row in rows
    }
    return expected - messages


def size_of(row: Summary) -> str:
    """As tables have it: a barrier has none."""
    return "-" if row.pattern == "barrier" else format_size(row.size_bytes)


def test_every_number_is_in_the_tables_and_in_the_charts(usual: Browser, pages: Path) -> None:
    rows = Analysis(load(pages / "usual")).summaries
    found = {(r[0], r[2], r[3], r[4], r[6]) for r in table_rows(usual, "measured")}
    assert found == {
        (r.pattern, size_of(r), r.variant, measured_time(r), f"{r.samples:,}") for r in rows
    }
    assert missing_times(usual, rows) == set()


def test_a_number_that_no_chart_has_is_noticed(usual: Browser, pages: Path) -> None:
    rows = Analysis(load(pages / "usual")).summaries
    usual.evaluate("void (DOCUMENT.curves[0].lines[1].rows.pop())")
    assert len(missing_times(usual, rows)) == 1


def test_every_comparison_is_in_the_table_and_in_a_chart(usual: Browser) -> None:
    messages: set[str] = set()
    for index in range(choices(usual, "curves")):
        choose(usual, "curves", index)
        for baseline in range(choices(usual, "curves", 1)):
            choose(usual, "curves", baseline, 1)
            label = f"document.querySelector('{RATIO} .plot').ariaLabel"
            messages |= (
                read_out(usual, RATIO)
                if count(usual, f"{RATIO} .legend")
                else {str(usual.evaluate(label))}
            )
    together = "; ".join(messages)
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
    sections = ("#findings", "#times", "#warnings", "#provenance")
    usual.evaluate("document.querySelectorAll('.tools').forEach(one => one.remove())")
    texts = [usual.evaluate(f"document.querySelector('{one}').textContent") for one in sections]
    with Browser() as browser:
        browser.run_scripts(False)
        browser.open(pages / "usual.html")
        assert [table_rows(browser, name) for name in ("measured", "compared")] == tables
        assert [
            browser.evaluate(f"document.querySelector('{one}').textContent") for one in sections
        ] == texts
        assert seen(browser, "noscript")
        assert browser.evaluate("document.querySelector('#curves').hidden")


def test_older_browser_says_why_there_are_no_charts_and_has_the_rest(pages: Path) -> None:
    with Browser() as browser:
        browser.run_before_page("delete globalThis.DecompressionStream")
        browser.open(pages / "usual.html")
        settled(browser)
        assert browser.complaints == []
        assert seen(browser, "#outdated")
        assert browser.evaluate("document.querySelector('#curves').hidden")
        focus(browser, "#table-measured th:nth-child(4) button")
        browser.press("Enter")
        assert first_column(browser, 3)[0] == "impi"


def test_machine_part_has_what_the_run_began_with(browser: Browser, tmp_path: Path) -> None:
    began = {
        "command": ["leadline", "run", "--out", "a b"],
        "inherited": {"UCX_TLS": "sm", "FI_PROVIDER": "<b>"},
        "libraries": {"mpich": "MPICH Version: 5.0.2\nMPICH Device: ch4:ofi"},
        "machine": {"sockets": 2, "network": "eth0 mlx5_core 100000 Mbit/s"},
    }
    with Journal.create(tmp_path / "run", began) as journal:
        journal.add_cells([pingpong(8)])
        index = journal.add_configuration(configuration("mpich"))
        for block in range(8):
            journal.add_slice(one_slice((index, 0, block, 0), [[1000] * 5]))
        journal.close(True)
    assert main(["report", str(tmp_path / "run"), "--out", str(tmp_path / "run.html")]) == 0
    browser.open(tmp_path / "run.html")
    settled(browser)
    found = browser.evaluate("document.querySelector('#provenance').textContent")
    for words in (
        "leadline run --out 'a b'", "UCX_TLSsm", "FI_PROVIDER<b>", "MPICH Device: ch4:ofi",
        "sockets2", "eth0 mlx5_core 100000 Mbit/s",
    ):  # fmt: skip
        assert words in found
