"""What the page's charts draw: which rows of the columns each has, and what it is called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from leadline.backends.kinds import title_of
from leadline.compare.baselines import BaselineContrast
from leadline.compare.curves import Comparison
from leadline.compare.summaries import SHARES
from leadline.compare.taxes import Tax
from leadline.errors import printable
from leadline.models.forms import is_power_of_two
from leadline.record.curve import CurveKey
from leadline.record.run import Origin
from leadline.report.page.columns import (
    FITTED_UNIT,
    UNIT,
    Json,
    form_columns,
    ratio_columns,
    rounded,
    time_columns,
)
from leadline.report.page.form_charts import form_charts
from leadline.report.page.reported import MeasuredCell, Reported
from leadline.report.series import curve_title, series_of
from leadline.report.text.sentences import cost
from leadline.report.text.sweeps import sweeps
from leadline.units import format_size

Indexed = Sequence[tuple[int, MeasuredCell]]
"""Cells with their rows in the columns of times."""


def charts(reported: Reported) -> Json:
    """All charts; a series is referred to by its name, a missing number is None."""
    series = series_of(reported.runs).values()
    cells = list(enumerate(reported.cells))
    return {
        "threshold": reported.threshold,
        "shares": SHARES,
        "unit": UNIT,
        "fitted_unit": FITTED_UNIT,
        "series": [asdict(one) | {"name": printable(one.name)} for one in series],
        "times": time_columns(reported),
        "ratios": ratio_columns(reported),
        "fitted": form_columns(reported),
        "compared": reported.compared_once,
        "curves": list(_curves(reported, cells)),
        "forms": list(form_charts(reported)),
        "sweeps": list(_sweeps(reported, cells)),
        "taxes": list(_taxes(reported)),
    }


def sections_of(document: Json) -> Iterator[str]:
    """The parts of the page for which the document has charts."""
    yield "curves"
    if document["forms"]:
        yield "forms"
    if document["sweeps"]:
        yield "ranks"
    if any(document["times"]["samples"]):
        yield "distributions"
    if document["taxes"]:
        yield "tax"


# -- against the size ------------------------------------------------------------------------------


def _curves(reported: Reported, cells: Indexed) -> Iterator[Json]:
    lines = _time_lines(cells)
    ratios = _ratio_lines(reported)
    keys, compared = reported.keys, reported.comparisons
    for key in keys:
        yield {
            "title": printable(curve_title(key, keys)),
            "lines": _lines(lines[key]),
            "ratios": [
                {"to": printable(to), "how": _how(paired, found, compared), "lines": _lines(found)}
                for (to, paired), found in ratios.get(key, {}).items()
            ],
        }


def _how(
    paired: bool,
    rows_by_series: Mapping[str, Sequence[int]],
    compared: Sequence[tuple[BaselineContrast, Comparison]],
) -> str:
    """How measured sides were compared; "" where none were."""
    rows = (compared[index][1] for rows in rows_by_series.values() for index in rows)
    if not any(set(row.origins) == {Origin.MEASURED} for row in rows):
        return ""
    return ", paired, block by block" if paired else ", of two runs, unpaired"


def _lines(rows_by_series: Mapping[str, Sequence[int]]) -> list[Json]:
    return [{"series": printable(name), "rows": rows} for name, rows in rows_by_series.items()]


def _time_lines(cells: Indexed) -> dict[CurveKey, dict[str, list[int]]]:
    """The rows of each curve's series, by size."""
    found: dict[CurveKey, dict[str, list[int]]] = {}
    for index, cell in sorted(cells, key=lambda one: (one[1].run, one[1].summary.size_bytes)):
        found.setdefault(cell.summary.curve, {}).setdefault(cell.name, []).append(index)
    return found


def _ratio_lines(
    reported: Reported,
) -> dict[CurveKey, dict[tuple[str, bool], dict[str, list[int]]]]:
    """Likewise for each baseline; all later runs share that of the first run."""
    found: dict[CurveKey, dict[tuple[str, bool], dict[str, list[int]]]] = {}
    for index, (contrast, row) in enumerate(reported.comparisons):
        to = reported.name_in(contrast.baseline, contrast)
        place = (to if contrast.paired else f"the same in {to}", contrast.paired)
        lines = found.setdefault(row.curve, {}).setdefault(place, {})
        rows = lines.setdefault(reported.name_in(row.candidate, contrast), [])
        if row.ratio is not None:
            rows.append(index)
    return found


# -- ranks and taxes -------------------------------------------------------------------------------


def _sweeps(reported: Reported, cells: Indexed) -> Iterator[Json]:
    rows = {id(cell.summary): (index, cell) for index, cell in cells}
    found: dict[tuple[str, int, str], list[tuple[int, MeasuredCell]]] = {}
    for one in reported.measured:
        for key, measured in sweeps(one.rows).items():
            found.setdefault(key, []).extend(rows[id(row)] for row in measured)
    for (pattern, size_bytes, buffers), members in found.items():
        size = f", {format_size(size_bytes)}" if size_bytes else ""
        yield {
            "title": printable(f"{pattern}{size}, {buffers} buffers"),
            "lines": [
                line
                for name in dict.fromkeys(cell.name for _, cell in members)
                for line in _sweep_lines(name, [one for one in members if one[1].name == name])
            ],
        }


def _sweep_lines(name: str, members: Indexed) -> Iterator[Json]:
    """Powers of two are one line, other numbers another."""
    members = sorted(members, key=lambda one: one[1].summary.ranks)
    for powers in (True, False):
        rows = [i for i, cell in members if is_power_of_two(cell.summary.ranks) == powers]
        if rows:
            yield {"series": printable(name), "powers": powers, "rows": rows}


def _taxes(reported: Reported) -> Iterator[Json]:
    """A chart for each raw transport of each run."""
    for i, one in enumerate(reported.measured):
        groups: dict[str, list[Tax]] = {}
        for tax in one.standings.taxes:
            groups.setdefault(tax.raw, []).append(tax)
        for raw, taxes in groups.items():
            yield {
                "title": f"over {title_of(raw)}",
                "rows": [_tax(tax, printable(reported.name(tax.variant, i))) for tax in taxes],
            }


def _tax(tax: Tax, name: str) -> Json:
    size = f" at {format_size(tax.size_bytes)}" if tax.size_bytes else ""
    return {
        "series": name,
        "group": printable(f"{tax.pattern}{size}, {tax.ranks} ranks"),
        "y": rounded(tax.effect.known),
        "low": rounded(tax.effect.low),
        "high": rounded(tax.effect.high),
        "text": cost(tax.effect),
    }
