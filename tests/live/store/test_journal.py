from __future__ import annotations

import multiprocessing
import os
import signal
from dataclasses import replace
from pathlib import Path

from harness.synthetic import configuration, one_slice, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.processes import until
from tests.support.small_disk import on_a_small_disk

from leadline.store import Journal, load

SLICE = one_slice((0, 0, 0, 0), [[5000, 4100, 4000], [5001, 4101, 4001]])


# -- the file --------------------------------------------------------------------------------------


def _measure_for_ever(directory: Path) -> None:
    with Journal.create(directory, {}) as journal:
        journal.add_configuration(configuration("mpich"))
        journal.add_cells([pingpong(8)])
        while True:
            journal.add_slice(SLICE)


def test_killed_campaign_keeps_whole_slices_and_can_be_resumed(tmp_path: Path) -> None:
    directory = tmp_path / "run"
    victim = multiprocessing.get_context("spawn").Process(
        target=_measure_for_ever, args=(directory,)
    )
    victim.start()
    journal = directory / "journal.jsonl"
    until(lambda: journal.exists() and journal.stat().st_size > 4000)
    assert victim.pid is not None
    os.kill(victim.pid, signal.SIGKILL)
    victim.join()
    before = load(directory).batches.rank.size
    assert before > 0
    assert before % 6 == 0
    with Journal.reopen(directory) as reopened:
        reopened.add_slice(replace(SLICE, block=1))
        reopened.close(True)
    assert load(directory).batches.rank.size == before + 6
    assert load(directory).complete


# -- full disk -------------------------------------------------------------------------------------


def test_journal_that_hits_a_full_disk_keeps_all_slices_written(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    text = on_a_small_disk("fill", tmp_path / "run", 5000)
    assert text.startswith("MachineError ")
    assert text.replace(str(tmp_path), "DIR") == snapshot
    run = load(tmp_path / "run")
    visits = set(run.batches.visit.tolist())
    assert len(visits) > 5
    assert visits == set(range(len(visits)))
    assert run.warnings == ()
