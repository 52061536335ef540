"""What the benchmark of closed forms makes of its noise, its truths and its counts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from harness.models import breakpoint_at, pingpong
from validation import models
from validation.models.algorithms import Forced, Named, at_ranks
from validation.models.held_out import held_out
from validation.models.later import within
from validation.models.limits import brackets
from validation.models.noise import FEWEST_BLOCKS, Noise, pool_of
from validation.models.ranks import without
from validation.models.synthetic import outcome, rows_of, share_of
from validation.models.truth import FORMS, MANY, PAIR, Case, draw, observed

from leadline.models.closed_form import fit
from leadline.models.forms import ClosedForm, Scaling
from leadline.models.model import Break, Model
from leadline.models.observations import Observations

BLOCKS = 12
COMMON = np.tile(np.arange(-5.5, 6) / 1000, (len(PAIR.sizes_bytes), 1))
CALM = Noise(PAIR.sizes_bytes, COMMON)


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def test_noise_is_of_whole_blocks_beside_their_cells_median() -> None:
    seconds = np.array([[[1.0, 2.0, 4.0] * 2, [8.0, 16.0, 32.0] * 2]])
    (noise,) = pool_of([observed(seconds, (2,), (8, 64))])
    assert noise.logs[:, :3] == pytest.approx(np.log([[0.5, 1, 2], [0.5, 1, 2]]))
    drawn = noise.campaign((3, BLOCKS), (0, 10, 60, 10**6), rng())
    assert drawn.shape == (3, 4, BLOCKS)
    assert drawn[:, 0] == pytest.approx(drawn[:, 3])
    assert (drawn[0, 0] != drawn[1, 0]).any()


def test_block_that_lacks_a_size_is_no_noise_and_few_are_refused() -> None:
    seconds = np.ones((1, 2, FEWEST_BLOCKS + 1))
    seconds[0, 1, 3] = np.nan
    (noise,) = pool_of([observed(seconds, (2,), (8, 64))])
    assert noise.logs.shape == (2, FEWEST_BLOCKS)
    with pytest.raises(ValueError, match="blocks"):
        pool_of([observed(seconds[:, :, 1:], (2,), (8, 64))])


@pytest.mark.parametrize(("form", "design"), FORMS)
def test_truths_are_positive_and_break_as_they_say(form: ClosedForm, design: object) -> None:
    for seed in range(20):
        shape = PAIR if design is PAIR else MANY
        truth = draw(form, shape, np.random.default_rng(seed))
        assert (truth.seconds(shape.ranks, shape.sizes_bytes) > 0).all()
        for at, kind in zip(truth.breaks, truth.kinds, strict=True):
            below, above = truth.seconds((2, 12), (at * (1 - 1e-9), at * (1 + 1e-9)))[-1]  # type: ignore[arg-type]
            if kind is Break.CACHE_EDGE:
                assert above == pytest.approx(below)
            else:
                assert 1.19 < above / below < 2.01


def test_trials_are_as_many_as_the_scatter_of_campaigns_says() -> None:
    # of 4 campaigns half have all of 10 points right, half none: as much as 4 coins tell
    every = [np.array([right] * 10) for right in (True, True, False, False)]
    row = share_of("points", every, (0, 1))
    assert row is not None
    assert (row.share, row.trials) == (0.5, 4)
    # as even as can be: each point counts
    even = share_of("points", [np.array([True, False] * 5)] * 4, (0, 1))
    assert even is not None
    assert even.trials == 40
    assert share_of("points", [], (0, 1)) is None


def test_clear_truth_is_found_and_all_of_it_counted() -> None:
    number = next(i for i, (form, _) in enumerate(FORMS) if form.pieces == 2)
    found = [outcome((CALM,), number, seed) for seed in range(3)]
    shares = {row.what: row.share for row in rows_of(found)}
    assert shares["forms"] == 1
    assert shares["breakpoints"] == 1
    assert set(shares) == {"forms", "coefficients", "breakpoints", "kinds", "sizes"}


def test_sizes_held_out_of_a_line_are_met_by_it_and_by_no_polygon_of_logarithms() -> None:
    form = ClosedForm(Scaling.CONSTANT, Scaling.CONSTANT)
    measured = Case(draw(form, PAIR, rng()), PAIR, CALM).campaign(rng())
    found = held_out(measured)
    assert found.form == "a + b m"
    assert found.model.max() < 1e-9 + found.log_lines.max()
    assert found.model == pytest.approx(0, abs=1e-6)
    assert found.figures["reached"]


def test_part_that_is_unknown_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["models", "sythetic"])
    with pytest.raises(SystemExit):
        models.main()
    assert "no part is called 'sythetic'" in capsys.readouterr().err


def binomial(ranks: tuple[int, ...]) -> Observations:
    """A broadcast by a binomial tree, whose blocks are alike."""
    rounds = np.array([(p - 1).bit_length() for p in ranks])[:, None]
    sizes = np.array(PAIR.sizes_bytes[::4])
    seconds = (rounds * (1e-6 + sizes * 1e-9))[:, :, None] * np.exp(COMMON[0] - COMMON[0].mean())
    return observed(seconds, ranks, PAIR.sizes_bytes[::4], "bcast")


@pytest.mark.parametrize(("forced", "right"), [("binomial", True), ("linear", False)])
def test_name_is_right_or_wrong_by_what_was_forced(forced: str, right: bool) -> None:
    named = Named.of(Forced("bcast", "some", forced), binomial((2, 3, 4, 8, 12, 16, 64)))
    assert named.right + named.undecided + len(named.wrong) >= 1
    assert named.undecided == 0
    assert bool(named.right) is right
    assert bool(named.wrong) is not right


def test_few_ranks_leave_an_algorithm_undecided() -> None:
    every = binomial((2, 3, 4, 8, 12, 16, 64))
    few = at_ranks(every, (2, 4, 8))
    assert few.ranks == (2, 4, 8)
    assert (few.seconds[1] == every.seconds[2]).all()
    assert Named.of(Forced("bcast", "some", "linear"), few).wrong == ()


def test_ranks_left_out_leave_no_trace() -> None:
    every = binomial((2, 3, 4, 8, 12, 16, 64))
    left = without(every, 3)
    assert left.ranks == (2, 3, 4, 12, 16, 64)
    assert (left.seconds[3] == every.seconds[4]).all()


def test_limit_is_bracketed_by_bounds() -> None:
    model = pingpong()  # breaks between 8 and 16 KiB, and 512 KiB and 1 MiB
    assert brackets(model, 8192)
    assert brackets(model, 16384)
    assert not brackets(model, 32768)
    wide = replace(model.breakpoints[0].bytes, low=4096.0, high=16384.0)
    first = replace(model.breakpoints[0], bytes=wide)
    assert brackets(replace(model, breakpoints=(first, model.breakpoints[1])), 5000)
    # without bounds by the sizes that it lies between
    bare = tuple(breakpoint_at(8192, 16384, Break.CHANGE, 1.4, blocks=0) for _ in range(2))
    few = replace(model, breakpoints=bare)
    assert brackets(few, 8192)
    assert not brackets(few, 5000)


def test_later_campaign_of_the_same_truth_lies_within() -> None:
    form = ClosedForm(Scaling.CONSTANT, Scaling.CONSTANT)
    case = Case(draw(form, PAIR, rng()), PAIR, CALM)
    first, second = (case.campaign(np.random.default_rng(seed)) for seed in (2, 3))
    model = fit(first)
    assert isinstance(model, Model)
    held, shifts, widths = within(model, second)
    assert held.mean() > 0.9
    assert np.abs(shifts).max() < 0.01
    assert (widths > 0).all()
    slower = replace(second, seconds=second.seconds * 1.2)
    assert not within(model, slower)[0].any()
