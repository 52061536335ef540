"""Files of a run that their owner keeps from being read, or written: whole, and said to be so."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from harness.synthetic import Campaign, pingpong
from syrupy.assertion import SnapshotAssertion

from leadline.errors import RecordError
from leadline.store import Journal, finish, load


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A finished run."""
    Campaign(["mpich"], [pingpong(8)], 2, 3).write(tmp_path / "run")
    finish(tmp_path / "run")
    return tmp_path / "run"


def kept_from(monkeypatch: pytest.MonkeyPatch, path: Path, flags: int) -> None:
    """Lets nobody, root included, open `path` with all of these `flags`."""
    opened = os.open

    def refusing(name: Any, how: int, *rest: Any, **named: Any) -> int:
        if str(name) == str(path) and how & flags == flags:
            raise PermissionError(errno.EACCES, "Permission denied", str(name))
        return opened(name, how, *rest, **named)

    monkeypatch.setattr(os, "open", refusing)


@pytest.mark.parametrize("name", ["run.json", "batches.parquet", "slices.parquet"])
def test_file_without_permission_is_to_be_made_readable(
    name: str, run: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    """It said that run.json was to be removed, which is as whole as ever."""
    kept_from(monkeypatch, run / name, os.O_RDONLY)
    (damage,) = load(run).damage
    message = [one.replace(str(run), "RUN") for one in (damage.cause, damage.remedy)]
    assert message == snapshot


def test_journal_without_permission_to_write_is_not_said_to_be_unreadable(
    run: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    kept_from(monkeypatch, run / "journal.jsonl", os.O_RDWR)
    assert load(run).complete
    with pytest.raises(RecordError) as refused:
        Journal.reopen(run)
    assert str(refused.value).replace(str(run), "RUN") == snapshot
