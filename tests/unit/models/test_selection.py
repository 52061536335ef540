from __future__ import annotations

import numpy as np
import pytest

from leadline.models.fitting import Points
from leadline.models.forms import ClosedForm, Scaling
from leadline.models.selection import (
    CONSTANT,
    Contender,
    Folds,
    Noise,
    candidates,
    chosen,
    trials,
)
from leadline.statistics.intervals import Floats

BYTES = np.array([0.0, *(2.0**k for k in range(4, 20))])
LINE = ClosedForm(Scaling.CONSTANT, Scaling.CONSTANT)
TWO = ClosedForm(Scaling.CONSTANT, Scaling.CONSTANT, 2)


def contender(form: ClosedForm, *errors: float, by_ranks: tuple[float, ...] = ()) -> Contender:
    """One number of ranks and its errors by size, or several and their errors by ranks as well."""
    ranks = max(len(by_ranks), 1)
    found = np.full((2, ranks, len(errors)), np.nan)
    found[0] = errors
    if by_ranks:
        found[1] = np.array(by_ranks)[:, None]
    return Contender(form, found, found, np.zeros_like(found))


def curve(seconds: Floats) -> Points:
    return Points(np.array([2.0]), BYTES, seconds[None])


def test_candidates_are_what_points_could_tell_apart() -> None:
    sizes = np.array([8.0, 64, 512])
    assert candidates(Points(np.array([2.0]), sizes, np.ones((1, 3)))) == (CONSTANT, LINE)
    powers = Points(np.array([2.0, 4, 8]), sizes, np.ones((3, 3)))
    assert len(candidates(powers)) == 3 * 4
    mixed = Points(np.array([2.0, 3, 4, 5, 6, 8]), sizes, np.ones((6, 3)))
    assert len(candidates(mixed)) == 2 * 3 * 4
    barrier = Points(np.array([2.0, 4, 8]), sizes[:1], np.ones((3, 1)))
    assert [form.per_byte for form in candidates(barrier)] == [None] * 3


def test_interior_sizes_and_all_numbers_of_ranks_are_left_out() -> None:
    folds = Folds.of(Points(np.array([2.0, 4, 8]), BYTES[:6], np.ones((3, 6))))
    assert np.argwhere(np.any(folds.by_size, axis=1))[:, 1].tolist() == [1, 2, 3, 4]
    assert np.argwhere(np.any(folds.by_ranks, axis=2))[:, 1].tolist() == [0, 1, 2]
    few = Folds.of(Points(np.array([2.0]), BYTES[:3], np.ones((1, 3))))
    assert np.argwhere(np.any(few.by_size, axis=1))[:, 1].tolist() == [0, 1, 2]
    assert len(few.by_ranks) == 0


@pytest.mark.parametrize(("sizes", "first"), [(2, None), (3, 0), (4, 0), (5, 1), (6, 1)])
@pytest.mark.parametrize("ranks", [1, 5])
def test_ends_are_kept_of_five_sizes_and_more(sizes: int, first: int | None, ranks: int) -> None:
    folds = Folds.of(Points(np.arange(2.0, ranks + 2), BYTES[:sizes], np.ones((ranks, sizes))))
    left_out = np.flatnonzero(np.any(folds.by_size, axis=(0, 1)))
    expected = [] if first is None else list(range(first, sizes - first))
    assert left_out.tolist() == expected


def test_each_point_takes_its_error_from_the_fold_without_it() -> None:
    folds = Folds.of(Points(np.array([2.0]), BYTES[:5], np.ones((1, 5))))
    values = np.arange(3.0)[:, None, None] * np.ones((3, 1, 5))
    by_size, by_ranks = folds.gathered(values)
    np.testing.assert_array_equal(by_size[0], [np.nan, 0, 1, 2, np.nan])
    assert np.isnan(by_ranks).all()


def test_the_simplest_near_the_best_is_chosen_by_hand() -> None:
    # the best mean is 0.02, its errors scatter by 0.01: 3 standard errors are 0.0173
    best = contender(TWO, 0.01, 0.02, 0.03)
    near, far = (contender(LINE, *[0.02 + by] * 3) for by in (0.0173, 0.0174))
    assert chosen([near, best], None) is near
    assert chosen([far, best], None) is best


def test_no_more_counts_as_near_than_noise_explains() -> None:
    # one error in four is large, as at a switch; of noise of 1 % 3 x 0.6 / 2 are 0.009
    best = contender(TWO, 0.01, 0.01, 0.01, 0.5)
    simpler = contender(LINE, 0.02, 0.02, 0.02, 0.5)
    assert chosen([simpler, best], None) is simpler
    assert chosen([simpler, best], Noise(0.01, 0.01)) is simpler
    assert chosen([simpler, best], Noise(0.005, 0.01)) is best


def test_a_scaling_is_better_only_where_ranks_left_out_say_so() -> None:
    grows = ClosedForm(Scaling.LINEAR, Scaling.CONSTANT)
    by_size = (0.01, 0.011, 0.009)
    noise = Noise(0.015, 0.02)  # of which 1.8 x 0.025 are 0.045, with 1.25 x 0.01 more than 0.05
    alike = contender(LINE, *[0.05] * 3, by_ranks=(0.02, 0.03, 0.02))
    better = contender(grows, *by_size, by_ranks=(0.02, 0.03, 0.02))
    assert chosen([alike, better], noise) is alike
    worse = contender(LINE, *[0.05] * 3, by_ranks=(0.2, 0.3, 0.2))
    assert chosen([worse, better], noise) is better


def test_ranks_that_no_form_follows_do_not_excuse_one_that_ignores_the_sizes() -> None:
    # by ranks the mean is 1 and 3 standard errors of it are 1.7; by sizes 1.25 x 0.04 and
    # 3 x 0.6 x 0.05 of noise, together 0.14, are what may be missed
    lost = (0.1, 0.9, 2.0)
    follows = contender(LINE, 0.03, 0.04, 0.05, by_ranks=lost)
    near, far = (contender(CONSTANT, *[by] * 3, by_ranks=lost) for by in (0.139, 0.141))
    noise = Noise(0.03, 0.04)
    assert chosen([near, follows], noise) is near
    assert chosen([far, follows], noise) is follows


def test_one_number_of_ranks_that_is_faster_does_not_hide_the_sizes() -> None:
    ranks, sizes = np.array([2.0, 4, 8, 16, 32, 64]), np.array([8.0, 64, 512, 4096, 32768])
    alone = np.where(ranks == 2, 1 / 8, 1.0)[:, None]
    found = alone * np.log2(ranks)[:, None] * (1e-6 + 1e-9 * sizes)
    assert chosen(tuple(trials(Points(ranks, sizes, found))), Noise(0.01, 0.01)).form.per_byte


def test_exact_curves_have_no_errors_and_the_simplest_of_these_is_taken() -> None:
    tried = tuple(trials(curve(1e-6 + 1e-9 * BYTES)))
    assert chosen(tried, None).form == LINE
    assert np.nanmax(np.abs(chosen(tried, None).errors)) < 1e-9


def test_a_size_beside_a_breakpoint_counts_by_the_better_piece() -> None:
    jump = np.where(BYTES <= 1024, 1e-6, 5e-6)
    two = next(
        one for one in trials(curve(jump)) if one.form == ClosedForm(Scaling.CONSTANT, None, 2)
    )
    assert np.nanmax(np.abs(two.lesser)) < 1e-9
    beside = np.flatnonzero(np.abs(two.errors[0, 0]) > 0.1)
    assert BYTES[beside].tolist() == [1024, 2048]
    # of 2,048 left out: from 1 us at 1,024 bytes to 5 us at 4,096 it is a third of the way
    assert two.errors[0, 0, beside[1]] == pytest.approx(np.log((1 + 4 / 3) / 5))


def test_no_error_is_worse_than_tenfold() -> None:
    steep = np.where(BYTES < 2.0**18, 1e-6, 1.0)
    worst = [np.nanmax(np.abs(one.errors)) for one in trials(curve(steep))]
    assert max(worst) <= np.log(10) * (1 + 1e-12)
