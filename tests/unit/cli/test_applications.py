"""Applications as a user meets them: what is refused, what fails, and what every library solves."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.run_command import Leadline
from tests.support.texts import line_with, numbers

from leadline.measure import preparation

LITTLE_MEMORY_BYTES = 2 << 30


@pytest.fixture
def leadline(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Leadline:
    """`leadline run` into a folder that isn't there yet."""
    monkeypatch.setenv("COLUMNS", "100")
    return Leadline(tmp_path / "run", capfd)


# -- before anything starts ------------------------------------------------------------------------


def refused(leadline: Leadline, patterns: str, *words: str) -> str:
    """The one line on stderr with which `leadline run` ends before anything starts."""
    done = leadline.run(patterns, "--backends", "shm", "--budget", "2s", *words)
    assert (done.status, done.out) == (2, "")
    assert not leadline.folder.exists()
    (sentence,) = done.err.splitlines()
    return sentence


def test_what_cant_be_is_one_sentence_before_anything_starts(
    leadline: Leadline, snapshot: SnapshotAssertion
) -> None:
    asked = [
        "mg:X",
        "mg:w",
        "mg:8x8",
        "mg:class=X",
        "mg:S:W",
        "stap:huge",
        "MG:S",
        "mg:S --ranks 3",
        "mg:S,stap:small --ranks 128",
        "mg:S --ranks 3,5,128",
        "mg:S --cadence isolated",
        "stap:small --buffers cold",
        "mg:S,stap --sizes 8",
    ]
    assert {words: refused(leadline, *words.split()) for words in asked} == snapshot


def test_budget_too_small_for_a_class_is_one_sentence_with_one_that_isnt(
    leadline: Leadline,
) -> None:
    sentence = refused(leadline, "mg:C")
    assert numbers(sentence) == ["2", "6"]
    seconds = re.search(r"--budget (\d+)s", sentence)
    assert seconds is not None
    words = ("--backends", "shm", "--budget", f"{seconds[1]}s", "--dry-run")
    assert leadline.run("mg:C", *words).status == 0


def test_class_without_room_in_memory_is_refused_with_what_it_needs(
    leadline: Leadline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparation, "available_bytes", lambda machine: LITTLE_MEMORY_BYTES)
    done = leadline.run("mg:C", "--backends", "shm", "--budget", "1h")
    assert done.status == 2
    assert "mg:C" in done.err
    needed_gb, free_gb = numbers(done.err)
    assert needed_gb == "3.6"
    assert 0 < float(free_gb) * 1e9 < LITTLE_MEMORY_BYTES
    assert not leadline.folder.exists()


def test_what_is_left_out_beside_others_is_a_warning_with_its_remedy(
    leadline: Leadline, snapshot: SnapshotAssertion
) -> None:
    words = ("--backends", "shm", "--ranks", "3", "--budget", "2s", "--dry-run")
    done = leadline.run("mg:S,stap:small,barrier", *words)
    assert done.status == 0
    assert line_with(done.err, "ranks_no_power") == snapshot
    assert re.findall(r"[\w:]+ x \d", line_with(done.err, "3 ranks: ", "barrier")) == [
        "stap:small x 1",
        "barrier x 1",
    ]


def test_plan_says_memory_and_time_of_each_class(leadline: Leadline) -> None:
    words = ("--backends", "shm", "--ranks", "2", "--blocks", "1", "--budget", "9min", "--dry-run")
    done = leadline.run("mg:S,mg:A,stap:medium", *words)
    assert done.status == 0
    planned = {
        name: numbers(line_with(done.err, f"  {name}: "))
        for name in ("mg:S", "mg:A", "stap:medium")
    }
    assert {name: found[:3] for name, found in planned.items()} == {
        "mg:S": ["1.03", "4", "1.69"],
        "mg:A": ["451", "4", "868"],
        "stap:medium": ["50.9", "1", "350"],
    }
    assert {len(found) for found in planned.values()} == {4}, "the last are times"


# -- over every library ----------------------------------------------------------------------------


def test_no_closed_form_is_fitted_to_what_ranks_share(
    leadline: Leadline, snapshot: SnapshotAssertion
) -> None:
    words = ("--ranks", "1,8,16,64", "--patterns", "mg:S,barrier", "--out", str(leadline.folder))
    assert leadline("simulate", "--machine", "cray-t3e-900", *words).status == 0
    found = json.loads(leadline("fit", str(leadline.folder), "--json").out)
    assert {model["pattern"] for model in found["models"]} == {"barrier"}
    refusals = {one["pattern"]: one["reason"] for one in found["refused"]}
    assert refusals == snapshot
    message = leadline("fit", str(leadline.folder)).out
    assert refusals["mg:S"] in " ".join(message.split())
    assert "0 B" not in message and "buffers" not in message
