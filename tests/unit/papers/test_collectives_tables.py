"""What the study of collectives prints and concludes, beside the models and truths behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.collectives_study import FAST, SLOW, Truth, measured, times
from tests.support.study_results import noisy, results

from leadline.models.model import Model
from leadline.papers.collectives.forms import byte_s, startup, startup_grows
from leadline.papers.collectives.stages import (
    BARRIER,
    CALLS,
    COLLECTIVES,
    LONG_BYTES,
    SHORT_BYTES,
    TOTAL_EXCHANGE,
    place,
    stages,
    widest,
)
from leadline.papers.collectives.study import CLAIMS, STUDY, models
from leadline.papers.collectives.tables import figures, tables
from leadline.papers.findings import Conclusion, Outcome, answered
from leadline.papers.results import Measurand, Results, cores_for
from leadline.statistics.estimate import Estimate

BEST, HARDWIRED, STARTUPS, CHANGE, _, _, RATE = CLAIMS
LED = {FAST: Truth(10e-6, 20e6), SLOW: Truth(50e-6, 12.98e6)}
MEASURED = measured(LED)


def concluded(claim: object, on: Results) -> Conclusion:
    (finding,) = answered([one for one in CLAIMS if one is claim], on)
    return finding.conclusion


def model(on: Results, variant: str, pattern: str) -> Model:
    (one,) = [one for one in models(on) if (one.variant, one.pattern) == (variant, pattern)]
    return one


def exchanges(pes: Sequence[int]) -> dict[Measurand, float]:
    """Of one library, total exchanges alone."""
    planted = times({FAST: LED[FAST]}, pes)
    return {one: time for one, time in planted.items() if one.pattern == TOTAL_EXCHANGE.pattern}


# -- closed forms ----------------------------------------------------------------------------------

SWITCH_BYTES = 2048


def switching() -> Model:
    """1 us and 1 ns a byte, then 20 us and 0.1 ns a byte, as where a protocol changes."""
    planted = {
        where: (1e-6 + 1e-9 * size if size <= SWITCH_BYTES else 20e-6 + 1e-10 * size)
        for where in exchanges((2,))
        for size in [where.size_bytes]
    }
    return model(results(noisy(planted), cores=2), FAST, TOTAL_EXCHANGE.pattern)


def test_start_up_is_of_short_messages_and_a_byte_of_long_ones() -> None:
    two_pieces = switching()
    assert two_pieces.form.pieces == 2
    assert startup(two_pieces, 2).value == pytest.approx(1e-6, rel=0.03)
    assert byte_s(two_pieces, 2).value == pytest.approx(1e-10, rel=0.1)


def test_of_one_number_of_pes_their_intervals_are_the_coefficients() -> None:
    two_pieces = switching()
    ((_, (first, last)),) = two_pieces.pieces
    for found, coefficient in (
        (startup(two_pieces, 2), first.coefficients[0]),
        (byte_s(two_pieces, 2), last.coefficients[1]),
    ):
        assert found.bounds == pytest.approx(coefficient.value.bounds)


def test_growth_that_may_be_none_is_undecided() -> None:
    barrier = model(MEASURED, FAST, BARRIER.pattern)
    assert startup_grows(barrier)
    ((ranks, (piece,)),) = barrier.pieces
    constant, growing = piece.coefficients
    unsure = replace(growing, value=Estimate(1e-6, -1e-6, 3e-6, 0.95, 8))
    pieces = ((ranks, (replace(piece, coefficients=(constant, unsure)),)),)
    assert startup_grows(replace(barrier, pieces=pieces)) is None


def test_growth_of_two_numbers_of_pes_is_not_asked() -> None:
    conclusion = concluded(STARTUPS, results(noisy(exchanges((2, 3)))))
    assert conclusion.needs == cores_for(4)


def test_forms_are_printed_with_what_they_were_off_by() -> None:
    forms = tables(MEASURED)[2]
    assert [one.unit.symbol for one in forms.columns] == ["us", "ns", "%"]
    for row in forms.rows:
        call = next(one for one in CALLS if one.name == row.labels[1])
        held_out = model(MEASURED, row.labels[0], call.pattern).held_out
        _, byte, off = (entry.estimate for entry in row.entries)
        assert (byte is None) == (call == BARRIER)
        assert off and held_out and off.value == held_out.median_error


# -- other tables ----------------------------------------------------------------------------------


def test_operations_are_printed_short_then_long() -> None:
    for row in tables(MEASURED)[1].rows[:-2]:
        call = next(one for one in CALLS if one.name == row.labels[2])
        for entry, size in zip(row.entries, (SHORT_BYTES, LONG_BYTES), strict=True):
            truth = LED[row.labels[1]].seconds(call.pattern, int(row.labels[3]), size)
            assert entry.estimate and entry.estimate.value == pytest.approx(truth, rel=0.02)


def test_aggregated_bandwidth_is_in_the_papers_unit() -> None:
    assert [one.unit.symbol for one in tables(MEASURED)[3].columns] == ["GB/s", "B"]
    assert [one.unit.symbol for one in figures(MEASURED)] == ["GB/s", "us"]


def test_program_on_more_pes_than_measured_goes_beyond(snapshot: SnapshotAssertion) -> None:
    few = results(noisy(exchanges((2, 3, 4))))
    messages = {int(row.labels[1]): row.labels[2] for row in tables(few)[4].rows}
    assert messages == snapshot


def test_operation_without_size_has_one_place() -> None:
    assert place(FAST, BARRIER, 2, LONG_BYTES) == Measurand(COLLECTIVES, FAST, 2, "barrier", 0)


def test_widest_has_a_core_for_each_pe() -> None:
    assert widest(measured(LED, cores=8)) == 8


def test_pes_that_share_cores_are_asked_for_what_needs_all_at_once() -> None:
    crowded = stages(100, True, 2)[1].request
    assert crowded.patterns == ("barrier", "alltoall")
    assert crowded.sizes == (SHORT_BYTES,)


def test_quick_study_takes_two_minutes_at_most() -> None:
    assert STUDY.quick_s <= 120


# -- findings --------------------------------------------------------------------------------------


def test_barrier_beside_the_t3ds_is_the_fastest(snapshot: SnapshotAssertion) -> None:
    shown = concluded(HARDWIRED, MEASURED).evidence
    assert shown[0].text == snapshot
    assert shown[0].estimate.value == pytest.approx(60 / 3, rel=0.02)


def test_leader_of_almost_all_may_lose_some(snapshot: SnapshotAssertion) -> None:
    planted = times(LED)
    for where in planted:
        if (where.variant, where.pattern) == (SLOW, "reduce"):
            planted[where] /= 10
    conclusion = concluded(BEST, results(planted, cores=64))
    assert conclusion.answer is Outcome.HOLDS
    assert conclusion.evidence[0].text == snapshot
    assert conclusion.evidence[0].estimate.value == pytest.approx(41 / 49)


def test_lead_is_decided_whoever_has_it() -> None:
    other = measured({FAST: LED[SLOW], SLOW: LED[FAST]})
    assert [concluded(CHANGE, one).answer for one in (MEASURED, other)] == [Outcome.FAILS] * 2


def test_change_of_lead_is_shown_by_both_ratios(snapshot: SnapshotAssertion) -> None:
    crossing = measured({FAST: Truth(0.1e-6, 1e9), SLOW: Truth(1e-6, 50e9)})
    short, long = concluded(CHANGE, crossing).evidence
    assert short.text == snapshot
    assert short.estimate.value > 1 > long.estimate.value


def test_bandwidth_beside_the_t3ds_is_the_highest(snapshot: SnapshotAssertion) -> None:
    shown = concluded(RATE, MEASURED).evidence[0]
    assert shown.text == snapshot
    assert shown.estimate.value == pytest.approx(64 * 20e6 / 1.745e9, rel=0.03)


def test_change_of_leads_shows_the_operation_of_which_nobody_knows(
    snapshot: SnapshotAssertion,
) -> None:
    """Not another one, whose intervals are sure."""
    planted = times(LED)
    for one in planted:
        if (one.variant, one.pattern, one.size_bytes) == (SLOW, "scatter", LONG_BYTES):
            planted[one] = planted[replace(one, variant=FAST)]
    conclusion = concluded(CHANGE, results(noisy(planted), cores=64))
    assert conclusion.answer is Outcome.OPEN
    short, long = conclusion.evidence
    assert long.text == snapshot
    assert short.estimate.bounds is not None and long.estimate.bounds is not None
    assert short.estimate.bounds[0] > 1
    assert long.estimate.bounds[0] <= 1 <= long.estimate.bounds[1]
