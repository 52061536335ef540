"""`leadline doctor`: the report as text and as JSON."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from tests.support import json_schema
from tests.support.fake_library import library, script

from leadline.backends.backend import Backend
from leadline.cli import main
from leadline.record.caveats import CaveatKind
from leadline.record.machine import HostFacts
from leadline.report.text.doctor import folded_path, machine_lines, print_report


class Terminal(io.StringIO):
    """A terminal that keeps what is printed on it."""

    def isatty(self) -> bool:
        return True


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
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first_on_path(monkeypatch, library(bare_machine, "mpich", "9.9"))
    lines = doctor(capsys).splitlines()
    row = next(line.split() for line in lines if line.startswith("mpich "))
    assert row == ["mpich", "9.9", "yes", "unknown", f"{bare_machine}/bin/mpiexec"]
    assert any(line.startswith("shm ") for line in lines)
    at = lines.index("warning (backend): impi: not installed")
    assert lines[at + 1].strip() == "leadline get impi"


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


HOME = str(Path.home())
DEEP = f"{HOME}/.local/share/leadline/mpi/openmpi-5.0.11/bin/mpiexec"


def test_path_below_the_home_is_folded_after_slashes_alone() -> None:
    assert folded_path(DEEP, 80) == "~/.local/share/leadline/mpi/openmpi-5.0.11/bin/mpiexec"
    assert folded_path(DEEP, 30).split("\n") == [
        "~/.local/share/leadline/mpi/",
        "openmpi-5.0.11/bin/mpiexec",
    ]
    assert folded_path(DEEP, 1).replace("\n", "") == folded_path(DEEP, 80)
    assert folded_path(f"{HOME}stead/mpiexec", 99) == f"{HOME}stead/mpiexec"


@pytest.mark.parametrize("width", [80, 100])
def test_report_keeps_within_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "dumb")
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    machine = HostFacts(
        host="h", kernel="Linux 6.1.0-20-cloud-amd64", architecture="x86_64", allowed_cpus=(0, 1),
        cores=2, pinning=True, clock_read_at_most_ns=50.0, load_1min=9.0,
        memory_total_bytes=2**35, memory_available_bytes=2**34, shared_memory_free_bytes=2**34,
        last_level_cache_bytes=2**25,
    )  # fmt: skip
    found = Backend("openmpi@4.1.4", "openmpi", "4.1.4", True, DEEP, None, {}, None, None, "ob1 sm")
    slow = CaveatKind.LOAD.because("the load is 9.0 on 2 cores, " * 4)
    print_report(machine, [found], [slow])
    lines = terminal.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert "last-level" in terminal.getvalue()
    assert any(line.strip().endswith("mpiexec") for line in lines)


def test_wrong_mpicc_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--mpicc", "/nonexistent/mpicc"]) == 2
    assert "no such file" in capsys.readouterr().err


def test_unknown_facts_are_called_unknown() -> None:
    known = HostFacts(
        host="h", kernel="Linux 6", architecture="x86_64", allowed_cpus=(0,), cores=1,
        pinning=False, clock_read_at_most_ns=50.0, load_1min=0.0,
    )  # fmt: skip
    lines = dict(machine_lines(known))
    assert lines["processor"] == "unknown"
    assert lines["clock"].startswith("unknown, at most 50 ns")
    assert lines["cores"] == "1 of 1 allowed, ranks can't be bound"
    assert "unknown of unknown available" in lines["memory"]


def test_verbose_says_of_each_library_how_it_was_built(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mpicc = library(bare_machine, "mpich", "9.9")
    first_on_path(monkeypatch, mpicc)
    short, long = doctor(capsys), doctor(capsys, "-v")
    assert f"\nmpich: {mpicc}\n    MPICH Version: 9.9\n" in long
    assert "MPICH Version" not in short
