from __future__ import annotations

import math

import numpy as np
import pytest
from harness.models import scattered
from tests.support.curves import SIZES, noisy, observations

from leadline.models.closed_form import Resampled, breakpoints_of, fit
from leadline.models.coefficients import falls_with_size
from leadline.models.fitting import Points, fit_of
from leadline.models.forms import ClosedForm, Scaling
from leadline.models.model import Break, Breakpoint, Model
from leadline.statistics.intervals import Floats

BYTES = np.array(SIZES, dtype=np.float64)


def broken(
    below: tuple[float, float], above: tuple[float, float], at: float = 8192, noise: float = 0.005
) -> tuple[Breakpoint, ...]:
    lines = [start + slope * BYTES for start, slope in (below, above)]
    truth: Floats = np.where(at >= BYTES, *lines)[None]
    model = fit(observations(noisy(truth, 12, 1, noise, noise)))
    assert isinstance(model, Model)
    return model.breakpoints


def test_a_jump_is_a_protocol_switch_whatever_a_byte_costs() -> None:
    for above in ((4e-6, 3e-10), (8e-6, 1e-10), (4e-6, 9e-10)):
        (found,) = broken((1e-6, 3e-10), above)
        assert found.kind is Break.PROTOCOL_SWITCH
        assert found.bytes.value == pytest.approx(math.sqrt(8192 * 16_384))
        assert found.jump.low is not None
        assert found.jump.low > 1


def test_a_step_down_is_a_protocol_switch() -> None:
    (found,) = broken((5e-6, 3e-10), (2e-6, 3e-10))
    assert found.kind is Break.PROTOCOL_SWITCH
    assert found.jump.high is not None
    assert found.jump.high < 1


def test_bytes_that_cost_less_are_a_protocol_switch_without_a_jump() -> None:
    # both lines take 1 us + 12,288 ns between the two sizes
    (found,) = broken((1e-6, 1e-9), (1e-6 + 12_288 * 0.9e-9, 1e-10))
    assert found.jump.holds(1.0)
    assert found.kind is Break.PROTOCOL_SWITCH


def test_bytes_that_cost_more_are_a_cache_edge_where_nothing_jumps() -> None:
    (found,) = broken((1e-6 + 10_000 * 0.9e-9, 1e-10), (1e-6, 1e-9))
    assert found.jump.holds(1.0)
    assert found.kind is Break.CACHE_EDGE


def test_bounds_hold_the_sizes_on_either_side_and_widen_with_noise() -> None:
    (calm,) = broken((1e-6, 3e-10), (4e-6, 1e-10))
    assert calm.bytes.bounds == (8192, 16_384)
    (loud,) = broken((1e-6, 1e-10), (1.25e-6, 1e-10), at=512, noise=0.05)
    assert loud.bytes.low is not None
    assert loud.bytes.high is not None
    assert loud.bytes.high / loud.bytes.low >= 2
    assert loud.bytes.holds(math.sqrt(512 * 1024))


@pytest.mark.parametrize("odd", [1.2, 1.5, 2.0])
def test_an_odd_size_bends_its_own_few_sizes_and_no_others(odd: float) -> None:
    """A piece of three sizes may fall; larger ones would carry the odd one to sizes far off."""
    sizes = tuple(2**k for k in range(17))
    truth = 1e-6 + 1e-9 * np.array([sizes], dtype=np.float64)
    truth[0, 1] *= odd
    model = fit(observations(noisy(truth, 12, 1, 0.005, 0.005), sizes=sizes))
    assert isinstance(model, Model)
    ((_, pieces),) = model.pieces
    assert [(one.least_bytes, one.most_bytes) for one in pieces] == [(1, 4), (8, sizes[-1])]
    assert pieces[1].coefficients[1].value.value == pytest.approx(1e-9, rel=0.02)
    assert falls_with_size(pieces[0], (2,)) == (odd > 1.2), "and it is said where it is clear"


def test_without_blocks_nothing_says_what_a_breakpoint_is() -> None:
    truth = np.where(BYTES <= 8192, 1e-6 + 3e-10 * BYTES, 4e-6 + 1e-10 * BYTES)[None]
    model = fit(observations(truth))
    assert isinstance(model, Model)
    (found,) = model.breakpoints
    assert found.kind is Break.CHANGE
    assert found.bytes.bounds is None
    assert found.jump.value > 1
    assert found.jump.bounds is None


def resampled_at(first: int, misfit: float) -> Breakpoint:
    """Of a break above 8 KiB, which all resampled campaigns have before the size `first`."""
    seconds = np.where(BYTES <= 8192, 1e-6 + 1e-10 * BYTES, 4e-6 + 1e-10 * BYTES)[None]
    points = Points(np.array([2.0]), BYTES, seconds)
    found = fit_of(ClosedForm(Scaling.CONSTANT, Scaling.CONSTANT, pieces=2), points)
    noise = 1 + 0.01 * np.random.default_rng(1).standard_normal((50, 1, 1))
    firsts = np.tile(np.array([0, first]), (50, 1))
    (place,) = breakpoints_of(
        found, Resampled(seconds * noise, firsts, scattered(0, misfit, 2), 12)
    )
    return place


def test_bounds_hold_the_two_sizes_around_even_where_resampled_campaigns_break_elsewhere() -> None:
    above, below = resampled_at(17, 0.0), resampled_at(12, 0.0)
    assert above.bytes.bounds == (8192, BYTES[17])
    assert below.bytes.bounds == (BYTES[11], 16_384)


def test_jump_is_less_sure_where_the_form_misfits() -> None:
    # both sides err by 10 %: sqrt(2) * 0.1 in logarithms, against nothing that blocks show, as
    # their noise is common to both sides; t of 11 is 2.2
    calm, rough = resampled_at(15, 0.0), resampled_at(15, 0.1)
    assert calm.jump.high is not None and rough.jump.high is not None
    assert np.log(rough.jump.high / calm.jump.high) == pytest.approx(2.2 * 0.1414, rel=0.01)
