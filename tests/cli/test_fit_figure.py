"""`leadline fit --plot`: what it draws, and what it refuses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.synthetic import BARRIER, Campaign, pingpong

from leadline.cli import main
from leadline.record.run import Cell
from leadline.report.figures.fitted import MOST_PANELS

SIZES = tuple(pingpong(size) for size in (0, *(8 << i for i in range(0, 19, 2))))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def drawn(cells: Sequence[Cell], *words: str) -> int:
    Campaign(["mpich", "openmpi"], cells).write(Path("run"))
    return main(["fit", "run", *words])


def test_figure_has_a_panel_with_the_curve_of_each_variant(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert drawn(SIZES, "--plot", "forms.svg") == 0
    text = (folder / "forms.svg").read_text()
    assert ">pingpong, 2 ranks<" in text and ">residual, %<" in text
    assert ">mpich<" in text and ">openmpi<" in text
    captured = capsys.readouterr()
    assert "wrote forms.svg" in captured.err and "pingpong" in captured.out


@pytest.mark.parametrize(("end", "begin"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_end_of_the_name_decides(folder: Path, end: str, begin: bytes) -> None:
    assert drawn(SIZES, "--plot", f"forms.{end}") == 0
    assert (folder / f"forms.{end}").read_bytes().startswith(begin)


@pytest.mark.parametrize(
    ("cells", "out", "message"),
    [
        (SIZES, "forms.gif", "--plot forms.gif: end the name in .svg, .pdf or .png"),
        (SIZES, "none/forms.svg", "--plot none/forms.svg: No such file or directory"),
        ((BARRIER,), "forms.svg", "--plot forms.svg: nothing was fitted that has several sizes"),
        (
            [replace(one, pattern=f"ring{i}") for i in range(MOST_PANELS + 1) for one in SIZES[:4]],
            "forms.svg",
            "25 patterns and numbers of ranks are more than the 24 that a figure has room for; "
            "choose with --pattern: ring0, ring1",
        ),
    ],
    ids=["form", "folder", "sizes", "panels"],
)
def test_what_can_t_be_drawn_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], cells: Sequence[Cell], out: str, message: str
) -> None:
    assert drawn(cells, "--plot", out) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""
