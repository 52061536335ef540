"""Curves by size in one table, a cell a verdict: what the first screen shows at a glance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.compare.baselines import BaselineContrast
from leadline.compare.comparisons import Comparison
from leadline.compare.ranking import Standing
from leadline.compare.verdict import Verdict
from leadline.errors import printable
from leadline.record.curve import CurveKey
from leadline.report.document import Section
from leadline.report.page.markup import Markup, element, joined
from leadline.report.page.reported import Reported
from leadline.report.series import RAW, SeriesStyle, curve_title, series_of
from leadline.report.text.comparison import judged
from leadline.report.text.measured import Measured
from leadline.report.text.phrases import MISSING, measured_time
from leadline.report.text.ratios import in_words
from leadline.report.text.times import verdict_words
from leadline.units import format_size, format_time

SIGNS = {Verdict.FASTER: "▼", Verdict.SLOWER: "▲", Verdict.SAME: "=", Verdict.UNDECIDED: "?"}

NOTHING = element("td", class_="none")


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One curve of the table."""

    curve: str
    """The title of its chart."""
    label: str
    cells: Mapping[int | None, Markup]
    """By size."""

    @property
    def unsized(self) -> bool:
        """Measured at nothing but zero bytes: there is no size to speak of."""
        return not any(self.cells)

    def at(self, column: int | None) -> Markup:
        """The cell of a size; None: of what has none."""
        here = self.unsized == (column is None)
        return self.cells.get(column or 0, NOTHING) if here else NOTHING


def standings_matrix(reported: Reported, run: int) -> Markup:
    """The fastest library of each cell of a run, and its lead over the second."""
    series, keys = series_of(reported.runs), reported.keys
    rows = []
    for one in reported.measured[run].standings.curves:
        title = curve_title(one.curve, keys)
        cells = {top.size_bytes: _won(reported, run, top, one, series) for top in one.top}
        rows.append(MatrixRow(title, title, cells))
    legend = [
        element("span", element("i", one.glyph, class_=one.style), f" {one.name}")
        for one in series.values()
        if one.style != RAW and not one.hollow
    ]
    words = "The fastest library of each cell, and how many times faster than the second it is; "
    return _matrix(rows, [words, "= equal, ? not decided. ", *legend])


def _won(
    reported: Reported, run: int, top: Comparison, one: Standing, series: Mapping[str, SeriesStyle]
) -> Markup:
    words = verdict_words(top, one.libraries > 2, reported.threshold)
    if top.in_order is None:
        return element("td", SIGNS[top.verdict], class_=str(top.verdict), title=words)
    style = series[reported.name(top.in_order[0], run)]
    times = in_words(top.effect, reported.threshold, top.verdict is Verdict.FASTER).value
    return element("td", element("i", style.glyph), f" {times}", class_=style.style, title=words)


def contrast_matrix(reported: Reported, contrast: BaselineContrast) -> Markup:
    """Every candidate's cells, held to one baseline."""
    keys = reported.keys
    rows = []
    for curve in contrast.result.curves:
        whole = curve.whole
        title = curve_title(whole.curve, keys)
        cells = {row.size_bytes: _judged_cell(row, reported.threshold) for row in curve.cells}
        rows.append(MatrixRow(title, f"{title}: {whole.candidate}", cells))
    signs = "▲ slower, ▼ faster, = equal, ? not decided"
    return _matrix(rows, [f"Time over that of {contrast.baseline}: {signs}"])


def _judged_cell(row: Comparison, threshold: float) -> Markup:
    ratio = MISSING if row.ratio is None else in_words(row.effect, threshold).value
    words = judged(row, threshold)
    return element("td", f"{SIGNS[row.verdict]} {ratio}", class_=str(row.verdict), title=words)


def times_matrix(reported: Reported, run: int, one: Measured) -> Markup:
    """The times themselves, where there is nobody to compare."""
    found: dict[tuple[CurveKey, str], dict[int | None, Markup]] = {}
    for row in one.rows:
        cells = found.setdefault((row.curve, row.label), {})
        cells[row.size_bytes] = element("td", format_time(row.median_s), title=measured_time(row))
    keys = reported.keys
    titled = [(curve_title(key, keys), name, cells) for (key, name), cells in found.items()]
    return _matrix(
        [
            MatrixRow(title, f"{title}: {reported.name(name, run)}", cells)
            for title, name, cells in titled
        ],
        ["Time of one operation or message"],
    )


def _matrix(rows: Sequence[MatrixRow], key: Sequence[Markup | str]) -> Markup:
    sized = [row for row in rows if not row.unsized]
    sizes = sorted({one for row in sized for one in row.cells if one is not None})
    columns = [*[None] * (len(sized) < len(rows)), *sizes]
    titles = (MISSING if one is None else format_size(one) for one in columns)
    head = [element("td"), *(element("th", title, scope="col") for title in titles)]
    body = [
        element(
            "tr",
            element(
                "th",
                element("a", row.label, href="#curves", data_curve=printable(row.curve)),
                scope="row",
            ),
            *map(row.at, columns),
        )
        for row in rows
    ]
    table = element(
        "table", element("thead", element("tr", *head)), element("tbody", *body), class_="matrix"
    )
    caption = element("figcaption", *key, class_="key")
    return element("figure", caption, scrolling(table, "Findings by pattern and size"))


def small_table(section: Section) -> Markup:
    """A section's table and notes as they are."""
    if section.table is None:
        return joined([])
    head = [element("th", title, scope="col") for title in section.table.titles]
    body = [
        element("tr", element("th", row[0], scope="row"), *(element("td", one) for one in row[1:]))
        for row in section.table.rows
    ]
    table = element("table", element("thead", element("tr", *head)), element("tbody", *body))
    caption = element("figcaption", section.heading)
    notes = [element("p", note, class_="basis") for note in section.notes]
    return element("figure", caption, scrolling(table, section.heading), *notes)


def scrolling(table: Markup, label: str, class_: str = "scroll") -> Markup:
    """A part that scrolls sideways, by keys too, where the table is wider than the page."""
    return element("div", table, class_=class_, tabindex="0", role="region", aria_label=label)
