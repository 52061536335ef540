"""Warnings: each said once, with the right number of cells."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from harness.blocks import cell, configuration, run_of_blocks
from syrupy.assertion import SnapshotAssertion

from leadline.cli.outcome import computed
from leadline.compare.analysis import Analysis
from leadline.compare.circumstances import Circumstances
from leadline.compare.summaries import gathered
from leadline.compare.warnings import disturbed
from leadline.record.run import Failure, Run
from leadline.record.warnings import RunWarning, WarningKind, warning_of
from leadline.report.text.notes import failure_text, of_several

SIZES = (8, 64, 512)


def uneven(*blocks: int) -> Run:
    """One library, with so many blocks at each size."""
    seconds = np.full((1, len(blocks), max(blocks)), np.nan)
    for place, number in enumerate(blocks):
        seconds[0, place, :number] = 1e-6
    return run_of_blocks(seconds, [configuration("a")], [cell(size) for size in SIZES])


def causes(run: Run) -> list[str]:
    return [one.cause for one in gathered(Analysis(run).summaries)]


def test_cells_with_causes_of_their_own_are_counted_behind_the_first(
    snapshot: SnapshotAssertion,
) -> None:
    blocks = (3, 2, 8), (3, 2, 1), (1, 8, 8)
    assert {numbers: causes(uneven(*numbers)) for numbers in blocks} == snapshot


def test_slices_are_taken_again_so_many_times(snapshot: SnapshotAssertion) -> None:
    around = Circumstances(slices=24, disturbed=7, retaken=1)
    found = {times: disturbed(replace(around, retaken=times)).cause for times in (1, 2, 19)}
    assert found == snapshot


def test_failure_says_once_what_it_happened_to(snapshot: SnapshotAssertion) -> None:
    cells = [cell(0, "mg:S"), cell(0), cell(8)]
    run = run_of_blocks(np.full((1, 3, 1), 1e-6), [configuration("a")], cells)
    found = [
        (0, "a, mg:S: norm 5, expected 6"),
        (1, "a, pingpong, 0 B: rank 1 ended"),
        (2, "a, pingpong, 8 B: rank 1 ended"),
        (2, "no result from a, pingpong, 8 B after 5 s: stuck"),
        (2, "b, pingpong, 8 B: rank 1"),
        (None, "a, mg:S: no ranks"),
    ]
    output = [failure_text(run, Failure(0, place, 2, "exit", told)) for place, told in found]
    assert output == snapshot


def test_launch_of_one_rank_has_one(snapshot: SnapshotAssertion) -> None:
    run = run_of_blocks([[[1e-6]]], [configuration("a", ranks=1)], [cell(0, "mg:S")])
    assert failure_text(run, Failure(0, 0, 0, "exit", "a")) == snapshot


def test_what_the_run_says_its_rows_do_not_repeat() -> None:
    crowded = configuration("a", ranks=3, oversubscribed=True)
    seconds = np.full((1, 1, 8), 1e-6)
    plan = warning_of(WarningKind.OVERSUBSCRIBED, numbers=("3",), cores=2, hosts=None, machines=0)
    run = replace(run_of_blocks(seconds, [crowded], [cell(8)]), warnings=(plan,))
    assert [one for one in _warnings(run) if one.code == "oversubscribed"] == [plan]
    assert [one.code for one in _warnings(replace(run, warnings=()))] == ["oversubscribed"]


def test_what_is_not_said_of_all_runs_names_its_own() -> None:
    tsc, busy = (
        warning_of(WarningKind.CLOCK, clock="hpet"),
        warning_of(WarningKind.LOAD, load=9, cores=4),
    )
    one, two = (replace(uneven(8), path=path, warnings=(tsc,)) for path in ("one", "two"))
    loaded = replace(two, warnings=(tsc, busy))
    found = of_several([(run, run.warnings) for run in (one, loaded)])
    assert found == [tsc, tsc, replace(busy, cause=f"two: {busy.cause}")]
    assert of_several([(loaded, loaded.warnings)]) == [tsc, busy]


def _warnings(run: Run) -> tuple[RunWarning, ...]:
    return computed(Analysis(run), 0.02).warnings
