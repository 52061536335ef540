"""Extra-P's formats: the medians of blocks by the point where they were measured.

Source: Extra-P 4.2, docs/file-formats.md in its repository. It takes logarithms, so no parameter
may be 0, and wants the same points of every call path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from leadline.errors import printable
from leadline.report.formats.json_text import json_text

Coordinate = tuple[int, ...]
"""The values of Extra-P's parameters."""

EXTRAP_PARAMETERS = {"ranks": "ranks", "bytes": "size_bytes"}
"""Extra-P's name of each, and the column that holds it."""
METRIC = "time"
"""In seconds."""
FEWEST = 5
"""Values of a parameter: of fewer Extra-P makes no model, but a constant."""

_Row = Mapping[str, Any]
_Curve = Mapping[Coordinate, Sequence[float]]


@dataclass(frozen=True, slots=True)
class ExtrapCurves:
    """What Extra-P is to model."""

    parameters: tuple[str, ...]
    """Of EXTRAP_PARAMETERS; at least one."""
    curves: Mapping[str, _Curve]
    """The medians of blocks in seconds, by call path and coordinate: the same ones everywhere."""
    constants: Mapping[str, Mapping[str, int]]
    """By call path the values of what is no parameter, which Extra-P passes over."""

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Of every curve, rising."""
        return tuple(sorted(next(iter(self.curves.values()), {})))

    @property
    def values_of_parameters(self) -> Mapping[str, int]:
        """How many different ones each parameter has."""
        columns = zip(*self.coordinates, strict=True)
        return {name: len({*one}) for name, one in zip(self.parameters, columns, strict=True)}

    @property
    def values(self) -> int:
        """How many medians there are."""
        return sum(len(seconds) for curve in self.curves.values() for seconds in curve.values())


def extrap_curves(rows: Sequence[_Row]) -> ExtrapCurves:
    """The medians of each pattern under each variant, by the coordinate where they were measured.

    A pattern without size, and sizes that another pattern lacks, are left out. So is what wasn't
    measured and lacks a point that was, rather than the point. Where the size is no parameter, of
    each curve its largest alone is taken.
    """
    parameters = _varying(rows)
    if "bytes" not in parameters:
        rows = _largest_sizes(rows)
    constant = {name: at for name, at in EXTRAP_PARAMETERS.items() if name not in parameters}
    curves: dict[str, dict[Coordinate, list[float]]] = {}
    measured: dict[str, bool] = {}
    constants: dict[str, dict[str, int]] = {}
    for row in rows:
        coordinate = tuple(row[EXTRAP_PARAMETERS[name]] for name in parameters)
        if min(coordinate) > 0:
            path = _path(row)
            curves.setdefault(path, {}).setdefault(coordinate, []).append(row["median_s"])
            measured[path] = row["origin"] == "measured"
            constants[path] = {name: row[column] for name, column in constant.items()}
    wanted = [curves[path] for path in curves if measured[path]] or list(curves.values())
    common = set.intersection(*map(set, wanted)) if wanted else set()
    kept = {
        path: {coordinate: curve[coordinate] for coordinate in sorted(common)}
        for path, curve in curves.items()
        if common and common <= curve.keys()
    }
    return ExtrapCurves(parameters, kept, {path: constants[path] for path in kept})


def _varying(rows: Sequence[_Row]) -> tuple[str, ...]:
    """Those of EXTRAP_PARAMETERS that take more than one positive value in `rows`.

    Extra-P wants FEWEST values of every parameter that it is given, so a constant isn't one; a run
    at one point has the bytes.
    """
    varying = tuple(
        name
        for name, column in EXTRAP_PARAMETERS.items()
        if len({row[column] for row in rows if row[column] > 0}) > 1
    )
    return varying or ("bytes",)


def _largest_sizes(rows: Sequence[_Row]) -> Sequence[_Row]:
    """Of each curve those of one size: 0 bytes aren't repetitions of another size."""
    largest: dict[str, int] = {}
    for row in rows:
        largest[_path(row)] = max(row["size_bytes"], largest.get(_path(row), 0))
    return [row for row in rows if row["size_bytes"] == largest[_path(row)]]


def _path(row: _Row) -> str:
    return f"{row['variant']}->{row['pattern']}"


def extrap_text(found: ExtrapCurves) -> str:
    """A section for each call path, in which a line holds the blocks of one point."""
    lines = [f"PARAMETER {name}" for name in found.parameters]
    points = (f"({' '.join(map(str, coordinate))})" for coordinate in found.coordinates)
    lines += [f"POINTS {' '.join(points)}", "", f"METRIC {METRIC}"]
    for path, curve in found.curves.items():
        lines += ["", f"REGION {printable(path, '')}"]
        lines += [f"# constant {name} {value}" for name, value in found.constants[path].items()]
        lines += [f"DATA {' '.join(map(_plain, seconds))}" for seconds in curve.values()]
    return "\n".join(lines) + "\n"


def _plain(seconds: float) -> str:
    """All digits of `seconds` without an exponent, which the format's grammar hasn't."""
    return format(Decimal(repr(seconds)), "f")


def extrap_json(found: ExtrapCurves) -> str:
    """One JSON object; a list of points for each call path and metric."""
    measurements = {
        path: {METRIC: [{"point": at, "values": seconds} for at, seconds in curve.items()]}
        for path, curve in found.curves.items()
    }
    content = {
        "parameters": found.parameters,
        "measurements": measurements,
        "constants": found.constants,
    }
    return json_text(content, indent=1) + "\n"


def extrap_lines(found: ExtrapCurves) -> str:
    """JSON Lines: an object for each point of each call path; blocks are repetitions."""
    return "".join(
        json_text(
            {
                "params": dict(zip(found.parameters, coordinate, strict=True)),
                "callpath": path,
                "metric": METRIC,
                "value": seconds,
                "constants": found.constants[path],
            },
            indent=None,
        )
        + "\n"
        for path, curve in found.curves.items()
        for coordinate, seconds in curve.items()
    )
