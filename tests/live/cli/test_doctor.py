"""`leadline doctor`: the report as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support import json_schema
from tests.support.fake_library import library, script

from leadline.cli import main


def doctor(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["doctor", *words]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def first_on_path(monkeypatch: pytest.MonkeyPatch, wrapper: Path) -> None:
    monkeypatch.setenv("PATH", f"{wrapper.parent}:/usr/bin:/bin")


def test_json_has_machine_backends_and_warnings(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first_on_path(monkeypatch, library(bare_machine, "mpich", "9.9"))
    printed = doctor(capsys, "--json")
    json_schema.check("doctor", printed)
    report = json.loads(printed)
    assert set(report) == {"format", "machine", "backends", "warnings", "removed"}
    fields = {"name", "kind", "version", "usable", "launcher", "reason", "remedy"}
    assert all(fields <= set(backend) for backend in report["backends"])
    first = report["backends"][0]
    assert [first[name] for name in ("name", "version", "usable")] == ["mpich", "9.9", True]
    assert all(set(warning) == {"code", "cause", "remedy"} for warning in report["warnings"])
    assert {b["name"] for b in report["backends"]} >= {"mpich", "openmpi", "impi", "shm", "null"}


def test_text_names_every_backend_and_the_command_for_what_is_missing(
    bare_machine: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    snapshot: SnapshotAssertion,
) -> None:
    first_on_path(monkeypatch, library(bare_machine, "mpich", "9.9"))
    lines = doctor(capsys).splitlines()
    row = next(line.split() for line in lines if line.startswith("mpich "))
    assert row == ["mpich", "9.9", "yes", "unknown", f"{bare_machine}/bin/mpiexec"]
    assert any(line.startswith("shm ") for line in lines)
    (at,) = (i for i, line in enumerate(lines) if line.startswith("warning (backend): impi: "))
    assert lines[at : at + 2] == snapshot


def test_broken_library_is_a_warning_with_its_reason_and_no_traceback(
    bare_machine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = script(bare_machine / "bin/mpicc", "#!/bin/sh\necho no license; exit 1\n")
    assert "no license" in doctor(capsys, "--mpicc", str(broken))


def test_text_is_plain_and_unwrapped_away_from_a_terminal(
    bare_machine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deep = bare_machine / ("x" * 120) / ("y" * 120)
    text = doctor(capsys, "--mpicc", str(library(deep)))
    assert "\x1b" not in text
    assert f"{deep}/bin/mpiexec" in text
    assert not [line for line in text.splitlines() if line != line.rstrip()]


def test_verbose_says_of_each_library_how_it_was_built(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mpicc = library(bare_machine, "mpich", "9.9")
    first_on_path(monkeypatch, mpicc)
    short, long = doctor(capsys), doctor(capsys, "-v")
    assert f"\nmpich: {mpicc}\n    MPICH Version: 9.9\n" in long
    assert "MPICH Version" not in short
