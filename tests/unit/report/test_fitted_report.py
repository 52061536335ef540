"""What is said of closed forms, in sentences: all follows from numbers."""

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
from syrupy.assertion import SnapshotAssertion
from tests.support.fitted import RUN, printed

from leadline.models.forms import Scaling, Term
from leadline.models.model import Algorithm, Break, HeldOut, Model, RankSet
from leadline.report.text.closed_forms import form_sentence, model_sentences
from leadline.report.text.fitted import Fitted
from leadline.statistics.estimate import Estimate

KNOWN = (pingpong(), lacking(), bcast(), reduce_apart(), barrier(), stated())
"""Of which all is in a snapshot; of others what they say otherwise."""


def otherwise(model: Model) -> list[str]:
    """What is said of `model` and of none of KNOWN; not its form."""
    known = {sentence for one in KNOWN for sentence in model_sentences(one)}
    return [one for one in model_sentences(model)[1:] if one not in known]


@pytest.mark.parametrize(
    "model", KNOWN, ids=["pieces", "lacking", "surface", "powers_apart", "one_size", "stated"]
)
def test_sentences_have_form_domain_errors_and_what_is_known_beside(
    model: Model, snapshot: SnapshotAssertion
) -> None:
    assert model_sentences(model) == snapshot


# -- the form --------------------------------------------------------------------------------------


def test_byte_that_costs_more_on_more_ranks_says_how(snapshot: SnapshotAssertion) -> None:
    terms = Term(Scaling.CONSTANT, per_byte=False), Term(Scaling.LOGARITHMIC, per_byte=True)
    model = replace(stated(), pieces=((RankSet.ALL, (piece(terms, 0, 64, (2e-6, 8e-8)),)),))
    assert form_sentence(model) == snapshot


def test_byte_that_costs_less_than_nothing_has_no_rate(snapshot: SnapshotAssertion) -> None:
    falling = piece(LINE.terms, 0, 64, (2e-6, -1e-9))
    model = replace(stated(), pieces=((RankSet.ALL, (falling,)),))
    assert form_sentence(model) == snapshot


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
    "model",
    [
        single((1e-6, 0.1e-9), (0.05, 0.5)),
        single((1e-6, 0.1e-9), (0.05, 1.5)),
        single((1e-6, 0.1e-9)),
        single((1e-3, 0.4e-12)),
    ],
    ids=["surely", "perhaps", "stated", "next_to_nothing"],
)
def test_rate_is_told_only_where_a_byte_surely_costs_time(
    model: Model, snapshot: SnapshotAssertion
) -> None:
    assert form_sentence(model) == snapshot


def test_what_arithmetic_left_over_is_nought(snapshot: SnapshotAssertion) -> None:
    start, byte = single((-3.8e-23, 1e-9)), single((1e-3, 1e-25))
    assert [form_sentence(start), form_sentence(byte)] == snapshot
    below_zero = "0 B to 1 MiB"
    assert below_zero not in " ".join(model_sentences(start))
    really = single((-3.8e-9, 1e-9))
    assert below_zero in " ".join(model_sentences(really))
    assert "0.0000000" not in printed(Fitted(RUN, (start,), ()))


def test_start_up_is_no_rounding_beside_the_longest_message(snapshot: SnapshotAssertion) -> None:
    """A short message's whole time, and a 10^-10th of what a petabyte takes."""
    long = piece(LINE.terms, 0, 1 << 50, (1e-7, 1e-12), 0)
    model = replace(single((1e-7, 1e-12)), pieces=((RankSet.ALL, (long,)),))
    assert form_sentence(model) == snapshot


def test_term_that_adds_nothing_is_left_out_of_a_sum(snapshot: SnapshotAssertion) -> None:
    form = barrier().form
    nothing = piece(form.terms, 0, 0, (1e-22, 0.5e-6), 0)
    model = replace(barrier(), pieces=((RankSet.ALL, (nothing,)),))
    assert form_sentence(model) == snapshot


def test_part_below_nought_of_a_sum_that_isnt_is_told_from_a_start_up(
    snapshot: SnapshotAssertion,
) -> None:
    part = piece(barrier().form.terms, 0, 0, (-7e-6, 8e-6))
    model = replace(barrier(), pieces=((RankSet.ALL, (part,)),))
    assert [form_sentence(model), *otherwise(model)] == snapshot


def test_form_that_falls_says_where_and_how_far_predictions_follow(
    snapshot: SnapshotAssertion,
) -> None:
    surely, hardly = single((2e-3, -1e-9)), single((2e-3, -1e-12))
    below, above = pingpong().pieces[0][1][:2]
    first = replace(below, coefficients=piece(LINE.terms, 0, 8192, (5e-6, -0.5e-9)).coefficients)
    two = replace(
        pingpong(), pieces=((RankSet.ALL, (first, above)),), breakpoints=pingpong().breakpoints[:1]
    )
    assert [otherwise(model) for model in (surely, hardly, two)] == snapshot


def test_form_that_falls_with_ranks_says_so(snapshot: SnapshotAssertion) -> None:
    falling = piece(barrier().form.terms, 0, 0, (7e-6, -1e-6))
    assert otherwise(replace(barrier(), pieces=((RankSet.ALL, (falling,)),))) == snapshot


def test_interval_of_a_breakpoint_beyond_its_two_sizes_is_said(
    snapshot: SnapshotAssertion,
) -> None:
    wide = replace(breakpoint_at(8192, 16384, Break.CHANGE, 1.0), bytes=estimate(11585.0, 0.9))
    model = replace(pingpong(), breakpoints=(wide, pingpong().breakpoints[1]))
    assert form_sentence(model) == snapshot


# -- where it holds, and how good it is ------------------------------------------------------------


def test_model_says_where_it_holds_and_where_not(snapshot: SnapshotAssertion) -> None:
    powers = replace(barrier(), ranks=(2, 4, 8))
    one_size = replace(barrier(), sizes_bytes=(8,), ranks=(2, 3, 4))
    assert [otherwise(model) for model in (powers, one_size)] == snapshot


def test_errors_of_nothing_but_rounding_are_not_spelled_out(snapshot: SnapshotAssertion) -> None:
    exact = replace(pingpong(), held_out=HeldOut(1e-16, 2e-15, 1e-16, 0.5, 0.9))
    both = replace(lacking(), held_out=HeldOut(1e-16, 2e-15, 1e-16, 1e-17, 1e-16))
    assert [otherwise(model) for model in (exact, both)] == snapshot


def test_error_of_many_times_the_truth_is_a_factor(snapshot: SnapshotAssertion) -> None:
    found = [
        HeldOut(0.02, 1.5, 0.1, 5.0, 6.0),
        HeldOut(0.02, 1e9, 0.1, 5.0, 6.0),
        HeldOut(9.0, 12.0, 0.1, 5.0, 6.0),
        HeldOut(0.1, 0.2, 0.1, 5.0, 6.0),
    ]
    assert [otherwise(replace(pingpong(), held_out=one)) for one in found] == snapshot


def test_form_that_a_constant_beats_is_not_to_be_relied_on(snapshot: SnapshotAssertion) -> None:
    found = {
        "worse": HeldOut(0.3, 0.3, 0.3, 0.2, 0.4),
        "worse in a tenth": HeldOut(0.1, 0.5, 0.1, 0.2, 0.4),
        "better": HeldOut(0.1, 0.4, 0.1, 0.2, 0.4),
    }
    assert {
        how: otherwise(replace(pingpong(), held_out=one)) for how, one in found.items()
    } == snapshot


def test_constant_is_not_held_to_itself(snapshot: SnapshotAssertion) -> None:
    form = replace(barrier().form, startup=pingpong().form.startup)
    constant = replace(barrier(), form=form, held_out=HeldOut(0.3, 0.5, 0.3, 0.3, 0.5))
    assert otherwise(constant) == snapshot


def test_model_without_intervals_says_so_and_why(snapshot: SnapshotAssertion) -> None:
    assert otherwise(replace(pingpong(), blocks=1, scatter=None)) == snapshot


# -- algorithms and bandwidths ---------------------------------------------------------------------


def test_algorithm_at_all_sizes_has_no_range_and_without_resamples_no_share(
    snapshot: SnapshotAssertion,
) -> None:
    found = Algorithm(0, 1_048_576, "ring", None, "the others are worse", None)
    assert otherwise(replace(bcast(), algorithms=(found,))) == snapshot


def test_ranges_that_are_undecided_for_one_reason_are_told_together(
    snapshot: SnapshotAssertion,
) -> None:
    first, second = bcast().algorithms
    one, other = replace(first, name=None, confidence=None, why="it is so"), replace(second, why="")
    (text,) = otherwise(replace(bcast(), algorithms=(one, replace(other, why="it is so"))))
    assert text == snapshot


def test_distance_from_the_lower_bound_is_that_at_the_largest_sizes(
    snapshot: SnapshotAssertion,
) -> None:
    first, _ = bcast().algorithms
    assert otherwise(replace(bcast(), algorithms=(first,))) == snapshot


def test_less_than_the_lower_bound_is_no_miracle(snapshot: SnapshotAssertion) -> None:
    first, _ = bcast().algorithms
    cheap = replace(first, over_lower_bound=estimate(0.6))
    assert otherwise(replace(bcast(), algorithms=(cheap,))) == snapshot


def test_aggregate_bandwidth_is_said_at_the_most_ranks(snapshot: SnapshotAssertion) -> None:
    most = replace(bcast().aggregate[-1], half_bytes=estimate(0.0, blocks=0))
    unsure = replace(most, half_bytes=Estimate(0.0, 0.0, 1200.0, 0.95, 12))
    assert [otherwise(replace(bcast(), aggregate=(one,))) for one in (most, unsure)] == snapshot


def test_aggregate_without_an_interval_says_so_beside_others_that_have_one(
    snapshot: SnapshotAssertion,
) -> None:
    most = replace(bcast().aggregate[-1], bytes_per_s=estimate(1e9, blocks=0))
    assert otherwise(replace(bcast(), aggregate=(most,))) == snapshot
