from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from harness.synthetic import BARRIER, Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import line_with, section

from leadline.cli import main
from leadline.record.run import Buffers, Failure
from leadline.record.warnings import RunWarning
from leadline.report.formats.json_text import json_text
from leadline.report.text import first_screen
from leadline.store import Journal

SIZES = tuple(pingpong(size) for size in (0, 8, 512, 65536, 1_048_576, 2_000_000))
FAILURES = (
    Failure(2, 6, 3, "crash", "rank 1 ended by signal 11\nlast words: *** buffer | overflow"),
    Failure(0, None, 5, "launch", "no ranks after 60 s"),
)
WARNING = RunWarning("binding", "rank 0 runs on cores 0,1", "check that the launcher binds nothing")
Golden = Callable[[str, str], None]
Shown = Callable[..., str]


@pytest.fixture
def shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shown:
    """What `leadline show run WORDS` prints about a campaign, 100 columns wide unless told."""
    monkeypatch.chdir(tmp_path)

    def show(campaign: Campaign, *words: str, width: int = 100, **notes: object) -> str:
        monkeypatch.setenv("COLUMNS", str(width))
        if not Path("run").exists():
            campaign.write(Path("run"), **notes)  # type: ignore[arg-type]
        assert main(["show", "run", *words]) == 0
        captured = capsys.readouterr()
        assert captured.err == ""
        return captured.out

    return show


TWO = Campaign(["shm", "mpich", "openmpi"], (*SIZES, BARRIER), unmeasured=[("openmpi", BARRIER)])
THREE = Campaign(["shm", "mpich", "openmpi", "impi"], SIZES)


@pytest.mark.parametrize("form", ["text", "json", "csv", "markdown"])
def test_every_form_shows_tables_failures_and_warnings(
    shown: Shown, golden: Golden, form: str
) -> None:
    words = ("--full",) if form == "text" else (f"--{form}",)
    printed = shown(TWO, *words, failures=FAILURES, warnings=[WARNING])
    golden(f"show.{form}", in_forms(printed) if form == "json" else printed)


def in_forms(printed: str) -> str:
    """JSON with the form of each model in the place of its numbers, which tests/models hold."""
    content = json.loads(printed)
    content["models"] = [model["form"] for model in content["models"]]
    return f"{json_text(content)}\n"


def test_three_libraries_fit_80_columns(shown: Shown, golden: Golden) -> None:
    printed = shown(THREE, "--full", width=80)
    assert max(map(len, printed.splitlines())) <= 80
    golden("show-80-columns.text", printed)


def test_three_blocks_on_crowded_cores_get_neither_interval_nor_verdict(
    shown: Shown, golden: Golden
) -> None:
    few = Campaign(["mpich", "openmpi"], SIZES[:3], blocks=3, ranks=4)
    golden("show-few-blocks.text", shown(few, "--full"))


def test_json_rows_have_the_fields_promised(shown: Shown) -> None:
    report = json.loads(shown(TWO, "--json"))
    assert set(report["rows"][0]) == {
        "pattern", "variant", "origin", "backend", "version", "ranks", "size_bytes", "median_s",
        "low_s", "high_s", "stated_low_s", "stated_high_s", "blocks", "samples", "repetitions",
        "algorithm", "buffers", "cadence", "transport", "run_delay_share", "disturbed_share",
        "core_latency_ns", "link", "link_share", "clock_residual_ns", "communication_share",
        "communication_most", "verified", "verified_expected", "verified_seen", "warnings",
    }  # fmt: skip
    assert len(report["rows"]) == 3 * 7 - 1
    eight = next(r for r in report["rows"] if (r["variant"], r["size_bytes"]) == ("mpich", 8))
    assert 1.0e-6 < eight["low_s"] < eight["median_s"] < eight["high_s"] < 1.1e-6
    assert eight["blocks"] == 8


def test_csv_reads_back_as_the_rows_of_the_json(shown: Shown) -> None:
    report = json.loads(shown(TWO, "--json"))
    lines = shown(TWO, "--csv").splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    assert [float(row["median_s"]) for row in rows] == [r["median_s"] for r in report["rows"]]


def test_tails_are_shown_where_samples_are_single_operations(
    shown: Shown, snapshot: SnapshotAssertion
) -> None:
    single = Campaign(["mpich"], SIZES[:1], blocks=6, repetitions=1)
    printed = shown(single, "--tails")
    assert section(printed, "tails") == snapshot


def test_tails_are_not_made_of_averages(shown: Shown) -> None:
    assert "tails" not in shown(TWO, "--tails")


def test_interrupted_run_says_so(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    snapshot: SnapshotAssertion,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    with Journal.create(Path("run"), {}):
        pass
    assert main(["show", "run", "--full"]) == 0
    printed = capsys.readouterr()
    assert {"out": printed.out, "err": line_with(printed.err)} == snapshot


def test_run_that_is_none_ends_with_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["show", str(tmp_path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert line_with(captured.err).replace(str(tmp_path), "DIR") == snapshot


def test_two_forms_at_once_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["show", str(tmp_path), "--json", "--csv"])
    assert caught.value.code == 2


def test_terminal_gets_the_same_layout_in_colour(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = shown(TWO, "--full")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    coloured = shown(TWO, "--full")
    assert "\x1b[32mfaster" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_one_number_of_ranks_is_no_sweep(shown: Shown, snapshot: SnapshotAssertion) -> None:
    printed = shown(TWO, "--by-ranks")
    assert line_with(printed, "--ranks 2,3,4") == snapshot


# -- the first screen ------------------------------------------------------------------------------

MANY = Campaign(
    ["shm", "mpich", "openmpi", "impi"],
    tuple(replace(cell, pattern=f"pattern{k}") for k in range(30) for cell in SIZES),
)


def test_first_screen_says_who_is_fastest_where_and_what_to_know(
    shown: Shown, golden: Golden
) -> None:
    printed = shown(TWO, width=80, failures=FAILURES, warnings=[WARNING])
    golden("show-first-screen.text", printed)


def test_first_screen_of_one_library_has_its_times(shown: Shown, golden: Golden) -> None:
    golden("show-first-screen-of-one.text", shown(Campaign(["mpich"], SIZES), width=80))


def test_first_screen_tells_curves_of_one_pattern_apart(shown: Shown) -> None:
    cold = tuple(replace(cell, buffers=Buffers.COLD) for cell in SIZES)
    lines = shown(Campaign(["mpich", "openmpi"], (*SIZES, *cold)), width=80).splitlines()
    names = [line.split(":")[0].strip() for line in lines if line.startswith("  pingpong")]
    assert names == ["pingpong, echo buffers", "pingpong, cold buffers"]


@pytest.mark.parametrize("campaign", [TWO, THREE, MANY], ids=["two", "three", "many"])
def test_first_screen_is_a_screen(shown: Shown, campaign: Campaign) -> None:
    lines = shown(campaign, width=80, failures=FAILURES[1:], warnings=[WARNING]).splitlines()
    assert len(lines) <= first_screen.LINES
    assert max(map(len, lines)) <= first_screen.WIDTH
    assert any("fastest in" in line for line in lines)
