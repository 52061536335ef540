"""What is said of closed forms, in sentences, tables, files and rows: all follows from numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from harness.models import (
    LINE,
    barrier,
    bcast,
    breakpoint_at,
    estimate,
    lacking,
    piece,
    pingpong,
    reduce_apart,
    stated,
)
from tests.support.fitted import RUN, printed, said

from leadline.models.forms import Scaling, Term
from leadline.models.model import Algorithm, Break, HeldOut, Model, RankSet
from leadline.report.text.closed_forms import form_sentence
from leadline.report.text.fitted import Fitted
from leadline.statistics.estimate import Estimate

# -- sentences -------------------------------------------------------------------------------------


def test_sentence_has_each_piece_with_its_rate_and_names_breakpoints() -> None:
    assert form_sentence(pingpong()) == (
        "mpich's pingpong on 2 ranks takes 1.20 us + 0.310 ns a byte (3.23 GB/s) up to 8 KiB; a "
        "protocol switch between 8 KiB and 16 KiB; 3.40 us + 0.120 ns a byte (8.33 GB/s) from "
        "16 KiB to 512 KiB; a cache edge between 512 KiB and 1 MiB; -12.0 us + 0.160 ns a byte "
        "(6.25 GB/s) from 1 MiB on."
    )


def test_sentence_of_a_surface_has_how_each_part_grows_with_ranks() -> None:
    assert form_sentence(bcast()).startswith(
        "mpich's bcast on p ranks takes 0.400 us + 1.10 us log2 p + (0.0200 ns + 0.300 ns log2 p) "
        "a byte up to 8 KiB;"
    )
    assert (
        form_sentence(barrier()) == "mpich's barrier on p ranks takes 0.100 us + 0.500 us log2 p."
    )


def test_powers_of_two_are_told_from_other_numbers_of_ranks() -> None:
    assert form_sentence(reduce_apart()) == (
        "mpich's reduce on p ranks takes, where p is a power of two, 0.500 us + 0.200 us p + "
        "0.400 ns a byte (2.50 GB/s); elsewhere 0.900 us + 0.300 us p + 0.800 ns a byte "
        "(1.25 GB/s)."
    )


def test_byte_that_costs_more_on_more_ranks_says_how() -> None:
    terms = Term(Scaling.CONSTANT, per_byte=False), Term(Scaling.LOGARITHMIC, per_byte=True)
    model = replace(stated(), pieces=((RankSet.ALL, (piece(terms, 0, 64, (2e-6, 8e-8)),)),))
    assert "takes 2.00 us + 80.0 ns log2 p a byte." in form_sentence(model)


def test_byte_that_costs_less_than_nothing_has_no_rate() -> None:
    falling = piece(LINE.terms, 0, 64, (2e-6, -1e-9))
    model = replace(stated(), pieces=((RankSet.ALL, (falling,)),))
    assert "takes 2.00 us - 1.00 ns a byte." in form_sentence(model)


def single(values: tuple[float, float], half_widths: tuple[float, float] | None = None) -> Model:
    """One piece from 0 B to 1 MiB on 2 ranks; without `half_widths` its values were stated."""
    blocks = 0 if half_widths is None else 12
    one = piece(LINE.terms, 0, 1 << 20, values, blocks)
    found = tuple(
        replace(each, value=estimate(each.value.value, width, blocks))
        for each, width in zip(one.coefficients, half_widths or (0, 0), strict=True)
    )
    pieces = ((RankSet.ALL, (replace(one, coefficients=found),)),)
    return replace(
        pingpong(), form=LINE, pieces=pieces, breakpoints=(), aggregate=(), blocks=blocks
    )


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (single((1e-6, 0.1e-9), (0.05, 0.5)), "takes 1.00 us + 0.100 ns a byte (10.0 GB/s)."),
        (single((1e-6, 0.1e-9), (0.05, 1.5)), "takes 1.00 us + 0.100 ns a byte."),
        (single((1e-6, 0.1e-9)), "takes 1.00 us + 0.100 ns a byte (10.0 GB/s)."),
        (single((1e-3, 0.4e-12)), "takes 1.00 ms + 0.000400 ns a byte."),
    ],
)
def test_rate_is_told_only_where_a_byte_surely_costs_time(model: Model, words: str) -> None:
    assert words in form_sentence(model)


def test_what_arithmetic_left_over_is_nought() -> None:
    start = single((-3.8e-23, 1e-9))
    assert "takes 0 us + 1.00 ns a byte (1.00 GB/s)." in form_sentence(start)
    assert "A start-up below nought" not in said(start)
    assert "0.0000000" not in printed(Fitted(RUN, (start,), ()))
    byte = single((1e-3, 1e-25))
    assert "takes 1.00 ms + 0 ns a byte." in form_sentence(byte)


def test_start_up_is_no_rounding_beside_the_longest_message() -> None:
    """A short message's whole time, and a 10^-10th of what a petabyte takes."""
    long = piece(LINE.terms, 0, 1 << 50, (1e-7, 1e-12), 0)
    model = replace(single((1e-7, 1e-12)), pieces=((RankSet.ALL, (long,)),))
    assert "takes 0.100 us + 0.00100 ns a byte" in form_sentence(model)


def test_term_that_adds_nothing_is_left_out_of_a_sum() -> None:
    form = barrier().form
    nothing = piece(form.terms, 0, 0, (1e-22, 0.5e-6), 0)
    model = replace(barrier(), pieces=((RankSet.ALL, (nothing,)),))
    assert form_sentence(model) == "mpich's barrier on p ranks takes 0.500 us log2 p."


def test_start_up_below_nought_is_explained() -> None:
    words = "A start-up below nought is no time that anything takes: its line is fitted from 1 MiB"
    assert f"{words} to 4 MiB, and holds there alone." in said(pingpong())
    assert "below nought" not in said(bcast())


def test_part_below_nought_of_a_sum_that_isnt_is_told_from_a_start_up() -> None:
    part = piece(barrier().form.terms, 0, 0, (-7e-6, 8e-6))
    text = said(replace(barrier(), pieces=((RankSet.ALL, (part,)),)))
    assert "takes -7.00 us + 8.00 us log2 p." in text
    assert "A constant below nought is no time by itself: it is part of a sum that grows" in text
    assert "A start-up below nought" not in text


def test_form_that_falls_says_where_and_how_far_predictions_follow() -> None:
    words = "By the form longer messages take less time: predictions don't follow it below the"
    assert words in said(single((2e-3, -1e-9)))
    assert "less time" not in said(pingpong())
    assert "less time" not in said(single((2e-3, -1e-12)))
    below, above = pingpong().pieces[0][1][:2]
    first = replace(below, coefficients=piece(LINE.terms, 0, 8192, (5e-6, -0.5e-9)).coefficients)
    two = replace(
        pingpong(), pieces=((RankSet.ALL, (first, above)),), breakpoints=pingpong().breakpoints[:1]
    )
    assert "longer messages take less time from 0 B to 8 KiB: predictions" in said(two)


def test_form_that_falls_with_ranks_says_so() -> None:
    falling = piece(barrier().form.terms, 0, 0, (7e-6, -1e-6))
    text = said(replace(barrier(), pieces=((RankSet.ALL, (falling,)),)))
    assert "By the form more ranks take less time: predictions don't follow it" in text


def test_interval_of_a_breakpoint_beyond_its_two_sizes_is_said() -> None:
    wide = replace(breakpoint_at(8192, 16384, Break.CHANGE, 1.0), bytes=estimate(11585.0, 0.9))
    model = replace(pingpong(), breakpoints=(wide, pingpong().breakpoints[1]))
    assert (
        "a change of form between 8 KiB and 16 KiB (1.1 KiB to 21 KiB by its interval)"
        in form_sentence(model)
    )


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (
            pingpong(),
            "Fitted to 2 ranks, 0 B to 4 MiB (12 sizes), 12 blocks: it says nothing of other "
            "numbers of ranks, and extrapolates beyond these sizes.",
        ),
        (
            bcast(),
            "Fitted to 2, 4, 8, 12, 16, 32 and 64 ranks, 0 B to 1 MiB (10 sizes), 12 blocks: it "
            "extrapolates beyond these ranks and sizes.",
        ),
        (
            replace(barrier(), ranks=(2, 4, 8)),
            "Fitted to 2, 4 and 8 ranks, 12 blocks: it says nothing of numbers of ranks that "
            "aren't powers of two, and extrapolates beyond these ranks.",
        ),
        (
            replace(barrier(), sizes_bytes=(8,), ranks=(2, 3, 4)),
            "Fitted to 2, 3 and 4 ranks, 8 B, 12 blocks: it says nothing of other sizes, and "
            "extrapolates beyond these ranks.",
        ),
    ],
)
def test_model_says_where_it_holds_and_where_not(model: Model, words: str) -> None:
    assert words in said(model)


def test_errors_where_left_out_are_beside_those_of_a_constant() -> None:
    assert (
        "At sizes left out it is off by 2 % in the median, by at most 8 % in nine of ten; a "
        "constant by 90 % in the median, by at most a factor of 4.0 in nine of ten."
        in said(pingpong())
    )


def test_errors_of_nothing_but_rounding_are_not_spelled_out() -> None:
    exact = replace(pingpong(), held_out=HeldOut(1e-16, 2e-15, 1e-16, 0.5, 0.9))
    assert "off by under 0.01 % in the median, by at most 0.01 % in nine of ten" in said(exact)
    both = replace(lacking(), held_out=HeldOut(1e-16, 2e-15, 1e-16, 1e-17, 1e-16))
    assert "the form alone by under 0.01 % in the median; a constant by under" in said(both)
    assert "don't rely" not in said(both)


@pytest.mark.parametrize(
    ("errors", "words"),
    [
        ((0.02, 1.5), "off by 2 % in the median, by at most a factor of 2.5 in nine of ten"),
        ((0.02, 1e9), "off by 2 % in the median, by tenfold or more in one of ten"),
        ((9.0, 12.0), "off by tenfold or more in the median, by tenfold or more in one of ten"),
    ],
)
def test_error_of_many_times_the_truth_is_a_factor(errors: tuple[float, float], words: str) -> None:
    assert words in said(replace(pingpong(), held_out=HeldOut(*errors, 0.1, 5.0, 6.0)))
    worst = replace(pingpong(), held_out=HeldOut(0.1, 0.2, 0.1, 5, 6))
    assert "a constant by a factor of 6" in said(worst)


def test_form_that_predictions_do_not_follow_alone_has_errors_of_its_own() -> None:
    assert (
        "predictions are off by 2 % in the median, by at most 8 % in nine of ten; the form alone "
        "by 5 % in the median; a constant by 90 % in the median" in said(lacking())
    )


def test_form_that_a_constant_beats_is_not_to_be_relied_on() -> None:
    worse = replace(pingpong(), held_out=HeldOut(0.3, 0.3, 0.3, 0.2, 0.4))
    assert (
        "in nine of ten, and a constant by 20 % in the median, by at most 40 % in nine of ten: "
        "don't rely on it" in said(worse)
    )
    tenth = replace(pingpong(), held_out=HeldOut(0.1, 0.5, 0.1, 0.2, 0.4))
    assert "by at most 40 % in nine of ten: don't rely on it" in said(tenth)
    better = replace(pingpong(), held_out=HeldOut(0.1, 0.4, 0.1, 0.2, 0.4))
    assert "don't rely" not in said(better)


def test_constant_is_not_held_to_itself() -> None:
    form = replace(barrier().form, startup=pingpong().form.startup)
    constant = replace(barrier(), form=form, held_out=HeldOut(0.3, 0.5, 0.3, 0.3, 0.5))
    assert "no form with more coefficients was surely better" in said(constant)


def test_what_cant_be_left_out_is_said() -> None:
    assert "how far it is off elsewhere isn't known" in said(replace(pingpong(), held_out=None))


def test_model_without_intervals_says_so_and_why() -> None:
    assert "Nothing in it has an interval: simulated values have no blocks." in said(stated())
    few = replace(pingpong(), blocks=1, scatter=None)
    assert "Nothing in it has an interval: 1 block is too few for one." in said(few)


def test_algorithm_is_named_with_how_sure_and_undecided_with_why() -> None:
    text = said(bcast())
    assert (
        "It appears to use binomial from 0 B to 8 KiB (in 97 % of resamples): no other fits as "
        "well." in text
    )
    assert (
        "Which algorithm it uses from 16 KiB to 1 MiB is undecided: two fit equally well." in text
    )


def test_algorithm_at_all_sizes_has_no_range_and_without_resamples_no_share() -> None:
    found = Algorithm(0, 1_048_576, "ring", None, "the others are worse", None)
    text = said(replace(bcast(), algorithms=(found,)))
    assert "It appears to use ring: the others are worse." in text


def test_ranges_that_are_undecided_for_one_reason_are_told_together() -> None:
    first, second = bcast().algorithms
    one, other = replace(first, name=None, confidence=None, why="it is so"), replace(second, why="")
    text = said(replace(bcast(), algorithms=(one, replace(other, why="it is so"))))
    assert "Which algorithm it uses is undecided: it is so." in text
    assert text.count("undecided") == 1


def test_distance_from_the_lower_bound_is_that_at_the_largest_sizes() -> None:
    first, _ = bcast().algorithms
    assert "lower bound" not in said(bcast())
    words = "At 64 ranks and 8 KiB it takes 1.30 (1.23 to 1.37) times the lower bound that its"
    assert f"{words} ping-pong sets." in said(replace(bcast(), algorithms=(first,)))


def test_less_than_the_lower_bound_is_no_miracle() -> None:
    first, _ = bcast().algorithms
    cheap = replace(first, over_lower_bound=estimate(0.6))
    text = said(replace(bcast(), algorithms=(cheap,)))
    assert "ping-pong sets: these messages cost less than the ping-pong's." in text


def test_aggregate_bandwidth_is_said_at_the_most_ranks() -> None:
    words = "In the limit of long messages 64 ranks together deliver 512 GB/s ±5 %, half of it, or"
    assert f"{words} more, from 29 KiB ±5 % on." in said(bcast())
    most = replace(bcast().aggregate[-1], half_bytes=estimate(0.0, blocks=0))
    assert "half of it at every size." in said(replace(bcast(), aggregate=(most,)))
    unsure = replace(most, half_bytes=Estimate(0.0, 0.0, 1200.0, 0.95, 12))
    text = said(replace(bcast(), aggregate=(unsure,)))
    assert "half of it, or more, from 0 B (0 B to 1.2 KiB) on." in text


def test_aggregate_without_an_interval_says_so_beside_others_that_have_one() -> None:
    most = replace(bcast().aggregate[-1], bytes_per_s=estimate(1e9, blocks=0))
    assert "deliver 1.00 GB/s, without an interval," in said(replace(bcast(), aggregate=(most,)))
