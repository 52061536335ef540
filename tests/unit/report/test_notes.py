"""Warnings: each said once, with the right number of cells."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from harness.blocks import cell, configuration, run_of_blocks

from leadline.cli.show import computed
from leadline.compare.analysis import Analysis
from leadline.compare.cell_warnings import gathered
from leadline.compare.circumstances import Circumstances
from leadline.compare.summaries import disturbed
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.run import Failure, Run
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


def test_cells_with_causes_of_their_own_are_counted_behind_the_first() -> None:
    first = "a, pingpong at 8 B: 3 blocks can't support a 95 % interval"
    assert causes(uneven(3, 2, 8)) == [f"{first}; and 1 more cell"]
    assert causes(uneven(3, 2, 1)) == [f"{first}; and 2 more cells"]
    assert causes(uneven(1, 8, 8)) == ["1 block can't support a 95 % interval (1 cell)"]


@pytest.mark.parametrize(("retaken", "said"), [(1, "once"), (2, "twice"), (19, "19 times")])
def test_slices_are_taken_again_so_many_times(retaken: int, said: str) -> None:
    around = Circumstances(slices=24, disturbed=7, retaken=retaken)
    assert disturbed(around).cause.endswith(f"slices were taken again {said}")


@pytest.mark.parametrize(
    ("place", "message", "what", "fact"),
    [
        (0, "a, mg:S: norm 5, expected 6", "mg:S", "norm 5, expected 6"),
        (1, "a, pingpong, 0 B: rank 1 ended", "pingpong at 0 B", "rank 1 ended"),
        (2, "a, pingpong, 8 B: rank 1 ended", "pingpong at 8 B", "rank 1 ended"),
        (2, "no result from a, pingpong, 8 B after 5 s: stuck", "pingpong at 8 B",
         "no result after 5 s: stuck"),
        (2, "b, pingpong, 8 B: rank 1", "pingpong at 8 B", "b, pingpong, 8 B: rank 1"),
        (None, "a, mg:S: no ranks", "launch", "a, mg:S: no ranks"),
    ],
)  # fmt: skip
def test_failure_says_once_what_it_happened_to(
    place: int | None, message: str, what: str, fact: str
) -> None:
    cells = [cell(0, "mg:S"), cell(0), cell(8)]
    run = run_of_blocks(np.full((1, 3, 1), 1e-6), [configuration("a")], cells)
    said = failure_text(run, Failure(0, place, 2, "exit", message))
    assert said == f"a, {what}, 2 ranks, block 3: exit: {fact}"


def test_launch_of_one_rank_has_one() -> None:
    run = run_of_blocks([[[1e-6]]], [configuration("a", ranks=1)], [cell(0, "mg:S")])
    assert ", 1 rank, block 1: " in failure_text(run, Failure(0, 0, 0, "exit", "a"))


def test_what_the_run_says_its_rows_do_not_repeat() -> None:
    crowded = configuration("a", ranks=3, oversubscribed=True)
    seconds = np.full((1, 1, 8), 1e-6)
    plan = CaveatKind.OVERSUBSCRIBED.because("3 ranks share 2 cores")
    run = replace(run_of_blocks(seconds, [crowded], [cell(8)]), warnings=(plan,))
    assert [one for one in _caveats(run) if one.code == "oversubscribed"] == [plan]
    assert [one.code for one in _caveats(replace(run, warnings=()))] == ["oversubscribed"]


def test_what_is_not_said_of_all_runs_names_its_own() -> None:
    tsc, busy = CaveatKind.CLOCK.because("hpet"), CaveatKind.LOAD.because("the load is 9")
    one, two = (replace(uneven(8), path=path, warnings=(tsc,)) for path in ("one", "two"))
    loaded = replace(two, warnings=(tsc, busy))
    found = of_several([(run, run.warnings) for run in (one, loaded)])
    assert [caveat.cause for caveat in found] == ["hpet", "hpet", "two: the load is 9"]
    assert of_several([(loaded, loaded.warnings)]) == [tsc, busy]


def _caveats(run: Run) -> tuple[Caveat, ...]:
    return computed(Analysis(run), 0.02).caveats
