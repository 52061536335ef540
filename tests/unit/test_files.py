"""Files that users name, and those that never end."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.cli import main
from leadline.errors import MachineError, UsageError
from leadline.files import cache_directory, read_bytes, read_text


def test_user_without_a_home_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """A container may run under a number that nobody has a name for."""

    def unknown() -> NoReturn:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", unknown)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    with pytest.raises(MachineError, match=rf"\b{os.getuid()}\b.*\bset HOME\b"):
        cache_directory()


def test_text_is_read_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("Müller\n")
    assert read_text(tmp_path / "text") == "Müller\n"
    assert read_bytes(tmp_path / "text", 8) == "Müller\n".encode()


def test_file_longer_than_it_may_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(bytes(2**20 + 1))
    with pytest.raises(OSError, match=r"\b1 MiB\b"):
        read_bytes(tmp_path / "text", 2**20)


def test_what_cannot_be_read_is_named(snapshot: SnapshotAssertion) -> None:
    given = [
        "/dev/zero",
        "/",
        "/no/such",
    ]
    assert refusals(lambda file: read_text(file, 2**20), given, UsageError) == snapshot


def test_bytes_that_are_no_text_are_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    (tmp_path / "text").write_bytes(b"\xff")
    with pytest.raises(UsageError) as caught:
        read_text(tmp_path / "text")
    assert str(caught.value).replace(str(tmp_path), "DIR") == snapshot


@pytest.mark.parametrize(
    "words",
    [
        "simulate --machine /dev/zero",
        "simulate --machine cray-t3e-900 --mapping /dev/zero",
        "map --grid 2x2 --machine hosts:/dev/zero",
        "import /dev/zero",
    ],
)
def test_commands_name_a_file_that_never_ends(
    words: str, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(words.split()) == 2
    assert capsys.readouterr().err == snapshot
