"""Pipes and devices where a run has files: they are never waited for, nor read without end.

Each of these attacks made every command that reads runs hang, or take all memory.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from harness.synthetic import Campaign, pingpong
from syrupy.assertion import SnapshotAssertion

from leadline.backends.discovery.wrappers import configured_wrappers
from leadline.cli import main
from leadline.errors import MachineError, RecordError, UsageError
from leadline.files import open_plain, read_plain
from leadline.store import Journal, finish, load, read_plan

JOURNAL, TABLES = "journal.jsonl", ("batches.parquet", "slices.parquet")
LONGEST_S = 20


def zero(path: Path) -> None:
    path.symlink_to("/dev/zero")


SPECIAL = pytest.mark.parametrize("planted", [os.mkfifo, zero])
Plant = Callable[[Path], None]


@pytest.fixture(autouse=True)
def never_waiting() -> Iterator[None]:
    """Ends what waits for a pipe, which would be for ever."""

    def end(*_: object) -> None:
        raise AssertionError(f"still waiting after {LONGEST_S} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(LONGEST_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A finished run called "run"."""
    monkeypatch.chdir(tmp_path)
    Campaign(["mpich", "openmpi"], [pingpong(8)], 3, 4).write(Path("run"))
    finish("run")
    return Path("run")


def refusal_of(path: Path) -> str:
    """What is said of a path where no file is."""
    with pytest.raises(OSError) as refused:
        open_plain(path)
    assert refused.value.errno == errno.EINVAL
    return str(refused.value.strerror)


def replaced(path: Path, planted: Plant) -> None:
    path.unlink(missing_ok=True)
    planted(path)


@SPECIAL
def test_only_plain_files_are_opened(
    planted: Plant, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    planted(tmp_path / "special")
    assert refusal_of(tmp_path / "special") == snapshot
    with pytest.raises(IsADirectoryError):
        open_plain(tmp_path)
    (tmp_path / "plain").write_bytes(b"1")
    (tmp_path / "link").symlink_to("plain")
    assert read_plain(tmp_path / "link") == b"1"


@SPECIAL
@pytest.mark.parametrize("name", ["run.json", *TABLES])
def test_special_file_of_a_finished_run_is_damage(name: str, planted: Plant, run: Path) -> None:
    whole = int(load(run).batches.elapsed_ns.sum())
    replaced(run / name, planted)
    found = load(run)
    (damage,) = found.damage
    assert f"run/{name}" in damage.cause
    assert refusal_of(run / name) in damage.cause
    assert int(found.batches.elapsed_ns.sum()) == whole


@SPECIAL
def test_special_journal_is_refused_or_not_needed(
    planted: Plant, run: Path, snapshot: SnapshotAssertion
) -> None:
    replaced(run / JOURNAL, planted)
    found = load(run)
    assert found.complete
    assert [one.cause for one in found.damage] == snapshot
    text = refusal_of(run / JOURNAL)
    with pytest.raises(RecordError, match=text):
        Journal.reopen(run)
    (run / "run.json").unlink()
    for read in (load, finish):
        with pytest.raises(RecordError, match=rf"{JOURNAL}: .*{text}"):
            read(run)


def test_journal_that_is_gone_or_closed_to_others_is_no_damage(run: Path) -> None:
    (run / JOURNAL).unlink()
    assert load(run).damage == ()


@SPECIAL
def test_nothing_is_written_through_what_lies_at_a_temporary_path(
    planted: Plant, run: Path
) -> None:
    for name in ("run.json", *TABLES):
        planted(run / f".{name}.new")
    finish(run)
    assert load(run).complete
    assert list(run.glob(".*.new")) == []


def test_link_at_a_temporary_path_is_not_followed(run: Path) -> None:
    Path("precious").write_text("kept")
    (run / ".run.json.new").symlink_to(Path("precious").resolve())
    finish(run)
    assert Path("precious").read_text() == "kept"


def test_folder_at_a_temporary_path_is_refused(run: Path) -> None:
    (run / ".run.json.new").mkdir()
    with pytest.raises(MachineError, match=rf"run.json: .*{os.strerror(errno.EISDIR)}"):
        finish(run)


@SPECIAL
def test_special_plan_is_refused(planted: Plant, run: Path) -> None:
    replaced(run / "plan.json", planted)
    with pytest.raises(RecordError, match=rf"plan.json: .*{refusal_of(run / 'plan.json')}"):
        read_plan(run, "")


@SPECIAL
def test_special_config_file_is_refused(planted: Plant, tmp_path: Path) -> None:
    planted(tmp_path / "config.toml")
    with pytest.raises(UsageError, match=refusal_of(tmp_path / "config.toml")):
        configured_wrappers(tmp_path / "config.toml")


@SPECIAL
@pytest.mark.parametrize(
    "words",
    [
        ["compare", "run", "other"],
        ["fit", "run"],
        ["report", "run", "--out", "r.html"],
        ["show", "run"],
        ["sql", "SELECT count(*) FROM batches", "run"],
        ["export", "run", "--csv"],
    ],
    ids=lambda words: words[0],
)
def test_no_command_waits_for_a_run_beside(
    words: list[str], planted: Plant, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(run, "other")
    Path("strange").mkdir()
    planted(Path("strange") / JOURNAL)
    assert main(words) in (0, 3), capsys.readouterr().err


@SPECIAL
def test_history_names_the_run_that_it_leaves_out(
    planted: Plant, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("strange").mkdir()
    planted(Path("strange") / JOURNAL)
    main(["history", "."])
    place = Path("strange") / JOURNAL
    (output,) = (one for one in capsys.readouterr().err.splitlines() if f"{place}: " in one)
    assert refusal_of(place) in output
