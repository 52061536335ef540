"""The published schemas: generated from the types, and what the commands print keeps to them."""

from __future__ import annotations

import copy
import importlib
import json
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypedDict, get_type_hints

import jsonschema
import pytest
from harness.places import ROOT
from harness.synthetic import BARRIER, Campaign, pingpong
from tests.support import json_schema

from leadline.cli import COMMANDS, main
from leadline.cli.commands.completion import options_of
from leadline.hosts.emulated.link import parse_link
from leadline.query.tables import BLOCKS
from leadline.record.run import ClockFit, Failure, GridPlacement, Host, Origin
from leadline.record.warnings import RunWarning
from leadline.report.formats.json_text import FORMAT, document_text
from leadline.report.programs.selection import BlockRow
from leadline.store import Journal

SCHEMAS = json_schema.schemas()
BESIDE_COMPUTATION = tuple(
    replace(BARRIER, pattern=f"ibcast{option}") for option in ("", ":overlapped", ":computing")
)
WINDOW = replace(pingpong(8), pattern="window", messages_per_repetition=64)
SIZES = tuple(pingpong(size) for size in (0, 8, 65536, 1_048_576, 2_000_000))
CELLS = (*SIZES, BARRIER, WINDOW, *BESIDE_COMPUTATION)
HOSTS = (Host("node01", "boot-1", "boot-1:0", (0, 1)), Host("node02", "boot-2", "boot-2:0", (0,)))
FITS = (ClockFit("node02", 0, -1250.5, 1.5e-6, 80.0),)
LAID = GridPlacement("halo", (1, 0), "internode", "nodes:2x1", 2.0, 2.0)
FAILURES = (Failure(2, 5, 3, "crash", "signal 11"), Failure(0, None, 5, "launch", "no ranks"))
Said = Callable[..., str]


# -- published as generated ------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCHEMAS)
def test_published_schema_is_the_generated_one(name: str, request: pytest.FixtureRequest) -> None:
    path = json_schema.PUBLISHED / f"{name}.json"
    text = json_schema.text_of(SCHEMAS[name])
    if request.config.getoption("update_snapshots"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert path.read_text() == text
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])


def test_every_command_with_json_has_a_schema_and_every_schema_is_listed() -> None:
    def speaks(command: str) -> bool:
        parser = ArgumentParser()
        importlib.import_module(f"leadline.cli.commands.{command}").add_arguments(parser)
        return any("--json" in option.option_strings for option in options_of(parser))

    assert {name for name in COMMANDS if speaks(name)} | {
        "map-jobs",
        "predict-work",
        "studies",
    } == set(SCHEMAS)
    assert {path.stem for path in json_schema.PUBLISHED.glob("*.json")} == set(SCHEMAS)
    page = (json_schema.PUBLISHED / "README.md").read_text()
    assert all(f"]({name}.json)" in page for name in SCHEMAS)
    assert "](schemas/README.md)" in (ROOT / "docs" / "reference.md").read_text()


def test_rows_of_export_have_the_columns_of_the_table_that_sql_has() -> None:
    types = {"VARCHAR": str, "INTEGER": int, "BIGINT": int, "DOUBLE": float, "BOOLEAN": bool}
    kinds = {name: types[kind] for name, kind in BLOCKS.columns.items()}
    assert kinds | {"origin": Origin} == get_type_hints(BlockRow)


# -- the generator ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark
    at x.

    More.
    """

    name: str
    at: tuple[float, ...]
    """In seconds."""


class Page(TypedDict):
    """Marks."""

    marks: list[Mark]
    best: Mark | None


class LongPage(Page, total=False):
    """More marks."""

    count: int | None
    """Of all."""


def test_schema_has_fields_docstrings_and_which_may_lack() -> None:
    schema = json_schema.document("it", LongPage)
    assert schema["required"] == ["format", "marks", "best"]
    assert schema["properties"] == {
        "format": {"const": FORMAT, "description": json_schema.FORMAT_SAID},
        "marks": {"type": "array", "items": {"$ref": "#/$defs/Mark"}},
        "best": {"anyOf": [{"$ref": "#/$defs/Mark"}, {"type": "null"}]},
        "count": {"type": ["integer", "null"], "description": "Of all."},
    }
    assert schema["$defs"]["Mark"]["description"] == "A mark at x."
    seconds = schema["$defs"]["Mark"]["properties"]["at"]
    assert seconds == {
        "type": "array", "items": {"type": "number"}, "description": "In seconds.",
    }  # fmt: skip


def test_document_of_another_format_or_of_none_is_not_what_was_promised() -> None:
    schema = json_schema.document("it", Page)
    sound = document_text({"marks": [], "best": None})
    assert next(iter(json.loads(sound))) == "format"
    jsonschema.validate(json.loads(sound), schema)
    for wrong in (
        sound.replace(f'"format": {FORMAT}', '"format": 0'),
        '{"marks": [], "best": null}',
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(json.loads(wrong), schema)


def test_type_that_json_lacks_has_no_schema() -> None:
    with pytest.raises(TypeError, match="has no schema"):
        json_schema.schema_of(complex, {})


# -- what commands print ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two runs, one of them with everything, and of twelve dated ones."""
    folder = tmp_path_factory.mktemp("runs")
    warning = RunWarning("binding", "rank 0 runs on cores 0,1", "check")
    rich = Campaign(
        ["shm", "mpich", "openmpi"],
        CELLS,
        hosts=HOSTS,
        clock_fits=FITS,
        placements={"openmpi": (LAID,)},
        link=parse_link("ethernet-10").facts,
    )
    rich.write(folder / "rich", FAILURES, [warning])
    assert main(["fit", str(folder / "rich"), "--out", str(folder / "rich.json")]) == 0
    single = Campaign(["mpich", "openmpi"], CELLS[:2], blocks=6, repetitions=1)
    single.write(folder / "single")
    for day in range(1, 13):
        _write_dated(folder / "days" / str(day), day)
    return folder


@pytest.fixture
def ran(runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    """What `leadline WORDS` prints beside the runs."""
    monkeypatch.chdir(runs)

    def say(*words: str) -> str:
        assert main(list(words)) in (0, 1, 3)
        return capsys.readouterr().out

    return say


def _write_dated(path: Path, day: int) -> None:
    campaign = Campaign(["mpich"], CELLS[:2], 1, 3, slowdown={"mpich": 1.5 if day > 6 else 1.0})
    with Journal.create(path, {"started": f"2026-11-{day:02d}T06:00:00+0000"}) as journal:
        journal.add_cells(campaign.cells)
        journal.add_configuration(campaign.configurations[0])
        for each in campaign.slices():
            journal.add_slice(each)
        journal.close(True)


MAP = ("--machine", "torus:8x8x8", "--time", "5ms", "--json")
OPERATION = ("--pattern", "pingpong", "--ranks", "2,4", "--size", "8")
PRINTED = [
    ("show", ("show", "rich", "--json")),
    ("show", ("show", "single", "--tails", "--json")),
    ("compare", ("compare", "rich", "--baseline", "mpich", "--json")),
    ("compare", ("compare", "rich", "single", "--json")),
    ("history", ("history", "days", "--json")),
    ("export", ("export", "rich", "--json")),
    ("sql", ("sql", "FROM configurations", "rich", "--json")),
    ("fit", ("fit", "rich", "--json")),
    ("predict", ("predict", "rich.json", *OPERATION, "--json")),
    ("predict-work", ("predict", "rich.json", "--work", "1s", "--ranks", "2..4", "--json")),
    ("map", ("map", "--grid", "8x4x1", *MAP)),
    ("map-jobs", ("map", "--job", "grid=4x4x4", "--job", "grid=4x4x2", *MAP)),
    ("dims", ("dims", "24", "--json")),
    ("studies", ("study", "--json")),
    ("patterns", ("patterns", "--json")),
    ("dims", ("dims", "24", "--machine", "torus:8x8x8", "--json")),
]


@pytest.mark.parametrize(("name", "words"), PRINTED)
def test_what_a_command_prints_keeps_to_its_schema(
    ran: Said, name: str, words: tuple[str, ...]
) -> None:
    json_schema.check(name, ran(*words))


def test_checked_run_has_something_of_everything(ran: Said) -> None:
    report = json.loads(ran("show", "rich", "--json"))
    assert all(report.values())
    tails = json.loads(ran("show", "single", "--tails", "--json"))
    assert "p99_high_s" in tails["rows"][0]
    (series,) = json.loads(ran("history", "days", "--json"))["series"]
    assert series["points"] and series["changes"]


def planted(report: Any, where: tuple[str | int, ...], value: Any) -> Any:
    """`report` with `value` at `where`; None: with nothing there."""
    changed = copy.deepcopy(report)
    inner = changed
    for step in where[:-1]:
        inner = inner[step]
    if value is None:
        del inner[where[-1]]
    else:
        inner[where[-1]] = value
    return changed


@pytest.mark.parametrize(
    ("where", "value", "rule"),
    [
        (("rows", 0, "median_s"), "fast", "type"),
        (("rows", 0, "warnings"), None, "required"),
        (("rows", 0, "median_us"), 1.5, "additionalProperties"),
        (("rankings", "curves", 0, "top", 0, "verdict"), "quicker", "enum"),
        (("failures", 0, "block"), 1.5, "type"),
        (("complete",), None, "required"),
        (("extra",), 1, "additionalProperties"),
    ],
)
def test_planted_fault_is_caught(
    ran: Said, where: tuple[str | int, ...], value: Any, rule: str
) -> None:
    report = json.loads(ran("show", "rich", "--json"))
    with pytest.raises(jsonschema.ValidationError) as caught:
        json_schema.check("show", json.dumps(planted(report, where, value)))
    *within, name = where
    found = caught.value
    assert found.validator == rule
    assert list(found.absolute_path) == (list(where) if rule in ("type", "enum") else within)
    assert repr(value if rule in ("type", "enum") else name) in found.message
