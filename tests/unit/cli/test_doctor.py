"""`leadline doctor`: the report as text and as JSON."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from leadline.backends.backend import Backend
from leadline.cli import main
from leadline.record.machine import HostFacts
from leadline.record.warnings import RunWarning, WarningKind
from leadline.report.text.doctor import folded_path, machine_lines, print_report


class Terminal(io.StringIO):
    """A terminal that keeps what is printed on it."""

    def isatty(self) -> bool:
        return True


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
    slow = RunWarning("load", "the load is 9.0 on 2 cores, " * 4, WarningKind.LOAD.remedy)
    print_report(machine, [found], [slow])
    lines = terminal.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert "last-level" in terminal.getvalue()
    assert any(line.strip().endswith("mpiexec") for line in lines)


def test_wrong_mpicc_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--mpicc", "/nonexistent/mpicc"]) == 2
    assert "/nonexistent/mpicc" in capsys.readouterr().err


def test_unknown_facts_are_called_unknown(snapshot: SnapshotAssertion) -> None:
    known = HostFacts(
        host="h", kernel="Linux 6", architecture="x86_64", allowed_cpus=(0,), cores=1,
        pinning=False, clock_read_at_most_ns=50.0, load_1min=0.0,
    )  # fmt: skip
    assert machine_lines(known) == snapshot
