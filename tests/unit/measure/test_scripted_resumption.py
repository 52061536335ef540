"""A campaign whose front-end is killed goes on: after any line of its journal, in virtual time."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.support.campaigns import seen
from tests.support.scripted import Theatre, request

from leadline.record.run import Run
from leadline.record.warnings import WarningKind
from leadline.scripted.script import RankFault, ScriptedLibrary, Trouble
from leadline.store import load

pytestmark = pytest.mark.long

JOURNAL, PLAN = "journal.jsonl", "plan.json"
LIBRARIES = {
    "a": ScriptedLibrary(overhead_s=0.02),
    "b": ScriptedLibrary(latency_s=1.2e-6, overhead_s=0.02),
}
FAULTS = (RankFault(Trouble.WRONG_BYTE, "b", size_bytes=104, times=1),)
COUNTED = request(sizes=(8, 104), blocks=3, budget_s=0.0)


@pytest.fixture(scope="module")
def theatre(tmp_path_factory: pytest.TempPathFactory) -> Theatre:
    """A run of three blocks, one cell of which failed."""
    directory = tmp_path_factory.mktemp("whole") / "run"
    made = Theatre(directory, LIBRARIES, COUNTED, script={"faults": FAULTS})
    made.play()
    return made


def journal_of(directory: Path) -> list[bytes]:
    return (directory / JOURNAL).read_bytes().splitlines(keepends=True)


def killed(theatre: Theatre, directory: Path, content: bytes) -> Theatre:
    """The campaign as a kill left it when its journal had so much."""
    directory.mkdir()
    shutil.copy(theatre.directory / PLAN, directory)
    (directory / JOURNAL).write_bytes(content)
    return replace(theatre, directory=directory, script={})


def slices_of(run: Run) -> set[tuple[int, ...]]:
    """Each slice, with the beginning of its first batch."""
    b = run.batches
    columns = (b.launch, b.block, b.visit, b.configuration, b.cell, b.attempt)
    keys = np.stack([np.asarray(column, dtype=np.int64) for column in columns], axis=1)
    return {tuple(row) for row in np.unique(keys, axis=0).tolist()}


def states(theatre: Theatre) -> Iterator[tuple[str, bytes]]:
    """Its journal after each of its lines, and torn within the next one."""
    lines = journal_of(theatre.directory)
    for kept in range(1, len(lines)):
        whole = b"".join(lines[:kept])
        yield f"{kept}", whole
        yield f"{kept}-torn", whole + lines[kept][: len(lines[kept]) // 2]


def test_campaign_goes_on_after_each_line_of_its_journal(theatre: Theatre, tmp_path: Path) -> None:
    first = load(theatre.directory)
    everything = {(b, c, k) for b in range(3) for c in (0, 1) for k in range(len(first.cells))}
    assert first.complete
    for name, content in states(theatre):
        cut = killed(theatre, tmp_path / name, content)
        before = load(cut.directory)
        if before.complete:
            continue
        failed = {(f.configuration, f.cell) for f in before.failures}
        found = cut.go_on()
        run = found.run
        assert run.complete, name
        assert slices_of(before) <= slices_of(run), name  # nothing measured is lost
        assert run.configurations == first.configurations, name
        assert run.cells == first.cells, name
        whole_blocks = {
            block
            for block in {b for b, _, _ in seen(run)}
            if {(c, k) for _, c, k in everything} - failed
            <= {(c, k) for b, c, k in seen(run) if b == block}
        }
        assert len(whole_blocks) == 3, name
        launches = {(launch, block) for launch, block, *_ in slices_of(run)}
        assert len(launches) == len({launch for launch, _ in launches}), name  # none in two blocks
        torn = WarningKind.TORN_LINE.code in {warning.code for warning in run.warnings}
        assert torn == name.endswith("torn"), name


def test_block_that_was_cut_short_is_measured_anew_under_a_new_number(
    theatre: Theatre, tmp_path: Path
) -> None:
    lines = journal_of(theatre.directory)
    second = next(i for i, line in enumerate(lines) if b'"block":1' in line)
    cut = killed(theatre, tmp_path / "run", b"".join(lines[: second + 1]))
    found = cut.go_on()
    assert found.watching.blocks == [2, 3]
    assert {b for b, _, _ in seen(found.run)} == {0, 1, 2, 3}


def test_cell_that_failed_isnt_tried_again_by_who_goes_on(theatre: Theatre, tmp_path: Path) -> None:
    lines = journal_of(theatre.directory)
    failed = next(i for i, line in enumerate(lines) if b'"kind":"failure"' in line)
    cut = killed(theatre, tmp_path / "run", b"".join(lines[: failed + 1]))
    (failure,) = load(cut.directory).failures
    found = cut.go_on()
    assert list(found.run.failures) == [failure]
    assert (failure.configuration, failure.cell) not in {(c, k) for _, c, k in seen(found.run)}


@pytest.mark.parametrize("at_s", [0.05, 1.0, 2.5, 4.0, 9.0])
def test_interruption_costs_no_more_than_the_block_that_it_cut(tmp_path: Path, at_s: float) -> None:
    asked = request(budget_s=12.0, budget_kept=True, precision=1e-9)
    theatre = Theatre(tmp_path / "run", LIBRARIES, asked, script={"interrupts": (at_s,)})
    cut = theatre.play()
    assert not cut.run.complete
    whole = theatre.again().go_on()
    assert whole.run.complete
    assert slices_of(cut.run) <= slices_of(whole.run)
    longest_block_s = 3.0
    assert cut.took_s + whole.took_s <= 12.0 * 1.1 + longest_block_s
    assert cut.took_s + whole.took_s >= 9.0


def test_campaign_can_be_interrupted_again_and_again(tmp_path: Path) -> None:
    asked = request(sizes=(8, 104), budget_s=20.0, budget_kept=True, precision=1e-9)
    theatre = Theatre(tmp_path / "run", LIBRARIES, asked, script={"interrupts": (3.0,)})
    runs = [theatre.play().run]
    runs += [theatre.go_on().run for _ in range(3)]
    runs.append(theatre.again().go_on().run)
    assert [run.complete for run in runs] == [False, False, False, False, True]
    for before, after in itertools.pairwise(runs):
        assert slices_of(before) < slices_of(after)
