"""Numbers beside verdicts: as many digits as they are worth, and none that contradicts."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from leadline.report.text.ratios import in_words
from leadline.statistics.estimate import Estimate


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ((2.6, 2.5, 2.7), "2.6 (2.5 to 2.7)"),
        ((1.052, 1.0421, 1.065), "1.05 (1.04 to 1.06)"),
        ((1.052, 1.0501, 1.0529), "1.052 (1.050 to 1.053)"),
        ((1.0, 1.0, 1.0), "1.000 (1.000 to 1.000)"),
        ((1.5, 0.9, 2.8), "1.5 (0.9 to 2.8)"),
        ((25.4, 20.2, 30.1), "25 (20 to 30)"),
        ((10.2, 9.1, 11.4), "10 (9.1 to 11)"),
        ((1.5, 0.0213, 49.2), "1.5 (0.02 to 49)"),
        ((123456.7, 1000, 2e6), "123,457 (1,000 to 2,000,000)"),
        ((0.0004, 0.0003, 0.0005), "0.0004 (0.0003 to 0.0005)"),
    ],
)
def test_ratio_has_the_decimals_that_its_interval_is_worth(
    values: tuple[float, float, float], shown: str
) -> None:
    assert str(in_words(Estimate(*values))) == shown


@pytest.mark.parametrize(
    ("values", "threshold", "shown"),
    [
        ((1.3, 1.021, 1.7), 0.02, "1.3 (1.021 to 1.7)"),
        ((1.3, 1.0202, 1.7), 0.02, "1.3 (1.0202 to 1.7)"),
        ((1.004, 0.97, 1.3), 0.02, "1.0 (0.97 to 1.3)"),
        ((1.2, 1.004, 1.5), 0.0, "1.2 (1.004 to 1.5)"),
        ((1.02, 1.02, 1.02), 0.02, "1.020 (1.020 to 1.020)"),
        ((0.99, 0.9799, 1.01), 0.02, "0.99 (0.9799 to 1.01)"),
    ],
)
def test_bound_is_not_rounded_across_the_threshold(
    values: tuple[float, float, float], threshold: float, shown: str
) -> None:
    assert str(in_words(Estimate(*values), threshold)) == shown


def test_faster_reads_the_ratio_from_the_winner_s_side() -> None:
    assert str(in_words(Estimate(0.5, 0.4, 0.8), inverted=True)) == "2.0 (1.2 to 2.5)"
    bound = 1 / 1.0205  # beyond 2 % less time
    assert str(in_words(Estimate(0.7, 0.6, bound), 0.02, inverted=True)) == "1.4 (1.0205 to 1.7)"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(25.4, "25"), (2.64, "2.6"), (0.0951, "0.1"), (0.0949, "0.09"), (0.000988, "0.0010")],
)
def test_ratio_without_an_interval_is_never_nought(value: float, shown: str) -> None:
    assert str(in_words(Estimate(value, n=3))) == shown


def test_printed_numbers_lie_where_the_numbers_lie() -> None:
    """Read back: on the same side of each margin, in the same order, and near."""
    rng = np.random.default_rng(5)
    for _ in range(3000):
        threshold = float(rng.choice([0.0, 0.001, 0.02, 0.1, 0.5]))
        spread = 10 ** rng.uniform(-4, 0.7)
        numbers = np.exp(rng.normal(0, 0.3) + spread * np.sort(rng.normal(size=3)))
        low, value, high = numbers.tolist()
        inverted = bool(rng.integers(2))
        found = Estimate(value, low, high)
        shown = str(in_words(found, threshold, inverted))
        read = [float(text.replace(",", "")) for text in re.findall(r"[\d.,]+", shown)]
        truth = found.inverse() if inverted else found
        meant = [truth.value, *(truth.bounds or ())]
        margins = [1 - threshold, 1 + threshold]
        if inverted:
            margins = [1 / margin for margin in margins]
        for output, number in zip(read, meant, strict=True):
            assert math.isclose(output, number, rel_tol=0.5)
            for margin in margins:
                assert np.sign(output - margin) == np.sign(number - margin), (shown, meant)
        assert read[1] <= read[0] <= read[2], (shown, meant)
