from __future__ import annotations

import errno
import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from harness.places import DATA
from harness.synthetic import BARRIER, Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.refused_imports import refusal
from tests.support.texts import line_with, numbers, section

from leadline.cli import main
from leadline.compare.analysis import Analysis
from leadline.compare.origins import NOT_MEASURED
from leadline.compare.pairs import TOO_UNCERTAIN
from leadline.compare.verdict import Why
from leadline.record.fields import FormatError
from leadline.record.run import Buffers, Origin, Run, Stated, WhoseTime
from leadline.store import finish, load
from leadline.store.lines import decode_stated, encode

EXAMPLES = DATA / "imports"
GOLDEN = DATA / "format-2"
LATENCY = "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n"


@pytest.fixture(autouse=True)
def a_hundred_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


def imported(tmp_path: Path, *names: str, words: tuple[str, ...] = ()) -> Path:
    directory = tmp_path / "-".join(names)
    files = [str(EXAMPLES / name) for name in names]
    assert main(["import", *files, "--out", str(directory), *words]) == 0
    return directory


def test_import_makes_a_complete_run_without_batches(tmp_path: Path) -> None:
    run = load(imported(tmp_path, "osu_latency-7.4.txt", words=("--name", "mine")))
    assert run.complete
    assert run.batches.rank.size == 0
    assert [c.variant for c in run.configurations] == ["mine"]
    assert {cell.buffers for cell in run.cells} == {Buffers.UNSTATED}
    assert run.stated[0].lines == (5, 6, 7, 8, 9, 10)


def test_imported_value_is_a_median_of_no_samples_and_has_no_interval(tmp_path: Path) -> None:
    run = load(imported(tmp_path, "osu_bw-7.5.txt"))
    medians = Analysis(run).medians
    np.testing.assert_allclose(medians.seconds[0, :, 0], [0.25e-6, 0.25e-6, 0.4e-6, 100e-6])
    assert not medians.samples.any()
    for row in Analysis(run).summaries_with_tails:
        assert (row.blocks, row.samples, row.low_s, row.p99) == (0, 0, None, None)
        assert row.warnings == (NOT_MEASURED[Origin.IMPORTED],)


def test_show_says_that_values_are_imported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    directory = imported(tmp_path, "imb-mpi1-2021.11-impi.txt")
    assert main(["show", str(directory), "--full"]) == 0
    shown = capsys.readouterr().out
    assert section(shown, "imb_pingpong · time") == snapshot
    assert NOT_MEASURED[Origin.IMPORTED].remedy in " ".join(shown.split())


@pytest.mark.parametrize("form", ["--json", "--csv", "--markdown"])
def test_programs_can_read_an_imported_run(tmp_path: Path, form: str) -> None:
    assert main(["show", str(imported(tmp_path, "netpipe-3.7.2-tcp.txt")), form]) == 0


def test_two_imports_compare_undecided_with_a_ratio(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    runs = [str(imported(tmp_path, f"imb-mpi1-2021.11-{name}.txt")) for name in ("impi", "mpich")]
    assert main(["compare", *runs]) == TOO_UNCERTAIN
    shown = capsys.readouterr().out
    empty = line_with("\n".join(section(shown, "imb_pingpong")), " 0 B ")
    assert [empty, *section(shown, "conclusion")] == snapshot
    assert main(["compare", *runs, "--json"]) == TOO_UNCERTAIN
    compared = json.loads(capsys.readouterr().out)["rows"]
    assert {(row["blocks"], row["why"]) for row in compared} == {(0, Why.STATED.value)}


def test_files_of_several_rank_numbers_make_one_run(tmp_path: Path) -> None:
    names = ("osu_latency-7.4.txt", "osu_reduce-7.3-full.txt")
    run = load(imported(tmp_path, *names, words=("--ranks", "4")))
    assert [c.ranks for c in run.configurations] == [2, 4]


def test_same_cell_twice_is_refused_with_both_places(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "twice.txt"
    text.write_text(f"{LATENCY}1  0.5\n2  0.5\n1  0.6\n")
    error = refusal(capsys, str(text), "--out", str(tmp_path / "run"))
    assert f"{text}:5: " in error
    assert f"{text}:3;" in error
    assert not (tmp_path / "run").exists()


def test_unknown_ranks_are_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = str(EXAMPLES / "osu_barrier-7.3.txt"), "--out", str(tmp_path / "run")
    error = refusal(capsys, *words)
    assert "osu_barrier-7.3.txt:" in error and "--ranks" in error


def test_nought_is_left_out_and_warned_of(tmp_path: Path) -> None:
    text = tmp_path / "fast.txt"
    text.write_text(f"{LATENCY}1  0.00\n2  0.01\n")
    assert main(["import", str(text), "--out", str(tmp_path / "run")]) == 0
    run = load(tmp_path / "run")
    assert [cell.size_bytes for cell in run.cells] == [2]
    assert [warning.code for warning in run.warnings] == ["zero"]


def test_nothing_but_noughts_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    text = tmp_path / "fast.txt"
    text.write_text(f"{LATENCY}1  0.00\n")
    error = refusal(capsys, str(text), "--out", str(tmp_path / "run"))
    assert error.replace(str(tmp_path), "DIR") == snapshot


def test_files_that_cannot_be_read_are_refused_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    error = refusal(capsys, str(tmp_path / "gone"), "--out", str(tmp_path / "r"))
    assert f"{tmp_path}/gone: " in error and os.strerror(errno.ENOENT) in error
    binary = tmp_path / "binary"
    binary.write_bytes(b"text\n\xff\xfe")
    assert f"{binary}:2: " in refusal(capsys, str(binary), "--out", str(tmp_path / "r"))


EXTRAP = ("extrap-text.txt", "extrap-json.json", "extrap-json-numbered.json", "extrap-lines.jsonl")


@pytest.mark.parametrize("name", EXTRAP)
def test_extrap_s_files_become_stated_values_without_intervals(tmp_path: Path, name: str) -> None:
    run = load(imported(tmp_path, name))
    assert [(c.variant, c.ranks, c.origin) for c in run.configurations] == [
        ("main", 2, Origin.IMPORTED),
        ("main", 4, Origin.IMPORTED),
    ]
    assert run.stated[0].seconds == pytest.approx((2e-6, 5e-6))
    assert {cell.whose_time for cell in run.cells} == {WhoseTime.UNSTATED}
    assert all(row.low_s is None and row.blocks == 0 for row in Analysis(run).summaries)


@pytest.mark.parametrize("name", EXTRAP)
def test_what_an_import_does_with_repetitions_and_other_metrics_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    directory = imported(tmp_path, name)
    warnings = load(directory).warnings
    assert [warning.code for warning in warnings] == ["repetitions", "other_metrics"]
    several, left_out = (warning.cause.removeprefix(f"{EXAMPLES}/{name}: ") for warning in warnings)
    assert (numbers(several), left_out) == (["3"], "visits")
    assert main(["show", str(directory), "--full"]) == 0
    shown = capsys.readouterr().out
    assert all(warning.cause in " ".join(shown.split()) for warning in warnings)
    (time,) = {line.split(" · ")[1] for line in shown.splitlines() if line.startswith("bcast")}
    assert not [whose for whose in WhoseTime if whose.value in time]


def points_of(run: Run) -> dict[tuple[str, str, int, int], float]:
    return {
        (one.variant, one.pattern, one.ranks, one.size_bytes): one.median_s
        for one in Analysis(run).summaries
    }


@pytest.mark.parametrize("form", ["extrap", "extrap-text", "extrap-json"])
def test_what_is_exported_for_extrap_comes_back_with_the_same_medians(
    tmp_path: Path, form: str
) -> None:
    sizes = (0, 8, 512)
    campaign = Campaign(["shm", "mpich"], [*map(pingpong, sizes), BARRIER], batches=5)
    campaign.write(tmp_path / "run")
    file, again = str(tmp_path / "file"), tmp_path / "again"
    assert main(["export", str(tmp_path / "run"), f"--{form}", "--out", file]) == 0
    assert main(["import", file, "--out", str(again)]) == 0
    wanted = {
        key: pytest.approx(seconds, rel=1e-12)
        for key, seconds in points_of(load(tmp_path / "run")).items()
        if key[3] > 0
    }
    assert len(wanted) == 4
    assert points_of(load(again)) == wanted
    assert load(again).provenance.imported[0].format == form


def test_name_is_one_for_all_call_paths_unless_they_name_several(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = load(imported(tmp_path, "extrap-text.txt", words=("--name", "mine")))
    assert {configuration.variant for configuration in one.configurations} == {"mine"}
    both = tmp_path / "both.txt"
    both.write_text("PARAMETER p\nPOINTS 2\nREGION a (simulated)->x\nDATA 1\nREGION c->x\nDATA 2\n")
    where = ("--out", str(tmp_path / "both"))
    error = refusal(capsys, str(both), *where, "--name", "mine")
    assert "--name mine" in error and "a (simulated), c" in error
    assert main(["import", str(both), *where]) == 0
    found = load(tmp_path / "both").configurations
    assert [configuration.variant for configuration in found] == ["a_simulated", "c"]


@pytest.mark.parametrize("ranks", ["0", "-3", str(2**31)])
def test_impossible_ranks_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], ranks: str
) -> None:
    assert f"--ranks {ranks}" in refusal(capsys, str(tmp_path / "x"), "--ranks", ranks)


def test_golden_run_of_format_2_stays_readable(tmp_path: Path) -> None:
    run = load(GOLDEN)
    assert [len(table.cells) for table in run.stated] == [6, 2]
    assert run.warnings == ()
    assert min(row.median_s for row in Analysis(run).summaries) == pytest.approx(0.41e-6)
    shutil.copytree(GOLDEN, tmp_path / "finished")
    finish(tmp_path / "finished")
    finished = load(tmp_path / "finished")
    assert (finished.stated, finished.cells) == (run.stated, run.cells)


GOOD = Stated(0, "osu.txt", (0, 1), (1e-6, 2e-6), (3, 4))


def test_imported_line_survives_encoding() -> None:
    assert decode_stated(json.loads(json.dumps(encode(GOOD)))) == GOOD


@pytest.mark.parametrize(
    "wrong",
    [{"cells": [0, 0]}, {"cells": [0]}, {"seconds": [1e-6, 0.0]}, {"lines": [0, 1]},
     {"seconds": [1, 2]}],
)  # fmt: skip
def test_imported_line_with_wrong_columns_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(FormatError):
        decode_stated(json.loads(json.dumps(encode(GOOD))) | wrong)


def test_lost_definition_loses_the_value_with_a_warning(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    lines = (GOLDEN / "journal.jsonl").read_bytes().split(b"\n")
    (tmp_path / "journal.jsonl").write_bytes(b"\n".join([*lines[:2], *lines[3:]]))
    run = load(tmp_path)
    assert [table.configuration for table in run.stated] == [0]
    missing, undefined = (warning.cause.partition("journal.jsonl")[2] for warning in run.warnings)
    assert {warning.code for warning in run.warnings} == {"journal_line"}
    assert [missing, undefined] == snapshot


def test_other_commands_take_or_refuse_an_imported_run_in_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    directory = str(imported(tmp_path, "osu_latency-7.4.txt"))
    assert main(["export", directory, "--csv"]) == 0
    assert main(["sql", "select count(*) from batches", directory]) == 0
    assert main(["run", "--resume", directory]) == 0
    assert capsys.readouterr().err.replace(str(tmp_path), "DIR") == snapshot
    assert main(["history", directory]) == 2
    assert capsys.readouterr().err == snapshot


def test_import_that_was_cut_short_is_imported_again_not_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    directory = imported(tmp_path, "osu_latency-7.4.txt")
    journal = directory / "journal.jsonl"
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:-1]))
    capsys.readouterr()
    assert main(["run", "--resume", str(directory)]) == 2
    assert capsys.readouterr().err.replace(str(tmp_path), "DIR") == snapshot


def test_names_of_files_do_not_steer_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "a\x1b[31m.txt"
    text.write_text(f"{LATENCY}1  0.50\n")
    assert "a\\x1b[31m.txt" in refusal(capsys, str(text))
    text.rename(tmp_path / "a.txt")
    out = str(tmp_path / "b\x1b[31m")
    assert main(["import", str(tmp_path / "a.txt"), "--out", out]) == 0
    assert main(["run", "--resume", out]) == 0
    output = capsys.readouterr()
    assert "\x1b" not in output.out + output.err
