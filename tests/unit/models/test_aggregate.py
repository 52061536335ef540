from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from harness.models import LINE, barrier, bcast, piece, pingpong, reduce_apart, stated

from leadline.models.aggregate import aggregates, contributions
from leadline.models.model import Model, RankSet

T_OF_11 = 2.200985
"""Student's t of 12 blocks, that leaves 95 % between its negative and itself."""


def others(ranks: int) -> float | None:
    return contributions("bcast", ranks)


def line(startup: float, slope: float, most_bytes: int = 2**20) -> Model:
    found = piece(LINE.terms, 0, most_bytes, (startup, slope))
    return replace(pingpong(), form=LINE, pieces=((RankSet.ALL, (found,)),), breakpoints=())


def test_a_ping_pongs_limit_is_that_of_its_last_piece() -> None:
    (found,) = aggregates(pingpong(), lambda ranks: 1.0)
    assert found.ranks == 2
    assert found.bytes_per_s.value == pytest.approx(1 / 0.16e-9)
    reach = math.exp(T_OF_11 * 0.025)
    assert found.bytes_per_s.bounds == pytest.approx((6.25e9 / reach, 6.25e9 * reach))
    # in the second piece 3.4 us + 0.12 ns m = 2 x 0.16 ns m
    assert found.half_bytes.value == pytest.approx(17_000)
    by_bytes = math.hypot(0.025 * 0.12 / 0.2, 0.025 * 0.32 / 0.2)
    assert found.half_bytes.bounds == pytest.approx(fieller(17_000, 0.025, by_bytes))


def fieller(ratio: float, above: float, below: float, together: float = 0.0) -> list[float]:
    """Bounds of a ratio by the relative errors of both numbers and their covariance: Fieller 1954.

    The roots of (1 - r)^2 = q^2 (above^2 - 2 together r + below^2 r^2), r in units of the ratio.
    """
    q2 = T_OF_11**2
    roots = np.roots([1 - q2 * below**2, -2 * (1 - q2 * together), 1 - q2 * above**2])
    return sorted(float(ratio * root) for root in roots)


def test_half_is_surer_where_start_up_and_slope_of_its_piece_err_against_each_other() -> None:
    model = pingpong()
    first, middle, last = model.pieces[0][1]
    spreads = np.sqrt(np.diag(middle.covariance))
    against = np.outer(spreads, spreads) * np.array([[1, -1], [-1, 1]])
    pieces = (first, replace(middle, covariance=against), last)
    (found,) = aggregates(replace(model, pieces=((RankSet.ALL, pieces),)), lambda ranks: 1.0)
    # as above, but that a start-up that is too long has bytes that cost too little
    by_bytes = math.hypot(0.025 * 0.12 / 0.2, 0.025 * 0.32 / 0.2)
    together = 0.025**2 * 0.12 / 0.2
    bounds = fieller(17_000, 0.025, by_bytes, together)
    assert found.half_bytes.bounds == pytest.approx(bounds)
    assert bounds[0] > fieller(17_000, 0.025, by_bytes)[0]


def pieces_of(*values: tuple[float, float]) -> Model:
    """The three pieces of `pingpong()`, with other start-ups and times of a byte."""
    pieces = tuple(
        piece(LINE.terms, one.least_bytes, one.most_bytes, coefficients)
        for one, coefficients in zip(pingpong().pieces[0][1], values, strict=True)
    )
    return replace(pingpong(), pieces=((RankSet.ALL, pieces),))


@pytest.mark.parametrize(
    ("values", "half"),
    [
        # half: 2 x 0.08 ns a byte. 0.13 us + 0.1 ns m has it from 2.2 kB to 11.6 kB, where the
        # next begins, and 2 us + 0.08 ns m again from 25 kB on
        (((0.13e-6, 0.1e-9), (2e-6, 0.08e-9), (2e-6, 0.08e-9)), 25_000),
        # the last piece has it everywhere, the middle one, which ends at 741 kB, nowhere
        (((0.13e-6, 0.1e-9), (2e-6, 0.2e-9), (2e-6, 0.08e-9)), (524_288 * 2**20) ** 0.5),
        # the middle one has it until 150 kB, where its own bytes, dearer than 0.16 ns, lose it
        (((0.13e-6, 0.1e-9), (-6e-6, 0.2e-9), (2e-6, 0.08e-9)), (524_288 * 2**20) ** 0.5),
        # a middle one whose dear bytes never lose it, as it ends before
        (((0.8e-6, 0.08e-9), (-60e-6, 0.2e-9), (2e-6, 0.08e-9)), 10_000),
    ],
)
def test_half_is_reached_for_good_though_shorter_messages_have_it_as_well(
    values: tuple[tuple[float, float], ...], half: float
) -> None:
    (found,) = aggregates(pieces_of(*values), lambda ranks: 1.0)
    assert found.half_bytes.value == pytest.approx(half)
    assert found.half_bytes.bounds is not None


def test_half_is_reached_at_a_breakpoint_where_the_time_falls_there() -> None:
    model = pingpong()
    first, _, last = model.pieces[0][1]
    middle = piece(LINE.terms, 16384, 524_288, (1e-6, 0.12e-9))
    (found,) = aggregates(
        replace(model, pieces=((RankSet.ALL, (first, middle, last)),)), lambda ranks: 1.0
    )
    assert found.half_bytes == model.breakpoints[0].bytes


def test_a_surface_has_a_limit_at_each_number_of_ranks() -> None:
    found = {one.ranks: one for one in aggregates(bcast(), others)}
    assert list(found) == [2, 4, 8, 12, 16, 32, 64]
    # start-up 2 + 2.5 x 3 us, a byte 0.05 + 0.1 x 3 ns
    assert found[8].bytes_per_s.value == pytest.approx(7 / 0.35e-9)
    assert found[8].half_bytes.value == pytest.approx(9.5e-6 / 0.35e-9)


def test_powers_of_two_that_are_apart_have_limits_of_their_own() -> None:
    found = {one.ranks: one.bytes_per_s.value for one in aggregates(reduce_apart(), others)}
    assert found[4] == pytest.approx(3 / 0.4e-9)
    assert found[5] == pytest.approx(4 / 0.8e-9)


def test_stated_values_have_a_limit_without_interval() -> None:
    (found,) = aggregates(stated(), lambda ranks: 1.0)
    assert found.bytes_per_s.value == pytest.approx(1e9) and found.bytes_per_s.bounds is None
    assert found.half_bytes.value == pytest.approx(5000) and found.half_bytes.bounds is None


def test_no_limit_without_payload_or_bytes_that_cost_time() -> None:
    assert not aggregates(bcast(), lambda ranks: None)
    assert not aggregates(barrier(), others)
    assert not aggregates(line(1e-6, -1e-12), others)


def test_no_limit_is_in_sight_where_the_longest_messages_mostly_wait() -> None:
    # 1 us of 1 MiB at 1 ns a KiB: the largest takes 2 us, half of it for its bytes
    slope = 1e-6 / 2**20
    assert aggregates(line(0.999e-6, slope), others)
    assert not aggregates(line(1.001e-6, slope), others)


def test_half_that_a_piece_may_lose_again_is_within_the_bounds() -> None:
    # half: 0.16 ns a byte; below 11,585 B 0.13 us + 0.1 ns m has it from 2.2 kB on, 2 us + q ns m
    # in the middle, up to 741,455 B, loses it by a hair, or has it by one, at its end
    last = (-2e-6, 0.08e-9)
    end = (524_288 * 2**20) ** 0.5
    for hair, value in ((1e-12, end), (-1e-12, 2e-6 / (2e-6 / end + 1e-12))):
        slope = 0.16e-9 - 2e-6 / end + hair
        found = aggregates(pieces_of((0.13e-6, 0.1e-9), (2e-6, slope), last), lambda ranks: 1.0)
        half = found[0].half_bytes
        assert half.value == pytest.approx(value)
        assert half.low is not None and half.high is not None
        assert half.low < 150_000 and half.high == 2**20


@pytest.mark.parametrize("startup", [0.0, -1e-7])
def test_without_a_start_up_every_size_reaches_half(startup: float) -> None:
    (found,) = aggregates(line(startup, 1e-9), others)
    assert found.half_bytes.value == 0


def test_start_up_that_may_be_none_has_a_half_that_may_be_at_every_size() -> None:
    # -1 us +- 2.2 x 1 us are at most 1.2 us: as long as 1200 bytes at 1 ns each
    sure = piece(LINE.terms, 0, 2**20, (-1e-6, 1e-9))
    unsure = replace(sure, covariance=np.diag([1e-12, 0.0]))
    model = replace(line(-1e-6, 1e-9), pieces=((RankSet.ALL, (unsure,)),))
    (half,) = (one.half_bytes for one in aggregates(model, others))
    assert half.value == half.low == 0 and half.high == pytest.approx(1e3 * (T_OF_11 - 1))
