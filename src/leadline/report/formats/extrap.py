"""Extra-P's formats: block medians by the point at which they were measured.

Source: Extra-P 4.2, docs/file-formats.md in its repository. Extra-P takes logarithms, so no
parameter may be 0, and it needs the same points for every call path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from leadline.errors import printable
from leadline.report.formats.json_text import json_text

Coordinate = tuple[int, ...]
"""The values of Extra-P's parameters at one point."""

EXTRAP_PARAMETERS = {"ranks": "ranks", "bytes": "size_bytes"}
"""Extra-P's name of each parameter, and the column that holds its values."""
METRIC = "time"
"""The name of the metric, whose values are in seconds."""
FEWEST = 5
"""Fewest values of a parameter from which Extra-P makes a model, not a constant."""

_Row = Mapping[str, Any]
_Curve = Mapping[Coordinate, Sequence[float]]


@dataclass(frozen=True, slots=True)
class ExtrapCurves:
    """The data that Extra-P fits its models to."""

    parameters: tuple[str, ...]
    """Names from EXTRAP_PARAMETERS; at least one."""
    curves: Mapping[str, _Curve]
    """Block medians in seconds by call path and coordinate; all curves have the same ones."""
    constants: Mapping[str, Mapping[str, int]]
    """The values of what is no parameter by call path; Extra-P ignores them."""

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The coordinates that all curves share, in ascending order."""
        return tuple(sorted(next(iter(self.curves.values()), {})))

    @property
    def values_of_parameters(self) -> Mapping[str, int]:
        """The number of distinct values of each parameter."""
        columns = zip(*self.coordinates, strict=True)
        return {name: len({*one}) for name, one in zip(self.parameters, columns, strict=True)}

    @property
    def values(self) -> int:
        """The number of medians in all curves."""
        return sum(len(seconds) for curve in self.curves.values() for seconds in curve.values())


def extrap_curves(rows: Sequence[_Row]) -> ExtrapCurves:
    """The medians of each pattern under each variant, by the coordinate where they were measured.

    Parameters are what takes more than one positive value in `rows`, since Extra-P needs FEWEST
    values of each; a run at a single point has the bytes alone. A pattern without size is left out,
    and so are sizes that another pattern lacks. A curve that wasn't measured and lacks a point of
    those that were is left out rather than the point. Where the size is no parameter, each curve
    keeps its largest size only.

    Args:
        rows: Rows of the table of blocks: variant, pattern, origin, ranks, size_bytes, median_s.
    """
    parameters = tuple(
        name
        for name, column in EXTRAP_PARAMETERS.items()
        if len({row[column] for row in rows if row[column] > 0}) > 1
    ) or ("bytes",)
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


def _largest_sizes(rows: Sequence[_Row]) -> Sequence[_Row]:
    """The rows of each curve's largest size; 0 bytes aren't repetitions of another size."""
    largest: dict[str, int] = {}
    for row in rows:
        largest[_path(row)] = max(row["size_bytes"], largest.get(_path(row), 0))
    return [row for row in rows if row["size_bytes"] == largest[_path(row)]]


def _path(row: _Row) -> str:
    return f"{row['variant']}->{row['pattern']}"


def extrap_text(curves: ExtrapCurves) -> str:
    """Extra-P's text format: a section for each call path, with a line of blocks for each point."""
    lines = [f"PARAMETER {name}" for name in curves.parameters]
    points = (f"({' '.join(map(str, coordinate))})" for coordinate in curves.coordinates)
    lines += [f"POINTS {' '.join(points)}", "", f"METRIC {METRIC}"]
    for path, curve in curves.curves.items():
        lines += ["", f"REGION {printable(path, '')}"]
        lines += [f"# constant {name} {value}" for name, value in curves.constants[path].items()]
        for seconds in curve.values():
            # the grammar has no exponents; repr keeps all digits
            plain = [format(Decimal(repr(median_s)), "f") for median_s in seconds]
            lines.append(f"DATA {' '.join(plain)}")
    return "\n".join(lines) + "\n"


def extrap_json(curves: ExtrapCurves) -> str:
    """Extra-P's JSON: one object with a list of points for each call path and metric."""
    measurements = {
        path: {METRIC: [{"point": at, "values": seconds} for at, seconds in curve.items()]}
        for path, curve in curves.curves.items()
    }
    content = {
        "parameters": curves.parameters,
        "measurements": measurements,
        "constants": curves.constants,
    }
    return json_text(content, indent=1) + "\n"


def extrap_lines(curves: ExtrapCurves) -> str:
    """Extra-P's JSON Lines: an object for each point of each call path; blocks are repetitions."""
    return "".join(
        json_text(
            {
                "params": dict(zip(curves.parameters, coordinate, strict=True)),
                "callpath": path,
                "metric": METRIC,
                "value": seconds,
                "constants": curves.constants[path],
            },
            indent=None,
        )
        + "\n"
        for path, curve in curves.curves.items()
        for coordinate, seconds in curve.items()
    )
