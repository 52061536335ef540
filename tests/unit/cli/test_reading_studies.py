"""What isn't whole in runs of studies is said as of any other run, and may be the status."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from harness.synthetic import Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support import json_schema
from tests.support.tiny_study import LIBRARY, SIZE_BYTES, STAGE, STUDY

from leadline.cli import main

Told = Callable[..., tuple[int, str, list[str]]]
STUDIED = ("study", STUDY.name, "--from", "out")
REPRODUCED = ("reproduce", "--paper", STUDY.paper, "--runs", "out")


@pytest.fixture
def told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Told:
    """Exit status, stdout and lines of stderr of `leadline WORDS` beside a study's run in `out`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("leadline.papers.catalogue.all_studies", lambda: [STUDY])
    monkeypatch.setattr("leadline.cli.commands.study.study_named", lambda _: STUDY)
    Campaign([LIBRARY], [pingpong(SIZE_BYTES)], study=STUDY.name).write(Path("out") / STAGE)

    def tell(*words: str) -> tuple[int, str, list[str]]:
        status = main(list(words))
        captured = capsys.readouterr()
        return status, captured.out, captured.err.splitlines()

    return tell


def damage(run: Path, line: int) -> None:
    """Turns a letter in a line of the journal."""
    lines = (run / "journal.jsonl").read_bytes().split(b"\n")
    lines[line - 1] = lines[line - 1].replace(b"start_ns", b"start_ms", 1)
    (run / "journal.jsonl").write_bytes(b"\n".join(lines))


@pytest.mark.parametrize("words", [STUDIED, REPRODUCED], ids=lambda words: words[0])
def test_damaged_line_is_said_and_strict_makes_it_the_status(
    told: Told, words: tuple[str, ...]
) -> None:
    assert told(*words, "--strict")[::2] == (0, [])
    damage(Path("out") / STAGE, 5)
    status, printed, output = told(*words, "--json")
    assert (status, len(output)) == (0, 1)
    assert output[0].startswith(f"journal_line: out/{STAGE}/journal.jsonl:5: ")
    json_schema.check(words[0], printed)
    codes = [one["code"] for one in json.loads(printed)["warnings"]]
    assert codes.count("journal_line") == 1
    assert told(*words, "--strict")[0] == 4


@pytest.mark.parametrize("words", [STUDIED, REPRODUCED], ids=lambda words: words[0])
def test_run_that_cannot_be_read_is_left_out_and_named(
    told: Told, words: tuple[str, ...], snapshot: SnapshotAssertion
) -> None:
    broken = Path("out") / "broken"
    broken.mkdir()
    (broken / "journal.jsonl").write_bytes(b"{}\n")
    status, printed, output = told(*words, "--json")
    assert (status, [line.split(":")[:2] for line in output]) == (
        0,
        [["unreadable", " out/broken/journal.jsonl"]],
    )
    assert [one["code"] for one in json.loads(printed)["warnings"]][:1] == ["unreadable"]
    assert told(*words, "--strict")[0] == 4
    shutil.rmtree(Path("out") / STAGE)
    status, _, output = told(*words)
    assert (status, len(output)) == (2, 2)
    assert output[1] == snapshot


@pytest.mark.parametrize("words", [STUDIED, REPRODUCED], ids=lambda words: words[0])
def test_damage_of_what_belongs_to_another_study_is_only_said(
    told: Told, words: tuple[str, ...]
) -> None:
    other = Path("out") / "other"
    Campaign([LIBRARY], [pingpong(SIZE_BYTES)], study="another").write(other)
    damage(other, 5)
    status, _, output = told(*words, "--strict")
    assert (status, len(output)) == (0, 1)


def test_damage_of_every_stage_is_in_the_answer(told: Told) -> None:
    shutil.copytree(Path("out") / STAGE, Path("out") / "second")
    for stage in (STAGE, "second"):
        damage(Path("out") / stage, 5)
    warnings = json.loads(told(*STUDIED, "--json")[1])["warnings"]
    causes = [one["cause"] for one in warnings if one["code"] == "journal_line"]
    assert [cause.split(":")[0] for cause in causes] == [
        f"out/{STAGE}/journal.jsonl",
        "out/second/journal.jsonl",
    ]


def test_list_of_studies_reads_no_run_that_could_be_damaged(told: Told) -> None:
    status, _, output = told("study", "--strict")
    assert status == 2
    assert output[0].startswith("leadline study: --strict ")
