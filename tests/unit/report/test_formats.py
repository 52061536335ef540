"""Formats know nothing of what they print, and nothing else writes JSON or CSV."""

from __future__ import annotations

import ast
import json
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import leadline
from leadline.record.run import Cadence
from leadline.report.formats.csv_text import csv_text
from leadline.report.formats.json_text import json_text, numbers
from leadline.report.records import Records, json_value, records_of

PACKAGE = Path(leadline.__file__).parent
FORMATS = PACKAGE / "report" / "formats"
WRITERS = {
    FORMATS / "json_text.py",
    FORMATS / "csv_text.py",
    PACKAGE / "store" / "lines.py",  # the journal's lines, with their checksums
    PACKAGE / "backends" / "discovery" / "probe.py",  # what it remembers of a library
    PACKAGE / "hosts" / "emulated" / "cluster.py",  # which hosts are up
    PACKAGE / "hosts" / "cleanup" / "notes.py",  # what a front-end has started
    PACKAGE / "query" / "database.py",  # hands rows to DuckDB, which reads JSON
    PACKAGE / "simulate" / "machine_files.py",  # TOML's strings are quoted as JSON's
}
READS = {"json": {"loads", "load", "JSONDecodeError"}, "csv": {"DictReader"}}


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    where: dict[str, int]


# -- the only writers ------------------------------------------------------------------------------


def writes(source: str) -> bool:
    """Whether a module takes anything from orjson, or from json, msgspec or csv what writes."""
    return any(map(_takes_a_writer, ast.walk(ast.parse(source))))


def _takes_a_writer(node: ast.AST) -> bool:
    match node:
        case ast.Import(names):
            return not {alias.name for alias in names}.isdisjoint(("csv", "orjson"))
        case ast.ImportFrom("json" | "csv" as module, names):
            return not {alias.name for alias in names} <= READS[module]
        case ast.Attribute(ast.Name("json"), name):
            return name not in READS["json"]
        case ast.Attribute(ast.Attribute(ast.Name("msgspec"), "json"), name):
            return name != "decode"
    return isinstance(node, ast.ImportFrom) and node.module == "orjson"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import json\nprint(json.dumps({}))", True),
        ("from json import dumps", True),
        ("def f():\n    import csv", True),
        ("from csv import writer", True),
        ("from csv import DictReader, DictWriter", True),
        ("from csv import DictReader", False),
        ("def f():\n    import orjson", True),
        ("from orjson import dumps", True),
        ("import json\njson.JSONEncoder", True),
        ("import json\njson.loads('{}')", False),
        ("import msgspec\nmsgspec.json.encode({})", True),
        ("import msgspec\nmsgspec.json.decode('{}')", False),
        ("from leadline.report.formats.json_text import json_text", False),
    ],
)
def test_planted_writer_is_found(source: str, found: bool) -> None:
    assert writes(source) == found


def test_only_the_formats_write_json_and_csv() -> None:
    assert {path for path in PACKAGE.rglob("*.py") if writes(path.read_text())} == WRITERS


def test_formats_import_nothing_but_what_a_report_consists_of() -> None:
    report = (f"leadline.report.{name}" for name in ("formats", "document", "records"))
    allowed = ("leadline.errors", *report)
    for path in FORMATS.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("leadline"):
                assert str(node.module).startswith(allowed), path


# -- JSON ------------------------------------------------------------------------------------------


def test_json_has_dataclasses_as_objects_and_words_as_text() -> None:
    assert json_text([Point(1, {"a": 2}), Cadence.STREAMING], indent=None) == (
        '[{"x": 1, "where": {"a": 2}}, "streaming"]'
    )


@pytest.mark.parametrize(
    "slots",
    [[], [0], [2**31 - 1, 0], [9, 10, 99, 100, 10**9 - 1, 10**9], list(range(1000))[::-7]],
)
def test_json_has_an_array_of_numbers_as_their_list(slots: list[int]) -> None:
    array = np.array(slots, dtype=np.int64)
    assert json.loads(json_text(numbers(array))) == slots
    assert json.loads(json_text(numbers(array[::-2]))) == slots[::-2]


def test_json_has_each_array_in_its_place() -> None:
    one, two = (numbers(np.array(values)) for values in ([1, 2], [3]))
    content = {"a": 1, "b": one, "c": {"d": [two, "e"]}}
    assert json_text(content, indent=None) == '{"a": 1, "b": [1,2], "c": {"d": [[3], "e"]}}'


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_json_refuses_a_number_that_it_lacks(value: float) -> None:
    assert json_text({"value": 1.0})
    with pytest.raises(ValueError, match=r"\bJSON\b"):
        json_text({"value": value})


def test_json_refuses_a_value_that_it_lacks() -> None:
    with pytest.raises(TypeError, match=r"\{1, 2\}.*\bset\b"):
        json_text({"value": {1, 2}})


def test_a_database_s_value_becomes_one_of_json_s() -> None:
    assert json_value({1: [math.inf, (1.5, None)]}) == {"1": [None, [1.5, None]]}


# -- CSV -------------------------------------------------------------------------------------------


def test_csv_has_columns_rows_and_comments_of_one_line() -> None:
    records = records_of(("a", "b"), [{"a": "x,y"}, {"b": [1, 2]}], ["two\nlines \x1b"])
    assert csv_text(records) == 'a,b\n"x,y",\n,"[1, 2]"\n# two lines \\x1b'


def test_csv_may_have_a_column_twice() -> None:
    assert csv_text(Records(("a", "a"), [(1, 2)])) == "a,a\n1,2"
