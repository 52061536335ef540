from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from harness.synthetic import Campaign, configuration, one_slice
from syrupy.assertion import SnapshotAssertion
from tests.support.same_runs import CELLS, same

from leadline.errors import RecordError, UsageError
from leadline.record.run import Failure, Run
from leadline.record.warnings import RunWarning
from leadline.store import Journal, finish, load
from leadline.store.manifest import Manifest, read_manifest, write_manifest


@pytest.fixture
def campaign(tmp_path: Path) -> Run:
    return Campaign(["mpich", "impi"], CELLS, blocks=2).write(tmp_path / "run")


# -- what is written is read -----------------------------------------------------------------------


def test_run_is_the_same_before_and_after_finish(campaign: Run) -> None:
    assert same(load(campaign.path), campaign)
    finish(campaign.path)
    assert same(load(campaign.path), campaign)
    assert sorted(p.name for p in Path(campaign.path).iterdir()) == [
        "batches.parquet", "journal.jsonl", "run.json", "slices.parquet",
    ]  # fmt: skip


def test_finished_run_is_read_without_its_journal(campaign: Run) -> None:
    finish(campaign.path)
    (Path(campaign.path) / "journal.jsonl").unlink()
    assert same(load(campaign.path), campaign)


def test_run_without_any_slice_is_finished_and_read(tmp_path: Path) -> None:
    with Journal.create(tmp_path, {}) as journal:
        index = journal.add_configuration(configuration("mpich"))
        journal.add_failure(Failure(index, None, 0, "launch", "mpiexec not found"))
        journal.close(True)
    finish(tmp_path)
    run = load(tmp_path)
    assert run.batches.rank.size == 0
    assert run.batches.start_ns.dtype == np.int64
    assert run.failures[0].cell is None


def test_directory_name_is_never_a_pattern(tmp_path: Path) -> None:
    for name in ("a", "x=1", "[a-z]", "*", "it's", "µ ?"):
        directory = tmp_path / "runs" / name
        run = Campaign(["mpich"], CELLS[:1], blocks=1 + len(name)).write(directory)
        finish(directory)
        (directory / "journal.jsonl").unlink()
        assert same(load(directory), run), name


def test_run_that_went_on_after_finish_is_read_from_its_journal(campaign: Run) -> None:
    finish(campaign.path)
    with Journal.reopen(campaign.path) as journal:
        journal.add_slice(one_slice((0, 0, 9, 0), [[5, 6], [7, 8]]))
    run = load(campaign.path)
    assert not run.complete
    assert run.batches.rank.size == campaign.batches.rank.size + 4
    assert run.warnings == ()
    finish(campaign.path)
    assert same(load(campaign.path), run)


# -- damage ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["batches.parquet", "slices.parquet"])
def test_table_of_nobody_beside_a_journal_is_named(
    campaign: Run, name: str, snapshot: SnapshotAssertion
) -> None:
    """The journal may be another run's, whose own is gone: nothing else would say so."""
    finish(campaign.path)
    directory = Path(campaign.path)
    (directory / "run.json").unlink()
    assert load(directory).damage == ()
    (directory / name).write_bytes((directory / name).read_bytes()[:1500])
    (text,) = load(directory).damage
    assert text.code == "parquet"
    assert text.cause.startswith(f"{directory / name} ")
    assert text.cause.rpartition("; ")[2] == snapshot
    assert text.remedy.replace(str(directory), "RUN") == snapshot


@pytest.mark.parametrize("change", ["none", "byte", "end"])
@pytest.mark.parametrize("manifest", [True, False])
def test_remedy_for_a_table_is_what_the_journal_allows(
    campaign: Run, change: str, manifest: bool, snapshot: SnapshotAssertion
) -> None:
    finish(campaign.path)
    directory = Path(campaign.path)
    journal = directory / "journal.jsonl"
    content = journal.read_bytes()
    lines = content.splitlines(keepends=True)
    middle = len(b"".join(lines[:-2])) + 20
    changed = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    journal.write_bytes({"none": content, "byte": changed, "end": b"".join(lines[:-1])}[change])
    if manifest:
        (directory / "slices.parquet").unlink()
    else:
        (directory / "run.json").unlink()
        (directory / "slices.parquet").write_bytes(b"")
    text = next(one for one in load(directory).damage if one.code == "parquet")
    lacks = change == "byte" or (change == "end" and manifest)
    told = snapshot(name="keep" if lacks else "remove")
    assert text.remedy.replace(str(directory), "RUN") == told


def test_no_run_says_what_is_missing(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    (tmp_path / "file").write_text("x")
    for name in ("nowhere", "", "file"):
        with pytest.raises(RecordError) as refused:
            load(tmp_path / name)
        assert str(refused.value).replace(str(tmp_path), "DIR") == snapshot


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 4
    path.write_bytes(content)


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("damage", [cut, flip, empty, Path.unlink])
def test_damaged_parquet_falls_back_to_the_journal_and_says_so(
    campaign: Run, damage: Callable[[Path], None]
) -> None:
    finish(campaign.path)
    damage(Path(campaign.path) / "batches.parquet")
    run = load(campaign.path)
    assert [warning.code for warning in run.warnings] == ["parquet"]
    assert "batches.parquet" in run.warnings[0].cause
    assert same(replace(run, warnings=()), campaign)


@pytest.mark.parametrize("damage", [cut, flip, empty])
def test_damaged_summary_falls_back_to_the_journal_and_says_so(
    campaign: Run, damage: Callable[[Path], None]
) -> None:
    finish(campaign.path)
    damage(Path(campaign.path) / "run.json")
    run = load(campaign.path)
    assert "run.json" in run.warnings[0].cause
    assert same(replace(run, warnings=()), campaign)


def test_parquet_of_another_run_is_not_taken(
    campaign: Run, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    finish(campaign.path)
    finish(Campaign(["shm"], CELLS, blocks=2).write(tmp_path / "other").path)
    shutil.copy(tmp_path / "other" / "batches.parquet", campaign.path)
    text = load(campaign.path).warnings[0]
    assert text.code == "other_run"
    assert text.cause.replace(campaign.path, "RUN") == snapshot


def test_both_gone_is_a_record_error_that_names_both(
    campaign: Run, snapshot: SnapshotAssertion
) -> None:
    finish(campaign.path)
    (Path(campaign.path) / "journal.jsonl").unlink()
    empty(Path(campaign.path) / "batches.parquet")
    with pytest.raises(RecordError) as refused:
        load(campaign.path)
    assert str(refused.value).replace(campaign.path, "RUN") == snapshot


# -- the format stays readable ---------------------------------------------------------------------


def test_codes_stored_with_hyphens_are_read_as_they_are_spelled_today(tmp_path: Path) -> None:
    def called(code: str) -> RunWarning:
        return RunWarning(code, "a cause", "a remedy")

    stored = tuple(map(called, ("torn-line", "load", "of-tomorrow")))
    today = (called("torn_line"), *stored[1:])
    with Journal.create(tmp_path, {}) as journal:
        for warning in stored:
            journal.add_warning(warning)
    read = load(tmp_path)
    assert read.warnings == today
    content = write_manifest(Manifest(replace(read, warnings=stored), 0, "00000000", "00000000"))
    assert read_manifest(content, str(tmp_path)).run.warnings == today


def test_directory_whose_name_is_not_utf8_is_refused_before_anything_is_written(
    tmp_path: Path,
) -> None:
    with pytest.raises(UsageError, match="UTF-8"):
        Journal.create(tmp_path / "c\udcff", {})
    assert list(tmp_path.iterdir()) == []
