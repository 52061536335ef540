"""The numbers of the page's charts, each once and column by column, which compresses best.

Charts refer to rows by their index. Only scripts draw charts, so these numbers may be compressed;
what is read without a script is text (`tables`).
"""

from __future__ import annotations

import base64
import gzip
import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any

from leadline.compare.verdict import Verdict
from leadline.models.sampling import FittedCurve, FittedSweep
from leadline.report.formats.json_text import json_text
from leadline.report.page.reported import Reported
from leadline.report.series import time_drawn
from leadline.report.text.comparison import judged
from leadline.report.text.phrases import measured_time
from leadline.report.text.sweeps import is_crowded
from leadline.statistics.estimate import Estimate
from leadline.units import format_bandwidth

Json = dict[str, Any]

UNIT = 1e-5
"""Differences from an estimate are integer multiples of this share of it."""
FITTED_UNIT, FITTED_DIGITS = 1e-3, 4
"""The same, and significant digits, for a curve that is drawn and read, not compared."""
NO_DISTRIBUTION: Json = {"samples": None, "quantiles": None, "medians": None}


def packed(document: Json) -> str:
    """`document` as JSON, compressed (gzip) and written in base64: ASCII without markup."""
    text = json_text(document, indent=None, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def rounded(value: float | None, digits: int = 6) -> float | None:
    """`value` with as many significant digits as a chart can show."""
    return None if value is None else float(f"{value:.{digits}g}")


def time_columns(reported: Reported) -> Json:
    """A row for each of `reported.cells`."""
    rows = []
    for cell in reported.cells:
        summary, distribution = cell.summary, cell.distribution
        rate = summary.size_bytes / summary.median_s
        row = {
            "size": summary.size_bytes,
            "ranks": summary.ranks,
            **_estimate(time_drawn(summary)),
            "text": measured_time(summary),
            "rate": format_bandwidth(rate) if summary.size_bytes else None,
            "hollow": is_crowded(summary),
            **NO_DISTRIBUTION,
        }
        if distribution is not None:
            row["samples"] = distribution.samples
            row["quantiles"] = _quantiles(distribution.quantiles_s)
            row["medians"] = [_difference(s, summary.median_s) for s in distribution.blocks_s]
        rows.append(row)
    return _transposed(rows)


def ratio_columns(reported: Reported) -> Json:
    """A row for each of `reported.comparisons`."""
    return _transposed(
        {
            "size": row.size_bytes,
            **_estimate(row.effect),
            "text": judged(row, reported.threshold),
            "hollow": row.verdict is Verdict.UNDECIDED,
        }
        for _, row in reported.comparisons
    )


def form_columns(reported: Reported) -> Json:
    """A row for each point of each curve of `reported.fitted`, then of each of its sweeps.

    It has the predicted time, and the form's own value where that differs.
    """
    curves = (row for _, curve in reported.fitted for row in _points(curve))
    sweeps = (row for _, sweep in reported.fitted_sweeps for row in _points(sweep))
    return _transposed(chain(curves, sweeps))


def _points(sweep: FittedCurve | FittedSweep) -> Iterator[Json]:
    count = len(sweep.times)
    sizes = sweep.sizes_bytes if isinstance(sweep, FittedCurve) else [sweep.size_bytes] * count
    numbers = sweep.ranks if isinstance(sweep, FittedSweep) else [sweep.ranks] * count
    for size_bytes, ranks, time, form_s in zip(
        sizes, numbers, sweep.times, sweep.form_s, strict=True
    ):
        place = {"size": size_bytes, "ranks": ranks}
        form = rounded(form_s, FITTED_DIGITS)
        found = _estimate(time, FITTED_UNIT, FITTED_DIGITS)
        yield {**place, **found, "form": None if form == found["y"] else form}


def _transposed(rows: Iterable[Json]) -> Json:
    columns: Json = {}
    for row in rows:
        for name, value in row.items():
            columns.setdefault(name, []).append(value)
    return columns


def _estimate(estimate: Estimate, unit: float = UNIT, digits: int = 6) -> Json:
    """A value, and how far its interval reaches below and above it, in units."""
    value, low, high = estimate.known, estimate.low, estimate.high
    if value is None or low is None or high is None:
        return {"y": rounded(value, digits), "below": None, "above": None}
    below, above = -_difference(low, value, unit), _difference(high, value, unit)
    return {"y": rounded(value, digits), "below": below, "above": above}


def _difference(value: float, estimate: float, unit: float = UNIT) -> int:
    """How far `value` is above `estimate`, in multiples of a share `unit` of it."""
    return round((value / estimate - 1) / unit)


def _quantiles(seconds: Sequence[float]) -> list[int]:
    """Quantiles with four digits: a power of ten in ns, the least in units of it, and each step."""
    digits = [float(f"{one * 1e9:.4g}") for one in seconds]
    least = next((digit for digit in digits if digit > 0), 1.0)
    power = math.floor(math.log10(least)) - 3
    whole = [round(digit / 10.0**power) for digit in digits]
    return [power, whole[0], *(after - before for before, after in pairwise(whole))]
