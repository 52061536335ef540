"""Campaigns that run out of time, to the second: machines that play a script, in virtual time."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.campaigns import Silent, seen
from tests.support.scripted import Played, Theatre, request

from leadline.measure.schedule import OVER_BUDGET
from leadline.record.warnings import WarningKind
from leadline.scripted.script import LoadPeriod, NoiseModel, RankFault, ScriptedLibrary, Trouble

pytestmark = pytest.mark.long

SIZES = (8, 16, 24, 32, 40, 48)
PAIR = {
    name: ScriptedLibrary(
        noise=NoiseModel(batches=0.001, slices=0.0, launches=0.0), overhead_s=0.01
    )
    for name in ("one", "other")
}


def on_slow_machine(directory: Path, budget_s: float, kept: bool, longer_s: float = 0.1) -> Played:
    """Six blocks whose number nobody stated, on a machine slower than the plan expects."""
    asked = request(sizes=SIZES, budget_s=budget_s, budget_kept=kept, precision=1e-9)
    slow = {name: replace(library, overhead_s=longer_s) for name, library in PAIR.items()}
    theatre = Theatre(directory, slow, asked)
    plan = theatre.prepared.plan
    limits = replace(plan.limits, fewest=6, needed=6, ample=6, most=64)
    return theatre.play(plan=replace(plan, limits=limits))


def test_campaign_ends_with_its_budget_and_has_told_that_after_the_first_block(
    tmp_path: Path,
) -> None:
    found = on_slow_machine(tmp_path / "run", budget_s=4.0, kept=True)  # a visit takes 1.5 s
    assert found.run.complete
    assert found.watching.blocks == [0, 1, 2]
    assert 3.9 < found.took_s <= 4.0 + 0.1 + 0.2  # a slice that had begun, and the launches' end
    (shortfall,) = found.watching.shortfalls
    assert (shortfall.kept, shortfall.blocks, shortfall.needed) == (True, 2, 6)
    assert [w.code for w in found.run.warnings] == [WarningKind.FEW_FOR_TESTS.code]


def test_cells_have_blocks_alike_and_both_variants_in_each(tmp_path: Path) -> None:
    run = on_slow_machine(tmp_path / "run", budget_s=2.5, kept=True).run
    pairs = {(block, cell) for block, _, cell in seen(run)}
    assert seen(run) == {(b, c, k) for b, k in pairs for c in (0, 1)}
    blocks = Counter(cell for _, cell in pairs)
    assert {blocks[cell] for cell in range(len(SIZES))} == {1, 2}


def test_campaign_whose_budget_nobody_stated_says_so_and_goes_on(tmp_path: Path) -> None:
    found = on_slow_machine(tmp_path / "run", budget_s=1.0, kept=False)
    assert found.watching.blocks == [0, 1, 2, 3, 4, 5]
    assert len(seen(found.run)) == 6 * 2 * len(found.run.cells)
    (shortfall,) = found.watching.shortfalls
    assert not shortfall.kept
    assert found.took_s > 6 * 1.2


@pytest.mark.parametrize(
    ("budget_s", "longer_s"),
    [(4.0, 0.0), (20.0, 0.0), (4.0, 0.005), (75.0, 0.03), (8.0, 0.03), (20.0, 0.3)],
)
def test_stated_budget_is_kept_whatever_the_machine(
    tmp_path: Path, budget_s: float, longer_s: float
) -> None:
    found = on_slow_machine(tmp_path / "run", budget_s, kept=True, longer_s=longer_s)
    assert found.took_s <= budget_s * (1 + OVER_BUDGET) + 0.3
    assert found.took_s >= min(0.8 * budget_s, budget_s - 1.5)
    assert found.run.complete


def test_campaign_under_load_ends_with_its_budget_too(tmp_path: Path) -> None:
    asked = request(sizes=SIZES, budget_s=20.0, budget_kept=True, precision=1e-9)
    loads = (LoadPeriod(2.0, 9.0, 0.8), LoadPeriod(15.0, 60.0, 0.5))
    found = Theatre(tmp_path / "run", PAIR, asked, script={"loads": loads}).play()
    assert 17.0 < found.took_s <= 22.3
    blocks = Counter(cell for _, cell in {(b, k) for b, _, k in seen(found.run)})
    assert max(blocks.values()) - min(blocks.values()) <= 1


def test_hang_costs_its_patience_and_the_rest_of_the_budget_is_kept(tmp_path: Path) -> None:
    asked = request(sizes=SIZES, budget_s=30.0, budget_kept=True, precision=1e-9, patience_s=5.0)
    hangs = (RankFault(Trouble.HANG, "other", size_bytes=24),)
    found = Theatre(tmp_path / "run", PAIR, asked, script={"faults": hangs}).play()
    assert [(f.code, f.block) for f in found.run.failures] == [("hang", 0)]
    assert 27.0 < found.took_s <= 33.3
    assert found.run.complete


def test_number_of_blocks_that_was_stated_is_kept_however_long_they_take(tmp_path: Path) -> None:
    asked = request(sizes=SIZES, budget_s=1.0, budget_kept=True, blocks=7)
    slow = {name: replace(library, overhead_s=0.2) for name, library in PAIR.items()}
    found = Theatre(tmp_path / "run", slow, asked).play()
    assert found.watching.blocks == list(range(7))
    assert found.took_s > 7 * 12 * 0.2
    assert found.watching.shortfalls == []


def test_what_is_expected_is_what_it_takes(tmp_path: Path) -> None:
    told: list[tuple[float, float]] = []
    asked = request(sizes=SIZES, budget_s=20.0, precision=1e-9)
    theatre = Theatre(tmp_path / "run", PAIR, asked)

    class Expecting(Silent):
        def expected(self, left_s: float) -> None:
            told.append((theatre.now_s(), left_s))

    found = theatre.play(Expecting())
    later = [(at_s, left_s) for at_s, left_s in told if at_s > 5.0]
    assert later
    for at_s, left_s in later:
        assert at_s + left_s == pytest.approx(found.took_s, abs=1.0)
