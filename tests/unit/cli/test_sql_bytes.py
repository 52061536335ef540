"""Names and values that aren't UTF-8 are read by SQL, and written to other files, with escapes."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from harness.synthetic import BARRIER, Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import line_with

from leadline.cli import main
from leadline.store import finish, load
from leadline.store.lines import seal, unseal
from leadline.store.parquet import sound

BAD = "v\udcff$\ud800\x00\x1b["
"""A byte that is no UTF-8, as the system hands it over, half of a pair, NUL and an escape."""
ESCAPED = "v\\xff$\\ud800\\x00\x1b["
TABLES = ("runs", "configurations", "cells", "measurements", "blocks", "timings", "batches",
          "slices", "stated", "hosts", "failures", "warnings")  # fmt: skip


def spoil(record: dict[str, Any]) -> None:
    """Puts BAD wherever a line of a journal has a text of its own."""
    match record["kind"]:
        case "run":
            record["metadata"] = {"machine": {"cpu": BAD, "host": BAD}, BAD: [BAD, {"x": BAD}]}
        case "configuration":
            record |= dict.fromkeys(("version", "transport"), BAD)
            record |= {"variant": BAD + record["variant"], "environment": {BAD: BAD}}
        case "cells":
            for cell in record["cells"]:
                cell["pattern"] += BAD
        case "slice":
            record["link"] = {"name": BAD, "bytes": 1, "window_ns": 1, "bytes_per_s": 1.0}
            record["verified"] = {"quantity": BAD, "expected": 1.0, "seen": 1.0}


@pytest.fixture(scope="module", params=["journal", "tables"])
def spoilt(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    directory = tmp_path_factory.mktemp("bytes") / "run"
    Campaign(["shm", "mpich"], [pingpong(8), pingpong(64), BARRIER], batches=5).write(directory)
    journal = directory / "journal.jsonl"
    records = [unseal(line) for line in journal.read_bytes().splitlines()]
    for record in records:
        spoil(record)
    journal.write_bytes(b"".join(seal(record) + b"\n" for record in records))
    if request.param == "tables":
        finish(directory)
    assert "journal_line" not in {warning.code for warning in load(directory).warnings}
    return str(directory)


def selected(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    assert main(["sql", *words, "--json"]) == 0
    rows: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["rows"]
    return rows


def test_every_table_is_there_with_escapes_for_what_sql_cannot_hold(
    spoilt: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = {table: selected(capsys, f"FROM {table}", spoilt) for table in TABLES}
    assert {row["variant"] for row in found["timings"]} == {ESCAPED + "shm", ESCAPED + "mpich"}
    assert {row["pattern"] for row in found["cells"]} == {"pingpong" + ESCAPED, "barrier" + ESCAPED}
    assert {(row["link"], row["verified"]) for row in found["slices"]} == {(ESCAPED, ESCAPED)}
    assert ESCAPED in json.loads(str(found["runs"][0]["metadata"]))


@pytest.mark.parametrize(
    "words", [("export", "--parquet"), ("plot", "--pattern", f"pingpong{BAD}")]
)
def test_other_files_are_written_too(words: tuple[str, ...], spoilt: str, tmp_path: Path) -> None:
    command, *rest = words
    out = tmp_path / "out.svg"
    assert main([command, spoilt, *rest, "--out", str(out)]) == 0
    assert "\x1b" not in out.read_text(errors="replace") or "--parquet" in rest


def test_run_in_a_directory_whose_name_is_no_utf_8_is_read(
    spoilt: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    strange = os.fsdecode(os.fsencode(tmp_path) + b"/r\xff")
    shutil.copytree(spoilt, strange)
    (row,) = selected(capsys, "SELECT run, count(*) AS n FROM batches GROUP BY run", strange)
    assert (row["run"], row["n"] > 0) == (f"{tmp_path}/r\\xff", True)


def test_statement_that_is_no_utf_8_is_refused(
    spoilt: str, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["sql", "SELECT '\udcff'", spoilt]) == 2
    assert line_with(capsys.readouterr().err) == snapshot


def test_texts_that_are_sound_stay_as_they_are() -> None:
    for text in ("", "plain", "ü 测 🌊", "\x1b\n\t", "\\xff"):
        assert sound(text) is text
