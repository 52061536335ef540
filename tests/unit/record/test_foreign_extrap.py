"""Extra-P's three formats: the same times of each, and a clear error for whatever else."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from harness.places import DATA
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.errors import RecordError
from leadline.record.foreign import PrintedTable, read_tables
from leadline.record.foreign.located import located
from leadline.record.foreign.table import ForeignError
from leadline.record.run import WhoseTime

SAMPLES = {
    name: (DATA / "imports" / name).read_text()
    for name in (
        "extrap-text.txt", "extrap-json.json", "extrap-json-numbered.json", "extrap-lines.jsonl"
    )
}  # fmt: skip
TEXT, JSON, NUMBERED, LINES = SAMPLES.values()
ONE_LINE = '{"params": {"p": 2, "m": 8}, "value": 1e-6}\n'
WRONG: tuple[Any, ...] = (
    None, True, -1, 0.5, 1e999, 10**400, "text", "", [], {}, [[]], [None], ["8"], {"a": 1}, "NaN",
)  # fmt: skip
ERRANT_WORDS = (
    "",
    "x",
    "-1",
    "nan",
    "inf",
    "1e999",
    "(",
    ")",
    "((",
    "()",
    "#",
    "1.5",
    "DATA",
    "\0",
)


def tables(text: str) -> tuple[PrintedTable, ...]:
    return read_tables(text, "file")[1]


def values(text: str) -> dict[tuple[str, int | None], dict[int, float]]:
    return {
        (table.benchmark, table.ranks): {row.size_bytes: row.seconds for row in table.rows}
        for table in tables(text)
    }


def problem(text: str) -> RecordError:
    with pytest.raises(RecordError) as raised:
        read_tables(text, "file")
    assert raised.value.line is not None
    return raised.value


@pytest.mark.parametrize("name", SAMPLES)
def test_format_is_told_by_the_content(name: str) -> None:
    form = name.partition(".")[0].removesuffix("-lines").removesuffix("-numbered")
    assert read_tables(SAMPLES[name], "file")[0] == form


@pytest.mark.parametrize("name", SAMPLES)
def test_each_point_has_the_median_of_its_repetitions(name: str) -> None:
    assert values(SAMPLES[name]) == {
        ("bcast", 2): {8: 2e-6, 1024: 5e-6},
        ("bcast", 4): {8: 3e-6, 1024: pytest.approx((7.5 * 8.5) ** 0.5 * 1e-6)},
        ("allreduce:max", 2): {8: 2.5e-6, 1024: 6.5e-6},
        ("allreduce:max", 4): {8: 4.5e-6, 1024: 9.5e-6},
    }


@pytest.mark.parametrize("name", SAMPLES)
def test_what_the_file_says_besides_is_kept_with_the_tables(name: str) -> None:
    found = tables(SAMPLES[name])
    assert {table.variant for table in found} == {"main"}
    assert {table.whose_time for table in found} == {WhoseTime.UNSTATED}
    assert [table.repetitions for table in found] == [3, 2, 1, 1]
    assert {table.other_metrics for table in found} == {("visits",)}


def test_rows_name_the_line_of_their_data() -> None:
    assert [row.line for row in tables(TEXT)[0].rows] == [9, 10]
    assert [row.line for row in tables(JSON)[0].rows] == [6, 7]
    assert [row.line for row in tables(LINES)[0].rows] == [1, 3]


def test_constants_that_an_export_wrote_are_ranks_or_sizes() -> None:
    text = "PARAMETER bytes\nPOINTS (8)\nREGION a->b\n# constant ranks 6\nDATA 1\n"
    whole = {"parameters": ["m"], "constants": {"a->b": {"p": 6}}}
    point = {"a->b": {"time": [{"point": [8], "values": [1]}]}}
    line = {"params": {"m": 8}, "callpath": "a->b", "value": 1, "constants": {"np": 6}}
    for written in (text, json.dumps(whole | {"measurements": point}), json.dumps(line)):
        assert values(written) == {("b", 6): {8: 1.0}}


def test_constants_hold_for_their_region_alone() -> None:
    region = "REGION {}\nDATA 1\n"
    head = "PARAMETER bytes\nPOINTS (8)\nREGION a\n# constant ranks 6\nDATA 1\n"
    assert values(head + region.format("b")) == {("a", 6): {8: 1.0}, ("b", None): {8: 1.0}}


def test_each_number_of_a_point_may_have_brackets_of_its_own() -> None:
    assert values(TEXT.replace("(4 1024)", "((4) (1024))")) == values(TEXT)


def test_points_of_one_parameter_need_no_brackets_and_a_path_no_name() -> None:
    found = tables("PARAMETER p\nPOINTS 2 4\nDATA 1\nDATA 2\n")
    assert [(table.benchmark, table.variant, table.ranks) for table in found] == [
        ("extrap", None, 2),
        ("extrap", None, 4),
    ]
    assert [table.rows[0].size_bytes for table in found] == [0, 0]


def test_wrong_text_is_refused_with_its_line(snapshot: SnapshotAssertion) -> None:
    given = [
        "PARAMETER n\n",
        "PARAMETER p ranks\n",
        "PARAMETER p\nPOINTS (2 3)\n",
        "PARAMETER p\nPOINTS (2\n",
        "PARAMETER p\nPOINTS ) (2)\n",
        "POINTS (2)\nPARAMETER p\n",
        "PARAMETER p\nPOINTS (2)\nDATA 1e308 1e308\n",
        "PARAMETER p\nPOINTS (2) (x)\n",
        "PARAMETER p\nPOINTS (2.5)\nDATA 1\n",
        "PARAMETER m\nPOINTS (1e18)\nDATA 1\n",
        "PARAMETER p\nPOINTS (2)\nDATA\n",
        "PARAMETER p\nPOINTS (2)\nDATA -1\n",
        "PARAMETER p\nPOINTS (2)\nDATA 1\nDATA 1\n",
        "PARAMETER p\nPOINTS (2) (4)\nREGION a\nDATA 1\nREGION b\n",
        "PARAMETER p\nPOINTS (2)\nREGION a\n",
        "PARAMETER p\nPOINTS (2)\nMETRIC visits\nDATA 1\n",
        "PARAMETER p\nPOINTS (2)\n",
        "PARAMETER p\nPOINTS (2)\nPARAMETER m\n",
        "PARAMETER p\nREGION\n",
        "PARAMETER p\nmpirun: killed\n",
    ]
    assert refusals(lambda text: read_tables(text, "file"), given, RecordError) == snapshot


def test_wrong_json_is_refused_with_its_line(snapshot: SnapshotAssertion) -> None:
    given = [
        ('"processes"', '"n"'),
        ("[2, 8]", "[2]"),
        ("[3e-6]", "[]"),
        ("[3e-6]", '["3"]'),
        ("[3e-6]", "[NaN]"),
        ("[3e-6]", "[1e999]"),
        ('"values": [3e-6]', '"value": [3e-6]'),
        ("8.5e-6]}", "8.5e-6]},"),
        ('"visits"', '"time"'),
        ('"size"', '"m", "size"'),
    ]
    told = refusals(lambda pair: read_tables(JSON.replace(*pair, 1), "file"), given, RecordError)
    assert told == snapshot


def test_metrics_of_which_none_is_a_time_are_named(snapshot: SnapshotAssertion) -> None:
    assert str(problem(JSON.replace('"time"', '"flops"'))) == snapshot


def test_wrong_json_line_is_refused_with_its_number(snapshot: SnapshotAssertion) -> None:
    first = ONE_LINE.replace('"value"', '"metric": "time", "value"')
    given = [
        "{}",
        '{"params": {"p": 2, "m": 8}}',
        '{"params": {"p": [2], "m": 8}, "value": 1}',
        '{"params": {"p": 2}, "value": 1}',
        '{"params": {"p": 2, "m": 8}, "value": 1} {}',
        '{"params": {"p": 2, "m": 8}, "value": 1',
        '{"params": {"p": 2, "m": 8}, "callpath": 1, "value": 1}',
        '{"params": {"p": 2, "m": 8}, "metric": "runtime", "value": 1}',
    ]
    told = refusals(lambda line: read_tables(f"{first}\n{line}\n", "file"), given, RecordError)
    assert told == snapshot


def test_wrong_older_json_is_refused_with_its_line(snapshot: SnapshotAssertion) -> None:
    given = [
        ('"callpath_id": 2, "metric_id": 2', '"callpath_id": 3, "metric_id": 2'),
        ('1, "parameter_value": 4', '9, "parameter_value": 4'),
        ('"name": "p"', '"name": "n"'),
        ('"value": 10}', '"values": [10]}'),
    ]
    told = refusals(
        lambda pair: read_tables(NUMBERED.replace(*pair, 1), "file"), given, RecordError
    )
    assert told == snapshot


def test_json_without_an_end_of_its_last_line_is_whole() -> None:
    assert values(JSON.rstrip()) == values(JSON)
    assert values(LINES.rstrip()) == values(LINES)


# -- whatever is cut, or is of another kind --------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_cut_anywhere_is_refused_unless_what_is_left_is_whole(name: str) -> None:
    text = SAMPLES[name]
    whole = values(text)
    read = [end for end in range(len(text)) if read_or_none(text[:end]) is not None]
    for end in read:
        assert text[:end].endswith(("\n", "}"))
        for place, curve in values(text[:end]).items():
            assert curve.keys() <= whole[place].keys()
    lines = text.count("\n")
    assert len(read) <= {".json": 1, ".txt": 4, ".jsonl": 2 * lines}[name[name.index(".") :]]


def read_or_none(text: str) -> tuple[PrintedTable, ...] | None:
    """The tables; None where it is refused in the way that a file has to be."""
    try:
        return tables(text)
    except RecordError as error:
        assert error.line is not None and 1 <= error.line <= text.count("\n") + 1
        assert str(error).startswith("file:")
        return None


def places(content: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each value in `content`, by names and indices."""
    yield here
    if isinstance(content, dict | list):
        for key, value in content.items() if isinstance(content, dict) else enumerate(content):
            yield from places(value, (*here, key))


def put(content: Any, place: tuple[Any, ...], other: Any) -> Any:
    """`content` with `other` at `place`."""
    if not place:
        return other
    changed = content.copy()
    changed[place[0]] = put(content[place[0]], place[1:], other)
    return changed


@pytest.mark.parametrize("text", [JSON, NUMBERED, LINES.splitlines()[0]])
def test_a_value_of_another_kind_is_refused_or_read_but_never_a_traceback(text: str) -> None:
    whole = json.loads(text)
    tried = [json.dumps(put(whole, place, other)) for place in places(whole) for other in WRONG]
    refused = sum(read_or_none(one) is None for one in tried)
    assert refused > 0.7 * len(tried)


def test_another_word_anywhere_in_a_text_is_refused_or_read() -> None:
    lines = TEXT.splitlines()
    for at, line in enumerate(lines):
        words = line.split(" ")
        for place in range(len(words)):
            for errant in ERRANT_WORDS:
                changed = " ".join([*words[:place], errant, *words[place + 1 :]])
                read_or_none("\n".join([*lines[:at], changed, *lines[at + 1 :]]) + "\n")


@pytest.mark.parametrize("name", SAMPLES)
def test_flipped_characters_are_refused_or_read(name: str) -> None:
    text, chance = SAMPLES[name], random.Random(15)
    for _ in range(2000):
        at = chance.randrange(len(text))
        other = chance.choice('{}[](),:"\\ \n\t-+.eE0917anx#\r\u00e9\x00')
        read_or_none(text[:at] + other + text[at + 1 :])


def test_lists_without_end_are_refused_with_their_line(snapshot: SnapshotAssertion) -> None:
    deep = '{"parameters":\n' + "[" * 100_000
    assert str(problem(deep)) == snapshot


@pytest.mark.parametrize(
    "text", ["1", '"a\\u0062"', "[]", "{}", "[1, [true, null]]", ' {"a": -1e3} ']
)
def test_located_json_is_what_json_says(text: str) -> None:
    def plain(value: object) -> object:
        if isinstance(value, dict):
            return {name: plain(one.value) for name, one in value.items()}
        return [plain(one.value) for one in value] if isinstance(value, list) else value

    assert plain(located(text).value) == json.loads(text)


@pytest.mark.parametrize(
    "text", ["01", "1.", "--1", "[1,]", "{,}", "{1: 2}", '"\n"', "tru", "nulll"]
)
def test_what_is_no_json_is_no_located_json(text: str) -> None:
    with pytest.raises(ForeignError):
        located(text)
