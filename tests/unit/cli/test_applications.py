"""Applications as a user meets them: what is refused, what fails, and what every library solves."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.run_command import Leadline

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


@pytest.mark.parametrize(
    ("patterns", "words", "said"),
    [
        ("mg:X", (), "unknown class of mg 'X'; choose from: S, W, A, B, C"),
        ("mg:w", (), "unknown class of mg 'w'; did you mean 'W'?"),
        ("mg:8x8", (), "unknown class of mg '8x8'; choose from: S, W, A, B, C"),
        ("mg:class=X", (), "pattern 'mg:class=X': class is 'X'; mg takes S, W, A, B or C"),
        ("mg:S:W", (), "pattern 'mg:S:W': class is given twice; give it once"),
        ("stap:huge", (), "unknown cube of stap 'huge'; choose from: small, medium, large"),
        ("MG:S", (), "unknown pattern 'MG'; did you mean 'mg'?"),
        (
            "mg:S",
            ("--ranks", "3"),
            "mg:S can't run with 3 ranks: it takes 1, 2, 4, 8 or another power of two",
        ),
        (
            "mg:S,stap:small",
            ("--ranks", "128"),
            "mg:S (at most 64), stap:small (at most 32) can't run with 128 ranks: problems can't "
            "be divided among so many (give fewer --ranks, or a larger class of the problem)",
        ),
        (
            "mg:S",
            ("--ranks", "3,5,128"),
            "divided among so many (give --ranks 1, 2, 4, 8 or another power of two; give fewer "
            "--ranks, or a larger class of the problem)",
        ),
        (
            "mg:S",
            ("--cadence", "isolated"),
            "repetitions of mg:S follow each other, none can wait for a common start",
        ),
        (
            "stap:small",
            ("--buffers", "cold"),
            "stap:small is bound to its buffers, which can't rotate through cold memory",
        ),
        (
            "mg:S,stap",
            ("--sizes", "8"),
            "--sizes 8 B: the problem's class says how large it is: mg:S, stap:small; leave "
            "--sizes out",
        ),
        ("mg:C", (), "a budget of 2 s is too small for one cell in 6 blocks; give --budget "),
    ],
)
def test_what_cant_be_is_one_sentence_before_anything_starts(
    patterns: str, words: tuple[str, ...], said: str, leadline: Leadline
) -> None:
    done = leadline.run(patterns, "--backends", "shm", "--budget", "2s", *words)
    assert (done.status, done.out) == (2, "")
    (sentence,) = done.err.splitlines()
    assert said in sentence
    assert not leadline.folder.exists()


def test_class_without_room_in_memory_is_refused_with_what_it_needs(
    leadline: Leadline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparation, "available_bytes", lambda machine: LITTLE_MEMORY_BYTES)
    done = leadline.run("mg:C", "--backends", "shm", "--budget", "1h")
    assert done.status == 2
    assert "nothing to measure: mg:C needs about 3.6 GB on all ranks together, and 1." in done.err
    assert done.err.rstrip().endswith("(give a smaller class of it, or free memory)")
    assert not leadline.folder.exists()


def test_what_is_left_out_beside_others_is_a_caveat_with_its_remedy(leadline: Leadline) -> None:
    words = ("--backends", "shm", "--ranks", "3", "--budget", "2s", "--dry-run")
    done = leadline.run("mg:S,stap:small,barrier", *words)
    assert done.status == 0
    assert "ranks_no_power: mg:S can't run with 3 ranks" in done.err
    assert "(give --ranks 1, 2, 4, 8 or another power of two)" in done.err
    assert "3 ranks: stap:small x 1, barrier x 1; " in done.err


def test_plan_says_memory_and_time_of_each_class(leadline: Leadline) -> None:
    words = ("--backends", "shm", "--ranks", "2", "--blocks", "1", "--budget", "9min", "--dry-run")
    done = leadline.run("mg:S,mg:A,stap:medium", *words)
    assert done.status == 0
    assert "mg:S: 1.03 MB on all ranks together, 4 repetitions of 1.69 Mflop; a slice" in done.err
    assert "mg:A: " in done.err
    assert "stap:medium: 50.9 MB on all ranks together, 1 repetition of 350 Mflop; " in done.err


# -- over every library ----------------------------------------------------------------------------


def test_no_closed_form_is_fitted_to_what_ranks_share(leadline: Leadline) -> None:
    words = ("--ranks", "1,8,16,64", "--patterns", "mg:S,barrier", "--out", str(leadline.folder))
    assert leadline("simulate", "--machine", "cray-t3e-900", *words).status == 0
    said = leadline("fit", str(leadline.folder)).out
    assert "mg:S: closed forms are of calls, not of applications" in " ".join(said.split())
    assert "barrier · cray-t3e-900 (simulated) · " in said
    assert "mg:S · " not in said
    assert "0 B" not in said and "buffers" not in said
