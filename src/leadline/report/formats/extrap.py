"""Extra-P's JSON Lines: the medians of blocks by the point where they were measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from leadline.report.formats.json_text import json_text

Coordinate = tuple[int, ...]
"""The values of Extra-P's parameters."""

EXTRAP_PARAMETERS = {"ranks": "ranks", "bytes": "size_bytes"}
"""Extra-P's name of each, and the column that holds it."""


def extrap_parameters(rows: Sequence[Mapping[str, Any]]) -> Mapping[str, str]:
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


def extrap_points(
    rows: Sequence[Mapping[str, Any]],
) -> Mapping[str, Mapping[Coordinate, list[float]]]:
    """The medians of each pattern under each variant, by the coordinate where they were measured.

    Extra-P takes logarithms, so no parameter may be 0, and wants the same coordinates everywhere: a
    pattern without size, and sizes that another pattern lacks, are left out. So is what wasn't
    measured and lacks a point that was, rather than the point.
    """
    columns = extrap_parameters(rows).values()
    curves: dict[str, dict[Coordinate, list[float]]] = {}
    measured: dict[str, bool] = {}
    for row in rows:
        coordinate = tuple(row[column] for column in columns)
        if min(coordinate) > 0:
            path = f"{row['variant']}->{row['pattern']}"
            curves.setdefault(path, {}).setdefault(coordinate, []).append(row["median_s"])
            measured[path] = row["origin"] == "measured"
    wanted = [curves[path] for path in curves if measured[path]] or list(curves.values())
    common = set.intersection(*map(set, wanted)) if wanted else set()
    return {
        path: {coordinate: seconds for coordinate, seconds in curve.items() if coordinate in common}
        for path, curve in curves.items()
        if common <= curve.keys()
    }


def extrap_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """One JSON object for each point of each pattern under each variant; blocks are repetitions.

    Source: the JSON Lines format of Extra-P 4.2, docs/file-formats.md in its repository.
    """
    parameters = extrap_parameters(rows)
    return "".join(
        json_text(
            {
                "params": dict(zip(parameters, coordinate, strict=True)),
                "callpath": path,
                "metric": "time",
                "value": seconds,
            },
            indent=None,
        )
        + "\n"
        for path, curve in extrap_points(rows).items()
        for coordinate, seconds in curve.items()
    )
