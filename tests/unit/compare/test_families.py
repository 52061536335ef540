from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from harness.blocks import cell, configuration, run_of_blocks

from leadline.compare import analysis
from leadline.compare.analysis import Analysis
from leadline.compare.sides import Family, family_of
from leadline.compare.verdict import Paired, Why, judge
from leadline.statistics.intervals import Floats

SIZES = (8, 64, 512)
ALL = np.arange(3)


def analysed(times: Floats, backends: tuple[str, ...] = ("mpich",)) -> Analysis:
    """Of microseconds, shape (libraries, sizes, blocks)."""
    names = [f"{backends[i % len(backends)]}{i}" for i in range(len(times))]
    configurations = [
        configuration(name, backend=backends[i % len(backends)]) for i, name in enumerate(names)
    ]
    return Analysis(run_of_blocks(times * 1e-6, configurations, [cell(size) for size in SIZES]))


def noisy(libraries: int, seed: int = 0) -> Floats:
    times: Floats = np.exp(0.02 * np.random.default_rng(seed).normal(size=(libraries, 3, 8)))
    return times


def test_all_pairs_are_in_it_in_the_order_given() -> None:
    sides = analysed(noisy(3)).sides
    assert list(family_of(sides, ALL, 0.02, 0)) == [(0, 1), (0, 2), (1, 2)]
    assert list(family_of(sides[::-1], ALL, 0.02, 0)) == [(2, 1), (2, 0), (1, 0)]


def test_a_pair_alone_is_a_family_by_itself() -> None:
    found = analysed(noisy(2))
    base, other = found.sides
    here = found.curve(base, other, ALL, 0.0, chosen=True)
    alone = found.curve(base, other, ALL, 0.0)
    assert [one.judgement for one in here.cells] == [one.judgement for one in alone.cells]


def test_cells_left_out_were_measured_by_neither_and_change_nothing() -> None:
    times = noisy(3)
    times[0] *= 2
    times[:2, 1] = np.nan
    member = family_of(analysed(times).sides, ALL, 0.02, 0)[0, 1]
    some = member.at(np.array([0, 2]))
    assert member.significance.above.shape == (4,)
    assert some.below.tolist() == member.significance.below[[0, 2, 3]].tolist()
    assert some.below[-1] <= 0.05


def test_in_a_larger_family_more_blocks_are_needed() -> None:
    # 10 pairs of 3 cells and an average: 40 tests want 11 blocks, the 4 of one pair 8
    found = analysed(noisy(5))
    member = family_of(found.sides, ALL, 0.02, 0)[0, 1]
    assert member.significance.family == 40
    clear = Paired(np.zeros((3, 8)), 0.3 + 0.01 * np.random.default_rng(1).normal(size=(3, 8)))
    nothing = replace(member.significance, above=np.ones(4), below=np.ones(4))
    judged = judge(clear, clear.estimates(), 0.02, 0, nothing)
    assert {(one.why, one.blocks_needed) for one in judged} == {(Why.FEW_BLOCKS, 11)}


def test_a_size_alone_is_its_own_average_and_one_test() -> None:
    found = analysed(noisy(4))
    member = family_of(found.sides, ALL[:1], 0.02, 0)[0, 1]
    assert member.significance.family == 6
    alone = family_of(analysed(noisy(2)).sides, ALL[:1], 0.02, 0)[0, 1]
    assert alone.significance.family == 1


def test_raw_backends_are_in_no_family_of_libraries() -> None:
    found = analysed(noisy(3), ("mpich", "openmpi", "shm"))
    assert [side.number for side in found.libraries(2)] == [0, 1]


def test_a_family_is_tested_once_for_all_its_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    tested: list[int] = []

    def counted(*arguments: object) -> Family:
        tested.append(1)
        return family_of(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(analysis, "family_of", counted)
    found = analysed(noisy(4))
    for i, j in ((0, 1), (0, 3), (2, 3)):
        found.curve(found.sides[i], found.sides[j], ALL, 0.02, chosen=True)
    assert len(tested) == 1
