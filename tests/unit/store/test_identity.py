"""A file of another run in a run's directory is named, and never taken for the run's own."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from harness.places import DATA
from harness.synthetic import Campaign, pingpong
from syrupy.assertion import SnapshotAssertion

from leadline.errors import RecordError
from leadline.record.run import Run
from leadline.store import Journal, finish, load, read_plan, write_plan
from leadline.store.parquet import run_of

JOURNAL, MANIFEST, TABLES = "journal.jsonl", "run.json", ("batches.parquet", "slices.parquet")


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Run, Run]:
    """Two finished runs, "mine" and "theirs", of the same options."""
    monkeypatch.chdir(tmp_path)
    names, levels = ("mine", "theirs"), (1.0, 1.5)
    runs = [
        Campaign(["mpich"], [pingpong(8)], 2, 3, slowdown={"mpich": by}).write(Path(name))
        for name, by in zip(names, levels, strict=True)
    ]
    for name in names:
        finish(name)
    return runs[0], runs[1]


def swapped(*names: str) -> None:
    for name in names:
        shutil.copy(Path("theirs") / name, "mine")


def ns(run: Run) -> int:
    return int(np.sum(run.batches.elapsed_ns))


def unauthenticated(run: Run) -> list[str]:
    return [one.cause for one in run.damage if one.code == "other_run"]


def test_every_file_has_the_id_of_its_run(two: tuple[Run, Run]) -> None:
    mine, theirs = two
    assert mine.id != theirs.id
    assert {run_of(Path("mine") / name) for name in TABLES} == {mine.id}
    for name in (JOURNAL, MANIFEST):
        assert mine.id in (Path("mine") / name).read_text()
    write_plan("mine", {"blocks": 1}, mine.id)
    assert read_plan("mine", mine.id) == {"blocks": 1}


@pytest.mark.parametrize("longer", [False, True])
def test_journal_of_another_run_is_not_shown_as_it_were(
    two: tuple[Run, Run], longer: bool, snapshot: SnapshotAssertion
) -> None:
    if longer:
        with Journal.reopen("theirs") as journal:
            journal.close(False)
    swapped(JOURNAL)
    found = load("mine")
    assert (found.id, ns(found)) == (two[0].id, ns(two[0]))
    assert unauthenticated(found) == snapshot


@pytest.mark.parametrize("name", [*TABLES, MANIFEST])
def test_other_file_of_another_run_is_left_out_for_the_journal(
    two: tuple[Run, Run], name: str, snapshot: SnapshotAssertion
) -> None:
    swapped(name)
    found = load("mine")
    assert (found.id, ns(found)) == (two[0].id, ns(two[0]))
    assert unauthenticated(found) == snapshot


@pytest.mark.parametrize("spoil", [Path.unlink, lambda path: path.write_bytes(b"{}")])
def test_tables_of_another_run_are_named_also_without_their_summary(
    two: tuple[Run, Run], spoil: Callable[[Path], object], snapshot: SnapshotAssertion
) -> None:
    swapped(*TABLES)
    spoil(Path("mine/run.json"))
    found = load("mine")
    assert (found.id, ns(found)) == (two[0].id, ns(two[0]))
    assert unauthenticated(found) == snapshot


def test_no_run_is_made_of_the_files_of_two(
    two: tuple[Run, Run], snapshot: SnapshotAssertion
) -> None:
    swapped(JOURNAL)
    Path("mine/batches.parquet").write_bytes(b"")
    with pytest.raises(RecordError) as refused:
        load("mine")
    assert str(refused.value) == snapshot


@pytest.mark.parametrize("begin", [finish, Journal.reopen])
def test_run_beside_another_ones_journal_is_never_written_over(
    two: tuple[Run, Run], begin: Callable[[str], object], snapshot: SnapshotAssertion
) -> None:
    swapped(JOURNAL)
    before = {path: path.read_bytes() for path in Path("mine").iterdir()}
    with pytest.raises(RecordError) as refused:
        begin("mine")
    assert str(refused.value) == snapshot
    assert {path: path.read_bytes() for path in Path("mine").iterdir()} == before


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("summarised", [True, False])
@pytest.mark.parametrize("begin", [finish, Journal.reopen])
def test_table_of_another_run_is_never_written_over(
    two: tuple[Run, Run], begin: Callable[[str], object], summarised: bool, name: str
) -> None:
    swapped(name)
    if not summarised:
        Path("mine/run.json").unlink()
    before = {path: path.read_bytes() for path in Path("mine").iterdir()}
    with pytest.raises(RecordError, match=rf"^mine/{name}: .*\bjournal\.jsonl\b"):
        begin("mine")
    assert {path: path.read_bytes() for path in Path("mine").iterdir()} == before


def test_plan_of_another_run_is_refused(two: tuple[Run, Run], snapshot: SnapshotAssertion) -> None:
    write_plan("theirs", {"blocks": 1}, two[1].id)
    swapped("plan.json")
    with pytest.raises(RecordError) as refused:
        read_plan("mine", two[0].id)
    assert str(refused.value) == snapshot


def test_runs_that_were_begun_before_ids_have_none_and_are_read(
    two: tuple[Run, Run], tmp_path: Path
) -> None:
    older = DATA / "format-7"
    shutil.copytree(older, "older")
    with Journal.reopen("older") as journal:
        journal.close(True)
    finish("older")
    found = load("older")
    assert (found.id, found.damage) == ("", ())
    shutil.copy("mine/journal.jsonl", "older")
    (text,) = unauthenticated(load("older"))
    assert text.startswith(f"older/{JOURNAL} ")
    assert replace(load("older"), warnings=found.warnings).cells == found.cells
