"""`leadline import --ranks`: outputs that don't say on how many ranks they ran become one run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from harness.places import DATA
from syrupy.assertion import SnapshotAssertion
from tests.support.printed import RANKS, SIZES, barrier, collective, intel, microseconds
from tests.support.texts import line_with

from leadline.cli import main
from leadline.compare.analysis import Analysis
from leadline.record.run import WhoseTime
from leadline.store import load


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(files: dict[str, str]) -> list[str]:
    for name, text in files.items():
        Path(name).write_text(text)
    return list(files)


def medians(*words: str) -> dict[tuple[str, int, int], float]:
    assert main(["import", *words, "--out", "run"]) == 0
    return {
        (one.pattern, one.ranks, one.size_bytes): one.median_s * 1e6
        for one in Analysis(load("run")).summaries
    }


def expected(ranks: Sequence[int] = RANKS) -> dict[tuple[str, int, int], object]:
    return {
        ("osu_mpi_allreduce_latency", p, m): pytest.approx(microseconds(p, m), abs=0.006)
        for p in ranks
        for m in SIZES
    }


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["import", *words, "--out", "run"]) == 2
    assert not Path("run").exists()
    return line_with(capsys.readouterr().err)


def test_a_number_for_each_file_makes_one_run(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    files = written({f"allreduce-{p}.txt": collective(p) for p in RANKS})
    assert medians(*files, "--ranks", "4,8,16,32") == expected()
    assert capsys.readouterr().out == snapshot


def test_a_file_may_hold_the_outputs_one_after_the_other() -> None:
    files = written({"all.txt": "".join(map(collective, RANKS))})
    assert medians(*files, "--ranks", "4,8,16,32") == expected()


def test_each_file_may_hold_several_benchmarks() -> None:
    files = written({f"{p}.txt": collective(p) + barrier(p) for p in RANKS})
    found = medians(*files, "--ranks", "4,8,16,32")
    assert found == expected() | {
        ("osu_mpi_barrier_latency", p, 0): pytest.approx(microseconds(p, 0), abs=0.006)
        for p in RANKS
    }


def test_files_of_several_benchmarks_each_have_their_number() -> None:
    files = written({"a.txt": collective(4), "b.txt": barrier(8), "c.txt": collective(8)})
    found = medians(*files, "--ranks", "4,8,8")
    assert found == expected((4, 8)) | {("osu_mpi_barrier_latency", 8, 0): pytest.approx(6)}


@pytest.mark.parametrize("ranks", ["4,8", "2,4,8"])
def test_files_that_say_theirs_may_be_counted_or_not(ranks: str) -> None:
    latency = (DATA / "imports" / "osu_latency-7.4.txt").read_text()
    files = written({"latency.txt": latency, "a.txt": collective(4), "b.txt": collective(8)})
    found = medians(*files, "--ranks", ranks)
    assert {(pattern, p) for pattern, p, _ in found} == {
        ("osu_mpi_latency", 2),
        ("osu_mpi_allreduce_latency", 4),
        ("osu_mpi_allreduce_latency", 8),
    }


def test_every_refusal_leads_on_to_one_run(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    files = written({"a.txt": collective(4), "b.txt": collective(8)})
    asked = refusal(capsys, *files)
    written({"b.txt": collective(8).rpartition("\n")[0].rpartition("\n")[0] + "\n"})
    other = refusal(capsys, *files, "--ranks", "4")
    assert [asked, other] == snapshot
    written({"b.txt": collective(8)})
    assert medians(*files, "--ranks", "4,8") == expected((4, 8))


def test_other_counts_and_other_words_are_refused(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    files = written({name: collective(4) for name in ("a.txt", "b.txt", "c.txt")})
    asked = ("4,8", "4,,8", "4,0,8", "4..8", "4,8,99999999999")
    assert {ranks: refusal(capsys, *files, "--ranks", ranks) for ranks in asked} == snapshot


def test_what_a_text_says_itself_stands(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    latency = (DATA / "imports" / "osu_latency-7.4.txt").read_text()
    written({"latency": latency, "a": collective(4), "b": collective(8)})
    asked = ("latency --ranks 4", "latency a b --ranks 4,8,16")
    assert {words: refusal(capsys, *words.split()) for words in asked} == snapshot


def test_files_in_another_order_than_their_numbers_are_refused(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    """As a shell sorts names, "16" comes before "4"."""
    files = written({f"allreduce-{p}.txt": collective(p) for p in (16, 32, 4, 8)})
    error = refusal(capsys, *files, "--ranks", "4,8,16,32")
    assert error == snapshot
    assert medians(*files, "--ranks", "16,32,4,8") == expected()


def test_numbers_in_names_that_are_no_ranks_are_let_be() -> None:
    files = written({f"try-{i}-of-{2 * i}.txt": collective(p) for i, p in ((8, 4), (4, 8))})
    assert medians(*files, "--ranks", "4,8") == expected((4, 8))


def test_several_numbers_of_ranks_are_fitted_together(capsys: pytest.CaptureFixture[str]) -> None:
    files = written({f"{p}.txt": collective(p) for p in RANKS})
    assert main(["import", *files, "--ranks", "4,8,16,32", "--name", "mine", "--out", "run"]) == 0
    capsys.readouterr()
    assert main(["fit", "run", "--json"]) == 0
    (model,) = json.loads(capsys.readouterr().out)["models"]
    assert (model["variant"], model["ranks"]) == ("mine", list(RANKS))
    assert (model["startup"], model["per_byte"]) == ("log2 p", "log2 p")


def test_a_form_of_means_over_ranks_says_so_wherever_it_goes(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    """The mean of ranks is no longer than the slowest one's time, which programs wait for."""
    files = written({f"{p}.txt": collective(p) for p in RANKS})
    assert main(["import", *files, "--ranks", "4,8,16,32", "--out", "run"]) == 0
    capsys.readouterr()
    assert main(["fit", "run", "--out", "model.json", "--json"]) == 0
    (model,) = json.loads(capsys.readouterr().out)["models"]
    assert model["whose_time"] == WhoseTime.MEAN
    assert "mean_of_ranks" in [one["code"] for one in model["warnings"]]
    operation = ("--pattern", "osu_mpi_allreduce_latency", "--ranks", "64", "--size", "8")
    assert main(["predict", "model.json", *operation, "--json"]) == 0
    predicted = json.loads(capsys.readouterr().out)
    assert [one["whose_time"] for one in predicted["predictions"]] == [WhoseTime.MEAN]
    (mean,) = (one for one in predicted["warnings"] if one["code"] == "mean_of_ranks")
    assert mean == snapshot
    assert main(["predict", "model.json", *operation]) == 0
    assert mean["cause"] in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("groups", [[(4, 8, 16, 32)], [(4, 8), (16, 32)]])
def test_intel_s_outputs_say_theirs_and_are_fitted_together(
    capsys: pytest.CaptureFixture[str], groups: Sequence[Sequence[int]]
) -> None:
    files = written({f"imb-{max(group)}.txt": intel(*group) for group in groups})
    assert main(["import", *files, "--name", "impi", "--out", "run"]) == 0
    capsys.readouterr()
    assert main(["fit", "run", "--json"]) == 0
    models = json.loads(capsys.readouterr().out)["models"]
    assert [(one["pattern"], one["ranks"], one["whose_time"]) for one in models] == [
        (pattern, list(RANKS), "slowest rank") for pattern in ("imb_allreduce", "imb_barrier")
    ]
    assert not [one for model in models for one in model["warnings"] if "mean" in one["code"]]


def test_outputs_that_overlap_say_what_to_leave_out(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    files = written({"imb-8.txt": intel(4, 8), "imb-16.txt": intel(4, 8, 16)})
    assert refusal(capsys, *files) == snapshot


@pytest.mark.parametrize(
    ("files", "name"),
    [
        (("allreduce-4.txt", "allreduce-8.txt"), "allreduce"),
        (("a/16.txt", "b/8.txt"), "16"),
        (("mvapich-3.0.txt",), "mvapich-3.0"),
    ],
)
def test_variant_is_called_what_the_files_names_begin_with(files: Sequence[str], name: str) -> None:
    for i, file in enumerate(files):
        Path(file).parent.mkdir(exist_ok=True)
        Path(file).write_text(collective(4 << i))
    numbers = ",".join(str(4 << i) for i in range(len(files)))
    assert main(["import", *files, "--ranks", numbers, "--out", "run"]) == 0
    assert {one.variant for one in load("run").configurations} == {name}
