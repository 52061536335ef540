"""Ranks that are laid by a map, over raw shared memory and MPICH: whom they send to.

What a campaign does with them, tests/unit/measure/test_scripted_maps.py says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from harness.kernels import PEERS, UNPLACED, backend_of, kernel, local_backend
from tests.support.campaigns import Silent, launches_by_slice, plan_for, run_campaign

from leadline.backends.backend import Backend
from leadline.hosts.placement import THIS_HOST
from leadline.kernels.build import Additions, describe
from leadline.measure import preparation
from leadline.measure.conduct import conduct, resume
from leadline.measure.grids import placed
from leadline.measure.plan import Plan
from leadline.measure.preparation import prepare, restore
from leadline.measure.spec import Request, Variant, VariantSpec

LAID = (0, 3, 1, 2)
"""Rank of each vertex of a 2x2 grid: where rank 0 had 1 and 2 beside it, it has 3 and 1."""
IN_ORDER = {0: {1, 2}, 1: {0, 3}, 2: {0, 3}, 3: {1, 2}}
AS_LAID = {0: {1, 3}, 1: {0, 2}, 2: {1, 3}, 3: {0, 2}}
"""Whom each rank sends to."""


def pair_of(plain: Variant) -> list[Variant]:
    return [replace(plain, name="default"), replace(plain, name="mapped", map="file")]


def laid_plan(variants: list[Variant], patterns: str = "halo:2x2", blocks: int = 1) -> Plan:
    plan = plan_for(variants, patterns, (8,), blocks, ranks=4)
    return placed(plan, THIS_HOST, variants, {"file": LAID})


# -- the kernel does what it is told ---------------------------------------------------------------


def peers(variants: list[Variant], folder: Path) -> Mapping[int, set[int]]:
    """Whom each rank sent to in a campaign."""
    folder.mkdir()
    variants = [replace(one, environment={"LEADLINE_PEERS": str(folder)}) for one in variants]
    _, watching = run_campaign(folder / "run", variants, laid_plan(variants))
    assert watching.failures == []
    return {rank: set(map(int, (folder / str(rank)).read_text().split())) for rank in range(4)}


def noted(additions: Additions) -> list[Variant]:
    """Default and mapped, whose kernels note whom ranks send to."""
    built = kernel("shm", additions)
    return pair_of(Variant("shm", backend_of("shm"), str(built), describe(built)))


def test_ranks_send_to_the_neighbours_that_the_placement_gives_them(tmp_path: Path) -> None:
    default, mapped = noted(PEERS)
    assert peers([default], tmp_path / "default") == IN_ORDER
    assert peers([mapped], tmp_path / "mapped") == AS_LAID
    both = {rank: IN_ORDER[rank] | AS_LAID[rank] for rank in range(4)}
    assert peers([default, mapped], tmp_path / "both") == both


def test_kernel_that_ignores_placements_is_seen_to(tmp_path: Path) -> None:
    _, mapped = noted(UNPLACED)
    assert peers([mapped], tmp_path / "mapped") == IN_ORDER != AS_LAID


def test_launch_that_lost_its_placement_fails_what_is_laid_and_nothing_else(
    tmp_path: Path,
) -> None:
    environment = {"LEADLINE_FAULT": "lost", "LEADLINE_PEERS": str(tmp_path)}
    variants = [replace(one, environment=environment) for one in noted(UNPLACED)]
    run, watching = run_campaign(tmp_path / "run", variants, laid_plan(variants, blocks=2))
    (failure,) = watching.failures
    assert run.configurations[failure.configuration].variant == "mapped"
    assert failure.code == "refused"
    text = "mapped, halo:2x2, 8 B: rank 0: the placement that it asks for was never made"
    assert failure.message.startswith(text)
    assert set(launches_by_slice(run)) == {"default"}
    assert {block for block, _ in launches_by_slice(run)["default"]} == {0, 1}


# -- going on --------------------------------------------------------------------------------------


class Interrupting(Silent):
    """As Ctrl-C at the beginning of the second block."""

    def block_begins(self, block: int, blocks: int, ranks: int) -> None:
        super().block_begins(block, blocks, ranks)
        if block == 1:
            raise KeyboardInterrupt


def test_interrupted_campaign_goes_on_as_ranks_were_laid_without_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparation, "find_backends", lambda _: [local_backend("shm")])
    file = tmp_path / "slots"
    file.write_text("".join(f"{slot}\n" for slot in LAID))
    request = Request(
        patterns=("halo:2x2",),
        sizes=(8,),
        ranks=(4,),
        variants=(VariantSpec("default", "shm"), VariantSpec("mapped", "shm", map=str(file))),
        blocks=3,
        budget_s=0.1,
    )
    run = conduct(prepare(request), tmp_path / "run", Interrupting())
    file.unlink()
    finished = resume(restore(run, lambda _: request), Silent())
    assert finished.complete
    assert finished.configurations == run.configurations
    assert finished.configurations[1].placement[0].slots == LAID
    by_slice = launches_by_slice(finished)
    assert by_slice["mapped"] == by_slice["default"]
    assert {block for block, _ in by_slice["mapped"]} == {0, 1, 2}
    assert finished.failures == ()


def test_default_and_mapped_of_mpich_share_launches_in_a_run(
    installed_backends: Mapping[str, Backend], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mpich = installed_backends["mpich"]
    monkeypatch.setattr(preparation, "find_backends", lambda _: [mpich])
    (tmp_path / "slots").write_text("".join(f"{slot}\n" for slot in LAID))
    monkeypatch.chdir(tmp_path)
    request = Request(
        patterns=("halo:2x2", "pair", "cyclic:2x2:all", "cyclic_two_step:4", "barrier"),
        sizes=(8, 1000),
        ranks=(4,),
        backends=(mpich.name,),
        variants=(VariantSpec("mapped", mpich.name, map="slots"),),
        blocks=2,
        budget_s=1.0,
    )
    prepared = prepare(request)
    assert prepared.launched(prepared.plan.groups[0]) == 1
    run = conduct(prepared, tmp_path / "run", Silent())
    assert run.failures == ()
    plain, mapped = run.configurations
    assert [laid.pattern for laid in mapped.placement] == list(request.patterns[:-1])
    by_slice = launches_by_slice(run)
    assert set(by_slice[mapped.variant].items()) <= set(by_slice[plain.variant].items())
    assert len(set(by_slice[mapped.variant].values())) == 2
