"""The memory order that transport.h promises is kept on every processor, as far as the thread
sanitizer can tell; and orderings that are missing are found. All: `make validate portability`."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness.orders import (
    RACE_STATUS,
    REPETITIONS,
    SHM,
    SHMEM,
    SUBJECTS,
    Fault,
    Subject,
    ending_of_two_threads,
    endings,
    faults_by_word,
)

SOME = (
    (SHM, "barriers.c acq_rel release"),
    (SHM, "messages.c release relaxed"),
    (SHM, "one_sided.c release relaxed"),
    (SHMEM, "mailbox.c release relaxed"),
    (SHMEM, "mailbox.c fence out"),
)
"""Kinds of faults, the first of each planted here."""
BY_WORD = {fault.what: fault for fault in faults_by_word(REPETITIONS) if "asleep" not in fault.what}


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: str(subject.name))
def test_ranks_as_threads_race_nowhere(subject: Subject, tmp_path: Path) -> None:
    for ending in endings(subject, tmp_path):
        assert ending.status == 0, ending.output


@pytest.mark.parametrize(("subject", "kind"), SOME)
def test_ordering_that_is_missing_is_a_race(subject: Subject, kind: str, tmp_path: Path) -> None:
    fault = next(fault for fault in subject.faults() if fault.kind.endswith(kind))
    seen = endings(subject, tmp_path, fault)[-1]
    assert seen.status == RACE_STATUS, (fault.line, seen.output)


def test_two_threads_of_a_rank_race_nowhere(tmp_path: Path) -> None:
    ending = ending_of_two_threads(tmp_path)
    assert ending.status == 0, ending.output


@pytest.mark.parametrize("fault", BY_WORD.values(), ids=BY_WORD)
def test_second_thread_relies_on_every_ordering(fault: Fault, tmp_path: Path) -> None:
    ending = ending_of_two_threads(tmp_path, fault)
    assert ending.status == RACE_STATUS, ending.output
