from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pytest
from harness.synthetic import BARRIER, Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import line_with, numbers

from leadline.cli import main
from leadline.compare.analysis import Analysis
from leadline.report.formats.extrap import extrap_curves, extrap_text
from leadline.store.parquet import literal_path, quoted

CAMPAIGN = Campaign(["shm", "mpich"], (pingpong(0), pingpong(8), pingpong(512), BARRIER), batches=5)
Exported = Callable[..., tuple[int, str, str]]


@pytest.fixture
def exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Exported:
    """Exit status, output and messages of `leadline export run WORDS`."""
    monkeypatch.chdir(tmp_path)

    def export(*words: str, campaign: Campaign = CAMPAIGN) -> tuple[int, str, str]:
        if not Path("run").exists():
            campaign.write(Path("run"))
        status = main(["export", "run", *words])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return export


def test_csv_has_a_row_for_each_block_of_each_cell_and_configuration(exported: Exported) -> None:
    status, printed, _ = exported("--csv")
    rows = list(csv.DictReader(printed.splitlines()))
    assert status == 0
    assert len(rows) == 2 * 4 * 8
    assert {(row["variant"], row["pattern"], row["block"]) for row in rows} == {
        (variant, pattern, str(block))
        for variant in ("shm", "mpich")
        for pattern in ("pingpong", "barrier")
        for block in range(8)
    }
    assert {row["oversubscribed"] for row in rows} == {"false"}


def test_values_are_the_block_medians_of_the_statistics(exported: Exported) -> None:
    rows = json.loads(exported("--json")[1])["rows"]
    run = CAMPAIGN.run()
    medians = Analysis(run).medians.seconds
    assert [row["median_s"] for row in rows] == medians[~np.isnan(medians)].tolist()


def test_parquet_and_csv_hold_the_same_rows(exported: Exported) -> None:
    assert exported("--parquet", "--out", "it's [1].parquet")[0] == 0
    with duckdb.connect() as connection:
        path = quoted(literal_path(Path("it's [1].parquet")))
        found = connection.execute(f"FROM read_parquet({path})")
        names = [column[0] for column in found.description]
        rows = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    assert rows == json.loads(exported("--json")[1])["rows"]


def test_extrap_gets_each_point_with_its_blocks_as_repetitions(
    exported: Exported, snapshot: SnapshotAssertion
) -> None:
    status, printed, messages = exported(
        "--extrap", campaign=Campaign(["mpich"], (pingpong(8), pingpong(512)))
    )
    assert status == 0
    assert messages == snapshot
    lines = [json.loads(line) for line in printed.splitlines()]
    assert [line["params"] for line in lines] == [{"bytes": 8}, {"bytes": 512}]
    assert {(line["callpath"], line["metric"]) for line in lines} == {("mpich->pingpong", "time")}
    assert [len(line["value"]) for line in lines] == [8, 8]


def test_extrap_gets_no_zero_and_the_same_points_of_all_patterns(exported: Exported) -> None:
    status, printed, messages = exported("--extrap")
    assert status == 0
    lines = [json.loads(line) for line in printed.splitlines()]
    assert [(line["callpath"], line["params"]["bytes"]) for line in lines] == [
        (f"{variant}->pingpong", size) for variant in ("shm", "mpich") for size in (8, 512)
    ]
    assert numbers(messages)[:2] == ["32", "64"]


def test_extrap_s_three_formats_hold_the_same_values(
    exported: Exported, snapshot: SnapshotAssertion
) -> None:
    lines = [json.loads(line) for line in exported("--extrap")[1].splitlines()]
    whole = json.loads(exported("--extrap-json")[1])
    assert whole["parameters"] == ["bytes"]
    assert [
        (path, point["point"], point["values"])
        for path, metrics in whole["measurements"].items()
        for point in metrics["time"]
    ] == [(line["callpath"], [line["params"]["bytes"]], line["value"]) for line in lines]
    text = exported("--extrap-text")[1].splitlines()
    data = [[float(word) for word in line.split()[1:]] for line in text if line[:4] == "DATA"]
    assert data == [line["value"] for line in lines]
    assert [line for line in text if line[:4] not in ("DATA", "")] == snapshot


def test_numbers_of_extrap_s_text_have_no_exponent(exported: Exported) -> None:
    data = [line for line in exported("--extrap-text")[1].splitlines() if line[:4] == "DATA"]
    assert data and all(re.fullmatch(r"DATA( \d+\.\d+)+", line) for line in data)


def rows_of(pattern: str, *points: tuple[int, int, float]) -> list[dict[str, object]]:
    return [
        {"variant": "shm", "origin": "measured", "pattern": pattern, "ranks": ranks,
         "size_bytes": size, "median_s": seconds}
        for ranks, size, seconds in points
    ]  # fmt: skip


def test_sizes_that_are_no_parameter_are_never_taken_for_repetitions() -> None:
    points = [(ranks, size, ranks + size / 10) for ranks in (2, 4) for size in (0, 8)]
    found = extrap_curves(rows_of("bcast", *points) + rows_of("barrier", (2, 0, 1.0), (4, 0, 2.0)))
    assert found.parameters == ("ranks",)
    assert found.curves["shm->bcast"] == {(2,): [2.8], (4,): [4.8]}
    assert found.curves["shm->barrier"] == {(2,): [1.0], (4,): [2.0]}
    assert found.constants == {"shm->bcast": {"bytes": 8}, "shm->barrier": {"bytes": 0}}


def test_both_parameters_give_points_of_two_coordinates() -> None:
    points = [(ranks, size, 1e-6) for size in (512, 8) for ranks in (4, 2)]
    found = extrap_curves(rows_of("bcast", *points))
    assert found.coordinates == ((2, 8), (2, 512), (4, 8), (4, 512))
    assert "POINTS (2 8) (2 512) (4 8) (4 512)\n" in extrap_text(found)


def test_nothing_is_said_where_extrap_gets_all_rows_and_enough_values(exported: Exported) -> None:
    enough = Campaign(["mpich"], [pingpong(8 << i) for i in range(5)], batches=5)
    assert exported("--extrap-text", campaign=enough)[::2] == (0, "")


def test_a_run_without_sizes_is_refused_to_extrap(
    exported: Exported, snapshot: SnapshotAssertion
) -> None:
    barrier = Campaign(["mpich"], (BARRIER,))
    forms = ("--extrap", "--extrap-text", "--extrap-json")
    (answer,) = {exported(form, campaign=barrier) for form in forms}
    assert answer == snapshot


def test_a_run_without_batches_has_no_rows(exported: Exported) -> None:
    nothing = Campaign(["mpich"], (), blocks=0)
    status, printed, _ = exported("--json", campaign=nothing)
    assert (status, json.loads(printed)["rows"]) == (0, [])
    assert exported("--parquet", "--out", "none.parquet")[0] == 0
    assert Path("none.parquet").exists()


def test_bad_input_ends_with_one_line_and_writes_nothing(
    exported: Exported, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    answers = {
        words: exported(*words.split())
        for words in ("--parquet", "--csv --out run", "--csv --out no/such/folder.csv")
    }
    assert {printed for _, printed, _ in answers.values()} == {""}
    assert {
        words: [status, line_with(text)] for words, (status, _, text) in answers.items()
    } == snapshot
    status, printed, text = exported("--parquet", "--out", "/proc/folder.parquet")
    assert (status, printed) == (1, "")
    assert line_with(text).startswith("leadline export: /proc/folder.parquet: ")
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_form_has_to_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["export", "run"])
    assert caught.value.code == 2
    output = capsys.readouterr().err
    assert all(form in output for form in ("--extrap", "--extrap-text", "--extrap-json"))
