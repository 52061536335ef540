"""Installing a library: what is asked for, what is left behind, what is said when it fails."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.pretended_pip import calls, failure, that_installs_mpich

from leadline.backends.install import Requirement, parse_requirement
from leadline.cli import main
from leadline.errors import UsageError


@pytest.fixture
def interpreter(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return that_installs_mpich(bare_machine, monkeypatch)


# -- requests --------------------------------------------------------------------------------------


def test_request_is_a_library_and_perhaps_a_version() -> None:
    assert parse_requirement("mpich") == Requirement("mpich", None)
    assert parse_requirement("impi==2021.13.1") == Requirement("impi", "2021.13.1")
    assert str(parse_requirement("impi==2021.13.1")) == "impi==2021.13.1"


def test_unknown_library_is_refused_with_the_nearest(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as caught:
        parse_requirement("opnmpi")
    assert str(caught.value) == snapshot


def test_another_library_is_no_slip_for_one(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as caught:
        parse_requirement("mvapich")
    assert str(caught.value) == snapshot


@pytest.mark.parametrize("text", ["mpich>=4", "mpich==", "mpich==-r/etc/passwd", "", "mpich == 4"])
def test_word_that_is_not_a_request_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_requirement(text)


def test_command_line_checks_all_words_before_it_installs_any(
    interpreter: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["get", "mpich", "mpch"]) == 2
    assert calls(interpreter.parent) == []
    output = capsys.readouterr().err
    assert "'mpch'" in output and "'mpich'" in output


# -- what can go wrong -----------------------------------------------------------------------------


def test_folder_with_a_space_is_refused_before_anything_is_downloaded(
    interpreter: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(interpreter.parent / "my data"))
    output = failure(Requirement("mpich", None))
    assert output.replace(str(interpreter.parent), "DIR") == snapshot
    assert calls(interpreter.parent) == []


def test_folder_that_cannot_be_made_is_said(
    interpreter: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(interpreter))
    output = failure(Requirement("mpich", None))
    assert output.replace(str(interpreter.parent), "DIR") == snapshot
