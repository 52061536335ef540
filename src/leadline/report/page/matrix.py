"""Curves by size in one table: a cell is a verdict, or a time that is darker the slower it is."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.compare.baselines import BaselineContrast
from leadline.compare.ranking import Ranking
from leadline.compare.sides import run_names
from leadline.compare.verdict import Verdict
from leadline.errors import printable
from leadline.record.curve import CurveKey
from leadline.report.page.markup import Markup, element
from leadline.report.page.reported import MeasuredCell, Reported
from leadline.report.page.tables import scrolling, table_of
from leadline.report.series import SeriesStyle, curve_title, series_of
from leadline.report.text.catalogue import PageWords
from leadline.report.text.comparison import judged
from leadline.report.text.measured import Measured
from leadline.report.text.phrases import MISSING, measured_time
from leadline.report.text.ratios import in_words
from leadline.report.text.times import verdict_words
from leadline.units import format_size, format_time

SIGNS = {Verdict.FASTER: "▼", Verdict.SLOWER: "▲", Verdict.SAME: "=", Verdict.UNDECIDED: "?"}

MOST_ON_PAPER = 10
"""Most sizes beside each other that fit on paper; the heat map has them below each other."""
SHADES = (1.02, 1.1, 1.25, 1.5, 2.0, 4.0)
"""Bounds between the shades of times, as multiples of the fastest time."""

NOTHING = element("td", class_="none")


# -- verdicts --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One curve of the table."""

    curve: str
    """The title of its chart."""
    label: str
    cells: Mapping[int | None, Markup]
    """By size in bytes."""

    @property
    def unsized(self) -> bool:
        """Whether it was measured at zero bytes alone, so that its size means nothing."""
        return not any(self.cells)

    def at(self, column: int | None) -> Markup:
        """The cell of a size; None: the column of curves without size."""
        here = self.unsized == (column is None)
        return self.cells.get(column or 0, NOTHING) if here else NOTHING


def rankings_matrix(reported: Reported, run: int) -> Markup:
    """The fastest library in each cell of a run, those that tie, and their lead over the rest."""
    keys = reported.keys
    rows = []
    for curve in reported.measured[run].rankings.curves:
        title = curve_title(curve.curve, keys)
        rows.append(MatrixRow(title, title, fronts(reported, run, curve)))
    legend = [
        element("span", element("i", style.glyph, class_=style.style), f" {style.name}")
        for style in series_of(reported.runs).values()
        if style.competes
    ]
    return _matrix(rows, [f"{PageWords.FRONTS()} ", *legend], MOST_ON_PAPER)


def fronts(reported: Reported, run: int, ranking: Ranking) -> Mapping[int | None, Markup]:
    """Who is ahead on a curve of a run, and how far, by size in bytes."""
    series, threshold = series_of(reported.runs), reported.threshold
    cells: dict[int | None, Markup] = {}
    for top, front in zip(ranking.top, ranking.fronts, strict=True):
        tied = [series[reported.name(label, run)] for label in front.tied]
        verdict = Verdict.SAME if front.equal else Verdict.UNDECIDED
        words = verdict_words(top, ranking.libraries > 2, threshold)
        if front.rest is None:
            cell = element("td", SIGNS[verdict], class_=str(verdict), title=words)
        else:
            faster = front.rest.verdict is Verdict.FASTER
            lead = in_words(front.rest.effect, threshold, faster).value
            if len(tied) == 1:
                mark = element("i", tied[0].glyph)
                cell = element("td", mark, f" {lead}", class_=tied[0].style, title=words)
            else:
                marks = [element("i", style.glyph, class_=style.style) for style in tied]
                parts = [part for mark in marks for part in (SIGNS[verdict], mark)][1:]
                words = f"{words}; {verdict_words(front.rest, True, threshold)}"
                cell = element("td", *parts, f" {lead}", class_=str(verdict), title=words)
        cells[front.size_bytes] = cell
    return cells


def contrast_matrix(reported: Reported, contrast: BaselineContrast) -> Markup:
    """The cells of every candidate, compared with one baseline."""
    keys, threshold = reported.keys, reported.threshold
    rows = []
    for curve in contrast.result.curves:
        cells: dict[int | None, Markup] = {}
        for row in curve.cells:
            ratio = MISSING if row.ratio is None else in_words(row.effect, threshold).value
            text, words = f"{SIGNS[row.verdict]} {ratio}", judged(row, threshold)
            cells[row.size_bytes] = element("td", text, class_=str(row.verdict), title=words)
        title = curve_title(curve.whole.curve, keys)
        rows.append(MatrixRow(title, f"{title}: {curve.whole.candidate}", cells))
    return _matrix(rows, [PageWords.RATIOS(baseline=contrast.baseline)])


def times_matrix(reported: Reported, run: int, measured: Measured) -> Markup:
    """The times themselves, where there is nothing to compare."""
    found: dict[tuple[CurveKey, str], dict[int | None, Markup]] = {}
    for row in measured.rows:
        cells = found.setdefault((row.curve, row.label), {})
        cells[row.size_bytes] = element("td", format_time(row.median_s), title=measured_time(row))
    keys, rows = reported.keys, []
    for (key, name), cells in found.items():
        title = curve_title(key, keys)
        rows.append(MatrixRow(title, f"{title}: {reported.name(name, run)}", cells))
    return _matrix(rows, [PageWords.TIMES()])


def _matrix(
    rows: Sequence[MatrixRow], key: Sequence[Markup | str], on_paper: int = sys.maxsize
) -> Markup:
    """A row for each curve and a column for each size; not printed if wider than `on_paper`."""
    sized = [row for row in rows if not row.unsized]
    sizes = sorted({one for row in sized for one in row.cells if one is not None})
    columns = [*[None] * (len(sized) < len(rows)), *sizes]
    head = [
        element("td"),
        *(
            element("th", MISSING, scope="col")
            if column is None
            else element("th", format_size(column), data_size=str(column), scope="col")
            for column in columns
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
    table = table_of(head, body, "matrix selects")
    caption = element("figcaption", *key, class_="key")
    markup = scrolling(table, "Findings by pattern and size")
    return element("figure", caption, markup, class_="crowded" if len(columns) > on_paper else None)


# -- times -----------------------------------------------------------------------------------------


def heat_map(reported: Reported) -> Markup:
    """All times with libraries as columns, and who is ahead; each curve has a row for each size."""
    series = list(series_of(reported.runs).values())
    rankings = {
        run: {curve.curve: curve for curve in measured.rankings.curves}
        for run, measured in enumerate(reported.measured)
        if measured.rankings.curves
    }
    places: dict[CurveKey, dict[int, dict[str, MeasuredCell]]] = {}
    for cell in reported.cells:
        sizes = places.setdefault(cell.summary.curve, {})
        sizes.setdefault(cell.summary.size_bytes, {})[cell.name] = cell

    head = [element("th", "size", scope="col")]
    for one in series:
        mark = element("i", one.glyph, class_=one.style)
        head.append(element("th", mark, f" {one.name}", scope="col"))
    for run in rankings:
        name = "ahead" if len(rankings) == 1 else f"ahead in {run_names(reported.runs)[run]}"
        head.append(element("th", name, scope="col"))

    bodies, keys, columns = [], reported.keys, str(len(head))
    for key in keys:
        ranked = {run: curves[key] for run, curves in rankings.items() if key in curves}
        ahead = {run: fronts(reported, run, ranking) for run, ranking in ranked.items()}
        title = curve_title(key, keys)
        link = element("a", title, href="#curves")
        rows = [element("tr", element("th", link, scope="row", colspan=columns))]
        for size_bytes, cells in sorted(places[key].items()):
            tied = {
                run: ([reported.name(label, run) for label in front.tied], front.decided)
                for run, ranking in ranked.items()
                for front in ranking.fronts
                if front.size_bytes == size_bytes
            }
            size = format_size(size_bytes) if any(places[key]) else MISSING
            row = [
                element("th", size, scope="row"),
                *(_time_cell(cells, style, tied) for style in series),
                *(ahead.get(run, {}).get(size_bytes, NOTHING) for run in rankings),
            ]
            rows.append(element("tr", *row, data_size=str(size_bytes)))
        bodies.append(element("tbody", *rows, data_curve=printable(title)))
    table = element("table", element("thead", element("tr", *head)), *bodies, class_="heat selects")
    return scrolling(table, "Times by library", "scroll tall")


def _time_cell(
    cells: Mapping[str, MeasuredCell],
    series: SeriesStyle,
    tied: Mapping[int, tuple[Sequence[str], bool]],
) -> Markup:
    """A time, shaded where its library competes, and bold where it is shown to be the fastest.

    Args:
        cells: All cells of the same curve and size, by series.
        series: The time's.
        tied: For each run the series that tie, the one with the shortest time first, and whether
            it is decided that they are the fastest.
    """
    cell = cells.get(series.name)
    if cell is None:
        return NOTHING
    text = measured_time(cell.summary)
    if cell.run not in tied or not series.competes:
        return element("td", text)
    names, decided = tied[cell.run]
    slower = cell.summary.median_s / cells[names[0]].summary.median_s
    shade = f"heat{bisect_right(SHADES, slower)}"
    return element(
        "td", text, class_=f"{shade} tied" if decided and series.name in names else shade
    )
