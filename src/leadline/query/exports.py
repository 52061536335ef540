"""Rows of block medians in the formats of other programs: CSV, JSON and Extra-P's JSON Lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
Place = tuple[int, ...]
"""The values of Extra-P's parameters."""

EXTRAP_PARAMETERS = {"ranks": "ranks", "bytes": "size_bytes"}
"""Extra-P's name of each, and the column that holds it."""


def csv_text(columns: Iterable[str], rows: Iterable[Row]) -> str:
    """A line of names, then a line a row; truth as true and false."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _lower(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def json_text(rows: Sequence[Row]) -> str:
    """A list of objects."""
    return json.dumps(list(rows), indent=1, allow_nan=False) + "\n"


def extrap_parameters(rows: Sequence[Row]) -> Mapping[str, str]:
    """Those of EXTRAP_PARAMETERS that take more than one positive value in `rows`.

    Extra-P wants five values of every parameter that it is given, so a constant isn't one; a run
    at one point has the bytes.
    """
    varying = {
        name: column
        for name, column in EXTRAP_PARAMETERS.items()
        if len({row[column] for row in rows if row[column] > 0}) > 1
    }
    return varying or {"bytes": EXTRAP_PARAMETERS["bytes"]}


def extrap_points(rows: Sequence[Row]) -> Mapping[str, Mapping[Place, list[float]]]:
    """The medians of each pattern under each variant, by the place where they were measured.

    Extra-P takes logarithms, so no parameter may be 0, and wants the same places everywhere: a
    pattern without size, and sizes that another pattern lacks, are left out.
    """
    columns = extrap_parameters(rows).values()
    curves: dict[str, dict[Place, list[float]]] = {}
    for row in rows:
        place = tuple(row[column] for column in columns)
        if min(place) > 0:
            curve = curves.setdefault(f"{row['variant']}->{row['pattern']}", {})
            curve.setdefault(place, []).append(row["median_s"])
    common = set.intersection(*map(set, curves.values())) if curves else set()
    return {
        path: {place: seconds for place, seconds in curve.items() if place in common}
        for path, curve in curves.items()
    }


def extrap_text(rows: Sequence[Row]) -> str:
    """One JSON object for each point of each pattern under each variant; blocks are repetitions.

    Source: the JSON Lines format of Extra-P 4.2, docs/file-formats.md in its repository.
    """
    parameters = extrap_parameters(rows)
    return "".join(
        json.dumps(
            {
                "params": dict(zip(parameters, place, strict=True)),
                "callpath": path,
                "metric": "time",
                "value": seconds,
            }
        )
        + "\n"
        for path, curve in extrap_points(rows).items()
        for place, seconds in curve.items()
    )


def _lower(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value
