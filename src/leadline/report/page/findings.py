"""The page's first screen: which is faster, where, by how much, how sure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from leadline.contrasts import Held
from leadline.curves import Comparison
from leadline.report import compared, measured
from leadline.report.compared import Compared, concluding_sentence, judged
from leadline.report.document import SEPARATOR, Section
from leadline.report.measured import Measured, verdict_words
from leadline.report.page.markup import Markup, element, joined
from leadline.report.page.reported import Reported, Series, all_series, curve_title
from leadline.report.phrases import MISSING, factor, faster, plural, size
from leadline.standings import Standing
from leadline.verdict import Verdict

SIGNS = {Verdict.FASTER: "▼", Verdict.SLOWER: "▲", Verdict.SAME: "=", Verdict.UNDECIDED: "?"}
SPOKEN_CODE = "Each cell names the fastest of the libraries and its lead over the second."


def findings(reported: Reported) -> Markup:
    """Two runs compared, or else the order of the libraries in each run; then the sentences."""
    across = [held for held in reported.contrasts.held if held.run is None]
    parts = [_across(reported, held) for held in across]
    if not across:
        parts = [_within(reported, i, one) for i, one in enumerate(reported.measured)]
    return joined(parts)


# -- one run ---------------------------------------------------------------------------------------


def _within(reported: Reported, run: int, one: Measured) -> Markup:
    curves = one.standings.curves
    title = [element("h3", _run_name(reported, run))] if len(reported.measured) > 1 else []
    return joined(
        [
            *title,
            *([element("p", tally(curves), class_="lead")] if curves else []),
            *([_standings_matrix(reported, run, curves)] if curves else []),
            *map(_numbers, measured.pingpong_sections(one)),
            _sentences(measured.curve_sections(one)),
        ]
    )


def _run_name(reported: Reported, run: int) -> str:
    return reported.name("", run).strip(" ()")


def tally(curves: Sequence[Standing]) -> str:
    """E.g. "Of 9 cells, a is fastest in 5, b in 2; in 2 no difference is shown."."""
    tops = [top for curve in curves for top in curve.top]
    wins = Counter(name for top in tops if (name := _winner(top)) is not None)
    open_cells = len(tops) - wins.total()
    parts = [
        f"{name} is the fastest in {count}" if i == 0 else f"{name} in {count}"
        for i, (name, count) in enumerate(wins.most_common())
    ]
    begin = f"Of {plural(len(tops), 'cell')}: {', '.join(parts)}"
    if not wins:
        return f"Of {plural(len(tops), 'cell')} none shows a difference between libraries."
    return f"{begin}; no difference is shown in {open_cells}." if open_cells else f"{begin}."


def _winner(top: Comparison) -> str | None:
    if top.verdict is Verdict.FASTER:
        return top.candidate
    return top.baseline if top.verdict is Verdict.SLOWER else None


def _standings_matrix(reported: Reported, run: int, curves: Sequence[Standing]) -> Markup:
    series = all_series(reported)
    keys = [(one.pattern, one.ranks, one.buffers, one.cadence) for one in curves]
    rows = {
        curve_title(key, keys): {
            top.size_bytes: _won(reported, run, top, one, series) for top in one.top
        }
        for key, one in zip(keys, curves, strict=True)
    }
    shown = {name: one for name, one in series.items() if one.style != "raw"}
    legend = [
        element("span", element("i", one.glyph, class_=one.style), f" {name}")
        for name, one in shown.items()
    ]
    return _matrix(rows, element("p", *_spaced(legend), class_="key"))


def _spaced(parts: Sequence[Markup]) -> Iterator[Markup | str]:
    for part in parts:
        yield part
        yield " "


def _won(
    reported: Reported, run: int, top: Comparison, one: Standing, series: Mapping[str, Series]
) -> Markup:
    winner = _winner(top)
    words = verdict_words(top, one)
    if winner is None:
        return element("td", SIGNS[top.verdict], class_=str(top.verdict), title=words)
    style = series[reported.name(winner, run)]
    times = faster(top, top.verdict).value
    return element("td", element("i", style.glyph), f" {times}", class_=style.style, title=words)


# -- two runs --------------------------------------------------------------------------------------


def _across(reported: Reported, held: Held) -> Markup:
    result = held.result
    counts = Counter(row.verdict for row in result.rows if row.counted)
    said = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])
    lead = f"{concluding_sentence(result)} Of {plural(counts.total(), 'cell')}: {said}."
    sections = compared.curve_sections(Compared(reported.runs, result, reported.threshold))
    rows = {
        f"{curve.whole.candidate}: {curve.whole.pattern}, {curve.whole.ranks} ranks": {
            row.size_bytes: _held(row) for row in curve.cells
        }
        for curve in result.curves
    }
    key = f"Time relative to {held.baseline}: ▲ slower, ▼ faster, = same, ? undecided"
    return joined(
        [
            element("p", lead, class_="lead"),
            _matrix(rows, element("p", key, class_="key")),
            _sentences(sections),
        ]
    )


def _held(row: Comparison) -> Markup:
    text = MISSING if row.ratio is None else f"{SIGNS[row.verdict]} {factor_of(row)}"
    return element("td", text, class_=str(row.verdict), title=judged(row))


def factor_of(row: Comparison) -> str:
    """How many times faster or slower, or the ratio where that isn't decided."""
    if row.verdict in (Verdict.FASTER, Verdict.SLOWER):
        return faster(row, row.verdict).value
    return MISSING if row.ratio is None else factor(row.ratio)


# -- both ------------------------------------------------------------------------------------------


def _matrix(rows: Mapping[str, Mapping[int | None, Markup]], key: Markup) -> Markup:
    """A table of curves by size; the columns are all sizes."""
    sizes = sorted({one for cells in rows.values() for one in cells if one is not None})
    head = [element("td"), *(element("th", size(one, len(sizes)), scope="col") for one in sizes)]
    body = [
        element(
            "tr",
            element("th", title, scope="row"),
            *(cells.get(one, element("td", class_="none")) for one in sizes),
        )
        for title, cells in rows.items()
    ]
    table = element(
        "table", element("thead", element("tr", *head)), element("tbody", *body), class_="matrix"
    )
    return element(
        "figure", _scrolling(table, "Who is fastest, by pattern and size"),
        element("figcaption", key),
    )  # fmt: skip


def _scrolling(table: Markup, label: str) -> Markup:
    return element("div", table, class_="scroll", tabindex="0", role="region", aria_label=label)


def _sentences(sections: Iterator[Section]) -> Markup:
    parts = [
        joined([element("dt", _short(section)), *(element("dd", note) for note in section.notes)])
        for section in sections
        if section.notes
    ]
    return element("dl", *parts, class_="sentences") if parts else joined([])


def _short(section: Section) -> Markup:
    """A heading's pattern, and its other parts small beside it."""
    pattern, *rest = section.heading.split(SEPARATOR)
    return joined([pattern, element("small", " " + SEPARATOR.join(rest))])


def _numbers(section: Section) -> Markup:
    """A small table that needs no sorting."""
    if section.table is None:
        return joined([])
    head = [element("th", title.replace("\n", " "), scope="col") for title in section.table.columns]
    body = [
        element("tr", element("th", row[0], scope="row"), *(element("td", one) for one in row[1:]))
        for row in section.table.rows
    ]
    table = element("table", element("thead", element("tr", *head)), element("tbody", *body))
    caption = element("figcaption", section.heading)
    return element("figure", _scrolling(table, section.heading), caption, class_="numbers")
