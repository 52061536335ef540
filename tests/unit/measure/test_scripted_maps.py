"""Campaigns with variants that differ in their map: launches that they share, ranks that refuse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import Interrupting, launches_by_slice
from tests.support.scripted import QUIET, Played, Theatre, request

from leadline.backends.backend import Backend
from leadline.compare.analysis import Analysis
from leadline.compare.pairs import compare_within
from leadline.errors import UsageError
from leadline.hosts.placement import THIS_HOST
from leadline.measure.grids import placed
from leadline.measure.plan import Plan
from leadline.measure.spec import Variant
from leadline.scripted.campaigns import ONE_HOST, variant
from leadline.scripted.script import RankFault, ScriptedLibrary, Task, Trouble

LAID = (0, 3, 1, 2)
"""Rank of each vertex of a 2x2 grid."""
BLOCKS = 6


def pair(library: str = "library") -> list[Variant]:
    """One library with ranks in their order, and laid."""
    plain = replace(variant(library), name="default")
    return [plain, replace(plain, name="mapped", map="file")]


def theatre(
    tmp_path: Path,
    patterns: Sequence[str] = ("halo:2x2",),
    blocks: int = BLOCKS,
    variants: Sequence[Variant] = (),
    **script: object,
) -> Theatre:
    asked = request(
        patterns=tuple(patterns), ranks=(4,), blocks=blocks, budget_s=0.0, patience_s=4.0
    )
    libraries: dict[str, ScriptedLibrary] = {"library": QUIET, "other": QUIET}
    return Theatre(
        tmp_path / "run", libraries, asked, ONE_HOST, {"mood": 0.0} | script, variants or pair()
    )


def laid_plan(stage: Theatre) -> Plan:
    prepared = stage.prepared
    return placed(prepared.plan, THIS_HOST, prepared.variants, {"file": LAID})


def play(stage: Theatre) -> Played:
    return stage.play(plan=laid_plan(stage))


def told(found: Played) -> list[set[tuple[str, ...]]]:
    """The placements that the ranks of each launch were told, launch by launch."""
    return [
        {tuple(rank.placements) for rank in launch.ranks.values()}
        for launch in found.machine.launches.values()
    ]


def test_default_and_mapped_are_measured_by_the_same_launches(tmp_path: Path) -> None:
    found = play(theatre(tmp_path))
    run = found.run
    assert run.failures == ()
    by_slice = launches_by_slice(run)
    assert by_slice["mapped"] == by_slice["default"]
    assert [by_slice["mapped"][block, 0] for block in range(BLOCKS)] == list(range(BLOCKS))
    default, mapped = run.configurations
    (laid,) = mapped.placement
    assert (default.placement, laid.slots) == ((), LAID)
    alike = replace(default, variant="mapped", placement=(laid,), algorithms=mapped.algorithms)
    assert mapped == alike


def test_every_block_of_both_counts_in_their_comparison(tmp_path: Path) -> None:
    """On a machine where nothing else happens there is nothing to forgive."""
    analysis = Analysis(play(theatre(tmp_path)).run)
    result = compare_within(analysis, "default")
    assert [curve.whole.pattern for curve in result.curves] == ["halo:2x2"]
    assert not np.isnan(analysis.medians.seconds).any()
    assert [row.effect.n for row in result.rows] == [BLOCKS]
    assert result.warnings == ()


def test_placement_is_told_once_a_launch_however_many_cells_it_lays(tmp_path: Path) -> None:
    stage = theatre(tmp_path)
    stage = replace(stage, asked=replace(stage.asked, sizes=(8, 64, 512)))
    found = play(stage)
    assert told(found) == [{("1",)}] * BLOCKS
    assert found.watching.slices.count("mapped") == 3 * BLOCKS


def test_launches_that_lay_nothing_are_told_nothing(tmp_path: Path) -> None:
    found = theatre(tmp_path, variants=[variant("library")]).play()
    assert told(found) == [{()}] * BLOCKS


def test_variants_that_share_launches_are_alive_together_where_others_take_turns(
    tmp_path: Path,
) -> None:
    stage = theatre(tmp_path, variants=[*pair(), variant("other", backend=other_backend())])
    found = stage.play(plan=replace(laid_plan(stage), together=False))
    by_slice = launches_by_slice(found.run)
    assert by_slice["mapped"] == by_slice["default"]
    assert not set(by_slice["other"].values()) & set(by_slice["default"].values())
    slices = found.watching.slices
    blocks = [slices[i : i + 3] for i in range(0, 3 * BLOCKS, 3)]
    assert all(block[1] != "other" for block in blocks), blocks
    assert Counter(slices) == dict.fromkeys(("default", "mapped", "other"), BLOCKS)


def other_backend() -> Backend:
    return replace(variant("other").backend, name="another")


# -- ranks that don't do it ------------------------------------------------------------------------


def test_launch_that_lost_its_placement_fails_what_is_laid_and_nothing_else(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    forgets = RankFault(Trouble.FORGET, "library", 0, task=Task.PLACEMENT)
    found = play(theatre(tmp_path, blocks=2, faults=(forgets,)))
    (failure,) = found.run.failures
    assert (found.variant(failure.configuration), failure.code) == ("mapped", "refused")
    assert failure.message == snapshot
    assert set(launches_by_slice(found.run)) == {"default"}
    assert {block for block, _ in launches_by_slice(found.run)["default"]} == {0, 1}


@pytest.mark.parametrize(
    ("trouble", "code"),
    [(Trouble.REFUSE, "refused"), (Trouble.CRASH, "crash"), (Trouble.HANG, "hang")],
)
def test_rank_that_refuses_a_placement_or_falls_at_it_fails_what_is_laid(
    trouble: Trouble, code: str, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    fault = RankFault(trouble, "library", 2, task=Task.PLACEMENT)
    found = play(theatre(tmp_path, blocks=2, faults=(fault,)))
    (failure,) = found.run.failures
    assert (found.variant(failure.configuration), failure.code) == ("mapped", code)
    assert failure.cell == 0
    assert failure.message == snapshot
    by_slice = launches_by_slice(found.run)
    assert set(by_slice) == {"default"}
    assert found.run.complete


def test_launch_in_the_place_of_one_that_fell_is_told_its_placement_again(tmp_path: Path) -> None:
    stage = theatre(tmp_path, blocks=1)
    stage = replace(stage, asked=replace(stage.asked, sizes=(8, 64, 512)))
    crash = RankFault(Trouble.CRASH, "library", 1, size_bytes=64, times=1)
    found = play(replace(stage, script={"faults": (crash,)}))
    assert found.codes() == ["crash"]
    laid = [launch for launch in told(found) if launch != {()}]
    assert laid in ([{("1",)}], [{("1",)}, {("1",)}])
    assert len(found.machine.launches) == 2
    assert Counter(found.watching.slices).total() == 5


# -- what can't be ---------------------------------------------------------------------------------


@pytest.mark.parametrize("slots", [(0, 0, 1, 2), (0, 1, 2, 4), (1, 0), (*range(5),)])
def test_placement_that_is_none_stops_the_campaign(
    slots: tuple[int, ...], tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    stage = theatre(tmp_path)
    plan = laid_plan(stage)
    (group,) = plan.groups
    wrong = replace(group.placements["mapped"][0], slots=slots)
    plan = replace(plan, groups=(replace(group, placements={"mapped": (wrong,)}),))
    with pytest.raises(UsageError) as refused:
        stage.play(plan=plan)
    assert str(refused.value) == snapshot


def test_patterns_without_a_grid_are_left_out_of_mapped_variants_and_said_to_be(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    stage = theatre(tmp_path, ("halo:2x2", "barrier", "bcast"))
    messages = {warning.code: warning.cause for warning in laid_plan(stage).warnings}
    assert messages["no_grid"] == snapshot
    found = play(stage)
    assert Counter(found.watching.slices) == {"default": 3 * BLOCKS, "mapped": BLOCKS}
    result = compare_within(Analysis(found.run), "default")
    assert [curve.whole.pattern for curve in result.curves] == ["halo:2x2"]
    assert result.warnings == (), "what can't be compared is no lack"


def test_nothing_but_patterns_without_a_grid_is_refused(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    with pytest.raises(UsageError) as refused:
        laid_plan(theatre(tmp_path, ("barrier",), variants=pair()[1:]))
    assert str(refused.value) == snapshot


# -- going on --------------------------------------------------------------------------------------


def test_interrupted_campaign_goes_on_as_ranks_were_laid(tmp_path: Path) -> None:
    stage = theatre(tmp_path, blocks=3)
    begun = stage.play(Interrupting(), plan=laid_plan(stage)).run
    assert not begun.complete
    whole = stage.go_on(plan=laid_plan(stage)).run
    assert whole.complete
    assert whole.configurations == begun.configurations
    assert whole.configurations[1].placement[0].slots == LAID
    by_slice = launches_by_slice(whole)
    assert by_slice["mapped"] == by_slice["default"]
    assert {block for block, _ in by_slice["mapped"]} == {0, 1, 2}
    assert whole.failures == ()
