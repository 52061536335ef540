from __future__ import annotations

import math

import numpy as np
import pytest

from leadline.statistics.autocorrelation import (
    FEWEST_BLOCKS,
    LARGEST,
    SIGNIFICANT,
    Autocorrelation,
    autocorrelation_of,
)
from leadline.statistics.change_points import simulated
from leadline.statistics.intervals import Floats


def curves(number: int, blocks: int, persistence: float, shared: float = 0.0) -> list[Floats]:
    """Of 8 cells, `shared` of whose variance they have in common."""
    own = simulated(8 * number, blocks, persistence, 1).reshape(number, 8, blocks)
    common = simulated(number, blocks, persistence, 2)[:, None]
    return list(math.sqrt(1 - shared) * own + math.sqrt(shared) * common)


@pytest.mark.parametrize("shared", [0.0, 0.7])
@pytest.mark.parametrize("blocks", [6, 12])
def test_blocks_in_random_order_lean_by_chance_alone(blocks: int, shared: float) -> None:
    significant = [autocorrelation_of(one).significant for one in curves(400, blocks, 0.0, shared)]
    assert np.mean(significant) == pytest.approx(SIGNIFICANT, abs=0.03)


@pytest.mark.parametrize("persistence", [0.0, 0.3, 0.6])
@pytest.mark.parametrize("blocks", [6, 8, 16])
def test_few_blocks_bias_the_coefficient_hardly(blocks: int, persistence: float) -> None:
    found = [autocorrelation_of(one).coefficient for one in curves(300, blocks, persistence)]
    assert np.mean(found) == pytest.approx(persistence, abs=0.08)


def test_twelve_blocks_of_eight_cells_tell_that_they_lean() -> None:
    significant = [autocorrelation_of(one).significant for one in curves(100, 12, 0.6)]
    assert np.mean(significant) > 0.9


def test_widening_is_that_of_fewer_values() -> None:
    assert Autocorrelation(0.6, 0.01).widening == pytest.approx(2.0)
    assert Autocorrelation(1.4, 0.01).share == LARGEST
    assert Autocorrelation(0.6, 0.5).widening == Autocorrelation(-0.6, 0.01).widening == 1.0


def test_too_few_blocks_missing_cells_and_equal_ones_lean_on_nothing() -> None:
    rising = np.arange(float(FEWEST_BLOCKS))[None]
    assert autocorrelation_of(rising).significant
    assert autocorrelation_of(rising[:, :-1]) == Autocorrelation()
    for nothing in (np.full((2, 9), np.nan), np.zeros((2, 9)), np.zeros((0, 9))):
        assert not autocorrelation_of(nothing).significant


def test_a_missing_cell_and_a_stray_block_change_little() -> None:
    values = curves(1, 16, 0.6)[0]
    whole = autocorrelation_of(values).coefficient
    values[0] = np.nan
    values[1, 3] = np.nan
    values[2, 5] = 1e6
    assert autocorrelation_of(values).coefficient == pytest.approx(whole, abs=0.2)
