"""Stated values reach sql, export and history like measured ones."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from leadline.cli import main

TEXT = "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n8  {}\n1024  {}\n"


def imported(tmp_path: Path, day: int, time_us: float, *words: str, name: str = "mpich") -> Path:
    """A run of what the benchmark printed on `day`."""
    text, directory = tmp_path / "printed.txt", tmp_path / f"run{day:02d}"
    text.write_text(TEXT.format(time_us, 3 * time_us))
    asked = ["import", str(text), "--name", name, "--out", str(directory), *words]
    assert main(asked) == 0
    return directory


def dated(tmp_path: Path, times_us: list[float]) -> None:
    for day, time_us in enumerate(times_us, start=1):
        imported(tmp_path, day, time_us, "--date", f"2026-11-{day:02d}T12:00+00:00")


def test_sql_finds_imported_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    directory = imported(tmp_path, 1, 0.5)
    query = "select pattern, size_bytes, median_s from measurements order by size_bytes"
    capsys.readouterr()
    assert main(["sql", query, str(directory), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["size_bytes"] for row in rows] == [8, 1024]
    assert [row["median_s"] for row in rows] == pytest.approx([0.5e-6, 1.5e-6])


def test_export_writes_imported_values_without_samples(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = imported(tmp_path, 1, 0.5)
    capsys.readouterr()
    assert main(["export", "--csv", str(directory)]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["size_bytes"], row["samples"], row["backend"]) for row in rows] == [
        ("8", "0", "imported"),
        ("1024", "0", "imported"),
    ]
    assert [float(row["median_s"]) for row in rows] == pytest.approx([0.5e-6, 1.5e-6])


def test_history_finds_a_slowdown_among_imports_that_say_when(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wobble = (0.0, 0.004, -0.003, 0.002, -0.005, 0.001)
    dated(tmp_path, [0.5 * (1 + w) for w in wobble] + [0.6 * (1 + w) for w in wobble])
    capsys.readouterr()
    assert main(["history", str(tmp_path), "--json"]) == 1
    (series,) = json.loads(capsys.readouterr().out)["series"]
    (change,) = series["changes"]
    assert change["index"] == 6
    assert change["ratio"] == pytest.approx(1.2, rel=0.01)
    assert series["host"] == "unknown"


def test_history_of_imports_without_a_date_says_how_to_give_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    imported(tmp_path, 1, 0.5)
    capsys.readouterr()
    assert main(["history", str(tmp_path)]) == 2
    assert "import --date" in capsys.readouterr().err


@pytest.mark.parametrize("date", ["yesterday", "2026-13-01", "", "9" * 40])
def test_date_that_is_none_is_refused(
    date: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "printed.txt"
    text.write_text(TEXT.format(0.5, 1))
    assert main(["import", str(text), "--out", str(tmp_path / "r"), "--date", date]) == 2
    output = capsys.readouterr().err
    assert output.startswith(f"leadline import: --date {date!r}")
    assert output.count("\n") == 1
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[31m", "<script>", "größe", "-x y"])
def test_name_that_would_break_tables_is_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    text = tmp_path / "printed.txt"
    text.write_text(TEXT.format(0.5, 1))
    assert main(["import", str(text), "--out", str(tmp_path / "r"), f"--name={name}"]) == 2
    error = capsys.readouterr().err
    assert error == snapshot
    assert error.count("\n") == 1


def test_variant_is_called_after_the_file_in_letters_that_names_may_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "my latency [1m.txt"
    text.write_text(TEXT.format(0.5, 1))
    assert main(["import", str(text), "--out", str(tmp_path / "r")]) == 0
    capsys.readouterr()
    assert main(["export", "--csv", str(tmp_path / "r")]) == 0
    rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert {row["variant"] for row in rows} == {"my_latency_1m"}
