"""The trade-off of computation against communication, held to solutions by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.programs import BARRIERS, LINE, WIDTH, model
from tests.support.texts import refusals

from leadline.errors import UsageError
from leadline.models.calls import Calls, CallSize, ProgramCall
from leadline.models.closed_form import fit
from leadline.models.model import NotFitted
from leadline.models.observations import Observations
from leadline.models.program import OnRanks, TradeOff, TurningPoint, programs, trade_off
from leadline.record.run import Origin
from leadline.statistics.estimate import Estimate, Lack


def on(found: TradeOff, ranks: int) -> OnRanks:
    (row,) = (row for row in found.rows if row.ranks == ranks)
    return row


# -- against closed solutions ----------------------------------------------------------------------


@pytest.mark.parametrize("work_s", [0.01, 0.1, 1.0])
def test_best_number_of_ranks_is_that_of_the_closed_solution(work_s: float) -> None:
    # T = W / p + a log2 p is least where -W / p^2 + a / (p ln 2) = 0: p = W ln 2 / a
    found = trade_off([model()], work_s, 0.0, BARRIERS, range(2, 1025))
    assert found.best.ranks is not None
    assert abs(found.best.ranks - work_s * math.log(2) / 1e-3) < 1


def test_half_is_the_first_number_whose_messages_take_as_long_as_its_work() -> None:
    # 1 ms log2 p >= 1 s / p: p log2 p >= 1000, which is 998.1 at 140 and 1006.7 at 141
    found = trade_off([model()], 1.0, 0.0, BARRIERS, range(2, 1025))
    assert found.half.ranks == 141
    before, after = on(found, 140), on(found, 141)
    assert before.communicate_s.value < before.compute_s
    assert after.communicate_s.value >= after.compute_s


def test_interval_of_half_is_where_the_bounds_of_communication_reach_computation() -> None:
    # p log2 p >= 1000 / 1.1052 = 904.8: 904.5 at 129, 912.9 at 130
    # p log2 p >= 1000 * 1.1052 = 1105.2: 1101.7 at 152, 1110.4 at 153
    found = trade_off([model()], 1.0, 0.0, BARRIERS, range(2, 1025))
    assert (found.half.low, found.half.high) == (130, 153)


def test_best_may_be_wherever_an_interval_reaches_below_its_upper_bound() -> None:
    found = trade_off([model()], 0.1, 0.0, BARRIERS, range(2, 1025))
    assert found.best.ranks is not None
    bounds = on(found, found.best.ranks).seconds.bounds
    assert bounds is not None
    near = [row.ranks for row in found.rows if (row.seconds.low or 0) <= bounds[1]]
    assert (found.best.low, found.best.high) == (near[0], near[-1])
    assert near[0] < found.best.ranks < near[-1]
    # on 54: 1.852 ms of work, and 5.755 ms exp(-0.1) of barriers
    assert on(found, 54).seconds.low == pytest.approx(0.1 / 54 + 1e-3 * math.log2(54) / WIDTH)


# -- a row by hand ---------------------------------------------------------------------------------


def test_row_adds_divided_work_to_counted_calls() -> None:
    # 8 s of which a tenth is serial, on 4 ranks: 8 (0.1 + 0.9 / 4) = 2.6 s; 100 steps of 5 calls of
    # 1 ms log2 4 = 2 ms: 1 s; 3.6 s in all, 8 / 3.6 = 2.222 times as fast, 0.5556 a rank
    calls = Calls((ProgramCall("barrier", CallSize(0), 5),), steps=100)
    (row,) = trade_off([model()], 8.0, 0.1, calls, [4]).rows
    assert row.compute_s == pytest.approx(2.6)
    assert row.communicate_s.value == pytest.approx(1.0)
    assert row.seconds.value == pytest.approx(3.6)
    assert row.speed_up.value == pytest.approx(8 / 3.6)
    assert row.efficiency.value == pytest.approx(2 / 3.6)


def test_bounds_of_calls_add_up_and_those_of_speed_up_turn_around() -> None:
    models = [model(), model("bcast", values=(1e-3, 0.0))]
    calls = Calls((*BARRIERS.calls, ProgramCall("bcast", CallSize(0), 2)))
    (row,) = trade_off(models, 1.0, 0.0, calls, [4]).rows
    low, high = 4e-3 / WIDTH, 4e-3 * WIDTH  # 2 ms and 2 x 1 ms
    assert row.communicate_s.bounds == pytest.approx((low, high))
    assert row.seconds.bounds == pytest.approx((0.25 + low, 0.25 + high))
    assert row.speed_up.bounds == pytest.approx((1 / (0.25 + high), 1 / (0.25 + low)))
    assert row.efficiency.bounds == pytest.approx((0.25 / (0.25 + high), 0.25 / (0.25 + low)))
    assert (row.seconds.level, row.seconds.n) == (0.95, 12)


def test_size_divided_over_ranks_shrinks_a_call() -> None:
    # 1 us + 1 ns m of 2^20 B / p: 263.144 us on 4 ranks
    call = ProgramCall("gather", CallSize(2**20, Fraction(1)))
    found = trade_off([model("gather", LINE, (1e-6, 1e-9))], 1.0, 0.0, Calls((call,)), [4])
    assert found.rows[0].communicate_s.value == pytest.approx(263.144e-6)


def test_size_that_is_divided_into_nothing_counts_as_a_byte() -> None:
    # 8 B on 2, 3 and 4 ranks, by p^2: 2, 8/9 and 1/2
    call = ProgramCall("gather", CallSize(8, Fraction(2)))
    found = trade_off([model("gather", LINE, (1e-12, 1e-9))], 1.0, 0.0, Calls((call,)), [2, 3, 4])
    times = [row.communicate_s.value for row in found.rows]
    assert times == pytest.approx([2.001e-9, 1.001e-9, 1.001e-9])
    assert found.calls[0].under_a_byte == (False, True, True)


def test_call_of_groups_takes_what_so_many_ranks_take(snapshot: SnapshotAssertion) -> None:
    call = ProgramCall("barrier", CallSize(0), ranks=4)
    found = trade_off([model()], 1.0, 0.0, Calls((call,)), [4, 64])
    assert [row.communicate_s.value for row in found.rows] == pytest.approx([2e-3, 2e-3])
    assert found.calls[0].left_over == (False, False)
    uneven = trade_off([model()], 1.0, 0.0, Calls((call,)), [4, 5, 6, 8])
    assert uneven.calls[0].left_over == (False, True, True, False)
    assert {row.communicate_s.value for row in uneven.rows} == {uneven.rows[0].communicate_s.value}
    with pytest.raises(UsageError) as caught:
        trade_off([model()], 1.0, 0.0, Calls((call,)), [64, 2])
    assert str(caught.value) == snapshot


def test_rows_rise_by_ranks_and_come_once() -> None:
    found = trade_off([model()], 1.0, 0.0, BARRIERS, [8, 2, 8])
    assert [row.ranks for row in found.rows] == [2, 8]


def test_fitted_models_find_the_best_number_of_ranks_that_is_true() -> None:
    # barriers of 1 ms log2 p with noise of 2 % a block: W = 46.2 ms is best on 46.2 ln 2 = 32 ranks
    ranks, noise = (2, 4, 8, 16, 32, 64), np.random.default_rng(1).normal(0, 0.02, (6, 1, 12))
    seconds = 1e-3 * np.log2(ranks)[:, None, None] * np.exp(noise)
    observed = Observations(
        "mpich", "barrier", "echo", "isolated", 0, Origin.MEASURED, ranks, (0,), seconds
    )
    found = trade_off([fit(observed)], 32e-3 / math.log(2), 0.0, BARRIERS, range(2, 65))
    assert found.best.ranks == pytest.approx(32, abs=1)
    # p log2 p >= 46.2: 16 has 64, 13 has 48.1, 12 has 43.0
    assert found.half.ranks == 13


# -- corners ---------------------------------------------------------------------------------------


def test_program_without_calls_follows_amdahl_exactly() -> None:
    found = trade_off([model()], 10.0, 0.1, Calls(), [2, 4])
    assert found.rows[1].seconds == Estimate(3.25, 3.25, 3.25, 0.95, 0)
    assert found.rows[1].speed_up.value == pytest.approx(10 / 3.25)
    assert (found.best.ranks, found.half) == (4, TurningPoint(None, None, None))
    assert (found.variant, found.origin, found.label) == (None, None, None)


def test_program_without_work_has_no_speed_up() -> None:
    found = trade_off([model()], 0.0, 0.0, BARRIERS, [2, 4])
    assert found.rows[0].speed_up.lack is Lack.NOTHING
    assert found.rows[0].efficiency.lack is Lack.NOTHING
    assert (found.best.ranks, found.half.ranks) == (2, 2)


def test_nothing_to_do_takes_no_time_and_is_no_half() -> None:
    found = trade_off([model()], 0.0, 0.0, Calls(), [2, 4])
    assert found.rows[0].seconds.value == 0
    assert found.half.ranks is None


@pytest.mark.parametrize(("blocks", "lack"), [(0, Lack.STATED), (3, Lack.TOO_FEW)])
def test_model_without_intervals_gives_none_and_why(blocks: int, lack: Lack) -> None:
    unsure = replace(model("bcast", scatter=None), blocks=blocks)
    calls = Calls((*BARRIERS.calls, ProgramCall("bcast", CallSize(0))))
    found = trade_off([model(), unsure], 1.0, 0.0, calls, range(2, 1025))
    row = found.rows[0]
    assert [row.communicate_s.lack, row.seconds.lack, row.speed_up.lack] == [lack] * 3
    assert row.seconds.value == pytest.approx(0.5 + 2e-3)
    assert all(one.seconds.bounds is None for one in found.rows)
    assert (found.best.low, found.best.high, found.half.low, found.half.high) == (None,) * 4
    assert found.best.ranks == 347  # W ln 2 / 2 ms = 346.6
    assert found.half.ranks is not None


def test_ranks_and_sizes_outside_of_the_fitted_ones_are_extrapolated() -> None:
    narrow = model("gather", LINE, (1e-6, 1e-9), ranks=(4, 16))
    calls = Calls((*BARRIERS.calls, ProgramCall("gather", CallSize(8))))
    found = trade_off([model(), narrow], 1.0, 0.0, calls, [2, 4, 16, 17])
    assert [row.extrapolated for row in found.rows] == [True, False, False, True]
    assert [one.extrapolated[3] for one in found.calls] == [False, True]
    assert (found.calls[1].fitted_ranks, found.calls[1].fitted_bytes) == ((4, 16), (0, 2**30))
    large = Calls((ProgramCall("gather", CallSize(2**31)),))
    assert trade_off([narrow], 1.0, 0.0, large, [4]).rows[0].extrapolated


def test_form_that_falls_below_its_shortest_time_is_floored_there() -> None:
    # 10 ms - 1 ms log2 p: 0 at 1,024 ranks; fitted up to 64, where it takes 4 ms
    falling = model(values=(10e-3, -1e-3), ranks=(2, 3, 64))
    calls = Calls((ProgramCall("gather", CallSize(8)), *BARRIERS.calls))
    found = trade_off(
        [model("gather", LINE, (1e-6, 1e-9)), falling], 1.0, 0.0, calls, [32, 64, 128, 4096]
    )
    assert [row.floored for row in found.rows] == [False, False, True, True]
    assert [one.floored for one in found.calls] == [(False,) * 4, (False, False, True, True)]
    assert found.calls[1].seconds[3].value == pytest.approx(4e-3)


def test_models_of_single_numbers_of_ranks_serve_these_and_no_others(
    snapshot: SnapshotAssertion,
) -> None:
    alone = [model(values=(1e-3, 0.0), ranks=(2,)), model(values=(3e-3, 0.0), ranks=(4,))]
    found = trade_off(alone, 1.0, 0.0, BARRIERS, [2, 4])
    assert [row.communicate_s.value for row in found.rows] == pytest.approx([1e-3, 3e-3])
    assert found.calls[0].fitted_ranks == (2, 4)
    with pytest.raises(UsageError) as raised:
        trade_off(alone, 1.0, 0.0, BARRIERS, [2, 4, 8])
    assert str(raised.value) == snapshot
    alone[0] = replace(alone[0], cadence="streaming")
    with pytest.raises(UsageError) as caught:
        trade_off(alone, 1.0, 0.0, BARRIERS, [2, 4, 8])
    assert str(caught.value) == snapshot
    with pytest.raises(UsageError) as caught:
        trade_off(alone[:1], 1.0, 0.0, BARRIERS, [8])
    assert str(caught.value) == snapshot


def test_pattern_without_a_model_is_an_error_that_says_why(snapshot: SnapshotAssertion) -> None:
    refused = NotFitted("mpich", "scan", "a line needs 3 sizes above 0 B, there are 2")
    models = (model(), refused)
    with pytest.raises(UsageError) as caught:
        trade_off(models, 1.0, 0.0, Calls((ProgramCall("barier", CallSize(0)),)), [2])
    assert str(caught.value) == snapshot
    with pytest.raises(UsageError) as caught:
        trade_off(models, 1.0, 0.0, Calls((ProgramCall("scan", CallSize(0)),)), [2])
    assert str(caught.value) == snapshot


def test_model_of_a_single_size_serves_that_and_no_other(snapshot: SnapshotAssertion) -> None:
    sized = model("bcast", values=(1e-3, 0.0))
    one = replace(sized, sizes_bytes=(512,))
    (row,) = trade_off([one], 1.0, 0.0, Calls((ProgramCall("bcast", CallSize(512)),)), [2]).rows
    assert row.communicate_s.value == pytest.approx(1e-3)
    with pytest.raises(UsageError) as caught:
        trade_off([one], 1.0, 0.0, Calls((ProgramCall("bcast", CallSize(2**20)),)), [2])
    assert str(caught.value) == snapshot
    with pytest.raises(UsageError) as caught:
        trade_off([model()], 1.0, 0.0, Calls((ProgramCall("barrier", CallSize(8)),)), [2])
    assert str(caught.value) == snapshot


def test_pattern_that_was_measured_in_several_ways_is_an_error(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as caught:
        trade_off([model(), replace(model(), buffers="cold")], 1.0, 0.0, BARRIERS, [2])
    assert str(caught.value) == snapshot


def test_numbers_that_can_not_be_are_errors(snapshot: SnapshotAssertion) -> None:
    given = [
        (-1.0, 0.0, [2]),
        (math.nan, 0.0, [2]),
        (math.inf, 0.0, [2]),
        (1.0, 1.5, [2]),
        (1.0, math.nan, [2]),
        (1.0, 0.0, [1, 2]),
        (1.0, 0.0, []),
    ]
    told = refusals(
        lambda given: trade_off([model()], given[0], given[1], BARRIERS, given[2]),
        given,
        UsageError,
    )
    assert told == snapshot


# -- several variants ------------------------------------------------------------------------------

SHM, TORUS = replace(model(), variant="shm"), replace(model("gather", LINE), variant="torus")


def test_variants_without_a_model_of_a_call_are_left_out_with_the_reason(
    snapshot: SnapshotAssertion,
) -> None:
    found = programs([[model()], [TORUS], [SHM]], 1.0, 0.0, BARRIERS, [2])
    assert [one.variant for one in found.found] == ["mpich", "shm"]
    (left_out,) = found.left_out
    assert (left_out.variant, left_out.pattern) == ("torus", "barrier")
    assert left_out.reason == snapshot


def test_call_of_what_no_variant_has_is_an_error_of_all(snapshot: SnapshotAssertion) -> None:
    calls = Calls((ProgramCall("barier", CallSize(0)),))
    with pytest.raises(UsageError) as caught:
        programs([[TORUS], [model()]], 1.0, 0.0, calls, [2])
    assert str(caught.value) == snapshot


def test_program_that_no_variant_has_models_for_is_an_error_that_names_all(
    snapshot: SnapshotAssertion,
) -> None:
    calls = Calls((*BARRIERS.calls, ProgramCall("gather", CallSize(8))))
    with pytest.raises(UsageError) as raised:
        programs([[model()], [SHM], [TORUS]], 1.0, 0.0, calls, [2])
    assert str(raised.value) == snapshot


def test_number_that_can_not_be_is_no_reason_to_leave_a_variant_out(
    snapshot: SnapshotAssertion,
) -> None:
    given = [math.nan, -1.0]
    told = refusals(
        lambda work_s: programs([[model()], [SHM]], work_s, 0.0, BARRIERS, [2]),
        given,
        UsageError,
    )
    assert told == snapshot


def test_program_without_calls_is_the_same_over_every_variant() -> None:
    (only,) = programs([[model()], [SHM]], 1.0, 0.0, Calls(), [2, 4]).found
    assert only == trade_off([SHM], 1.0, 0.0, Calls(), [2, 4])
