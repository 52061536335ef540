"""Curves by size in one table, a cell a verdict: what the first screen shows at a glance."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.compare.baselines import BaselineContrast
from leadline.compare.curves import Comparison
from leadline.compare.ranking import Front, Standing
from leadline.compare.verdict import Verdict
from leadline.errors import printable
from leadline.record.curve import CurveKey
from leadline.report.document import Section
from leadline.report.page.markup import Markup, element, joined
from leadline.report.page.reported import Reported
from leadline.report.series import SeriesStyle, curve_title, series_of
from leadline.report.text.comparison import judged
from leadline.report.text.measured import Measured
from leadline.report.text.phrases import MISSING, measured_time
from leadline.report.text.ratios import in_words
from leadline.report.text.times import verdict_words
from leadline.units import format_size, format_time

SIGNS = {Verdict.FASTER: "▼", Verdict.SLOWER: "▲", Verdict.SAME: "=", Verdict.UNDECIDED: "?"}

MOST_ON_PAPER = 10
"""Sizes beside each other that fit there; the table of times says the same below each other."""

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
    """Who is the fastest in each cell of a run, who ties, and their lead over the rest."""
    keys = reported.keys
    rows = []
    for one in reported.measured[run].standings.curves:
        title = curve_title(one.curve, keys)
        rows.append(MatrixRow(title, title, fronts(reported, run, one)))
    legend = [
        element("span", element("i", one.glyph, class_=one.style), f" {one.name}")
        for one in series_of(reported.runs).values()
        if one.competes
    ]
    words = (
        "The fastest library of each cell and how many times faster than all others it is; several "
        "that tie (= equal, ? not decided) have the lead of the first over the rest. "
    )
    return _matrix(rows, [words, *legend], MOST_ON_PAPER)


def fronts(reported: Reported, run: int, one: Standing) -> Mapping[int | None, Markup]:
    """By size, who is ahead on a curve of a run, and how far."""
    series, threshold = series_of(reported.runs), reported.threshold
    pairs = zip(one.top, one.fronts, strict=True)
    return {
        front.size_bytes: _front(
            front,
            [series[reported.name(label, run)] for label in front.tied],
            verdict_words(top, one.libraries > 2, threshold),
            threshold,
        )
        for top, front in pairs
    }


def _front(front: Front, styles: Sequence[SeriesStyle], words: str, threshold: float) -> Markup:
    """`styles`: of those that tie; `words`: of the two with the shortest times."""
    verdict = Verdict.SAME if front.equal else Verdict.UNDECIDED
    if front.rest is None:
        return element("td", SIGNS[verdict], class_=str(verdict), title=words)
    lead = in_words(front.rest.effect, threshold, front.rest.verdict is Verdict.FASTER).value
    if len(styles) == 1:
        only = styles[0]
        return element("td", element("i", only.glyph), f" {lead}", class_=only.style, title=words)
    marks = [element("i", style.glyph, class_=style.style) for style in styles]
    parts = [part for mark in marks for part in (SIGNS[verdict], mark)][1:]
    told = f"{words}; {verdict_words(front.rest, True, threshold)}"
    return element("td", *parts, f" {lead}", class_=str(verdict), title=told)


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


def _matrix(
    rows: Sequence[MatrixRow], key: Sequence[Markup | str], on_paper: int = sys.maxsize
) -> Markup:
    """`on_paper`: of more columns the table isn't printed."""
    sized = [row for row in rows if not row.unsized]
    sizes = sorted({one for row in sized for one in row.cells if one is not None})
    columns = [*[None] * (len(sized) < len(rows)), *sizes]
    head = [
        element("td"),
        *(
            element("th", MISSING, scope="col")
            if one is None
            else element("th", format_size(one), data_size=str(one), scope="col")
            for one in columns
        ),
    ]
    body = [
        element(
            "tr",
            element("th", element("a", row.label, href="#curves"), scope="row"),
            *map(row.at, columns),
            data_curve=printable(row.curve),
        )
        for row in rows
    ]
    table = element(
        "table",
        element("thead", element("tr", *head)),
        element("tbody", *body),
        class_="matrix selects",
    )
    caption = element("figcaption", *key, class_="key")
    found = scrolling(table, "Findings by pattern and size")
    return element("figure", caption, found, class_="crowded" if len(columns) > on_paper else None)


def small_table(section: Section) -> Markup:
    """A section's table and notes as they are."""
    if section.table is None:
        return joined([])
    head = [element("th", title, scope="col") for title in section.table.titles]
    body = [
        element("tr", element("th", row[0], scope="row"), *(element("td", one) for one in row[1:]))
        for row in section.table.rows
    ]
    table = element(
        "table", element("thead", element("tr", *head)), element("tbody", *body), class_="small"
    )
    caption = element("figcaption", section.heading)
    notes = [element("p", note, class_="basis") for note in section.notes]
    return element("figure", caption, scrolling(table, section.heading), *notes)


def scrolling(table: Markup, label: str, class_: str = "scroll") -> Markup:
    """A part that scrolls sideways, by keys too, where the table is wider than the page."""
    return element("div", table, class_=class_, tabindex="0", role="region", aria_label=label)
