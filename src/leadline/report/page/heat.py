"""All times with libraries as columns, the slower the darker, and who is ahead in each row."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from leadline.compare.sides import run_names
from leadline.errors import printable
from leadline.record.curve import CurveKey
from leadline.report.page.markup import Markup, element
from leadline.report.page.matrix import NOTHING, fronts, scrolling
from leadline.report.page.reported import MeasuredCell, Reported
from leadline.report.series import SeriesStyle, curve_title, series_of
from leadline.report.text.phrases import MISSING, measured_time
from leadline.units import format_size

SHADES = (1.02, 1.1, 1.25, 1.5, 2.0, 4.0)
"""Times that of the fastest: between which two of these a time lies shades its cell."""

_Places = Mapping[CurveKey, Mapping[int, Mapping[str, MeasuredCell]]]
"""By curve, size and series."""


@dataclass(frozen=True, slots=True)
class _Ahead:
    """Who is ahead in one run."""

    tied: Mapping[tuple[CurveKey, int], Sequence[str]]
    """The series that tie, the one with the shortest time first; by curve and size."""
    decided: Set[tuple[CurveKey, int]]
    """Where it is shown who is the fastest, one or several alike."""
    words: Mapping[CurveKey, Mapping[int | None, Markup]]
    """By curve and size."""


def heat_map(reported: Reported) -> Markup:
    """A table of all curves, a row a size."""
    series = list(series_of(reported.runs).values())
    ahead = {
        i: _ahead(reported, i) for i, one in enumerate(reported.measured) if one.standings.curves
    }
    names = (
        ["ahead"] if len(ahead) == 1 else [f"ahead in {run_names(reported.runs)[i]}" for i in ahead]
    )
    head = [element("th", "size", scope="col"), *map(_name, series)]
    head += [element("th", name, scope="col") for name in names]
    places, keys = _by_place(reported), reported.keys
    body = [
        element(
            "tbody",
            *_rows(title, key, series, places, list(ahead.values())),
            data_curve=printable(title),
        )
        for key in keys
        if (title := curve_title(key, keys))
    ]
    table = element("table", element("thead", element("tr", *head)), *body, class_="heat selects")
    return scrolling(table, "Times by library", "scroll tall")


def _by_place(reported: Reported) -> _Places:
    found: dict[CurveKey, dict[int, dict[str, MeasuredCell]]] = {}
    for cell in reported.cells:
        sizes = found.setdefault(cell.summary.curve, {})
        sizes.setdefault(cell.summary.size_bytes, {})[cell.name] = cell
    return found


def _ahead(reported: Reported, run: int) -> _Ahead:
    curves = reported.measured[run].standings.curves
    tied = {
        (one.curve, front.size_bytes): [reported.name(label, run) for label in front.tied]
        for one in curves
        for front in one.fronts
    }
    decided = {
        (one.curve, front.size_bytes) for one in curves for front in one.fronts if front.decided
    }
    return _Ahead(tied, decided, {one.curve: fronts(reported, run, one) for one in curves})


def _name(series: SeriesStyle) -> Markup:
    mark = element("i", series.glyph, class_=series.style)
    return element("th", mark, f" {series.name}", scope="col")


def _rows(
    title: str,
    key: CurveKey,
    series: Sequence[SeriesStyle],
    places: _Places,
    ahead: Sequence[_Ahead],
) -> Iterator[Markup]:
    """The curve's name, and a row for each of its sizes."""
    link = element("a", title, href="#curves")
    columns = str(1 + len(series) + len(ahead))
    yield element("tr", element("th", link, scope="row", colspan=columns))
    for size_bytes, cells in sorted(places[key].items()):
        size = format_size(size_bytes) if any(places[key]) else MISSING
        leading = [one.tied[key, size_bytes] for one in ahead if (key, size_bytes) in one.tied]
        decided = [one.tied[key, size_bytes] for one in ahead if (key, size_bytes) in one.decided]
        yield element(
            "tr",
            element("th", size, scope="row"),
            *(_time(cells, one, leading, decided) for one in series),
            *(one.words.get(key, {}).get(size_bytes, NOTHING) for one in ahead),
            data_size=str(size_bytes),
        )


def _time(
    cells: Mapping[str, MeasuredCell],
    series: SeriesStyle,
    leading: Sequence[Sequence[str]],
    decided: Sequence[Sequence[str]],
) -> Markup:
    """A time, shaded where its library competes, and bold where it is shown to be the fastest.

    `leading`: in each run those that tie; `decided`: those of them that are shown to be as fast.
    """
    cell = cells.get(series.name)
    if cell is None:
        return NOTHING
    text = measured_time(cell.summary)
    mine = [tied for tied in leading if cells[tied[0]].run == cell.run]
    if not mine or not series.competes:
        return element("td", text)
    slower = cell.summary.median_s / cells[mine[0][0]].summary.median_s
    shade = f"heat{bisect_right(SHADES, slower)}"
    ahead = series.name in mine[0] and any(tied == mine[0] for tied in decided)
    return element("td", text, class_=f"{shade} tied" if ahead else shade)
