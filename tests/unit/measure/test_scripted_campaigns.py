"""What a campaign does, block by block, on machines that play a script."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import Silent, seen
from tests.support.scripted import Theatre, played, request
from tests.support.texts import without_progress

from leadline.compare.analysis import Analysis
from leadline.compare.pairs import compare_within
from leadline.hosts.cleanup import identities
from leadline.hosts.cleanup import sweep as sweeping
from leadline.measure import system
from leadline.measure.campaign import MOST_FAILED_STARTS
from leadline.measure.pool import MOST_RELAUNCHES
from leadline.measure.resumption import blocks_done
from leadline.measure.slices import MOST_ATTEMPTS
from leadline.record.run import Run
from leadline.record.slices import BatchFlag
from leadline.scripted.script import (
    Jump,
    NoiseModel,
    RankFault,
    ScriptedLibrary,
    Trouble,
)

pytestmark = pytest.mark.long

CALM = NoiseModel(batches=0.001, slices=0.0, launches=0.0)
QUIET = ScriptedLibrary(noise=CALM)
UNHURRIED = {name: replace(QUIET, overhead_s=0.03) for name in ("a", "b")}
"""With fewer slices in the same time."""
COUNTED = request(blocks=3, budget_s=0.0)


def codes(run: Run) -> list[str]:
    return [one.code for one in run.failures]


def test_every_cell_is_measured_under_every_variant_in_every_block(tmp_path: Path) -> None:
    asked = request(patterns=("pingpong", "barrier", "bcast"), sizes=(8, 1024), blocks=2)
    theatre = Theatre(tmp_path / "run", {"a": QUIET, "b": QUIET, "c": QUIET}, asked)
    found = theatre.play()
    cells = {
        "pingpong": {8, 1024},
        "bcast": {8, 1024},
        "barrier": {0},
    }
    assert found.watching.blocks == [0, 1]
    assert found.run.failures == ()
    assert found.run.warnings == theatre.prepared.first_warnings
    assert {(c.pattern, c.size_bytes) for c in found.run.cells} == {
        (pattern, size) for pattern, sizes in cells.items() for size in sizes
    }
    assert seen(found.run) == {(b, v, c) for b in (0, 1) for v in range(3) for c in range(5)}
    assert blocks_done(found.run, theatre.prepared.plan) == (2, 2)
    assert found.run.complete


def test_the_same_script_gives_the_same_run(tmp_path: Path) -> None:
    noisy = {"a": ScriptedLibrary(), "b": ScriptedLibrary(noise=NoiseModel(spikes=0.1))}
    runs = [played(tmp_path / name, noisy, asked=request(blocks=4)).run for name in ("1", "2")]
    for column in ("block", "configuration", "cell", "start_ns", "elapsed_ns", "flags"):
        first, second = (getattr(run.batches, column) for run in runs)
        assert np.array_equal(first, second), column


def test_another_seed_gives_other_times(tmp_path: Path) -> None:
    runs = [played(tmp_path / str(n), asked=request(blocks=2), seed=n).run for n in (1, 2)]
    first, second = (run.batches.elapsed_ns for run in runs)
    assert first.size != second.size or not np.array_equal(first, second)


def test_variants_take_turns_in_random_order(tmp_path: Path) -> None:
    found = played(
        tmp_path / "run", {"a": QUIET, "b": QUIET}, asked=request(blocks=20, budget_s=0.0)
    )
    assert len(found.watching.slices) == 40
    first = [found.watching.slices[2 * block] for block in range(20)]
    pairs = {tuple(found.watching.slices[2 * block : 2 * block + 2]) for block in range(20)}
    assert pairs == {("a", "b"), ("b", "a")}
    assert 4 <= first.count("a") <= 16


def test_threads_have_configurations_that_meet_only_their_like(tmp_path: Path) -> None:
    asked = request(patterns=("pingpong", "pingpong_multiple", "pingpong_threads"), blocks=6)
    theatre = Theatre(tmp_path / "run", {"a": QUIET, "b": QUIET}, asked)
    run = theatre.play().run
    assert run.failures == ()
    assert [c.threads for c in run.configurations] == [0, 0, 1, 1, 2, 2]
    measured = {(configuration, cell) for _, configuration, cell in seen(run)}
    assert measured == {(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (5, 2)}
    result = compare_within(Analysis(run), "a", ["b"])
    assert [curve.whole.pattern for curve in result.curves] == list(asked.patterns)
    assert result.warnings == ()
    assert blocks_done(run, theatre.prepared.plan) == (6, 6)


def test_variants_without_room_beside_each_other_take_turns(tmp_path: Path) -> None:
    asked = request(patterns=("pingpong", "bcast"), sizes=(8, 104), blocks=3, budget_s=0.0)
    theatre = Theatre(tmp_path / "run", {"first": QUIET, "second": QUIET}, asked)
    plan = replace(theatre.prepared.plan, together=False)
    found = theatre.play(plan=plan)
    blocks = [found.watching.slices[i : i + 8] for i in range(0, 24, 8)]
    turns = ["first"] * 4 + ["second"] * 4
    assert all(block in (turns, turns[::-1]) for block in blocks), blocks
    assert len(seen(found.run)) == 3 * 2 * 4


def test_crowded_ranks_are_left_out_of_later_blocks_once_their_share_is_spent(
    tmp_path: Path,
) -> None:
    asked = request(patterns=("barrier",), ranks=(2, 5), blocks=3, budget_s=0.0)
    theatre = Theatre(tmp_path / "run", {"a": QUIET}, asked)
    limits = theatre.prepared.plan.limits
    # blocks that are counted have no shares; these are three as well, by their limits
    uncounted = replace(theatre.prepared.request, blocks=None)
    assert limits.fewest == limits.most == 3
    run = theatre.play(request=uncounted).run
    ranks = {(b, run.configurations[c].ranks) for b, c, _ in seen(run)}
    assert ranks == {(0, 2), (1, 2), (2, 2), (0, 5)}
    assert blocks_done(run, theatre.prepared.plan) == (3, 3)


# -- faults ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trouble", "code"),
    [
        (Trouble.CRASH, "crash"),
        (Trouble.EXIT, "exit"),
        (Trouble.HANG, "hang"),
        (Trouble.WRONG_BYTE, "wrong_byte"),
        (Trouble.REFUSE, "refused"),
        (Trouble.GARBLE, "protocol"),
    ],
)
def test_rank_that_misbehaves_fails_its_cell_and_no_other(
    trouble: Trouble, code: str, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    asked = request(patterns=("pingpong", "bcast"), sizes=(8, 104), blocks=2, budget_s=0.0)
    fault = RankFault(trouble, "bad", size_bytes=104)
    found = played(tmp_path / "run", {"good": QUIET, "bad": QUIET}, asked=asked, faults=(fault,))
    run = found.run
    assert run.complete
    bad = next(i for i, c in enumerate(run.configurations) if c.variant == "bad")
    large = [i for i, c in enumerate(run.cells) if c.size_bytes == 104]
    # one failure a cell, in the first block: it isn't tried again
    assert sorted((f.configuration, f.cell, f.block) for f in run.failures) == [
        (bad, cell, 0) for cell in large
    ]
    assert set(codes(run)) == {code}
    assert sorted(without_progress(failure.message) for failure in run.failures) == snapshot
    everything = {(b, v, c) for b in (0, 1) for v in (0, 1) for c in range(len(run.cells))}
    assert seen(run) == everything - {(b, bad, c) for b in (0, 1) for c in large}
    assert found.watching.failures == list(run.failures)


def test_rank_that_hangs_is_waited_for_as_long_as_asked(tmp_path: Path) -> None:
    asked = request(blocks=1, budget_s=0.0, patience_s=7.0)
    fault = RankFault(Trouble.HANG, "a")
    calm = played(tmp_path / "calm", {"a": QUIET}, asked=asked)
    hung = played(tmp_path / "hung", {"a": QUIET}, asked=asked, faults=(fault,))
    assert codes(hung.run) == ["hang"]
    assert hung.took_s > calm.took_s + 7.0 - 0.1
    assert hung.took_s < calm.took_s + 7.0 + 2.5  # ends, and a launch that is started again


def test_watchdog_blames_no_rank_that_takes_no_part(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    asked = request(ranks=(3,), blocks=1, budget_s=0.0)
    run = played(
        tmp_path / "run", {"a": QUIET}, asked=asked, faults=(RankFault(Trouble.HANG, "a"),)
    ).run
    assert without_progress(run.failures[0].message) == snapshot


@pytest.mark.parametrize("trouble", [Trouble.CRASH, Trouble.WRONG_BYTE])
def test_campaign_that_has_nothing_left_to_measure_is_over(
    trouble: Trouble, tmp_path: Path
) -> None:
    found = played(tmp_path / "run", {"a": QUIET}, asked=COUNTED, faults=(RankFault(trouble, "a"),))
    assert found.run.complete
    assert found.watching.blocks == [0]
    assert [failure.block for failure in found.run.failures] == [0]


@pytest.mark.parametrize("trouble", [Trouble.NO_START, Trouble.NO_HELLO, Trouble.NO_FILE])
def test_variant_that_never_starts_is_given_up_after_two_blocks(
    trouble: Trouble, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    asked = request(blocks=4, budget_s=0.0)
    found = played(
        tmp_path / "run", {"good": QUIET, "bad": QUIET}, asked=asked,
        faults=(RankFault(trouble, "bad"),),
    )  # fmt: skip
    run = found.run
    bad = next(i for i, c in enumerate(run.configurations) if c.variant == "bad")
    assert set(codes(run)) == {"launch"}
    launches = Counter(f.block for f in run.failures)
    assert list(launches) == list(range(MOST_FAILED_STARTS))
    assert {f.configuration for f in run.failures} == {bad}
    assert run.failures[0].message == snapshot
    assert seen(run) == {(b, 1 - bad, 0) for b in range(4)}


def test_launch_of_one_process_that_never_says_hello_is_given_up(tmp_path: Path) -> None:
    asked = request(patterns=("barrier",), ranks=(1,), blocks=2, budget_s=0.0)
    fault = RankFault(Trouble.NO_HELLO, "a", rank=0, times=1)
    found = played(tmp_path / "run", {"a": QUIET}, asked=asked, faults=(fault,))
    assert [(one.block, one.code) for one in found.run.failures] == [(0, "launch")]
    assert {block for block, _, _ in seen(found.run)} == {1}


@pytest.mark.parametrize("trouble", [Trouble.CRASH, Trouble.HANG, Trouble.NO_HELLO])
def test_no_process_of_this_machine_is_looked_at(
    trouble: Trouble, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others become other programs meanwhile, and would be waited for."""

    def look(*_: object) -> NoReturn:
        raise AssertionError("who runs on this machine")

    for owner in (identities, sweeping, system):
        monkeypatch.setattr(owner, "started_with", look, raising=False)
    found = played(tmp_path / "run", {"a": QUIET}, asked=COUNTED, faults=(RankFault(trouble, "a"),))
    assert found.run.failures


def test_what_a_launch_printed_as_it_failed_is_kept(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    fault = RankFault(Trouble.NO_START, "a")
    run = played(tmp_path / "run", {"a": QUIET}, asked=COUNTED, faults=(fault,)).run
    assert run.failures[0].message == snapshot


def test_launch_that_fails_once_is_started_again_in_the_next_block(tmp_path: Path) -> None:
    fault = RankFault(Trouble.NO_START, "a", times=1)
    found = played(tmp_path / "run", {"a": QUIET, "b": QUIET}, asked=COUNTED, faults=(fault,))
    run, mine = found.run, 0
    assert found.variant(mine) == "a"
    assert [(f.configuration, f.block, f.code) for f in run.failures] == [(mine, 0, "launch")]
    assert seen(run) == {(0, 1, 0), (1, 0, 0), (1, 1, 0), (2, 0, 0), (2, 1, 0)}
    assert run.complete


def test_launch_that_falls_is_replaced_within_its_block(tmp_path: Path) -> None:
    asked = request(sizes=tuple(range(8, 8 + 8 * 8, 8)), blocks=1, budget_s=0.0)
    falls = RankFault(Trouble.CRASH, "a", times=MOST_RELAUNCHES)
    found = played(tmp_path / "run", {"a": QUIET}, asked=asked, faults=(falls,))
    assert len(found.run.failures) == MOST_RELAUNCHES
    assert len(seen(found.run)) == 8 - MOST_RELAUNCHES
    assert len({f.cell for f in found.run.failures}) == MOST_RELAUNCHES


def test_variant_whose_launches_fall_too_often_sits_the_block_out(tmp_path: Path) -> None:
    asked = request(sizes=tuple(range(8, 8 + 8 * 8, 8)), blocks=2, budget_s=0.0)
    falls = RankFault(Trouble.CRASH, "a", times=MOST_RELAUNCHES + 1)
    run = played(tmp_path / "run", {"a": QUIET}, asked=asked, faults=(falls,)).run
    assert len([f for f in run.failures if f.block == 0]) == MOST_RELAUNCHES + 1
    # the first slices fell; block 1 has all cells but theirs
    assert Counter(block for block, _, _ in seen(run)) == {1: 8 - (MOST_RELAUNCHES + 1)}


# -- repetitions, precision, time ------------------------------------------------------------------


def test_number_that_a_launch_found_wrong_is_flagged_and_put_right_at_once(
    tmp_path: Path,
) -> None:
    misled = replace(QUIET, misjudged=16.0)
    run = played(tmp_path / "run", {"a": misled}, asked=COUNTED, mood=0.0).run
    wrong = run.batches.flags & int(BatchFlag.MISCOUNTED) != 0
    first = run.batches.block == 0
    numbers = [
        set(run.batches.repetitions[first & (run.batches.attempt == attempt)].tolist())
        for attempt in range(2)
    ]
    # 50 us of messages of 1 us, there and back: 25 repetitions; at the pace of 16 us 2
    assert numbers == [{2}, {25}]
    assert wrong.tolist() == (run.batches.repetitions == 2).tolist()
    assert not wrong[~first].any()
    assert run.batches.attempt.max() < MOST_ATTEMPTS


def test_campaign_stops_where_every_interval_is_narrow_enough(tmp_path: Path) -> None:
    asked = request(sizes=(8, 4096), budget_s=60.0)
    calm = {"mood": 0.0}
    theatre = Theatre(tmp_path / "quick", UNHURRIED, asked, script=calm)
    quick = theatre.play()
    exact = replace(asked, precision=1e-6)
    thorough = replace(theatre, directory=tmp_path / "thorough", asked=exact).play()
    ample = theatre.prepared.plan.limits.ample
    assert len(quick.watching.blocks) == ample
    assert len(thorough.watching.blocks) > ample
    assert quick.took_s < thorough.took_s
    assert 55.0 < thorough.took_s <= 66.0


def test_jump_of_the_clock_costs_time_and_nothing_else(tmp_path: Path) -> None:
    asked = request(blocks=6, budget_s=0.0)
    found = played(
        tmp_path / "run", {"a": QUIET, "b": QUIET}, asked=asked, jumps=(Jump(0.3, 3600.0),)
    )
    assert found.took_s > 3600
    assert found.run.failures == ()
    assert found.run.complete
    assert len(seen(found.run)) == 6 * 2


def test_interrupted_campaign_keeps_what_it_has_and_says_that_it_isnt_whole(
    tmp_path: Path,
) -> None:
    theatre = Theatre(
        tmp_path / "run", UNHURRIED, request(budget_s=30.0, precision=1e-6),
        script={"interrupts": (5.0,)},
    )  # fmt: skip
    found = theatre.play()
    assert not found.run.complete
    assert 5.0 <= found.took_s < 8.0
    assert seen(found.run)
    whole = theatre.again(interrupts=()).go_on()
    assert whole.run.complete
    assert seen(found.run) < seen(whole.run)
    assert 20.0 < found.took_s + whole.took_s < 36.0


def test_observer_is_closed_also_where_the_user_interrupts(tmp_path: Path) -> None:
    closed = []

    class Closing(Silent):
        def close(self) -> None:
            closed.append(True)

    played(tmp_path / "run", {"a": QUIET}, Closing(), asked=request(), interrupts=(1.0,))
    assert closed == [True]
