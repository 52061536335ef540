"""A run that was ended at any moment of its beginning or of its end goes on, or says why not."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from harness.kernels import local_backend
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import Interrupting, Silent, seen

from leadline.cli import main
from leadline.errors import RecordError, UsageError
from leadline.measure import preparation
from leadline.measure.conduct import conduct, resume
from leadline.measure.preparation import prepare, restore
from leadline.measure.prepared import decoded_plan, encoded
from leadline.measure.spec import Request
from leadline.record.run import Run
from leadline.record.warnings import WarningKind, warning_of
from leadline.store import finish, load, read_plan, stored, write_plan

REQUEST = Request(
    patterns=("pingpong",), sizes=(8, 104), backends=("null", "shm"), blocks=2, budget_s=0.05
)


@pytest.fixture(autouse=True)
def nothing_but_raw_backends(monkeypatch: pytest.MonkeyPatch) -> None:
    backends = [local_backend(kind) for kind in REQUEST.backends]
    monkeypatch.setattr(preparation, "find_backends", lambda _: backends)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interrupted run with one block."""
    directory = tmp_path_factory.mktemp("whole") / "run"
    with pytest.MonkeyPatch.context() as patch:
        backends = [local_backend(kind) for kind in REQUEST.backends]
        patch.setattr(preparation, "find_backends", lambda _: backends)
        conduct(prepare(REQUEST), directory, Interrupting())
    return directory


def lines_of(directory: Path) -> list[bytes]:
    return (directory / "journal.jsonl").read_bytes().splitlines(keepends=True)


def first_of(lines: list[bytes], kind: str) -> int:
    return next(n for n, line in enumerate(lines) if f'"kind":"{kind}"'.encode() in line)


def cut(whole: Path, directory: Path, content: bytes) -> Run:
    """The run as a kill leaves it when its journal has so much."""
    directory.mkdir()
    shutil.copy(whole / "plan.json", directory)
    (directory / "journal.jsonl").write_bytes(content)
    return load(directory)


def no_words(words: Mapping[str, Any]) -> Request:
    raise AssertionError(words)


def test_run_cut_at_any_line_before_its_first_slice_goes_on(whole: Path, tmp_path: Path) -> None:
    lines = lines_of(whole)
    for kept in range(1, first_of(lines, "slice") + 1):
        for torn in (b"", lines[kept][:-9]):
            directory = tmp_path / f"{kept}-{len(torn)}"
            run = cut(whole, directory, b"".join(lines[:kept]) + torn)
            interrupted = restore(run, no_words)
            assert (interrupted.next_block, interrupted.blocks_left) == (0, 2)


def test_run_cut_inside_its_definitions_has_them_whole_afterwards(
    whole: Path, tmp_path: Path
) -> None:
    lines, begun = lines_of(whole), load(whole)
    kept = first_of(lines, "configuration") + 1
    run = cut(whole, tmp_path / "run", b"".join(lines[:kept]))
    assert len(run.configurations) == 1
    finished = resume(restore(run, no_words), Silent())
    assert (finished.complete, finished.configurations) == (True, begun.configurations)
    assert finished.cells == begun.cells
    assert {block for block, _, _ in seen(finished)} == {0, 1}
    assert WarningKind.JOURNAL_LINE.code not in {warning.code for warning in finished.warnings}


def test_what_a_run_says_from_its_beginning_is_not_lost_with_it(
    whole: Path, tmp_path: Path
) -> None:
    text = warning_of(WarningKind.GOVERNOR, governor="planted")
    run = cut(whole, tmp_path / "run", lines_of(whole)[0])
    kept = decoded_plan(read_plan(run.path, run.id) or {})
    assert {*kept.warnings} <= {*load(whole).warnings}
    write_plan(run.path, encoded(replace(kept, warnings=(*kept.warnings, text))), run.id)
    finished = resume(restore(run, no_words), Silent())
    assert finished.warnings.count(text) == 1
    assert finished.cells == load(whole).cells


def test_run_without_plan_says_that_nothing_was_measured(
    whole: Path, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    run = cut(whole, tmp_path / "run", lines_of(whole)[0])
    (tmp_path / "run" / "plan.json").unlink()
    with pytest.raises(UsageError, match=r"\bplan\b") as caught:
        restore(run, no_words)
    assert str(caught.value).replace(str(tmp_path), "DIR") == snapshot


def test_definition_that_is_lost_is_the_reason_and_not_the_machine(
    whole: Path, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    lines = lines_of(whole)
    for last in (n for n, line in enumerate(lines) if b'"kind":"configuration"' in line):
        spoilt = lines[last].replace(b'"kind"', b'"kinf"')
        content = b"".join([*lines[:last], spoilt, *lines[last + 1 :]])
        run = cut(whole, tmp_path / str(last), content)
        with pytest.raises(RecordError, match=r"\bvariant\b") as caught:
            restore(run, no_words)
        assert str(caught.value).replace(str(run.path), "RUN") == snapshot


def killed_while_finishing(whole: Path, directory: Path, *left: str) -> str:
    """A complete run without the files that finishing writes last, but for those `left`."""
    resume(restore(cut(whole, directory, b"".join(lines_of(whole))), no_words), Silent())
    for name in {"run.json", "slices.parquet", "batches.parquet"} - set(left):
        (directory / name).unlink()
    (directory / ".slices.parquet.new").write_bytes(b"cut")
    return str(directory)


@pytest.mark.parametrize("left", ["", "batches.parquet"])
def test_run_killed_while_finishing_is_finished_by_resume(
    left: str,
    whole: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    snapshot: SnapshotAssertion,
) -> None:
    run = killed_while_finishing(whole, tmp_path / "run", left)
    assert main(["run", "--resume", run]) == 0
    assert capsys.readouterr().err.replace(str(tmp_path), "DIR") == snapshot
    assert {path.name for path in Path(run).iterdir()} == {
        "plan.json", "journal.jsonl", "batches.parquet", "slices.parquet", "run.json"
    }  # fmt: skip
    assert stored(run).tables.keys() == {"batches", "slices"}
    assert main(["run", "--resume", run]) == 0
    assert capsys.readouterr().err.replace(str(tmp_path), "DIR") == snapshot


def test_tables_stay_as_they_are_where_the_journal_has_lost_lines(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    run = Path(killed_while_finishing(whole, tmp_path / "run", "batches.parquet"))
    lines = lines_of(run)
    lines[-2] = lines[-2].replace(b'"kind"', b'"kinf"')
    (run / "journal.jsonl").write_bytes(b"".join(lines))
    tables = (run / "batches.parquet").read_bytes()
    assert main(["run", "--resume", str(run)]) == 0
    assert capsys.readouterr().err.replace(str(tmp_path), "DIR") == snapshot
    assert (run / "batches.parquet").read_bytes() == tables


def test_two_do_not_finish_a_run_at_the_same_time(
    whole: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    snapshot: SnapshotAssertion,
) -> None:
    def meanwhile(directory: str) -> None:
        assert main(["run", "--resume", directory]) == 2
        finish(directory)

    monkeypatch.setattr("leadline.measure.conduct.finish", meanwhile)
    run = cut(whole, tmp_path / "run", b"".join(lines_of(whole)))
    assert resume(restore(run, no_words), Silent()).complete
    assert capsys.readouterr().err.replace(str(tmp_path), "DIR") == snapshot
    assert stored(run.path).tables.keys() == {"batches", "slices"}
