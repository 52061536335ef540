from __future__ import annotations

import os
import struct
from pathlib import Path

from syrupy.assertion import SnapshotAssertion

from leadline.kernels.progress import (
    RankState,
    answered,
    elsewhere,
    read_state,
    report,
    suspects,
)

PHASES = ("idle", "arranging buffers", "validating", "calibrating", "timing")


def state(rank: int, phase: int = 4, batches: int = 7, letter: str = "R") -> RankState:
    return RankState(rank, phase, batches, letter, "pause" if letter == "S" else "")


def test_stopped_rank_is_the_suspect_whatever_the_progress() -> None:
    assert suspects([state(0, batches=3), state(1, letter="T")]) == [1]


def test_rank_with_less_progress_is_the_suspect() -> None:
    assert suspects([state(0, batches=8), state(1, batches=7)]) == [1]
    assert suspects([state(0, phase=2, batches=9), state(1, phase=4, batches=0)]) == [0]


def test_rank_that_sleeps_while_others_run_is_the_suspect() -> None:
    assert suspects([state(0), state(1, letter="S"), state(2)]) == [1]


def test_nobody_stands_out_where_all_are_alike() -> None:
    assert suspects([state(0), state(1)]) == []
    assert suspects([state(0, letter="S"), state(1, letter="S")]) == []
    assert suspects([]) == []


def test_report_names_rank_cell_and_places(snapshot: SnapshotAssertion) -> None:
    text = report([state(0), state(1, letter="S")], PHASES, "mpich, bcast, 8 B", 20.0)
    assert text == snapshot


def test_report_on_many_ranks_names_the_stuck_ones_and_a_few_others(
    snapshot: SnapshotAssertion,
) -> None:
    running = [state(rank) for rank in range(1000)]
    text = report([*running, state(1000, phase=2)], PHASES, "a barrier", 20.0)
    assert text == snapshot
    text = report([*running, *(state(rank, phase=2) for rank in range(1000, 1020))], PHASES, "a", 1)
    assert text == snapshot
    assert len(text) < 1200


def test_state_is_read_from_the_page_and_from_proc(tmp_path: Path) -> None:
    page = tmp_path / "progress.1"
    page.write_bytes(struct.pack("@qqq", 12, 2, 5))
    read = read_state(1, page, os.getpid())
    assert (read.phase, read.batches, read.state) == (2, 5, "R")


def test_missing_or_torn_page_and_process_read_as_unknown(tmp_path: Path) -> None:
    torn = tmp_path / "torn"
    torn.write_bytes(b"abc")
    for page in (torn, tmp_path / "absent"):
        read = read_state(0, page, 2**22 + 1)
        assert (read.phase, read.batches, read.state) == (0, 0, "?")


def test_rank_of_which_nothing_is_known_is_no_suspect_and_hides_who_is(
    snapshot: SnapshotAssertion,
) -> None:
    states = [state(0, 4, 3), elsewhere(1, "h2")]
    assert suspects(states) == []
    assert report(states, PHASES, "pingpong at 8 B", 20.0) == snapshot
    assert suspects([state(0, 4, 3, "T"), elsewhere(1, "h2")]) == [0]


# -- what another host says ------------------------------------------------------------------------


def test_answer_among_other_words_is_found(snapshot: SnapshotAssertion) -> None:
    text = "Welcome to h2\nleadline-host\nleadline-rank 1 S pause 12 4 7\nleadline-rank 2 R 0\n"
    assert [one.describe(PHASES) for one in answered(text, "h2", [1, 2])] == snapshot
