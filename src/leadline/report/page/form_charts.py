"""What the charts of closed forms draw: which points, and what was fitted to them.

A form is referred to by the first of its rows in the columns of what was fitted, and their end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline.errors import printable
from leadline.models.model import Breakpoint
from leadline.models.sampling import FittedCurve, FittedSweep, SweepKind
from leadline.record.curve import CurveKey
from leadline.report.page.columns import Json
from leadline.report.page.reported import Reported
from leadline.report.series import curve_title, sweep_title
from leadline.report.text.closed_forms import breakpoint_words

_MeasuredAt = dict[tuple[str, CurveKey], dict[int, int]]
"""By series and curve the rows of what was measured, by size."""


def form_charts(reported: Reported) -> Iterator[Json]:
    """A chart for each curve that anything was fitted to, and for each size against ranks."""
    rows: _MeasuredAt = {}
    for index, cell in enumerate(reported.cells):
        by_size = rows.setdefault((cell.name, cell.summary.curve), {})
        by_size[cell.summary.size_bytes] = index
    ends = _ends([*reported.fitted, *reported.fitted_sweeps])
    curves = list(zip(reported.fitted, ends, strict=False))
    yield from _against_size(reported, rows, curves)
    sweeps = list(zip(reported.fitted_sweeps, ends[len(curves) :], strict=True))
    yield from _against_ranks(rows, sweeps)


def _ends(fitted: Sequence[tuple[str, FittedCurve | FittedSweep]]) -> list[int]:
    """Of the rows of each."""
    ends: list[int] = []
    for _, one in fitted:
        ends.append((ends[-1] if ends else 0) + len(one.times))
    return ends


def _against_size(
    reported: Reported,
    rows: _MeasuredAt,
    fitted: Sequence[tuple[tuple[str, FittedCurve], int]],
) -> Iterator[Json]:
    """Of each curve the lines of all that were measured on it."""
    forms = {
        (name, one.curve): _form(one, end) | {"breaks": list(map(_break, one.breakpoints))}
        for (name, one), end in fitted
    }
    keys = reported.keys
    for key in dict.fromkeys(curve for _, curve in forms):
        lines = [
            {"series": printable(name), "rows": [by_size[size] for size in sorted(by_size)]}
            | ({"form": forms[name, curve]} if (name, curve) in forms else {})
            for (name, curve), by_size in rows.items()
            if curve == key
        ]
        yield {"title": printable(curve_title(key, keys)), "x": "size", "lines": lines}


def _against_ranks(
    rows: _MeasuredAt, fitted: Sequence[tuple[tuple[str, FittedSweep], int]]
) -> Iterator[Json]:
    """Of each pattern and size the lines of all that were fitted over ranks."""
    charts: dict[SweepKind, list[Json]] = {}
    kinds = {one.kind for (_, one), _ in fitted}
    for (name, one), end in fitted:
        found = [rows[name, key].get(one.size_bytes) for key in one.measured]
        line = {
            "series": printable(name),
            "powers": one.powers,
            "rows": [row for row in found if row is not None],
            "form": _form(one, end) | {"breaks": []},
        }
        charts.setdefault(one.kind, []).append(line)
    for kind, lines in charts.items():
        title = printable(f"{sweep_title(kind, kinds)} against ranks")
        yield {"title": title, "x": "ranks", "lines": lines}


def _form(one: FittedCurve | FittedSweep, end: int) -> Json:
    return {"rows": [end - len(one.times), end]}


def _break(one: Breakpoint) -> Json:
    return {
        "x": round(one.bytes.value),
        "low": one.bytes.low,
        "high": one.bytes.high,
        "kind": one.kind.name.lower(),
        "text": breakpoint_words(one),
    }
