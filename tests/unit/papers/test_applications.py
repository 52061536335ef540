"""The study of applications: put to programs that take what their calls take, and to others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.links import waiting
from tests.support.ran_programs import (
    CALLS_S,
    COMPUTED,
    COMPUTES,
    CORES,
    FASTEST,
    LIBRARIES,
    PUTS,
    TOLD,
    found,
    program,
    ran,
    row,
    spending,
    spent,
    times,
)
from tests.support.study_results import results

from leadline.papers.applications.measured import RanProgram, formless, predicted, share
from leadline.papers.applications.stages import (
    ALONE,
    COMPUTING,
    CROWDED,
    FULL_S,
    LIMIT,
    PARTS,
    PROGRAMS,
    ProgramChoice,
    program_calls,
    stages,
)
from leadline.papers.applications.tables import tables
from leadline.papers.findings import Outcome
from leadline.papers.results import UnmeasuredError

HOLDS, FAILS, OPEN = Outcome.HOLDS, Outcome.FAILS, Outcome.OPEN
EXACT = ran()
MG_S = ProgramChoice("mg", "S")


# -- calls -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "calls"),
    [
        (
            "mg:S",
            {
                ("cyclic", 9248): 3,
                ("cyclic", 2592): 3,
                ("cyclic", 800): 3,
                ("cyclic", 288): 3,
                ("allgather", 32): 1,
            },
        ),
        (
            "mg_puts:S",
            {
                ("put_flag", 9248): 6,
                ("put_flag", 2592): 6,
                ("put_flag", 800): 6,
                ("put_flag", 288): 6,
                ("allgather", 32): 1,
            },
        ),
        ("stap:small", {("alltoall", 262_144): 1, ("allgather", 544): 1}),
    ],
)
def test_calls_of_a_repetition_on_two_ranks(label: str, calls: dict[tuple[str, int], int]) -> None:
    made = program_calls(ProgramChoice.of(label), 2)
    assert {(one.pattern, one.size.bytes): one.count for one in made} == calls


def test_corner_turn_of_four_ranks_is_one_call_of_blocks_a_sixteenth_as_large() -> None:
    made = program_calls(ProgramChoice.of("stap:small"), 4)
    assert [(one.pattern, one.size.bytes, one.count) for one in made] == [
        ("allgather", 32 * (1 + 8), 1),
        ("alltoall", 65_536, 1),
    ]


@pytest.mark.parametrize("label", ["mg:S", "mg_puts:S", "stap:small"])
def test_one_rank_calls_nothing(label: str) -> None:
    assert program_calls(ProgramChoice.of(label), 1) == ()


def test_rates_count_what_npb_does_and_what_a_pipelines_loops_do() -> None:
    assert ProgramChoice("mg", "S").mop == pytest.approx(58 * 32**3 / 1e6)
    assert ProgramChoice("stap", "small").mop == pytest.approx(11.3, rel=0.01)


# -- predictions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("label", COMPUTED)
@pytest.mark.parametrize("variant", ["openmpi", "mpich"])
def test_program_that_takes_what_its_calls_take_is_predicted(label: str, variant: str) -> None:
    told = predicted(EXACT, ProgramChoice.of(label), variant, 2)
    expected = COMPUTED[label] + LIBRARIES[variant] * CALLS_S[label]
    assert told.value == pytest.approx(expected, rel=1e-3)
    assert told.bounds is not None
    assert formless(EXACT, ProgramChoice.of(label), variant, 2) == []


def test_calls_of_which_no_closed_form_is_fitted_take_what_lies_between_their_sizes() -> None:
    two_sizes = times(sizes=(64, 262_144))
    measured = results(two_sizes, cores=CORES)
    label = ProgramChoice("stap", "small")
    assert formless(measured, label, "openmpi", 2) == ["allgather", "alltoall"]
    told = predicted(measured, label, "openmpi", 2)
    assert told.value == pytest.approx(COMPUTED[label.label] + CALLS_S[label.label], rel=1e-3)


@pytest.mark.parametrize("lost", [COMPUTING, "openmpi"])
def test_nothing_is_predicted_without_computing_or_without_a_calls_pattern(lost: str) -> None:
    mine = {
        place: value
        for place, value in times().items()
        if place.variant != lost or (lost != COMPUTING and place.pattern != "allgather")
    }
    measured = results(mine, cores=CORES)
    with pytest.raises(UnmeasuredError, match=lost):
        predicted(measured, ProgramChoice("mg", "S"), "openmpi", 2)
    assert program(measured, "mg:S", "openmpi").predicted is None
    assert found(TOLD, measured).conclusion.answer is OPEN


# -- communication ---------------------------------------------------------------------------------


def test_share_of_a_block_is_the_mean_over_ranks_and_the_median_over_blocks() -> None:
    measured = spending(
        spent(0, (20, 100), (40, 100)),
        spent(1, (30, 300), (90, 300)),
        spent(2, (50, 100), (60, 100)),
    )
    shares = np.exp(share(measured, RanProgram(PROGRAMS, MG_S, "openmpi", 2)).logs)
    assert shares.tolist() == pytest.approx([0.3, 0.2, 0.55])
    told = program(measured, "mg:S", "openmpi").communication_share
    assert told and told.value == pytest.approx(0.3)


def test_share_of_a_block_is_that_of_the_attempt_whose_time_counts() -> None:
    busy, calm = spent(0, (900, 1000), (900, 1000)), spent(0, (200, 1000), (200, 1000))
    measured = spending(
        replace(busy, disturbance=waiting(0.5)), replace(calm, attempt=1, disturbance=waiting(0.0))
    )
    shares = np.exp(share(measured, RanProgram(PROGRAMS, MG_S, "openmpi", 2)).logs)
    assert shares.tolist() == pytest.approx([0.2])


def test_program_that_never_communicates_has_no_share(snapshot: SnapshotAssertion) -> None:
    measured = spending(spent(0, (0, 100), (0, 100)))
    with pytest.raises(UnmeasuredError) as lack:
        share(measured, RanProgram(PROGRAMS, MG_S, "openmpi", 2))
    assert str(lack.value) == snapshot
    assert program(measured, "mg:S", "openmpi").communication_share is None


# -- tables ----------------------------------------------------------------------------------------


def test_times_stand_beside_the_fastest_library_and_a_limit_may_be_below() -> None:
    first, *_ = tables(EXACT)
    fast, slow = (
        COMPUTED["mg:S"] + LIBRARIES[one] * CALLS_S["mg:S"] for one in ("openmpi", "mpich")
    )
    time, rate, beside, speed_up = (entry.estimate for entry in row(first, "mg:S", "2", "mpich"))
    assert time and time.value == pytest.approx(slow, rel=1e-4)
    assert rate and rate.value == pytest.approx(58 * 32**3 / slow, rel=1e-4)
    assert beside and beside.value == pytest.approx(slow / fast, rel=1e-4)
    assert speed_up and speed_up.value == pytest.approx(180e-6 / slow, rel=1e-4)
    limit = row(first, "mg:S", "2", LIMIT)[2].estimate
    assert limit and limit.value < 1
    assert COMPUTING not in {one.labels[2] for one in first.rows}


def test_libraries_come_by_their_times() -> None:
    first, *_ = tables(EXACT)
    mine = [one.labels[2] for one in first.rows if one.labels[:2] == ("mg:S", "2")]
    assert mine == [LIMIT, "openmpi", "shmem", "mpich"]


def test_puts_stand_beside_messages_of_the_same_library() -> None:
    third = tables(EXACT)[2]
    messages, puts, over = (entry.estimate for entry in row(third, "S", "2", "openmpi"))
    assert messages and puts and over
    ways = [100e-6 + CALLS_S[name] for name in ("mg_puts:S", "mg:S")]
    assert over.value == pytest.approx(ways[0] / ways[1], rel=1e-3)


def test_published_times_stand_beside_whole_solutions_of_a_class(
    snapshot: SnapshotAssertion,
) -> None:
    fourth = tables(EXACT)[3]
    assert row(fourth, "CRAY T3D", "", "16")[0].published
    (here,) = row(fourth, "here, openmpi", "S", "2")
    assert here.estimate
    assert here.estimate.value == pytest.approx(4 * (100e-6 + CALLS_S["mg_puts:S"]), rel=1e-4)
    assert fourth.notes[0] == snapshot


# -- answers ---------------------------------------------------------------------------------------


def test_fastest_library_is_told_with_what_the_others_take(snapshot: SnapshotAssertion) -> None:
    conclusion = found(FASTEST, EXACT).conclusion
    assert conclusion.answer is HOLDS
    assert [one.text for one in conclusion.evidence] == snapshot
    beside = (100e-6 + 2 * CALLS_S["mg:S"]) / (100e-6 + CALLS_S["mg:S"])
    assert conclusion.evidence[2].estimate.value == pytest.approx(beside, rel=1e-3)


def test_two_libraries_that_take_the_same_answer_no() -> None:
    assert found(FASTEST, ran({"openmpi": 1.0, "mpich": 1.0})).conclusion.answer is FAILS


def test_one_library_alone_needs_a_second(snapshot: SnapshotAssertion) -> None:
    conclusion = found(FASTEST, ran({"openmpi": 1.0, LIMIT: 0.5})).conclusion
    assert conclusion.answer is OPEN
    assert conclusion.needs == snapshot


def test_limits_alone_answer_nothing() -> None:
    for claim in (FASTEST, PUTS, COMPUTES, TOLD):
        assert found(claim, ran({LIMIT: 0.5})).conclusion.answer is OPEN


def test_puts_over_shmem_are_held_against_the_fastest_messages() -> None:
    conclusion = found(PUTS, EXACT).conclusion
    ours, theirs = 100e-6 + 1.5 * CALLS_S["mg_puts:S"], 100e-6 + CALLS_S["mg:S"]
    assert conclusion.evidence[0].estimate.value == pytest.approx(ours / theirs, rel=1e-3)
    assert conclusion.answer is FAILS
    for name, one in zip(("openmpi", "shmem", "mpich"), conclusion.evidence[1:], strict=True):
        assert name in one.text.split()
    fast = ran({"openmpi": 1.0, "shmem": 0.1})
    assert found(PUTS, fast).conclusion.answer is HOLDS


def test_without_shmem_its_puts_cant_be_told_and_it_is_said_how_to_have_it() -> None:
    lack = {"shmem": "OpenSHMEM: no oshcc; apt-get install libopenmpi-dev"}
    measured = results(times({"openmpi": 1.0, "mpich": 2.0}), lack, CORES)
    conclusion = found(PUTS, measured).conclusion
    assert conclusion.answer is OPEN and conclusion.needs and "apt-get" in conclusion.needs


def test_model_that_is_off_by_more_than_a_quarter_over_one_library_didnt_tell() -> None:
    assert found(TOLD, EXACT).conclusion.answer is HOLDS
    off = ran(slower={("mpich", "mg:S"): 1.5})
    conclusion = found(TOLD, off).conclusion
    assert conclusion.answer is FAILS
    assert conclusion.evidence[-1].estimate.value == pytest.approx(1 / 1.5, rel=1e-3)


# -- stages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize(("cores", "most"), [(1, 2), (2, 2), (6, 4), (64, 64), (200, 64)])
def test_programs_run_on_powers_of_two_with_a_core_each(cores: int, most: int, quick: bool) -> None:
    found = {stage.name: stage for stage in stages(FULL_S, quick, cores)}
    ranks = found[PROGRAMS].request.ranks
    assert ranks[-1] == most and (len(ranks) == 1) == (quick or most == 2)
    assert found[ALONE].request.ranks == (1,) and found[ALONE].takes(["mpich", LIMIT]) == [LIMIT]
    assert (CROWDED in found) == (most < 64)
    assert sum(stage.request.budget_s for stage in found.values()) <= FULL_S * (1 + 1e-9)


def test_programs_run_beside_their_parts_and_beside_no_library() -> None:
    (programs, *_) = stages(FULL_S, True, 2)
    request = programs.over(["mpich", LIMIT])
    assert request.backends == ("mpich", LIMIT, COMPUTING)
    assert set(PARTS) < set(request.patterns)
