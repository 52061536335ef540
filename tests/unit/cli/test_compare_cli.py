from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from harness.synthetic import BARRIER, Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import line_with, section

from leadline.cli import main
from leadline.record.run import Failure
from leadline.record.warnings import RunWarning

SIZES = tuple(pingpong(size) for size in (0, 8, 512, 65536, 1_048_576, 2_000_000))
Golden = Callable[[str, str], None]
Compared = Callable[..., tuple[int, str]]


@pytest.fixture
def compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Compared:
    """Exit status and output of `leadline compare WORDS`, after writing campaigns by name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def compare(*words: str, **campaigns: Campaign) -> tuple[int, str]:
        for name, campaign in campaigns.items():
            campaign.write(Path(name))
        status = main(["compare", *words])
        captured = capsys.readouterr()
        return status, captured.out if status != 2 else captured.err

    return compare


LIBRARIES = Campaign(["shm", "mpich", "openmpi", "impi"], (*SIZES, BARRIER))


@pytest.mark.parametrize("form", ["text", "json", "csv", "markdown"])
def test_variants_of_one_run_are_held_to_the_baseline(
    compared: Compared, golden: Golden, form: str
) -> None:
    words = () if form == "text" else (f"--{form}",)
    status, printed = compared("run", "--baseline", "openmpi", *words, run=LIBRARIES)
    assert status == 1  # mpich is slower
    golden(f"compare.{form}", printed)


def test_two_runs_are_compared_variant_by_variant(compared: Compared, golden: Golden) -> None:
    before = Campaign(["mpich", "openmpi"], SIZES)
    after = Campaign(["mpich", "openmpi"], SIZES, slowdown={"openmpi": 1.2})
    status, printed = compared("before", "after", "--between", "1%", before=before, after=after)
    assert status == 1
    golden("compare-two-runs.text", printed)


def test_nothing_slower_ends_with_0(compared: Compared, snapshot: SnapshotAssertion) -> None:
    status, printed = compared("run", "--baseline", "mpich", run=LIBRARIES)
    assert status == 0
    assert printed.splitlines()[-1] == snapshot


def test_too_much_undecided_ends_with_3(compared: Compared, snapshot: SnapshotAssertion) -> None:
    few = Campaign(["mpich", "openmpi"], SIZES, blocks=3)
    status, printed = compared("run", "--baseline", "mpich", run=few)
    assert status == 3
    assert [*section(printed, "conclusion"), *section(printed, "warnings")] == snapshot


def test_threshold_decides_what_counts_as_slower(compared: Compared) -> None:
    runs = {
        "before": Campaign(["mpich"], SIZES),
        "after": Campaign(["mpich"], SIZES, slowdown={"mpich": 1.15}),
    }
    assert compared("before", "after", "--between", "1%", **runs)[0] == 1
    assert compared("before", "after", "--between", "1%", "--threshold", "30%")[0] == 0


def test_one_pair_of_runs_tells_no_change_until_it_is_said_how_far_runs_lie_apart(
    compared: Compared, snapshot: SnapshotAssertion
) -> None:
    runs = {
        "before": Campaign(["mpich"], SIZES),
        "after": Campaign(["mpich"], SIZES, slowdown={"mpich": 1.15}),
    }
    status, printed = compared("before", "after", **runs)
    assert status == 3
    assert [*section(printed, "conclusion"), *section(printed, "warnings")] == snapshot
    assert compared("before", "after", "--between", "20%")[0] == 3
    status, printed = compared("before", "after", "--between", "1%")
    assert status == 1
    assert section(printed, "warnings") == snapshot


def test_json_rows_have_the_fields_promised(compared: Compared) -> None:
    _, printed = compared("run", "--baseline", "mpich", "--json", run=LIBRARIES)
    report = json.loads(printed)
    assert list(report["rows"][0])[:9] == [
        "pattern", "ranks", "size_bytes", "baseline", "candidate", "ratio", "low", "high",
        "verdict",
    ]  # fmt: skip
    first = report["rows"][0]
    assert (first["candidate"], first["verdict"]) == ("openmpi", "faster")
    assert first["low"] < 410 / 1050 < first["high"]
    assert {row["size_bytes"] for row in report["curves"]} == {None}
    assert report["exit_status"] == 0


def test_csv_reads_back_as_the_rows_of_the_json(compared: Compared) -> None:
    words = ("run", "--baseline", "mpich")
    _, printed = compared(*words, "--json", run=LIBRARIES)
    report = json.loads(printed)
    lines = [line for line in compared(*words, "--csv")[1].splitlines() if line[0] != "#"]
    ratios = [float(row["ratio"]) for row in csv.DictReader(lines)]
    assert ratios == [row["ratio"] for row in (*report["rows"], *report["curves"])]


def test_failures_of_both_runs_are_listed_with_their_run(
    compared: Compared, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    campaign = Campaign(["mpich"], SIZES[:2])
    failure = Failure(0, 1, 2, "hang", "rank 1 stuck in pingpong at 8 B")
    campaign.write(tmp_path / "before", [failure], [RunWarning("clock", "coarse", "buy a watch")])
    _, printed = compared("before", "after", after=campaign)
    assert [*section(printed, "failures"), *section(printed, "warnings")] == snapshot


def test_what_can_not_be_compared_is_one_line_and_status_2(
    compared: Compared, snapshot: SnapshotAssertion
) -> None:
    asked = [
        "run",
        "run --baseline opnmpi",
        "run run run",
        "run run --baseline mpich",
        "run nowhere",
        "run --baseline mpich --threshold 0",
        "run --baseline mpich --threshold x",
        "run --baseline mpich --between 1%",
    ]
    Campaign(["mpich", "openmpi"], SIZES[:1], blocks=1).write(Path("run"))
    answers = {words: compared(*words.split()) for words in asked}
    assert {status for status, _ in answers.values()} == {2}
    assert {words: line_with(text) for words, (_, text) in answers.items()} == snapshot
