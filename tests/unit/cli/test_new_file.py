"""Files that commands write over: whole or not at all, never through a link, never a run's."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import pytest
from harness.places import ROOT
from harness.synthetic import Campaign, pingpong
from tests.support.texts import line_with

from leadline.cli import main
from leadline.cli.parsing.files import replace, write
from leadline.errors import UsageError
from leadline.store import finish


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "run"
    Campaign(["shm", "mpich"], (pingpong(8), pingpong(64)), blocks=5).write(path)
    finish(path)
    return path


@pytest.mark.parametrize("there", [True, False])
def test_a_link_is_replaced_and_not_what_it_leads_to(tmp_path: Path, there: bool) -> None:
    other, link = tmp_path / "other", tmp_path / "link"
    if there:
        other.write_text("mine")
    link.symlink_to(other)
    replace(str(link), b"new", "--out")
    assert not link.is_symlink() and link.read_text() == "new"
    assert other.exists() is there and (not there or other.read_text() == "mine")


def test_a_name_as_long_as_names_can_be_is_written(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 255)
    for content in (b"first", b"second"):
        replace(str(path), content, "--out")
    assert path.read_bytes() == b"second"


def test_what_was_private_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.touch(mode=0o600)
    replace(str(path), b"new", "--out")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    replace(str(path), b"new", "--out")
    assert os.read(reader, 9) == b"new" and path.is_fifo()
    os.close(reader)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (("report", "run", "--out"), "journal.jsonl"),
        (("report", "run", "--out"), "run.json"),
        (("report", "run", "--out"), "batches.parquet"),
        (("report", "run", "--out"), "slices.parquet"),
        (("report", "run", "--out"), "plan.json"),
        (("reproduce", "--paper", "cray-mpt", "--report"), "journal.jsonl"),
    ],
)
def test_a_file_of_a_run_is_never_replaced(
    run: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], name: str
) -> None:
    before = {path: path.read_bytes() for path in run.iterdir()}
    assert main([*words, f"run/{name}"]) == 2
    output = line_with(capsys.readouterr().err)
    assert output.startswith(f"leadline {words[0]}: {words[-1]} run/{name}: ")
    assert {path: path.read_bytes() for path in run.iterdir()} == before


def test_other_names_in_a_runs_directory_are_free(run: Path) -> None:
    assert main(["report", "run", "--out", "run/page.html"]) == 0
    Path("else").mkdir()
    replace("else/plan.json", b"mine", "--out")


@pytest.mark.parametrize("words", [("report", "run"), ("plot", "run"), ("fit", "run")])
def test_commands_write_over_a_link_and_not_through_it(run: Path, words: tuple[str, ...]) -> None:
    Path("mine").write_text("mine")
    Path("link.svg").symlink_to("mine")
    main([*words, "--plot" if words[0] == "fit" else "--out", "link.svg"])
    assert Path("mine").read_text() == "mine"


def test_pictures_are_put_whole(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "link.svg").symlink_to("mine")
    write(str(tmp_path / "link.svg"), b"new", "--plot")
    assert (tmp_path / "mine").read_text() == "mine"
    with pytest.raises(UsageError, match=r"^--plot .*/mine/a\.svg: "):
        write(str(tmp_path / "mine" / "a.svg"), b"new", "--plot")


def test_no_command_writes_files_in_another_way() -> None:
    writes = re.compile(r"\.write_(bytes|text)\(|open\([^)]*[\"'][wx]b?[\"']")
    found = {
        path.name
        for path in (ROOT / "src/leadline/cli").rglob("*.py")
        if writes.search(path.read_text())
    }
    assert found == {"files.py", "last_resort.py", "exec.py"}
