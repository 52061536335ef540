"""Extra-P's older JSON: call paths, metrics, parameters and points have numbers.

Source: the older of the two forms in docs/file-formats.md of Extra-P 4.2. Each repetition is a
measurement of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from leadline.record.foreign.extrap import Point, check_parameters
from leadline.record.foreign.located import Located
from leadline.record.foreign.table import ForeignError

_Numbered = Mapping[float, Located]
"""By their "id"."""


def is_numbered(content: Located) -> bool:
    """Whether `content` is of the older form."""
    return "callpaths" in content.members("the whole")


def numbered_points(content: Located) -> list[Point]:
    """The measurements in `content`; ForeignError for a number that nothing has."""
    paths, metrics, parameters, points = (
        _numbered(content, what) for what in ("callpaths", "metrics", "parameters", "coordinates")
    )
    check_parameters([_name(one) for one in parameters.values()], content.line)
    found = []
    for one in content.member("measurements", "the whole").items("measurements"):
        at = _places(_chosen(one, "coordinate_id", points), parameters)
        path = _name(_chosen(one, "callpath_id", paths))
        metric = _name(_chosen(one, "metric_id", metrics))
        value = one.member("value", "a measurement").amount("value")
        found.append(Point(one.line, path, metric, at, (value,)))
    return found


def _numbered(content: Located, what: str) -> _Numbered:
    """The list `what`."""
    listed = content.member(what, "the whole").items(what)
    return {one.member("id", what).amount("id"): one for one in listed}


def _places(point: Located, parameters: _Numbered) -> dict[str, float]:
    """The value of each parameter."""
    pairs = point.member("parameter_value_pairs", "a point")
    return {
        _name(_chosen(one, "parameter_id", parameters)): one.member(
            "parameter_value", "a pair"
        ).amount("parameter_value")
        for one in pairs.items("parameter_value_pairs")
    }


def _name(one: Located) -> str:
    return one.member("name", "what has a number").text("name")


def _chosen(one: Located, member: str, numbered: _Numbered) -> Located:
    """That of `numbered` whose number `one` gives."""
    given = one.member(member, "a measurement or pair").amount(member)
    if given not in numbered:
        raise ForeignError(one.line, f"{member} {given:g} is the id of nothing in the file")
    return numbered[given]
