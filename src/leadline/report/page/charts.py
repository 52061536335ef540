"""What the page's charts draw, as one JSON document: numbers for places, words for read-outs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from leadline.backends.kinds import title_of
from leadline.compare.baselines import BaselineContrast
from leadline.compare.curves import Comparison, Curve
from leadline.compare.distributions import SHARES, Distribution
from leadline.compare.summaries import Summary
from leadline.compare.taxes import Tax
from leadline.record.curve import CurveKey
from leadline.report.document import printable
from leadline.report.formats.json_text import json_text
from leadline.report.page.reported import Reported
from leadline.report.series import curve_title, series_of
from leadline.report.text.compared import judged
from leadline.report.text.phrases import measured_time
from leadline.report.text.sentences import cost
from leadline.report.text.sweeps import Key, is_crowded, is_power_of_two, sweeps
from leadline.units import format_bandwidth, format_size

Json = dict[str, Any]


def charts_json(reported: Reported) -> str:
    """The document as JSON that is safe within a script element: no markup, nothing but ASCII."""
    text = json_text(charts(reported), indent=None, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def charts(reported: Reported) -> Json:
    """All charts; a series is referred to by its name, a missing number is None."""
    keys = reported.keys
    return {
        "threshold": reported.threshold,
        "shares": SHARES,
        "series": [
            asdict(one) | {"name": printable(one.name)} for one in series_of(reported.runs).values()
        ],
        "curves": [_curve(reported, key, keys) for key in keys],
        "sweeps": list(_sweeps(reported)),
        "taxes": list(_taxes(reported)),
    }


# -- against the size ------------------------------------------------------------------------------


def _curve(reported: Reported, key: CurveKey, keys: Sequence[CurveKey]) -> Json:
    return {
        "title": printable(curve_title(key, keys)),
        "lines": [
            {"series": name, "points": [_time_point(row) for row in rows]}
            for name, rows in _rows_by_series(reported, key).items()
        ],
        "ratios": list(_ratios(reported, key)),
        "cells": list(_cells(reported, key)),
    }


def _rows_by_series(reported: Reported, key: CurveKey) -> dict[str, list[Summary]]:
    found: dict[str, list[Summary]] = {}
    for i, one in enumerate(reported.measured):
        for row in sorted(one.rows, key=lambda row: row.size_bytes):
            if row.curve == key:
                found.setdefault(printable(reported.name(row.variant, i)), []).append(row)
    return found


def _time_point(row: Summary) -> Json:
    rate = row.size_bytes / row.median_s
    return {
        "x": row.size_bytes,
        "y": _rounded(row.median_s),
        "low": _rounded(row.low_s),
        "high": _rounded(row.high_s),
        "text": measured_time(row),
        "rate": format_bandwidth(rate) if row.size_bytes else None,
        "hollow": is_crowded(row),
    }


def _ratios(reported: Reported, key: CurveKey) -> Iterator[Json]:
    """One chart for each baseline; all later runs share that of the first run."""
    lines: dict[tuple[str, bool], list[Json]] = {}
    for held in reported.contrasts.by_baseline:
        to = reported.held_name(held.baseline, held)
        for curve in held.result.curves:
            if curve.whole.curve == key:
                place = (to if held.paired else f"the same in {to}", held.paired)
                lines.setdefault(place, []).append(_ratio_line(reported, held, curve))
    for (to, paired), found in lines.items():
        yield {"to": printable(to), "paired": paired, "lines": found}


def _ratio_line(reported: Reported, held: BaselineContrast, curve: Curve) -> Json:
    return {
        "series": printable(reported.held_name(curve.whole.candidate, held)),
        "points": [_ratio_point(row) for row in curve.cells if row.ratio is not None],
        "whole": judged(curve.whole),
    }


def _ratio_point(row: Comparison) -> Json:
    return {
        "x": row.size_bytes,
        "y": _rounded(row.ratio),
        "low": _rounded(row.low),
        "high": _rounded(row.high),
        "text": judged(row),
        "hollow": row.verdict == "undecided",
    }


# -- distributions ---------------------------------------------------------------------------------


def _cells(reported: Reported, key: CurveKey) -> Iterator[Json]:
    """The distributions at each size."""
    sizes: dict[int, list[Json]] = {}
    for i, (measured, found) in enumerate(
        zip(reported.measured, reported.distributions, strict=True)
    ):
        rows = {(r.variant, r.size_bytes): r for r in measured.rows if r.curve == key}
        for one in found:
            cell = measured.run.cells[one.cell]
            configuration = measured.run.configurations[one.configuration]
            place = CurveKey.of(cell, configuration)
            row = rows.get((configuration.variant, cell.size_bytes))
            if place == key and row is not None:
                name = printable(reported.name(configuration.variant, i))
                sizes.setdefault(cell.size_bytes, []).append(_distribution(name, one, row))
    for size_bytes in sorted(sizes):
        yield {"size": format_size(size_bytes), "sides": sizes[size_bytes]}


def _distribution(name: str, one: Distribution, row: Summary) -> Json:
    return {
        "series": name,
        "samples": f"{one.samples:,}",
        "quantiles_ns": list(map(_nanoseconds, one.quantiles_s)),
        "blocks_ns": list(map(_nanoseconds, one.blocks_s)),
        "y": _rounded(row.median_s),
        "low": _rounded(row.low_s),
        "high": _rounded(row.high_s),
        "text": measured_time(row),
    }


# -- ranks and taxes -------------------------------------------------------------------------------


def _sweeps(reported: Reported) -> Iterator[Json]:
    found: dict[Key, list[tuple[str, Summary]]] = {}
    for i, one in enumerate(reported.measured):
        for key, rows in sweeps(one.rows).items():
            found.setdefault(key, []).extend((reported.name(r.variant, i), r) for r in rows)
    for (pattern, size_bytes, buffers), named in found.items():
        size = f", {format_size(size_bytes)}" if size_bytes else ""
        yield {
            "title": printable(f"{pattern}{size}, {buffers} buffers"),
            "lines": [
                line
                for name in dict.fromkeys(name for name, _ in named)
                for line in _sweep_lines(name, [row for one, row in named if one == name])
            ],
        }


def _sweep_lines(name: str, rows: Sequence[Summary]) -> Iterator[Json]:
    """Powers of two are one line, other numbers another."""
    for powers in (True, False):
        chosen = [row for row in rows if is_power_of_two(row.ranks) == powers]
        if chosen:
            chosen.sort(key=lambda row: row.ranks)
            points = [_time_point(row) | {"x": row.ranks} for row in chosen]
            yield {"series": printable(name), "powers": powers, "points": points}


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
        "y": _rounded(tax.effect.known),
        "low": _rounded(tax.effect.low),
        "high": _rounded(tax.effect.high),
        "text": cost(tax.effect),
    }


def _nanoseconds(seconds: float) -> float:
    """With four digits, and no power of ten to spell out: most of the document are these."""
    rounded = float(f"{seconds * 1e9:.4g}")
    return int(rounded) if rounded.is_integer() else rounded


def _rounded(value: float | None) -> float | None:
    """As many digits as a chart can show."""
    return None if value is None else float(f"{value:.6g}")
