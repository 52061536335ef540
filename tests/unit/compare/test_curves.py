from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from harness.blocks import cell, configuration
from syrupy.assertion import SnapshotAssertion

from leadline.compare.circumstances import Circumstances
from leadline.compare.curves import (
    OF_NO_CELL,
    Comparison,
    Crossing,
    Curve,
    Pairing,
    crossings_of,
    curve_of,
    grouped_by_curve,
    overtaken_at,
)
from leadline.compare.verdict import Judgement, Paired, Verdict, Why
from leadline.record.curve import CurveKey
from leadline.record.run import Buffers
from leadline.statistics.estimate import Estimate
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
    (told,) = curve_of(Paired(np.zeros_like(logs), logs), cells, pairing, 0.02, 0).warnings
    assert told.code == "autocorrelation"
    assert told.cause == snapshot
    assert curve([1.0] * 5).warnings == ()


PINGPONG = CurveKey("pingpong", 2, "echo", "streaming")
FASTER, SLOWER, SAME = Verdict.FASTER, Verdict.SLOWER, Verdict.SAME


def cells(sizes: list[int], verdicts: list[Verdict | None]) -> list[Comparison]:
    """Of b against a; None: undecided."""
    judgements = [Judgement(v) if v else Judgement.none(Why.CROSSES) for v in verdicts]
    return [
        Comparison(PINGPONG, size, "a", "b", Estimate(1.0), judgement, counted=True)
        for size, judgement in zip(sizes, judgements, strict=True)
    ]


def blocks(ratios: npt.ArrayLike, number: int = 8) -> Floats:
    """Of each size the same logarithm in every block."""
    return np.repeat(np.log(np.asarray(ratios, dtype=np.float64))[:, None], number, axis=1)


def test_crossing_lies_between_two_sizes_with_opposite_verdicts() -> None:
    found = crossings_of(cells([8, 64, 512, 4096], [FASTER, FASTER, SLOWER, SLOWER]), None)
    assert found == (Crossing(PINGPONG, "a", "b", 64, 512, "b", None),)
    assert found[0].ahead_above == "a"


def test_sizes_between_that_are_the_same_or_undecided_are_in_the_bracket() -> None:
    (found,) = crossings_of(cells([8, 64, 512, 4096], [SLOWER, SAME, None, FASTER]), None)
    assert (found.below_bytes, found.above_bytes, found.ahead_below) == (8, 4096, "a")


def test_curves_may_cross_more_than_once() -> None:
    found = crossings_of(cells([1, 4, 16], [FASTER, SLOWER, FASTER]), None)
    assert [(one.below_bytes, one.above_bytes) for one in found] == [(1, 4), (4, 16)]


@pytest.mark.parametrize(
    "verdicts", [[], [FASTER], [FASTER, None], [None, None], [FASTER, SAME, FASTER]]
)
def test_without_opposite_verdicts_nothing_crosses(verdicts: list[Verdict | None]) -> None:
    assert crossings_of(cells([8, 64, 512][: len(verdicts)], verdicts), None) == ()


def test_point_halfway_on_log_axes_is_the_geometric_mean() -> None:
    (found,) = crossings_of(cells([100, 10_000], [SLOWER, FASTER]), blocks([2, 0.5]))
    assert found.point is not None
    assert found.point.value == pytest.approx(1000)
    assert found.point.bounds == pytest.approx((1000, 1000))


def test_point_is_the_same_from_either_side() -> None:
    (found,) = crossings_of(cells([100, 10_000], [FASTER, SLOWER]), blocks([0.5, 2]))
    assert found.point is not None
    assert found.point.value == pytest.approx(1000)


def test_zero_bytes_count_as_one_byte_on_a_log_axis() -> None:
    assert overtaken_at([0, 100], blocks([2, 0.5])).value == pytest.approx(10)


def test_leads_in_several_places_count_together() -> None:
    # ahead from 1 to 2, behind from 4 to 8, ahead again up to 16, behind at 32; all by hand: of
    # five octaves it leads in 1 (1 to 2), 1/2 (2 to 4), 1/2 (8 to 16) and 1/2 (16 to 32)
    found = overtaken_at([1, 2, 4, 8, 16, 32], blocks([2, 2, 0.5, 0.5, 2, 0.5]))
    assert found.value == pytest.approx(2**2.5)


def test_point_has_the_interval_of_its_blocks_and_stays_in_the_bracket() -> None:
    rng = np.random.default_rng(1)
    noisy = blocks([1.05, 0.95], 12) + 0.1 * rng.normal(size=(2, 12))
    found = overtaken_at([64, 1024], noisy)
    assert found.bounds is not None
    assert 64 <= found.bounds[0] < found.value < found.bounds[1] <= 1024
    assert found.n == 12


@pytest.mark.parametrize("number", [1, 5])
def test_point_is_not_given_without_an_interval(number: int) -> None:
    (found,) = crossings_of(cells([8, 64], [SLOWER, FASTER]), blocks([2, 0.5], number))
    assert found.point is None


def test_block_that_lacks_a_size_is_left_out() -> None:
    ratios = blocks([2, 1.5, 0.5], 8)
    ratios[1, 0] = math.nan
    assert overtaken_at([1, 4, 16], ratios).n == 7
    ratios[1] = math.nan  # a size that no block has: the line goes past it
    found = overtaken_at([1, 4, 16], ratios)
    assert found.n == 8
    assert found.value == pytest.approx(4)


def test_equal_at_both_ends_is_halfway() -> None:
    assert overtaken_at([1, 16], blocks([1, 1])).value == pytest.approx(4)


def test_points_lie_between_sizes_whose_verdicts_they_follow() -> None:
    rng = np.random.default_rng(2)
    for _ in range(300):
        number = int(rng.integers(2, 9))
        sizes = sorted(rng.choice(10**6, size=number, replace=False).tolist())
        verdicts = [(FASTER, SLOWER, SAME, None)[int(rng.integers(4))] for _ in sizes]
        rows = cells(sizes, verdicts)
        for one in crossings_of(rows, 0.3 * rng.normal(size=(number, 9))):
            ends = {row.size_bytes: row.verdict for row in rows}
            assert {ends[one.below_bytes], ends[one.above_bytes]} == {FASTER, SLOWER}
            assert (one.ahead_below == "a") == (ends[one.below_bytes] is SLOWER)
            assert one.point is not None and one.point.bounds is not None
            low, high = one.point.bounds
            slack = 1 + 1e-9
            assert max(one.below_bytes, 1) <= low * slack
            assert low <= one.point.value * slack <= high * slack**2
            assert high <= one.above_bytes * slack


def test_interval_of_a_point_covers_where_two_are_nearly_equal_beyond_it() -> None:
    # far ahead, then behind by less than blocks scatter: each block's own crossing lies farther on
    lead = np.log([1.3, 1.3, 1.3, 0.995, 0.985, 0.975, 0.965, 0.9, 0.9])[:, None]
    sizes = [8 * 2**i for i in range(9)]
    truth = overtaken_at(sizes, np.repeat(lead, 9, axis=1)).value
    rng = np.random.default_rng(3)
    held = [
        overtaken_at(sizes, lead + 0.03 * rng.standard_normal((9, 9))).holds(truth)
        for _ in range(200)
    ]
    assert np.mean(held) >= 0.9
