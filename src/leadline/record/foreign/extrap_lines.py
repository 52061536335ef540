"""Extra-P's JSON Lines: an object for each measurement, or for all of one point.

Members are "params", "value" (a number or a list), and if they are named "callpath" and "metric".
Source: docs/file-formats.md of Extra-P 4.2. A member "constants", as `leadline export` writes it,
has further parameters.
"""

from __future__ import annotations

from collections.abc import Sequence

from leadline.record.foreign.extrap import Point, check_parameters, tables_of
from leadline.record.foreign.extrap_json import constants_of
from leadline.record.foreign.located import Located, located
from leadline.record.foreign.table import ForeignError, PrintedTable


def recognises(lines: Sequence[str]) -> bool:
    """Whether the first line that isn't empty begins an object which says its parameters."""
    first = next((line.lstrip() for line in lines if line.strip()), "")
    return first.startswith("{") and '"params"' in first and '"measurements"' not in first


def parse(lines: Sequence[str]) -> tuple[PrintedTable, ...]:
    """The tables in `lines`; ForeignError names the line that isn't such an object."""
    found: list[Point] = []
    for line, text in enumerate(lines, 1):
        if text.strip():
            found.append(_point(located(text, line)))
            if found[-1].parameters.keys() != found[0].parameters.keys():
                wanted, seen = (", ".join(one.parameters) for one in (found[0], found[-1]))
                raise ForeignError(line, f"has parameters {seen}; the first line has {wanted}")
    return tables_of(found, len(lines))


def _point(one: Located) -> Point:
    listed = one.member("params", "a line")
    names = [*listed.members("params")]
    check_parameters(names, listed.line)
    at = {name: value.amount(name) for name, value in listed.members("params").items()}
    fixed = constants_of(one.members("a line").get("constants", Located(one.line, {})), names)
    path, metric = (
        one.members("a line").get(name, Located(one.line, "")).text(name)
        for name in ("callpath", "metric")
    )
    value = one.member("value", "a line")
    several = isinstance(value.value, list)
    values = value.amounts("value") if several else (value.amount("value"),)
    return Point(one.line, path, metric, {**at, **fixed}, values)
