"""`leadline fit --plot`: what it draws, and what it refuses."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from harness.synthetic import BARRIER, Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.printed import RANKS, barrier, collective
from tests.support.texts import line_with

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
    assert "forms.svg" in captured.err and "pingpong" in captured.out


@pytest.mark.parametrize(("end", "begin"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_end_of_the_name_decides(folder: Path, end: str, begin: bytes) -> None:
    assert drawn(SIZES, "--plot", f"forms.{end}") == 0
    assert (folder / f"forms.{end}").read_bytes().startswith(begin)


@pytest.mark.parametrize(
    ("cells", "out"),
    [
        (SIZES, "forms.gif"),
        (SIZES, "none/forms.svg"),
        ((BARRIER,), "forms.svg"),
        (
            [replace(one, pattern=f"ring{i}") for i in range(MOST_PANELS + 1) for one in SIZES[:4]],
            "forms.svg",
        ),
    ],
    ids=["form", "folder", "sizes", "panels"],
)
def test_what_can_t_be_drawn_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str],
    cells: Sequence[Cell],
    out: str,
    snapshot: SnapshotAssertion,
) -> None:
    assert drawn(cells, "--plot", out) == 2
    captured = capsys.readouterr()
    assert line_with(captured.err) == snapshot
    assert captured.out == ""


def over_ranks(*words: str) -> int:
    """A figure of a collective and a barrier on several numbers of ranks."""
    files = [f"{ranks}.txt" for ranks in RANKS]
    for ranks, file in zip(RANKS, files, strict=True):
        Path(file).write_text(collective(ranks) + barrier(ranks))
    numbers = ",".join(map(str, RANKS))
    assert main(["import", *files, "--ranks", numbers, "--name", "mine", "--out", "run"]) == 0
    return main(["fit", "run", *words])


def titles(file: Path) -> list[str]:
    """Of the panels of a figure, by the names that are patterns'."""
    return re.findall(r">(osu_[^<]*)<", file.read_text())


def test_forms_without_sizes_are_drawn_against_ranks_beside_those_with(folder: Path) -> None:
    assert over_ranks("--plot", "forms.svg") == 0
    assert titles(folder / "forms.svg") == [
        *(f"osu_mpi_allreduce_latency, {ranks} ranks" for ranks in RANKS),
        "osu_mpi_barrier_latency",
    ]
    text = (folder / "forms.svg").read_text()
    assert ">ranks p<" in text and ">message size<" in text


def test_forms_are_drawn_against_ranks_at_the_ends_of_their_sizes(folder: Path) -> None:
    assert over_ranks("--plot", "forms.svg", "--by-ranks") == 0
    assert titles(folder / "forms.svg") == [
        "osu_mpi_allreduce_latency, 4 B", "osu_mpi_allreduce_latency, 1 MiB",
        "osu_mpi_barrier_latency",
    ]  # fmt: skip
    assert ">message size<" not in (folder / "forms.svg").read_text()


def test_forms_are_drawn_against_ranks_at_the_sizes_asked_for(folder: Path) -> None:
    assert over_ranks("--plot", "forms.svg", "--by-ranks", "--at", "64,1KiB") == 0
    assert titles(folder / "forms.svg") == [
        "osu_mpi_allreduce_latency, 64 B", "osu_mpi_allreduce_latency, 1 KiB",
    ]  # fmt: skip


def test_words_that_lack_another_are_refused(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    output = {}
    for words in ("--by-ranks", "--plot f.svg --at 8", "--plot f.svg --by-ranks --at 64,9"):
        assert over_ranks(*words.split()) == 2
        output[words] = line_with(capsys.readouterr().err, "fit:")
        shutil.rmtree("run")
    assert output == snapshot


def test_curves_of_one_number_of_ranks_arent_drawn_against_ranks(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert drawn(SIZES, "--plot", "forms.svg", "--by-ranks") == 2
    assert capsys.readouterr().err == snapshot
