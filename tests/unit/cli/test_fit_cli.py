"""`leadline fit`: what a user gets, what is written, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from harness.synthetic import BARRIER, Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support import json_schema
from tests.support.texts import line_with

from leadline.cli import main
from leadline.cli.parsing.files import write_new
from leadline.errors import UsageError

SIZES = tuple(pingpong(size) for size in (0, 8, 512, 4096, 65536, 1 << 20))
BCAST = tuple(replace(cell, pattern="bcast") for cell in SIZES[1:])
CAMPAIGN = Campaign(["shm", "mpich"], (*SIZES, *BCAST, BARRIER))
Said = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ran(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Said:
    """Status, stdout and stderr of `leadline fit WORDS` beside a run."""
    monkeypatch.chdir(tmp_path)
    CAMPAIGN.write(Path("run"))

    def say(*words: str) -> tuple[int, str, str]:
        status = main(["fit", *words])
        return status, *capsys.readouterr()

    return say


def models(text: str) -> list[tuple[str, str]]:
    return [(one["variant"], one["pattern"]) for one in json.loads(text)["models"]]


def test_every_variant_and_pattern_is_fitted_or_refused(ran: Said) -> None:
    status, out, err = ran("run", "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert set(models(out)) == {(v, p) for v in ("shm", "mpich") for p in ("pingpong", "bcast")}
    assert {(one["variant"], one["pattern"]) for one in found["refused"]} == {
        ("shm", "barrier"), ("mpich", "barrier"),
    }  # fmt: skip
    json_schema.check("fit", out)


def test_coefficients_are_those_that_were_simulated(ran: Said) -> None:
    out = ran("run", "--pattern", "pingpong", "--variant", "shm", "--json")[1]
    (model,) = json.loads(out)["models"]
    latency, per_byte = model["coefficients"]
    assert model["form"] == "a + b m"
    assert latency["low"] < 300e-9 < latency["high"]
    assert per_byte["low"] < 0.08e-9 < per_byte["high"]


def test_patterns_and_variants_are_chosen(ran: Said) -> None:
    assert models(ran("run", "--pattern", "bcast", "--json")[1]) == [
        ("shm", "bcast"), ("mpich", "bcast"),
    ]  # fmt: skip
    chosen = ("--variant", "mpich", "--pattern", "bcast,pingpong")
    assert models(ran("run", *chosen, "--json")[1]) == [
        ("mpich", "pingpong"), ("mpich", "bcast"),
    ]  # fmt: skip


def test_every_form_says_what_was_found_and_what_was_refused(
    ran: Said, snapshot: SnapshotAssertion
) -> None:
    content = json.loads(ran("run", "--json")[1])
    found = [part for one in content["models"] for part in one["sentence"].split(". ")[:2]]
    reasons = {refused["reason"] for refused in content["refused"]}
    assert (found[:2], reasons) == snapshot
    for form in ("--json", "--csv", "--markdown", ""):
        out = " ".join(ran("run", *form.split())[1].replace("\\", "").split())
        assert [part for part in ("barrier", *found, *reasons) if part not in out] == [], form


def test_file_is_what_json_prints(ran: Said) -> None:
    status, out, _ = ran("run", "--out", "model.json")
    assert status == 0
    assert "pingpong" in out
    assert Path("model.json").read_text() == ran("run", "--json")[1]
    assert sorted(path.name for path in Path().iterdir()) == ["model.json", "run"]


def test_another_file_is_never_written_over(ran: Said, snapshot: SnapshotAssertion) -> None:
    Path("model.json").write_text("mine")
    status, out, err = ran("run", "--out", "model.json")
    assert (status, out) == (2, "")
    assert err == snapshot
    assert Path("model.json").read_text() == "mine"


def test_file_that_comes_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text("mine")
    with pytest.raises(UsageError, match=str(path)):
        write_new(str(path), "yours", "--out")
    assert path.read_text() == "mine"
    assert [one.name for one in tmp_path.iterdir()] == ["model.json"]


def test_bad_input_ends_with_one_line(ran: Said, snapshot: SnapshotAssertion) -> None:
    answers = {
        words: ran(*words.split())
        for words in (
            "run --pattern bcst",
            "run --variant mpch",
            "run --pattern bcast,",
            "run --out no/such/m.json",
            "nothing",
        )
    }
    assert {answer[:2] for answer in answers.values()} == {(2, "")}
    assert {words: line_with(err) for words, (_, _, err) in answers.items()} == snapshot


def test_model_is_told_from_a_run(ran: Said, snapshot: SnapshotAssertion) -> None:
    ran("run", "--out", "m5.json")
    status, out, err = ran("m5.json")
    assert (status, out) == (2, "")
    Path("text.json").write_text("{}")
    assert [line_with(err), line_with(ran("text.json")[2])] == snapshot


def test_ranks_that_share_cores_are_fitted_only_when_asked_for(
    ran: Said, capsys: pytest.CaptureFixture[str]
) -> None:
    replace(CAMPAIGN, variants=["mpich"], cells=SIZES, ranks=4).write(Path("crowd"))
    capsys.readouterr()
    refused = json.loads(ran("crowd", "--json")[1])
    assert refused["models"] == []
    assert "--oversubscribed" in refused["refused"][-1]["reason"]
    found = json.loads(ran("crowd", "--oversubscribed", "--json")[1])
    assert "oversubscribed" in {one["code"] for one in found["models"][0]["warnings"]}
