"""`leadline report` and `leadline plot`: what they write, and what they refuse."""

from __future__ import annotations

import errno
import html
import os
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from harness.places import DATA
from harness.synthetic import BARRIER, Campaign, configuration, one_slice, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import line_with

from leadline.cli import main
from leadline.store import Journal

SIZES = tuple(pingpong(size) for size in (0, 8, 512, 65536, 1_048_576))
IMPORTS = DATA / "imports"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the runs "one" and "two" are, and commands run."""
    monkeypatch.chdir(tmp_path)
    Campaign(["shm", "mpich", "openmpi"], (*SIZES, BARRIER)).write(Path("one"))
    Campaign(["mpich", "openmpi"], SIZES, slowdown={"mpich": 1.1}).write(Path("two"))
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line on stderr with which a command ends with 2."""
    capsys.readouterr()
    assert main(list(words)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return line_with(captured.err)


def warned(page: str) -> list[str]:
    """Codes of a page's warnings, and after each its cause."""
    listed = re.search(r'<dl class="warnings">(.*?)</dl>', page, re.DOTALL)
    assert listed is not None
    return [html.unescape(text) for text in re.findall(r"<d[td]>([^<]*)<", listed[1])]


# -- report ----------------------------------------------------------------------------------------


def test_page_is_named_after_its_first_run_unless_told(folder: Path) -> None:
    assert main(["report", "one"]) == 0
    assert main(["report", "one", "--out", "other.html"]) == 0
    assert (folder / "one.html").read_text() == (folder / "other.html").read_text()


def test_page_goes_to_stdout_for_a_dash(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["report", "two", "--out", "-"]) == 0
    assert capfdbinary.readouterr().out.startswith(b"<!doctype html>")


def test_imported_values_make_a_page_without_intervals_that_says_so(
    folder: Path, snapshot: SnapshotAssertion
) -> None:
    source = IMPORTS / "osu_latency-7.4.txt"
    assert main(["import", str(source), "--out", "osu"]) == 0
    assert main(["report", "osu"]) == 0
    page = (folder / "osu.html").read_text()
    lead = re.search(r'<p class="lead">([^<]*)<', page)
    assert lead is not None
    assert [lead[1], *warned(page)] == snapshot


def test_interrupted_run_makes_a_page_that_says_so(
    folder: Path, snapshot: SnapshotAssertion
) -> None:
    campaign = Campaign(["mpich", "openmpi"], SIZES[:1], blocks=2)
    with Journal.create(folder / "cut", {}) as journal:
        journal.add_cells(campaign.cells)
        for one in campaign.configurations:
            journal.add_configuration(one)
        for taken in campaign.slices():
            journal.add_slice(taken)
    assert main(["report", "cut"]) == 0
    found = warned((folder / "cut.html").read_text())
    assert found[::2] == ["incomplete", "few_blocks"]
    assert found == snapshot


def test_page_has_the_derived_numbers_that_show_has(
    folder: Path, snapshot: SnapshotAssertion
) -> None:
    ways = ("stream", "ibcast", "ibcast:overlapped", "ibcast:computing")
    cells = [replace(pingpong(8), pattern=way, messages_per_repetition=1) for way in ways]
    cells[0] = replace(cells[0], messages_per_repetition=64)
    Campaign(["mpich"], tuple(cells)).write(Path("ways"))
    assert main(["report", "ways"]) == 0
    captions = re.findall(r"<figcaption>([^<]*)<", (folder / "ways.html").read_text())
    assert [one for one in captions if one.startswith(("stream", "ibcast:"))] == snapshot


@pytest.mark.parametrize("command", [["report"], ["plot", "--out", "x.svg"]])
def test_run_in_which_nothing_was_measured_is_refused(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    command: list[str],
    snapshot: SnapshotAssertion,
) -> None:
    Journal.create(folder / "empty", {}).close(True)
    assert refused(capsys, *command, "empty") == snapshot
    assert not (folder / "empty.html").exists()


def test_what_no_page_can_be_made_of_is_refused(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    asked = (
        "report one/ one",
        "report no-such",
        "report one --baseline mpic",
        "report one --out none/x.html",
    )
    assert {words: refused(capsys, *words.split()) for words in asked} == snapshot


# -- plot ------------------------------------------------------------------------------------------


def labels(file: Path) -> list[str]:
    """The texts of an SVG, which are texts, not outlines."""
    root = ET.fromstring(file.read_text())
    found = ["".join(node.itertext()).strip() for node in root.iter() if node.tag.endswith("text")]
    return [one for one in found if one]


def test_figure_has_a_named_line_for_each_variant_and_axes_with_units(folder: Path) -> None:
    assert main(["plot", "one", "--out", "a.svg"]) == 0
    found = labels(folder / "a.svg")
    assert {"shm", "mpich", "openmpi", "message size", "time", "1 us", "0 B", "//"} <= set(found)


def test_same_run_gives_the_same_bytes(folder: Path) -> None:
    for form in ("svg", "png", "pdf"):
        for name in ("a", "b"):
            assert main(["plot", "one", "--out", f"{name}.{form}"]) == 0
        assert (folder / f"a.{form}").read_bytes() == (folder / f"b.{form}").read_bytes()


def test_size_is_in_inches(folder: Path) -> None:
    assert main(["plot", "one", "--out", "a.png", "--size", "4x2"]) == 0
    header = (folder / "a.png").read_bytes()[16:24]
    assert [int.from_bytes(part) for part in (header[:4], header[4:])] == [1200, 600]


def test_ratio_of_one_run_is_named_by_its_two(folder: Path, snapshot: SnapshotAssertion) -> None:
    assert main(["plot", "one", "--ratio", "mpich", "openmpi", "--out", "a.svg"]) == 0
    found = labels(folder / "a.svg")
    assert "mpich / openmpi" in found
    assert [one for one in found if "ratio" in one] == snapshot


def test_ratio_has_the_colour_of_its_candidate(folder: Path) -> None:
    for name, colour in (("mpich", "#2175d5"), ("openmpi", "#c84f07")):
        other = "openmpi" if name == "mpich" else "mpich"
        assert main(["plot", "one", "--ratio", name, other, "--out", "a.svg"]) == 0
        drawn = (folder / "a.svg").read_text()
        assert colour in drawn


def test_ratio_of_two_runs_goes_either_way(folder: Path) -> None:
    for names in (["mpich (two)", "mpich (one)"], ["mpich (one)", "mpich (two)"]):
        assert main(["plot", "one", "two", "--ratio", *names, "--out", "a.svg"]) == 0
        assert " / ".join(names) in labels(folder / "a.svg")


def test_bandwidth_leaves_zero_bytes_out(folder: Path) -> None:
    assert main(["plot", "one", "--bandwidth", "--out", "a.svg"]) == 0
    found = labels(folder / "a.svg")
    assert "bandwidth" in found
    assert "0 B" not in found


def test_ranks_are_two_families_of_lines(
    folder: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    with Journal.create(folder / "ranks", {}) as journal:
        journal.add_cells([BARRIER])
        for ranks in (2, 3, 4, 6):
            one = replace(configuration("mpich", ranks), oversubscribed=ranks > 4)
            index = journal.add_configuration(one)
            for block in range(6):
                journal.add_slice(one_slice((index, 0, block, 0), [[1000 * ranks] * 5] * ranks))
        journal.close(True)
    assert main(["plot", "ranks", "--by-ranks", "--out", "a.svg"]) == 0
    assert {"mpich", "mpich, other p", "ranks p", "2", "3", "4", "6"} <= set(
        labels(folder / "a.svg")
    )
    words = ("plot", "ranks", "--by-ranks", "--at", "9", "--out", "a.svg")
    assert refused(capsys, *words) == snapshot


def test_pattern_without_sizes_is_drawn_too(folder: Path, snapshot: SnapshotAssertion) -> None:
    assert main(["plot", "one", "--pattern", "barrier", "--out", "a.svg"]) == 0
    found = labels(folder / "a.svg")
    assert "mpich" in found
    assert main(["plot", "one", "--pattern", "pingpong", "--out", "a.svg"]) == 0
    with_sizes = labels(folder / "a.svg")
    assert [[one for one in each if "size" in one] for each in (found, with_sizes)] == snapshot


def test_what_can_t_be_drawn_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    asked = (
        "--out a.gif",
        "--out a.svg --pattern pingpongs",
        "--out a.svg --ranks 5",
        "--out a.svg --size 3",
        "--out a.svg --size 99x2",
        "--out a.svg --at 8",
        "--out a.svg --by-ranks",
        "--out a.svg --ratio mpich impi",
        "--out a.svg --pattern barrier --bandwidth",
        "--out none/a.svg",
    )
    message = {words: refused(capsys, "plot", "one", *words.split()) for words in asked}
    assert message == snapshot


def test_plot_takes_a_pattern_by_its_name_elsewhere_and_refuses_one_that_was_not_measured(
    folder: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["plot", "one", "--pattern", "osu_barrier", "--out", "a.svg"]) == 0
    assert main(["plot", "one", "--pattern", "halo", "--out", "b.svg"]) == 2
    assert line_with(capsys.readouterr().err, "plot:") == snapshot
    assert not (folder / "b.svg").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["import", "loop"],
        ["report", "loop", "--out", "r.html"],
        ["report", "loop"],
        ["report", "one", "loop", "--out", "r.html"],
        ["plot", "loop", "--out", "p.svg"],
        ["compare", "one", "loop"],
    ],
    ids=" ".join,
)
def test_link_that_leads_to_itself_is_refused(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Python 3.11's Path.resolve raises a RuntimeError for it."""
    Path("loop").symlink_to("loop")
    message = refused(capsys, *words)
    assert "loop" in message and os.strerror(errno.ELOOP) in message
