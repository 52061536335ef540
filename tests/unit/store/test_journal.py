from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest
from harness.synthetic import BARRIER, METADATA, configuration, one_slice, pingpong
from syrupy.assertion import SnapshotAssertion

from leadline.errors import MachineError, RecordError, UsageError
from leadline.record.run import HOST_DOWN, Failure
from leadline.record.warnings import RunWarning
from leadline.store import Journal, load
from leadline.store import journal as journal_module
from leadline.store.durable import append

FAILURE = Failure(0, 0, 3, "hang", "rank 1 stuck in pingpong at 8 B")
WARNING = RunWarning("binding", "rank 0 runs on cores 0,1", "measure with --bind none")
SLICE = one_slice((0, 0, 0, 0), [[5000, 4100, 4000], [5001, 4101, 4001]])


def journal_with_a_slice(directory: Path) -> None:
    with Journal.create(directory, METADATA) as journal:
        journal.add_configuration(configuration("mpich"))
        journal.add_cells([pingpong(8)])
        journal.add_slice(SLICE)


# -- the file --------------------------------------------------------------------------------------


def test_everything_added_is_read_back(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", METADATA) as journal:
        assert journal.add_configuration(configuration("mpich")) == 0
        assert journal.add_configuration(configuration("impi")) == 1
        assert journal.add_cells([pingpong(8), BARRIER]) == (0, 1)
        journal.add_slice(SLICE)
        journal.add_failure(FAILURE)
        journal.add_failure(replace(FAILURE, cell=None))
        journal.add_warning(WARNING)
        journal.close(True)
    run = load(tmp_path / "run")
    assert run.complete
    assert run.metadata == METADATA
    assert run.configurations == (configuration("mpich"), configuration("impi"))
    assert run.cells == (pingpong(8), BARRIER)
    assert run.batches.start_ns.tolist() == SLICE.start_ns.ravel().tolist()
    assert run.batches.end_ns.tolist() == SLICE.end_ns.ravel().tolist()
    assert run.batches.rank.tolist() == [0, 0, 0, 1, 1, 1]
    assert run.batches.batch.tolist() == [0, 1, 2, 0, 1, 2]
    assert run.batches.flags.tolist() == [1, 0, 0, 1, 0, 0]
    assert run.failures == (FAILURE, replace(FAILURE, cell=None))
    assert run.warnings == (WARNING,)


def test_host_that_was_down_fails_nothing_that_was_measured_when_it_was_back(
    tmp_path: Path,
) -> None:
    down = replace(FAILURE, code=HOST_DOWN)
    with Journal.create(tmp_path / "run", METADATA) as journal:
        for name in ("mpich", "impi"):
            journal.add_configuration(configuration(name))
        journal.add_cells([pingpong(8), BARRIER])
        for failure in (FAILURE, down, replace(down, cell=None)):
            journal.add_failure(failure)
            journal.add_failure(replace(failure, configuration=1 - failure.configuration))
        journal.close(False)
        before = load(tmp_path / "run")
    with Journal.reopen(tmp_path / "run") as journal:
        taken = replace(SLICE, configuration=FAILURE.configuration, cell=0)
        journal.add_slice(taken)
        journal.close(True)
    run = load(tmp_path / "run")
    assert (before.awaits_hosts, run.awaits_hosts) == (True, False)
    assert len(before.failures) == 6
    mine = [one for one in run.failures if one.configuration == FAILURE.configuration]
    assert mine == [FAILURE]
    assert len(run.failures) == 4


def test_transport_that_is_contradicted_stands_for_the_one_before(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    with Journal.create(tmp_path / "run", METADATA) as journal:
        for variant in ("mpich", "impi"):
            journal.add_configuration(configuration(variant))
        journal.add_transport(1, "unknown")
        assert journal.add_configuration(configuration("impi")) == 1
        journal.add_transport(2, "none")
    run = load(tmp_path / "run")
    transports = [one.transport for one in run.configurations]
    assert transports == [configuration("mpich").transport, "unknown"]
    assert configuration("impi").transport != "unknown"
    (warning,) = run.warnings
    assert warning.cause.replace(str(tmp_path), "DIR") == snapshot


def test_configuration_and_cell_are_written_once(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        assert journal.add_cells([pingpong(8)]) == (0,)
        assert journal.add_cells([pingpong(16), pingpong(8)]) == (1, 0)
        assert journal.add_configuration(configuration("impi")) == 0
        assert journal.add_configuration(configuration("impi")) == 0
    run = load(tmp_path / "run")
    assert run.cells == (pingpong(8), pingpong(16))
    assert len(run.configurations) == 1


def test_journal_left_without_close_is_incomplete(tmp_path: Path) -> None:
    journal_with_a_slice(tmp_path / "run")
    assert not load(tmp_path / "run").complete


def test_slice_is_on_disk_before_add_slice_returns(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        journal.add_configuration(configuration("mpich"))
        journal.add_cells([pingpong(8)])
        journal.add_slice(SLICE)
        assert load(tmp_path / "run").batches.rank.size == 6


# -- one campaign a directory ----------------------------------------------------------------------


def test_second_campaign_into_a_used_directory_is_refused(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    journal_with_a_slice(tmp_path / "run")
    with pytest.raises(UsageError) as refused:
        Journal.create(tmp_path / "run", {})
    assert str(refused.value).replace(str(tmp_path), "DIR") == snapshot


def test_directory_that_holds_something_else_is_refused_and_left_alone(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(UsageError) as refused:
        Journal.create(tmp_path, {})
    assert str(refused.value).replace(str(tmp_path), "DIR") == snapshot
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]


def test_file_in_place_of_the_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("x")
    with pytest.raises(UsageError, match=os.strerror(errno.ENOTDIR)):
        Journal.create(tmp_path / "run", {})


def test_empty_directory_and_missing_parents_are_fine(tmp_path: Path) -> None:
    Journal.create(tmp_path, {}).close(True)
    Journal.create(tmp_path / "a" / "b", {}).close(True)
    assert load(tmp_path / "a" / "b").complete


def test_journal_in_use_can_not_be_reopened(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    with Journal.create(tmp_path / "run", {}), pytest.raises(UsageError) as refused:
        Journal.reopen(tmp_path / "run")
    assert str(refused.value).replace(str(tmp_path), "DIR") == snapshot
    Journal.reopen(tmp_path / "run").close(True)


def test_journal_is_an_ordinary_file(tmp_path: Path) -> None:
    Journal.create(tmp_path, {}).close(True)
    assert (tmp_path / "journal.jsonl").stat().st_mode & 0o111 == 0


def test_lock_leaves_no_file_behind(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}):
        assert [p.name for p in (tmp_path / "run").iterdir()] == ["journal.jsonl"]


def test_file_system_without_locks_is_warned_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "lock", lambda *_: False)
    Journal.create(tmp_path / "run", {}).close(False)
    assert [warning.code for warning in load(tmp_path / "run").warnings] == ["no_lock"]


# -- resuming --------------------------------------------------------------------------------------


def test_reopen_removes_only_a_torn_last_line_and_says_so(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    path = tmp_path / "journal.jsonl"
    journal_with_a_slice(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole + whole.splitlines()[-1][:40])
    with Journal.reopen(tmp_path) as journal:
        journal.add_slice(replace(SLICE, visit=1))
    assert path.read_bytes().startswith(whole)
    run = load(tmp_path)
    assert run.batches.rank.size == 12
    assert [warning.code for warning in run.warnings] == ["torn_line"]
    assert run.warnings[0].cause.replace(str(tmp_path), "DIR") == snapshot


def test_reopen_keeps_a_last_line_that_lacks_only_its_newline(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    journal_with_a_slice(tmp_path)
    path.write_bytes(path.read_bytes()[:-1])
    with Journal.reopen(tmp_path) as journal:
        journal.add_slice(replace(SLICE, visit=1))
    assert load(tmp_path).batches.rank.size == 12
    assert load(tmp_path).warnings == ()


def test_reopen_leaves_a_bad_line_in_the_middle_and_goes_on(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    path = tmp_path / "journal.jsonl"
    journal_with_a_slice(tmp_path)
    broken = path.read_bytes().replace(b'"visit":0', b'"visit":7')
    path.write_bytes(broken)
    with Journal.reopen(tmp_path) as journal:
        journal.add_slice(replace(SLICE, block=1))
        journal.close(True)
    assert path.read_bytes().startswith(broken)
    run = load(tmp_path)
    assert set(run.batches.block.tolist()) == {1}
    assert [one.cause.replace(str(tmp_path), "DIR") for one in run.warnings] == snapshot


def test_reopen_refuses_where_a_definition_is_lost(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    with Journal.create(tmp_path, {}) as journal:
        journal.add_configuration(configuration("mpich"))
        journal.add_configuration(configuration("impi"))
    path = tmp_path / "journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], lines[2]]))
    with pytest.raises(RecordError) as refused:
        Journal.reopen(tmp_path)
    assert str(refused.value).replace(str(tmp_path), "DIR") == snapshot


def test_reopen_of_no_run_is_a_record_error(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    for place in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(RecordError) as refused:
            Journal.reopen(place)
        assert str(refused.value).replace(str(tmp_path), "DIR") == snapshot


# -- full disk -------------------------------------------------------------------------------------


def test_full_disk_names_the_file_and_the_reason() -> None:
    descriptor = os.open("/dev/full", os.O_WRONLY)
    with pytest.raises(MachineError, match=rf"^/dev/full: .*{os.strerror(errno.ENOSPC)}"):
        append(descriptor, b"line\n", Path("/dev/full"))
    os.close(descriptor)


def test_create_on_a_full_disk_leaves_no_run_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise MachineError("full")

    monkeypatch.setattr(journal_module, "append", full)
    with pytest.raises(MachineError):
        Journal.create(tmp_path / "run", {})
    assert list((tmp_path / "run").iterdir()) == []
