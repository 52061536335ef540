"""Extra-P's JSON: parameters, then measurements by call path and metric.

Source: the newer of its two forms in docs/file-formats.md of Extra-P 4.2; extrap_numbered.py reads
the older one. A member "constants", as `leadline export` writes it, has parameters by call path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from leadline.record.foreign.extrap import Point, check_parameters, tables_of
from leadline.record.foreign.extrap_numbered import is_numbered, numbered_points
from leadline.record.foreign.located import Located, located
from leadline.record.foreign.table import ForeignError, PrintedTable

_MARKS = ('"parameters"', '"measurements"')


def recognises(lines: Sequence[str]) -> bool:
    """Whether the text begins an object and one of its words is a member that it has to have."""
    first = next((line.lstrip() for line in lines if line.strip()), "")
    return first.startswith("{") and any(mark in line for line in lines for mark in _MARKS)


def parse(lines: Sequence[str]) -> tuple[PrintedTable, ...]:
    """The tables in `lines`; ForeignError names the line of a value of another kind."""
    content = located("\n".join(lines))
    points = numbered_points(content) if is_numbered(content) else _points(content)
    return tables_of(points, len(lines))


def _points(content: Located) -> list[Point]:
    listed = content.member("parameters", "the whole")
    names = [one.text("a parameter") for one in listed.items("parameters")]
    check_parameters(names, listed.line)
    constants = content.members("the whole").get("constants", Located(content.line, {}))
    found: list[Point] = []
    for path, metrics in (
        content.member("measurements", "the whole").members("measurements").items()
    ):
        beside = constants.members("constants").get(path, Located(content.line, {}))
        fixed = constants_of(beside, names)
        for metric, points in metrics.members(path).items():
            found += [
                _point(one, path, metric, names, fixed) for one in points.items(f"{path}: {metric}")
            ]
    return found


def constants_of(beside: Located, names: Sequence[str]) -> Mapping[str, float]:
    """The parameters in an object "constants", which aren't among `names`."""
    found = beside.members("constants")
    check_parameters([*names, *found], beside.line)
    return {name: one.amount(name) for name, one in found.items()}


def _point(
    one: Located, path: str, metric: str, names: Sequence[str], fixed: Mapping[str, float]
) -> Point:
    at = one.member("point", "a measurement").amounts("point")
    if len(at) != len(names):
        raise ForeignError(
            one.line, f"point {at} has {len(at)} numbers, there are {len(names)} parameters"
        )  # fmt: skip
    values = one.member("values", "a measurement").amounts("values")
    return Point(one.line, path, metric, {**dict(zip(names, at, strict=True)), **fixed}, values)
