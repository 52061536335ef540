"""`leadline reproduce`: all figures of a paper, in every form, and what goes wrong."""

from __future__ import annotations

import base64
import csv
import errno
import gzip
import html
import json
import os
import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support import json_schema
from tests.support.texts import line_with

from leadline.cli import main
from leadline.cli.commands.completion import SHELLS
from leadline.papers.catalogue import PAPERS, paper_of
from leadline.papers.cells import figures_of
from leadline.papers.recipe import recipes_for
from leadline.simulate.machine_files import machine_named

PAPER = "ethernet-atm"
"""The one that takes least time."""
CONTRACT = ("id", "paper", "published", "ours", "unit", "deviation", "label", "reason")
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def a_hundred_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


def ran(capsys: Capture, *words: str) -> str:
    """What `leadline reproduce --paper PAPER WORDS` prints."""
    assert main(["reproduce", "--paper", PAPER, *words]) == 0
    return capsys.readouterr().out


def test_every_figure_of_a_paper_is_a_cell_for_programs(capsys: Capture) -> None:
    printed = ran(capsys, "--json")
    json_schema.check("reproduce", printed)
    content = json.loads(printed)
    figures = [cell["id"] for cell in content["cells"] if cell["sentence"] is None]
    (recipes,) = recipes_for(PAPER)
    settings = recipes.settings()
    assert figures == [one.id for one in paper_of(PAPER).figures if one not in settings]
    assert all(tuple(cell)[: len(CONTRACT)] == CONTRACT for cell in content["cells"])
    (summary,) = content["papers"]
    labels = ("fitted", "predicted", "measured_here", "not_reproducible")
    assert summary["figures"] == len(figures) == sum(summary[label] for label in labels)
    assert summary["settings"] == len(settings) > 0
    assert summary["machines"] == ["sun-atm-155", "sun-ethernet-10"]
    assert len(summary["contradictions"]) == len(paper_of(PAPER).contradictions)


def test_papers_that_are_named_are_made_in_the_papers_order(capsys: Capture) -> None:
    assert main(["reproduce", "--paper", PAPER, "--paper", "collectives", "--json"]) == 0
    papers = json.loads(capsys.readouterr().out)["papers"]
    assert [one["paper"] for one in papers] == ["collectives", PAPER]


def test_rows_are_the_cells(capsys: Capture) -> None:
    rows = list(csv.DictReader(ran(capsys, "--csv").splitlines()))
    cells = json.loads(ran(capsys, "--json"))["cells"]
    assert [row["id"] for row in rows] == [cell["id"] for cell in cells]
    assert float(rows[0]["ours"]) == cells[0]["ours"]


def test_summary_comes_first_and_every_cell_is_somewhere(
    capsys: Capture, snapshot: SnapshotAssertion
) -> None:
    printed = ran(capsys)
    assert printed.splitlines()[0] == snapshot
    assert max(map(len, printed.splitlines())) <= 100
    printed = " ".join(printed.split())
    for cell in json.loads(ran(capsys, "--json"))["cells"]:
        words = cell["sentence"] or cell["id"].split(".")[-1]
        assert words in printed, cell["id"]
        assert not cell["reason"] or cell["reason"].split()[0] in printed


def test_markdown_has_the_tables(capsys: Capture) -> None:
    assert "| peak pvm | 6 Mbps | 6 |" in ran(capsys, "--markdown")


def test_closed_forms_are_for_programs_and_on_the_page(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "papers.html"
    assert main(["reproduce", "--paper", "collectives", "--json", "--report", str(file)]) == 0
    forms = json.loads(capsys.readouterr().out)["forms"]
    assert len(forms) == 3 * 7
    (bcast,) = (f for f in forms if (f["machine"], f["operation"]) == ("ibm-sp2", "bcast"))
    found = {one["term"]: one["value"] for one in bcast["coefficients"]}
    assert found["t0 log2 p"] == pytest.approx(40e-6, rel=0.01)
    assert abs(bcast["deviation"]) < 0.05
    row = ("134 MB/s", "134 MB/s", "0 %", "40.0 us log2 p + (78.2 ns log2 p) a byte")
    cells = "".join(f"<td>{one}" for one in row)
    assert f'<th scope="row">bcast{cells}' in file.read_text()


def test_page_has_every_cell(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "papers.html"
    file.write_text("what was there")
    cells = json.loads(ran(capsys, "--json", "--report", str(file)))["cells"]
    page = file.read_text()
    assert page.startswith("<!doctype html>")
    for cell in cells:
        said_so = html.escape(cell["sentence"] or "")
        words = said_so or f"<td>{' '.join(cell['id'].split('.')[1:])}<"
        assert words[1:] in page, cell["id"]
        assert not cell["reason"] or html.escape(cell["reason"]) in page


@pytest.mark.parametrize(
    ("place", "named"),
    [("none/papers.html", "{folder}/none;"), (".", "{folder}/. ")],
)
def test_page_that_cannot_be_written_is_told_before_anything_is_simulated(
    place: str,
    named: str,
    tmp_path: Path,
    bare_machine: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    monkeypatch.setenv("PATH", str(bare_machine))  # simulating would say that there is no compiler
    assert main(["reproduce", "--report", f"{tmp_path}/{place}"]) == 2
    assert named.format(folder=tmp_path) in capsys.readouterr().err


def test_page_on_a_full_disk_is_told(capsys: Capture) -> None:
    assert main(["reproduce", "--paper", PAPER, "--report", "/dev/full"]) == 2
    assert f"--report /dev/full: {os.strerror(errno.ENOSPC)}" in capsys.readouterr().err


def test_every_figure_of_the_papers_is_drawn_on_the_page_and_as_a_file(
    capsys: Capture, tmp_path: Path
) -> None:
    file, folder = tmp_path / "papers.html", tmp_path / "drawn" / "here"
    ran(capsys, "--report", str(file), "--plot", str(folder))
    recipes = recipes_for(PAPER)
    figures = figures_of(recipes, machine_named)
    assert sorted(one.stem for one in folder.iterdir()) == sorted(
        one.figure.name for one in figures
    )
    packed = re.search(r'id="charts">([^<]+)<', file.read_text())
    assert packed is not None
    charts = json.loads(gzip.decompress(base64.b64decode(packed[1])))["figures"]
    assert [one["title"] for one in charts] == [f"{o.where}: {o.figure.title}" for o in figures]


def test_folder_that_cannot_be_made_is_told_before_anything_is_simulated(
    tmp_path: Path, bare_machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("PATH", str(bare_machine))
    (tmp_path / "file").touch()
    assert main(["reproduce", "--plot", f"{tmp_path}/file"]) == 2
    assert f"--plot {tmp_path}/file " in line_with(capsys.readouterr().err)
    assert main(["reproduce", "--plot", f"{tmp_path}/file/in"]) == 2
    problem = os.strerror(errno.ENOTDIR)
    assert f"--plot {tmp_path}/file/in: {problem}" in line_with(capsys.readouterr().err)


def test_page_does_not_mix_with_what_is_printed(
    capsys: Capture, snapshot: SnapshotAssertion
) -> None:
    assert main(["reproduce", "--report", "-"]) == 2
    assert line_with(capsys.readouterr().err) == snapshot


def test_paper_that_is_none_is_named_with_the_nearest(
    capsys: Capture, snapshot: SnapshotAssertion
) -> None:
    assert main(["reproduce", "--paper", "t3e-mpl"]) == 2
    assert line_with(capsys.readouterr().err) == snapshot


def test_machine_without_a_compiler_says_what_to_install(
    bare_machine: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
    snapshot: SnapshotAssertion,
) -> None:
    monkeypatch.setenv("PATH", str(bare_machine))
    assert main(["reproduce", "--paper", PAPER]) == 1
    assert line_with(capsys.readouterr().err) == snapshot


@pytest.mark.parametrize("shell", SHELLS)
def test_shells_complete_papers(shell: str, capsys: Capture) -> None:
    assert main(["completion", shell]) == 0
    assert " ".join(PAPERS) in capsys.readouterr().out


def test_terminal_is_told_what_takes_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    ran(capsys)
    assert main(["reproduce", "--paper", PAPER]) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["reproduce", "--paper", PAPER]) == 0
    assert PAPER in line_with(capsys.readouterr().err)
