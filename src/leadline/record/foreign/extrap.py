"""What Extra-P reads, as tables of times: its text format, its JSON and its JSON Lines.

Extra-P takes any parameter and any metric. Here a parameter is a number of ranks or a size in
bytes, by its name, and a metric that is a time counts in seconds. The last part of a call path
serves as the pattern; what stands before it names the variant. Repetitions are no blocks, which
are alternated and come from several launches each: their median is taken.

All formats are read into Points, and these into tables. A constant, as `leadline export` writes it
into each format, is a parameter of a call path with one value. Source of the formats:
docs/file-formats.md of Extra-P 4.2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import median_high, median_low

from leadline.record.foreign.located import Located, located
from leadline.record.foreign.table import (
    MOST_BYTES,
    MOST_RANKS,
    ForeignError,
    PrintedRow,
    PrintedTable,
    duration,
    name,
    number,
)
from leadline.record.terms import WhoseTime

RANKS = ("ranks", "p", "np", "nprocs", "processes")
SIZES = ("bytes", "size", "size_bytes", "m")
TIMES = ("time", "runtime", "seconds", "", "<default>")
"""Names of metrics that are taken for a time; the last two: the metric isn't named."""


@dataclass(frozen=True, slots=True)
class Point:
    """The repetitions of one metric of one call path at one set of parameter values."""

    line: int
    path: str
    """Parts with "->" between them; "": not named."""
    metric: str
    """"": not named."""
    parameters: Mapping[str, float]
    values: tuple[float, ...]
    """At least one."""


def check_parameters(names: Sequence[str], line: int) -> None:
    """ForeignError on `line` unless `names` are a number of ranks, a size, or one of each."""
    for parameter in names:
        if parameter.lower() not in RANKS + SIZES:
            raise ForeignError(
                line, f"parameter {parameter[:40]!r} is neither a number of ranks "
                f"({', '.join(RANKS)}) nor a size in bytes ({', '.join(SIZES)}); rename it, or "
                "leave it out where it is constant"
            )  # fmt: skip
    for kind, known in (("numbers of ranks", RANKS), ("sizes", SIZES)):
        both = [parameter for parameter in names if parameter.lower() in known]
        if len(both) > 1:
            raise ForeignError(line, f"{' and '.join(map(repr, both))} are both {kind}")


def tables_of(points: Sequence[Point], end: int) -> tuple[PrintedTable, ...]:
    """A table for each call path and number of ranks; ForeignError where no metric is a time.

    `end` is the last line of the text.
    """
    if not points:
        raise ForeignError(end, "the text ends without a value")
    others = tuple(sorted({point.metric for point in points if point.metric.lower() not in TIMES}))
    timed = [point for point in points if point.metric.lower() in TIMES]
    if not timed:
        raise ForeignError(
            points[0].line, f"none of the metrics is a time: {', '.join(others)[:60]!r}; a time in "
            f"seconds is called {', '.join(filter(str.isalpha, TIMES))}"
        )  # fmt: skip
    named = sorted({point.metric for point in timed})
    if len(named) > 1:
        raise ForeignError(timed[0].line, f"{' and '.join(map(repr, named))} are both times")
    cells: dict[tuple[str, int | None], dict[int, list[Point]]] = {}
    for one in timed:
        for value in one.values:
            duration(value, one.line)
        ranks = _whole(one, RANKS, "number of ranks", 1, MOST_RANKS)
        size = _whole(one, SIZES, "size", 0, MOST_BYTES) or 0
        cells.setdefault((one.path, ranks), {}).setdefault(size, []).append(one)
    return tuple(_table(path, ranks, cells[path, ranks], others) for path, ranks in cells)


def _whole(point: Point, names: Sequence[str], what: str, least: int, most: int) -> int | None:
    """The parameter of `point` that is one of `names`; None: it has none of them."""
    value = next((v for one, v in point.parameters.items() if one.lower() in names), None)
    if value is None:
        return None
    if not least <= value <= most or value != int(value):
        raise ForeignError(
            point.line, f"{value!r} is no {what}: whole numbers from {least} to {most:,} are"
        )
    return int(value)


def _table(
    path: str, ranks: int | None, cells: Mapping[int, Sequence[Point]], others: tuple[str, ...]
) -> PrintedTable:
    """The table of one call path on so many ranks, of whose points `cells` has those of each size.

    A value is the median of its repetitions; of an even number of these the geometric mean of the
    middle two, as the median of blocks is.
    """
    variant, _, pattern = path.rpartition("->")
    rows, repetitions = [], 0
    for size in sorted(cells):
        values = [value for point in cells[size] for value in point.values]
        low, high = median_low(values), median_high(values)
        median = low if low == high else sqrt(low) * sqrt(high)
        rows.append(PrintedRow(cells[size][0].line, size, median))
        repetitions = max(repetitions, len(values))
    return PrintedTable(
        benchmark=re.sub(r"[^\w:.=-]+", "_", pattern, flags=re.ASCII).strip("_") or "extrap",
        line=next(iter(cells.values()))[0].line,
        ranks=ranks,
        whose_time=WhoseTime.UNSTATED,
        rows=tuple(rows),
        variant=variant or None,
        repetitions=repetitions,
        other_metrics=others,
    )


# -- the text format -------------------------------------------------------------------------------
# Sections of one line each, their name first: PARAMETER names; POINTS coordinates in brackets;
# METRIC and REGION (the call path) say what the lines of DATA are of, one for each point in order.
# A comment "# constant NAME VALUE" is a constant of its region.

_SECTION = re.compile(r"(PARAMETER|POINTS|METRIC|REGION|DATA)(?:\s+(.*))?$")
_CONSTANT = re.compile(r"#\s*constant\s+(\w+)\s+(\S+)\s*$")
_COORDINATE = re.compile(r"[()]|[^\s()]+")


def recognises_text(lines: Sequence[str]) -> bool:
    """Whether some line is a section PARAMETER."""
    return any(re.match(r"PARAMETER\s", line) for line in lines)


def parse_text(lines: Sequence[str]) -> tuple[PrintedTable, ...]:
    """The tables in `lines`; ForeignError for a line that is no section, and missing DATA."""
    reader = _TextReader()
    for line, text in enumerate(lines, 1):
        reader.take(line, text)
    reader.close(max(len(lines), 1))
    return tables_of(reader.found, len(lines))


class _TextReader:
    """Goes through the sections and keeps which point the next line of DATA is of."""

    def __init__(self) -> None:
        self.found: list[Point] = []
        self.names: list[str] = []
        self.points: list[tuple[float, ...]] = []
        self.metric = self.path = ""
        self.constants: dict[str, float] = {}
        self.taken = 0
        """DATA lines since METRIC or REGION."""
        self.awaited = ""
        """The METRIC or REGION that no DATA line has followed yet."""

    def take(self, line: int, text: str) -> None:
        """Takes in one line of the text."""
        constant = _CONSTANT.match(text)
        if constant:
            check_parameters([*self.names, *self.constants, constant[1]], line)
            self.constants[constant[1]] = number(constant[2], line)
        if not text.strip() or text.startswith("#"):
            return
        section = _SECTION.match(text.rstrip())
        if section is None:
            raise ForeignError(line, f"{text[:60]!r} is no section of Extra-P's text format")
        kind, value = section[1], section[2] or ""
        if not value:
            raise ForeignError(line, f"{kind} has nothing after it: cut short?")
        match kind:
            case "PARAMETER":
                self.names += value.split()
                check_parameters(self.names, line)
                if self.points:
                    raise ForeignError(
                        line, "PARAMETER stands behind POINTS, which it should precede"
                    )
            case "POINTS":
                self._coordinates(line, value)
            case "DATA":
                self._data(line, value.split())
            case _:  # METRIC or REGION: DATA lines begin with the first point again
                self._check_whole(line)
                if kind == "METRIC":
                    self.metric = name(value, line)
                else:
                    self.path, self.constants = name(value, line), {}
                self.taken, self.awaited = 0, f"{kind} {value[:40]}"

    def close(self, line: int) -> None:
        """ForeignError unless the points of the last region all have their DATA."""
        self._check_whole(line)
        if self.awaited:
            raise ForeignError(line, f"the text breaks off here: {self.awaited} has no DATA")

    def _coordinates(self, line: int, text: str) -> None:
        if not self.names:
            raise ForeignError(line, "POINTS stands before PARAMETER, which it should follow")
        for words in _in_brackets(text, line):
            if len(words) != len(self.names):
                raise ForeignError(
                    line, f"point {' '.join(words)[:40]!r} has {len(words)} numbers, PARAMETER "
                    f"names {len(self.names)}"
                )  # fmt: skip
            self.points.append(tuple(number(word, line) for word in words))

    def _data(self, line: int, words: Sequence[str]) -> None:
        if self.taken >= len(self.points):
            raise ForeignError(line, f"one DATA line more than there are POINTS: {self.taken}")
        values = tuple(number(word, line) for word in words)
        parameters = dict(zip(self.names, self.points[self.taken], strict=True)) | self.constants
        self.found.append(Point(line, self.path, self.metric, parameters, values))
        self.taken, self.awaited = self.taken + 1, ""

    def _check_whole(self, line: int) -> None:
        if self.taken not in (0, len(self.points)):
            raise ForeignError(
                line, f"{self.taken} DATA lines end here, there are {len(self.points)} POINTS"
            )  # fmt: skip


def _in_brackets(text: str, line: int) -> list[list[str]]:
    """The words of each point in "(2 8) (2 16)"; one outside of brackets is a point by itself."""
    found: list[list[str]] = []
    depth = 0
    for word in _COORDINATE.findall(text):
        if word == ")":
            depth -= 1
        elif depth == 0:
            found.append([] if word == "(" else [word])
        elif word != "(":
            found[-1].append(word)
        depth += word == "("
        if depth < 0:
            break
    if depth != 0:
        raise ForeignError(line, "a bracket lacks its other: cut short?")
    return found


# -- JSON, its newer form: parameters, then measurements by call path and metric -------------------
# A member "constants" has the constants by call path.

_MEMBERS = ('"parameters"', '"measurements"')


def recognises_json(lines: Sequence[str]) -> bool:
    """Whether the text begins an object and contains the name of a member that it has to have."""
    first = next((line.lstrip() for line in lines if line.strip()), "")
    return first.startswith("{") and any(mark in line for line in lines for mark in _MEMBERS)


def parse_json(lines: Sequence[str]) -> tuple[PrintedTable, ...]:
    """The tables in `lines`; ForeignError names the line of a value of another kind."""
    content = located("\n".join(lines))
    is_older = "callpaths" in content.members("the whole")
    points = _numbered_points(content) if is_older else _points(content)
    return tables_of(points, len(lines))


def _points(content: Located) -> list[Point]:
    listed = content.member("parameters", "the whole")
    names = [one.text("a parameter") for one in listed.items("parameters")]
    check_parameters(names, listed.line)
    constants = content.members("the whole").get("constants", Located(content.line, {}))
    found: list[Point] = []
    paths = content.member("measurements", "the whole").members("measurements")
    for path, metrics in paths.items():
        beside = constants.members("constants").get(path, Located(content.line, {}))
        fixed = _constants_of(beside, names)
        for metric, points in metrics.members(path).items():
            for one in points.items(f"{path}: {metric}"):
                at = one.member("point", "a measurement").amounts("point")
                if len(at) != len(names):
                    raise ForeignError(
                        one.line, f"point {at} has {len(at)} numbers, there are {len(names)} "
                        "parameters"
                    )  # fmt: skip
                values = one.member("values", "a measurement").amounts("values")
                parameters = {**dict(zip(names, at, strict=True)), **fixed}
                found.append(Point(one.line, path, metric, parameters, values))
    return found


def _constants_of(beside: Located, names: Sequence[str]) -> Mapping[str, float]:
    """The constants in an object; ForeignError where one of them is among the parameters too."""
    found = beside.members("constants")
    check_parameters([*names, *found], beside.line)
    return {constant: one.amount(constant) for constant, one in found.items()}


# -- JSON, its older form: call paths, metrics, parameters and points have numbers -----------------
# Each repetition is a measurement of its own.

_Numbered = Mapping[float, Located]
"""Objects by their "id"."""


def _numbered_points(content: Located) -> list[Point]:
    """The measurements in `content`; ForeignError for a number that is no object's id."""
    paths, metrics, parameters, points = (
        {one.member("id", what).amount("id"): one for one in _listed(content, what)}
        for what in ("callpaths", "metrics", "parameters", "coordinates")
    )
    check_parameters([_name(parameter) for parameter in parameters.values()], content.line)
    found = []
    for one in _listed(content, "measurements"):
        point = _chosen(one, "coordinate_id", points)
        pairs = point.member("parameter_value_pairs", "a point").items("parameter_value_pairs")
        at = {
            _name(_chosen(pair, "parameter_id", parameters)): pair.member(
                "parameter_value", "a pair"
            ).amount("parameter_value")
            for pair in pairs
        }
        path = _name(_chosen(one, "callpath_id", paths))
        metric = _name(_chosen(one, "metric_id", metrics))
        value = one.member("value", "a measurement").amount("value")
        found.append(Point(one.line, path, metric, at, (value,)))
    return found


def _listed(content: Located, what: str) -> Sequence[Located]:
    return content.member(what, "the whole").items(what)


def _name(one: Located) -> str:
    return one.member("name", "what has a number").text("name")


def _chosen(one: Located, member: str, numbered: _Numbered) -> Located:
    """The object among `numbered` whose id is the `member` of `one`."""
    given = one.member(member, "a measurement or pair").amount(member)
    if given not in numbered:
        raise ForeignError(one.line, f"{member} {given:g} is the id of nothing in the file")
    return numbered[given]


# -- JSON Lines: an object for each measurement, or for all of one point ---------------------------
# Members are "params", "value" (a number or a list), and if they are named "callpath" and "metric".
# A member "constants" has the constants.


def recognises_lines(lines: Sequence[str]) -> bool:
    """Whether the first line that isn't empty begins an object that has parameters."""
    first = next((line.lstrip() for line in lines if line.strip()), "")
    return first.startswith("{") and '"params"' in first and '"measurements"' not in first


def parse_lines(lines: Sequence[str]) -> tuple[PrintedTable, ...]:
    """The tables in `lines`; ForeignError names the line that isn't such an object."""
    points: list[Point] = []
    for line, text in enumerate(lines, 1):
        if text.strip():
            points.append(_point_of_line(located(text, line)))
            if points[-1].parameters.keys() != points[0].parameters.keys():
                wanted, seen = (", ".join(point.parameters) for point in (points[0], points[-1]))
                raise ForeignError(line, f"has parameters {seen}; the first line has {wanted}")
    return tables_of(points, len(lines))


def _point_of_line(one: Located) -> Point:
    listed = one.member("params", "a line")
    names = [*listed.members("params")]
    check_parameters(names, listed.line)
    at = {
        parameter: value.amount(parameter) for parameter, value in listed.members("params").items()
    }
    fixed = _constants_of(one.members("a line").get("constants", Located(one.line, {})), names)
    path, metric = (
        one.members("a line").get(member, Located(one.line, "")).text(member)
        for member in ("callpath", "metric")
    )
    value = one.member("value", "a line")
    several = isinstance(value.value, list)
    values = value.amounts("value") if several else (value.amount("value"),)
    return Point(one.line, path, metric, {**at, **fixed}, values)
