"""Outputs of one benchmark, made several times, are blocks: with intervals, and with verdicts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from harness.places import DATA
from syrupy.assertion import SnapshotAssertion
from tests.support.refused_imports import refusal
from tests.support.texts import numbers, section

from leadline.cli import main
from leadline.compare.analysis import Analysis
from leadline.compare.history import Choice, history_of, points_of
from leadline.compare.origins import REPEATED
from leadline.compare.pairs import NO_REGRESSION, REGRESSION, TOO_UNCERTAIN
from leadline.compare.verdict import Why
from leadline.record.run import Stated
from leadline.store import Journal, load
from leadline.store.bounds import MOST_STATED

LATENCY = "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n"
ALLREDUCE = "# OSU MPI Allreduce Latency Test v7.4\n# Size       Avg Latency(us)\n"
SIZES = (1, 64, 4096)
TIMES = 8


def output(times_us: float, sizes: tuple[int, ...] = SIZES, heading: str = LATENCY) -> str:
    return heading + "".join(f"{size}  {times_us * (1 + size / 4096):.3f}\n" for size in sizes)


def outputs(folder: Path, level_us: float, seed: int = 1, heading: str = LATENCY) -> list[str]:
    """Files of a benchmark that takes so long, each off by some 1 %."""
    folder.mkdir(parents=True)
    drawn = np.random.default_rng(seed).normal(1.0, 0.01, TIMES)
    files = [folder / f"out-{number}.txt" for number in range(1, TIMES + 1)]
    for file, factor in zip(files, drawn.tolist(), strict=True):
        file.write_text(output(level_us * factor, heading=heading))
    return [str(file) for file in files]


def imported(tmp_path: Path, name: str, level_us: float, seed: int = 1) -> str:
    directory = str(tmp_path / name)
    files = outputs(tmp_path / f"{name}-files", level_us, seed)
    assert main(["import", *files, "--name", "mpi", "--out", directory]) == 0
    return directory


def test_outputs_of_one_benchmark_are_blocks_with_intervals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = imported(tmp_path, "run", 2.0)
    printed = capsys.readouterr().out.removeprefix(directory)
    assert numbers(printed) == [str(3 * TIMES), str(TIMES), "2"]
    run = load(directory)
    assert [table.block for table in run.stated] == list(range(TIMES))
    for row in Analysis(run).summaries:
        assert (row.blocks, row.samples, row.warnings) == (TIMES, 0, (REPEATED,))
        level_us = 2.0 * (1 + row.size_bytes / 4096)
        assert row.low_s is not None and row.high_s is not None
        assert 0.97 * level_us < row.low_s * 1e6 < row.median_s * 1e6 < row.high_s * 1e6
        assert row.high_s * 1e6 < 1.03 * level_us
    assert main(["show", directory, "--json"]) == 0
    for shown in json.loads(capsys.readouterr().out)["rows"]:
        assert shown["low_s"] < shown["median_s"] < shown["high_s"]
        assert [warning["code"] for warning in shown["warnings"]] == ["repeated"]


def test_history_of_repetitions_says_that_they_are_some(tmp_path: Path) -> None:
    repeated = load(imported(tmp_path, "repeated", 2.0))
    file = tmp_path / "single.txt"
    file.write_text(output(2.0))
    assert main(["import", str(file), "--name", "mpi", "--out", str(tmp_path / "single")]) == 0
    single = load(tmp_path / "single")
    for runs, codes in (
        ((repeated, repeated), ["repeated"]),
        ((repeated, single), ["imported"]),
    ):
        dated = [
            Analysis(replace(run, metadata={**run.metadata, "started": f"2026-11-0{day}T06:00"}))
            for day, run in enumerate(runs, 1)
        ]
        (trend,) = history_of((p for one in dated for p in points_of(one, Choice())), 0.02).trends
        assert [one.code for one in trend.warnings if one.code != "few_runs"] == codes


def test_repeated_sections_of_one_file_are_the_same_blocks(tmp_path: Path) -> None:
    files = outputs(tmp_path / "files", 2.0)
    together = tmp_path / "all.txt"
    together.write_text("".join(Path(file).read_text() for file in files))
    for name, given in (("many", files), ("one", [str(together)])):
        assert main(["import", *given, "--out", str(tmp_path / name)]) == 0
    many, one = (Analysis(load(tmp_path / name)).medians.seconds for name in ("many", "one"))
    np.testing.assert_array_equal(many, one)


def test_outputs_of_imb_are_repetitions_as_well(tmp_path: Path) -> None:
    text = (DATA / "imports" / "imb-mpi1-2021.11-mpich.txt").read_text()
    files = [tmp_path / f"{number}.txt" for number in range(1, 7)]
    for file in files:
        file.write_text(text)
    assert main(["import", *map(str, files), "--out", str(tmp_path / "run")]) == 0
    assert {row.blocks for row in Analysis(load(tmp_path / "run")).summaries} == {6}


@pytest.mark.parametrize(
    ("level_us", "status", "verdict"),
    [(2.2, REGRESSION, "slower"), (1.8, NO_REGRESSION, "faster"), (2.0, NO_REGRESSION, "same")],
)
def test_two_imports_with_repetitions_have_verdicts(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    snapshot: SnapshotAssertion,
    level_us: float,
    status: int,
    verdict: str,
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    runs = imported(tmp_path, "before", 2.0), imported(tmp_path, "after", level_us, 2)
    capsys.readouterr()
    assert main(["compare", *runs, "--json"]) == status
    found = json.loads(capsys.readouterr().out)
    assert {row["verdict"] for row in found["rows"]} == {verdict}
    assert [one["code"] for one in found["warnings"]] == ["repeated"]
    assert main(["compare", *runs]) == status
    shown = capsys.readouterr().out
    assert (section(shown, "conclusion"), section(shown, "warnings")) == snapshot


def test_how_far_runs_lie_apart_widens_intervals_where_it_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    runs = imported(tmp_path, "before", 2.0), imported(tmp_path, "after", 2.2, 2)
    capsys.readouterr()
    assert main(["compare", *runs, "--between", "20%", "--json"]) == TOO_UNCERTAIN
    found = json.loads(capsys.readouterr().out)
    assert {row["verdict"] for row in found["rows"]} == {"undecided"}
    assert found["warnings"] == snapshot


def test_repetitions_against_a_single_output_stay_undecided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, single = imported(tmp_path, "run", 2.0), tmp_path / "single.txt"
    single.write_text(output(2.0))
    assert main(["import", str(single), "--name", "mpi", "--out", str(tmp_path / "one")]) == 0
    capsys.readouterr()
    assert main(["compare", run, str(tmp_path / "one"), "--json"]) == TOO_UNCERTAIN
    found = json.loads(capsys.readouterr().out)["rows"]
    assert {(row["verdict"], row["why"]) for row in found} == {("undecided", Why.STATED.value)}


def test_two_repetitions_have_no_interval_and_say_so(tmp_path: Path) -> None:
    files = outputs(tmp_path / "files", 2.0)[:2]
    assert main(["import", *files, "--out", str(tmp_path / "run")]) == 0
    for row in Analysis(load(tmp_path / "run")).summaries:
        assert (row.blocks, row.low_s) == (2, None)
        assert [warning.code for warning in row.warnings] == ["repeated", "few_blocks"]


def test_form_of_repetitions_has_intervals(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    snapshot: SnapshotAssertion,
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    directory = imported(tmp_path, "run", 2.0)
    capsys.readouterr()
    assert main(["fit", directory, "--json"]) == 0
    (model,) = json.loads(capsys.readouterr().out)["models"]
    assert model["blocks"] == TIMES
    assert [one["code"] for one in model["warnings"]] == ["repeated"]
    assert all(one["low"] < one["value"] < one["high"] for one in model["coefficients"])
    assert main(["fit", directory]) == 0
    shown = capsys.readouterr().out
    assert section(shown, "osu_mpi_latency") == snapshot
    assert "±" in shown


# -- refused ---------------------------------------------------------------------------------------


def test_repetition_with_other_sizes_is_refused_with_both_places(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    files = tmp_path / "a.txt", tmp_path / "b.txt"
    files[0].write_text(output(2.0))
    files[1].write_text(output(2.0, (1, 64, 8192)))
    error = refusal(capsys, *map(str, files), "--out", str(tmp_path / "run"))
    assert error.replace(str(tmp_path), "DIR") == snapshot
    assert not (tmp_path / "run").exists()


def test_sizes_in_files_of_their_own_are_no_repetitions(tmp_path: Path) -> None:
    files = tmp_path / "small.txt", tmp_path / "large.txt"
    files[0].write_text(output(2.0))
    files[1].write_text(output(2.0, (2**20, 2**21)))
    assert main(["import", *map(str, files), "--out", str(tmp_path / "run")]) == 0
    assert {row.blocks for row in Analysis(load(tmp_path / "run")).summaries} == {0}


def test_another_benchmark_among_repetitions_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    files, other = outputs(tmp_path / "files", 2.0), tmp_path / "bw.txt"
    other.write_text((DATA / "imports" / "osu_bw-7.5.txt").read_text())
    error = refusal(capsys, *files, str(other), "--out", str(tmp_path / "run"))
    assert error.replace(str(tmp_path), "DIR") == snapshot


@pytest.mark.parametrize("spelled", ["{}", "{0.parent}/./{0.name}"])
def test_file_given_twice_is_no_repetition(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], spelled: str, snapshot: SnapshotAssertion
) -> None:
    file = tmp_path / "out.txt"
    file.write_text(output(2.0))
    again = str(file) if spelled == "{}" else f"{tmp_path}/./out.txt"
    error = refusal(capsys, str(file), again, "--out", str(tmp_path / "run"))
    assert error.replace(str(tmp_path), "DIR") == snapshot


def test_one_number_of_ranks_for_files_named_after_several_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    files = [tmp_path / f"allreduce-{ranks}.txt" for ranks in (4, 8, 16)]
    for file in files:
        file.write_text(output(2.0, heading=ALLREDUCE))
    words = *map(str, files), "--out", str(tmp_path / "run"), "--ranks"
    assert refusal(capsys, *words, "4").replace(str(tmp_path), "DIR") == snapshot
    assert main(["import", *words, "4,8,16"]) == 0


def test_collective_s_repetitions_take_one_number_of_ranks(tmp_path: Path) -> None:
    files = outputs(tmp_path / "files", 2.0, heading=ALLREDUCE)
    assert main(["import", *files, "--out", str(tmp_path / "run"), "--ranks", "4"]) == 0
    run = load(tmp_path / "run")
    assert [one.ranks for one in run.configurations] == [4]
    assert len(run.stated) == TIMES


# -- stored ----------------------------------------------------------------------------------------


def test_block_beyond_what_an_import_has_is_left_out_with_a_word(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    source = load(imported(tmp_path, "run", 2.0))
    with Journal.create(tmp_path / "high", {}) as journal:
        journal.add_configuration(source.configurations[0])
        journal.add_cells(source.cells)
        journal.add_stated(source.stated[0])
        journal.add_stated(Stated(0, "out.txt", (0,), (1e-6,), block=MOST_STATED // 2))
        journal.close(True)
    run = load(tmp_path / "high")
    assert [table.block for table in run.stated] == [0]
    (warning,) = run.damage
    assert warning.code == "journal_line"
    assert warning.cause.partition("journal.jsonl")[2] == snapshot
