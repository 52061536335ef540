"""What ends DuckDB without a fault of the file isn't called damage: no memory, and Ctrl-C."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import BinaryIO, NoReturn

import duckdb
import pytest
from harness.synthetic import Campaign, pingpong
from syrupy.assertion import SnapshotAssertion

from leadline import files
from leadline.cli import main
from leadline.errors import MachineError
from leadline.store import finish, load, parquet

NO_MEMORY = duckdb.OutOfMemoryException(
    "Out of Memory Error: Allocation failure\n\nPossible solutions:\n* Reducing threads"
)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    Campaign(["shm"], (pingpong(8),), batches=5).write(tmp_path / "run")
    finish(tmp_path / "run")
    return tmp_path / "run"


def plant(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Has DuckDB raise it."""

    def fail(**_: object) -> NoReturn:
        raise error

    monkeypatch.setattr(duckdb, "connect", fail)
    parquet.database.cache_clear()


@pytest.mark.parametrize("error", [NO_MEMORY, MemoryError()])
def test_memory_that_runs_out_is_no_damage(
    run: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    plant(monkeypatch, error)
    for read in (load, finish):
        with pytest.raises(MachineError, match=r"\bulimit -v\b"):
            read(run)


def test_an_interrupt_is_no_damage(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, duckdb.InterruptException("INTERRUPT Error: Interrupted!"))
    with pytest.raises(KeyboardInterrupt):
        load(run)


@pytest.mark.parametrize(
    "words",
    [("sql", "select count(*) from batches", "run", "--strict"), ("show", "run")],
    ids=["sql", "show"],
)
def test_memory_that_runs_out_is_said_with_its_remedy(
    run: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    snapshot: SnapshotAssertion,
) -> None:
    monkeypatch.chdir(run.parent)
    plant(monkeypatch, NO_MEMORY)
    assert main([*words]) == 1
    assert capsys.readouterr().err == snapshot


def test_statement_without_memory_is_no_wrong_statement(
    run: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    snapshot: SnapshotAssertion,
) -> None:
    def fail(*_: object) -> NoReturn:
        raise NO_MEMORY

    monkeypatch.setattr("leadline.query.database.selected", fail)
    assert main(["sql", "select 1", str(run)]) == 1
    assert capsys.readouterr().err == snapshot


@pytest.mark.parametrize(
    ("number", "remedy"), [(errno.EMFILE, "ulimit -n"), (errno.ENOMEM, "ulimit -v")]
)
@pytest.mark.parametrize("name", ["batches.parquet", "slices.parquet"])
def test_what_this_process_lacks_is_no_damage(
    name: str, number: int, remedy: str, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is told to remove run.json for it."""
    open_plain = files.open_plain

    def lacking(path: Path) -> BinaryIO:
        if path.name == name:
            raise OSError(number, os.strerror(number), str(path))
        return open_plain(path)

    monkeypatch.setattr("leadline.store.directory.open_plain", lacking)
    with pytest.raises(MachineError, match=rf"{name}: .*{os.strerror(number)}.*{remedy}"):
        load(run)
