from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from harness.blocks import cell, configuration
from syrupy.assertion import SnapshotAssertion

from leadline.compare.circumstances import Circumstances
from leadline.compare.comparisons import OF_NO_CELL
from leadline.compare.curves import Curve, Pairing, curve_of, grouped_by_curve
from leadline.compare.verdict import Paired, Verdict, Why
from leadline.record.run import Buffers
from leadline.statistics.intervals import Floats

SIZES = (0, 8, 64, 512, 4096)


def contrast(ratios: list[float], spread: float = 0.003) -> Paired:
    noise = spread * np.random.default_rng(0).standard_normal((len(ratios), 8))
    logs: Floats = np.log(np.array(ratios))[:, None] + noise
    return Paired(np.zeros_like(logs), logs)


def curve(ratios: list[float], counted: bool = True) -> Curve:
    around = Circumstances(oversubscribed=not counted)
    both = ((around, around),) * len(ratios)
    pairing = Pairing("mpich", "openmpi", configuration("mpich"), both)
    return curve_of(contrast(ratios), [cell(s) for s in SIZES[: len(ratios)]], pairing, 0.02, 0)


def test_cells_that_differ_in_size_alone_are_one_curve_by_size() -> None:
    cells = [cell(8), cell(8, "bcast"), cell(0), cell(8, buffers=Buffers.COLD), cell(0, "bcast")]
    assert [rows.tolist() for rows in grouped_by_curve(cells)] == [[2, 0], [4, 1], [3]]
    assert grouped_by_curve([]) == []


def test_rows_carry_the_ratio_of_their_size() -> None:
    found = curve([0.5, 1.0, 2.0])
    assert [row.size_bytes for row in found.cells] == [0, 8, 64]
    assert [row.ratio for row in found.cells] == pytest.approx([0.5, 1, 2], rel=0.01)
    assert [row.verdict for row in found.cells] == [Verdict.FASTER, Verdict.SAME, Verdict.SLOWER]
    first = found.cells[0]
    assert (first.baseline, first.candidate, first.ranks, first.blocks) == (
        "mpich", "openmpi", 2, 8,
    )  # fmt: skip


def test_the_whole_curve_has_no_size_and_the_geometric_mean() -> None:
    whole = curve([2.0, 8.0]).whole
    assert whole.size_bytes is None
    assert whole.ratio == pytest.approx(4, rel=0.01)
    assert whole.verdict is Verdict.SLOWER


def test_neighbours_with_one_verdict_join_into_a_range_with_their_least_and_largest_ratio() -> None:
    ranges = curve([0.4, 0.5, 1.0, 2.0, 2.0]).ranges
    assert [(r.first_bytes, r.last_bytes, r.judgement.verdict) for r in ranges] == [
        (0, 8, Verdict.FASTER),
        (64, 64, Verdict.SAME),
        (512, 4096, Verdict.SLOWER),
    ]
    ends = [(one.lowest.value, one.highest.value) for one in ranges]
    assert ends[0] == pytest.approx((0.4, 0.5), rel=0.01)
    assert ends[2] == pytest.approx((2, 2), rel=0.01)


def test_what_does_not_count_has_ratios_and_nothing_else() -> None:
    found = curve([0.5, 2.0], counted=False)
    assert [row.ratio for row in found.cells] == pytest.approx([0.5, 2], rel=0.01)
    assert {row.verdict for row in (*found.cells, found.whole)} == {Verdict.UNDECIDED}
    assert not any(row.counted for row in (*found.cells, found.whole))
    assert found.ranges == ()
    assert found.crossings == ()


def test_a_size_that_one_side_lacks_is_undecided_without_a_ratio() -> None:
    both = contrast([1.5, 1.5, 1.5])
    both.candidate[1] = math.nan
    both = replace(both)
    pairing = Pairing("a", "b", configuration("a"), (OF_NO_CELL,) * 3)
    found = curve_of(both, [cell(s) for s in SIZES[:3]], pairing, 0.02, 0)
    missing = found.cells[1]
    assert (missing.ratio, missing.low, missing.verdict) == (None, None, Verdict.UNDECIDED)
    assert missing.blocks == 0
    assert found.whole.verdict is Verdict.SLOWER
    assert missing.why is Why.NOT_MEASURED
    assert [(one.first_bytes, one.last_bytes) for one in found.ranges] == [(0, 0), (8, 8), (64, 64)]


def test_blocks_that_lean_are_told_with_the_pair_and_by_how_much(
    snapshot: SnapshotAssertion,
) -> None:
    logs = np.sort(contrast([1.0] * 5).log_ratios, axis=1)
    cells, around = [cell(size) for size in SIZES], Circumstances()
    pairing = Pairing("mpich", "openmpi", configuration("mpich"), ((around, around),) * 5)
    (told,) = curve_of(Paired(np.zeros_like(logs), logs), cells, pairing, 0.02, 0).caveats
    assert told.code == "leaning"
    assert told.cause == snapshot
    assert curve([1.0] * 5).caveats == ()
