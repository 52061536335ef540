"""What the page's charts draw: the rows of the columns that each has, and its names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from leadline.backends.kinds import title_of
from leadline.compare.summaries import SHARES
from leadline.errors import printable
from leadline.models.sampling import SweepKind
from leadline.patterns.powers_of_two import is_power_of_two
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
from leadline.report.page.reported import MeasuredCell, Reported
from leadline.report.series import curve_title, series_of, sweep_title
from leadline.report.text.closed_forms import breakpoint_words
from leadline.report.text.sentences import cost
from leadline.report.text.sweeps import sweeps
from leadline.units import format_size

Indexed = Sequence[tuple[int, MeasuredCell]]
"""Cells with the indices of their rows in the columns of times."""


def charts(reported: Reported) -> Json:
    """All charts, which refer to series by name; a missing number is None."""
    series = series_of(reported.runs).values()
    cells = list(enumerate(reported.cells))
    return {
        "threshold": reported.threshold,
        "shares": SHARES,
        "unit": UNIT,
        "fitted_unit": FITTED_UNIT,
        "series": [asdict(style) | {"name": printable(style.name)} for style in series],
        "times": time_columns(reported),
        "ratios": ratio_columns(reported),
        "fitted": form_columns(reported),
        "compared": reported.compared_once,
        "curves": list(_curves(reported, cells)),
        "forms": list(_forms(reported, cells)),
        "sweeps": list(_sweeps(reported, cells)),
        "overheads": list(_overheads(reported)),
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
    if document["overheads"]:
        yield "overhead"


def _curves(reported: Reported, cells: Indexed) -> Iterator[Json]:
    """A chart for each curve: times against size, and ratios to each baseline.

    All later runs share the baseline of the first run.
    """
    times: dict[CurveKey, dict[str, list[int]]] = {}
    for index, cell in sorted(cells, key=lambda one: (one[1].run, one[1].summary.size_bytes)):
        times.setdefault(cell.summary.curve, {}).setdefault(cell.name, []).append(index)
    compared = reported.comparisons
    ratios: dict[CurveKey, dict[tuple[str, bool], dict[str, list[int]]]] = {}
    for index, (contrast, row) in enumerate(compared):
        to = reported.name_in(contrast.baseline, contrast)
        place = (to if contrast.paired else f"the same in {to}", contrast.paired)
        lines = ratios.setdefault(row.curve, {}).setdefault(place, {})
        rows = lines.setdefault(reported.name_in(row.candidate, contrast), [])
        if row.ratio is not None:
            rows.append(index)
    keys = reported.keys
    for key in keys:
        against = []
        for (to, paired), lines in ratios.get(key, {}).items():
            origins = [set(compared[index][1].origins) for rows in lines.values() for index in rows]
            how = ""
            if {Origin.MEASURED} in origins:
                how = ", paired, block by block" if paired else ", of two runs, unpaired"
            against.append({"to": printable(to), "how": how, "lines": _lines(lines)})
        title = printable(curve_title(key, keys))
        yield {"title": title, "lines": _lines(times[key]), "ratios": against}


def _lines(rows_by_series: Mapping[str, Sequence[int]]) -> list[Json]:
    return [{"series": printable(name), "rows": rows} for name, rows in rows_by_series.items()]


def _forms(reported: Reported, cells: Indexed) -> Iterator[Json]:
    """A chart for each curve that anything was fitted to, then one for each size against ranks.

    A form refers to its first row in the columns of what was fitted, and to the one past its last.
    """
    measured: dict[tuple[str, CurveKey], dict[int, int]] = {}
    for index, cell in cells:
        by_size = measured.setdefault((cell.name, cell.summary.curve), {})
        by_size[cell.summary.size_bytes] = index

    end = 0
    forms: dict[tuple[str, CurveKey], Json] = {}
    for name, one in reported.fitted:
        begin, end = end, end + len(one.times)
        breaks = [
            {
                "x": round(breakpoint.bytes.value),
                "low": breakpoint.bytes.low,
                "high": breakpoint.bytes.high,
                "kind": breakpoint.kind.name.lower(),
                "text": breakpoint_words(breakpoint),
            }
            for breakpoint in one.breakpoints
        ]
        forms[name, one.curve] = {"rows": [begin, end], "breaks": breaks}
    keys = reported.keys
    for key in dict.fromkeys(curve for _, curve in forms):
        lines = [
            {"series": printable(name), "rows": [by_size[size] for size in sorted(by_size)]}
            | ({"form": forms[name, curve]} if (name, curve) in forms else {})
            for (name, curve), by_size in measured.items()
            if curve == key
        ]
        yield {"title": printable(curve_title(key, keys)), "x": "size", "lines": lines}

    against_ranks: dict[SweepKind, list[Json]] = {}
    for name, sweep in reported.fitted_sweeps:
        begin, end = end, end + len(sweep.times)
        rows = [measured[name, key].get(sweep.size_bytes) for key in sweep.measured]
        line = {
            "series": printable(name),
            "powers": sweep.powers,
            "rows": [row for row in rows if row is not None],
            "form": {"rows": [begin, end], "breaks": []},
        }
        against_ranks.setdefault(sweep.kind, []).append(line)
    for kind, lines in against_ranks.items():
        title = printable(f"{sweep_title(kind, against_ranks)} against ranks")
        yield {"title": title, "x": "ranks", "lines": lines}


def _sweeps(reported: Reported, cells: Indexed) -> Iterator[Json]:
    """A chart of times against ranks for each pattern, size and buffers.

    In each series powers of two are one line, other numbers of ranks another.
    """
    rows = {id(cell.summary): (index, cell) for index, cell in cells}
    found: dict[tuple[str, int, str], list[tuple[int, MeasuredCell]]] = {}
    for one in reported.measured:
        for key, measured in sweeps(one.rows).items():
            found.setdefault(key, []).extend(rows[id(row)] for row in measured)
    for (pattern, size_bytes, buffers), members in found.items():
        names = dict.fromkeys(cell.name for _, cell in members)
        members.sort(key=lambda member: member[1].summary.ranks)
        lines = []
        for name in names:
            for powers in (True, False):
                chosen = [
                    index
                    for index, cell in members
                    if cell.name == name and is_power_of_two(cell.summary.ranks) == powers
                ]
                if chosen:
                    lines.append({"series": printable(name), "powers": powers, "rows": chosen})
        size = f", {format_size(size_bytes)}" if size_bytes else ""
        yield {"title": printable(f"{pattern}{size}, {buffers} buffers"), "lines": lines}


def _overheads(reported: Reported) -> Iterator[Json]:
    """A chart for each raw transport of each run: what libraries cost over it."""
    for i, measured in enumerate(reported.measured):
        by_raw: dict[str, list[Json]] = {}
        for overhead in measured.rankings.overheads:
            size = f" at {format_size(overhead.size_bytes)}" if overhead.size_bytes else ""
            row = {
                "series": printable(reported.name(overhead.variant, i)),
                "group": printable(f"{overhead.pattern}{size}, {overhead.ranks} ranks"),
                "y": rounded(overhead.effect.known),
                "low": rounded(overhead.effect.low),
                "high": rounded(overhead.effect.high),
                "text": cost(overhead.effect),
            }
            by_raw.setdefault(overhead.raw, []).append(row)
        for raw, rows in by_raw.items():
            yield {"title": f"over {title_of(raw)}", "rows": rows}
