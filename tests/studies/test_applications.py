"""The study of applications: put to programs that take what their calls take, and to others."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.support.blocks import cell, configuration
from tests.support.links import waiting
from tests.support.ran_programs import (
    CALLS_S,
    COMPUTED,
    CORES,
    HUNG,
    LIBRARIES,
    WRONG,
    failed,
    ran,
    times,
)
from tests.support.study_results import BLOCKS, results
from tests.support.synthetic import one_slice

from leadline.compare.analysis import Analysis
from leadline.kernels.messages import parse_fault
from leadline.record.batches import batches_of, conditions_of, strips_of
from leadline.record.run import Failure, Run
from leadline.record.slices import CommunicationTimes, Slice
from leadline.studies.applications.calls import ProgramChoice, program_calls
from leadline.studies.applications.claims import CLAIMS
from leadline.studies.applications.measured import WRONG_NORM, RanProgram, measured_programs, share
from leadline.studies.applications.predicted import formless, predicted
from leadline.studies.applications.stages import (
    ALONE,
    COMPUTING,
    CROWDED,
    FULL_S,
    LIMIT,
    PARTS,
    PROGRAMS,
    stages,
)
from leadline.studies.applications.tables import tables
from leadline.studies.findings import Finding, Outcome, answered
from leadline.studies.programs import MeasuredProgram
from leadline.studies.results import Measurand, Results, UnmeasuredError, results_of
from leadline.studies.tables import StudyTable, TableEntry

HOLDS, FAILS, OPEN = Outcome.HOLDS, Outcome.FAILS, Outcome.OPEN
CLAIMED = {claim.text: claim for claim in CLAIMS}
FASTEST = "One library is the fastest for NAS MG by messages"
PUTS = "Puts are faster than any library's messages, over OpenSHMEM"
COMPUTES = "NAS MG by messages computes for most of its time over its fastest library"
TOLD = "A model tells the time of NAS MG by messages within a factor of 1.25, over every library"
EXACT = ran()
MG_S = ProgramChoice("mg", "S")


def found(text: str, measured: Results) -> Finding:
    (finding,) = answered([CLAIMED[text]], measured)
    return finding


def row(table: StudyTable, *labels: str) -> tuple[TableEntry, ...]:
    (entries,) = [one.entries for one in table.rows if one.labels == labels]
    return entries


def program(measured: Results, label: str, variant: str, ranks: int = 2) -> MeasuredProgram:
    (one,) = [
        one
        for one in measured_programs(measured)
        if (f"{one.name}:{one.problem}", one.variant, one.ranks) == (label, variant, ranks)
    ]
    return one


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
        ("stap:small", {("total_exchange", 262_144): 1, ("allgather", 544): 1}),
    ],
)
def test_calls_of_a_repetition_on_two_ranks(label: str, calls: dict[tuple[str, int], int]) -> None:
    made = program_calls(ProgramChoice.of(label), 2)
    assert {(one.pattern, one.size.bytes): one.count for one in made} == calls


def test_corner_turn_of_four_ranks_is_one_call_of_blocks_a_sixteenth_as_large() -> None:
    made = program_calls(ProgramChoice.of("stap:small"), 4)
    assert [(one.pattern, one.size.bytes, one.count) for one in made] == [
        ("allgather", 32 * (1 + 8), 1),
        ("total_exchange", 65_536, 1),
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
    assert formless(measured, label, "openmpi", 2) == ["allgather", "total_exchange"]
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


def spent(block: int, *of_ranks: tuple[int, int]) -> Slice:
    """A slice of two ranks; of each communication and repetitions, ns."""
    return replace(
        one_slice((0, 0, block, 0), [[50, 50], [50, 50]]),
        repetitions=1,
        communication=CommunicationTimes(*np.array(of_ranks).T),
    )


def spending(*slices: Slice) -> Results:
    """mg:S over openmpi."""
    run = Run(
        "runs/programs",
        True,
        {},
        (configuration("openmpi", algorithms={"mg": "native"}),),
        (cell(0, "mg:S"),),
        batches_of(slices),
        strips=strips_of(slices),
        conditions=conditions_of(slices),
    )
    return results_of({PROGRAMS: Analysis(run)})


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


def test_program_that_never_communicates_has_no_share() -> None:
    measured = spending(spent(0, (0, 100), (0, 100)))
    with pytest.raises(UnmeasuredError, match="nothing was communicated"):
        share(measured, RanProgram(PROGRAMS, MG_S, "openmpi", 2))
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


def test_published_times_stand_beside_whole_solutions_of_a_class() -> None:
    fourth = tables(EXACT)[3]
    assert row(fourth, "CRAY T3D", "", "16")[0].published
    (here,) = row(fourth, "here, openmpi", "S", "2")
    assert here.estimate
    assert here.estimate.value == pytest.approx(4 * (100e-6 + CALLS_S["mg_puts:S"]), rel=1e-4)
    assert "neither the class" in fourth.notes[0] and "0.58 times" in fourth.notes[0]


# -- answers ---------------------------------------------------------------------------------------


def test_fastest_library_is_told_with_what_the_others_take() -> None:
    conclusion = found(FASTEST, EXACT).conclusion
    assert conclusion.answer is HOLDS
    assert [one.text for one in conclusion.evidence] == [
        "mg:S on 2 ranks takes {} over openmpi",
        "over shmem {} times that",
        "over mpich {} times that",
    ]
    beside = (100e-6 + 2 * CALLS_S["mg:S"]) / (100e-6 + CALLS_S["mg:S"])
    assert conclusion.evidence[2].estimate.value == pytest.approx(beside, rel=1e-3)


def test_two_libraries_that_take_the_same_answer_no() -> None:
    assert found(FASTEST, ran({"openmpi": 1.0, "mpich": 1.0})).conclusion.answer is FAILS


def test_one_library_alone_needs_a_second() -> None:
    conclusion = found(FASTEST, ran({"openmpi": 1.0, LIMIT: 0.5})).conclusion
    assert (conclusion.answer, conclusion.needs) == (OPEN, "a second library")


def test_limits_alone_answer_nothing() -> None:
    for claim in (FASTEST, PUTS, COMPUTES, TOLD):
        assert found(claim, ran({LIMIT: 0.5})).conclusion.answer is OPEN


def test_puts_over_shmem_are_held_against_the_fastest_messages() -> None:
    conclusion = found(PUTS, EXACT).conclusion
    ours, theirs = 100e-6 + 1.5 * CALLS_S["mg_puts:S"], 100e-6 + CALLS_S["mg:S"]
    assert conclusion.evidence[0].estimate.value == pytest.approx(ours / theirs, rel=1e-3)
    assert conclusion.answer is FAILS
    assert [one.text.split()[1] for one in conclusion.evidence[1:]] == ["openmpi", "shmem", "mpich"]
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


# -- what may go wrong -----------------------------------------------------------------------------


@pytest.mark.parametrize(("code", "message"), [("hang", HUNG), ("wrong_result", WRONG)])
@pytest.mark.parametrize("text", [FASTEST, TOLD])
def test_library_that_failed_might_be_the_fastest_or_the_worst_told(
    text: str, code: str, message: str
) -> None:
    conclusion = found(text, failed("openmpi", "mg:S", code, message)).conclusion
    assert conclusion.answer is OPEN
    assert conclusion.needs and conclusion.needs.startswith(f"openmpi, mg:S, 2 PEs: {code}: ")
    assert conclusion.evidence


def test_program_of_which_the_fastest_library_may_have_failed_may_communicate_more() -> None:
    calm = spending(*(spent(block, (20, 100), (30, 100)) for block in range(8)))
    assert found(COMPUTES, calm).conclusion.answer is HOLDS
    run = calm.runs[PROGRAMS]
    second = configuration("mpich", algorithms={"mg": "native"})
    beside = replace(
        run,
        configurations=(*run.configurations, second),
        failures=(Failure(1, 0, 3, "hang", HUNG),),
    )
    conclusion = found(COMPUTES, results_of({PROGRAMS: Analysis(beside)})).conclusion
    assert conclusion.answer is OPEN
    assert conclusion.needs and conclusion.needs.startswith("mpich, mg:S, 2 PEs: hang: ")


def test_puts_faster_than_messages_of_all_but_one_that_failed_cant_be_told() -> None:
    messages = failed("mpich", "mg:S", "hang", HUNG)
    assert found(PUTS, messages).conclusion.answer is FAILS
    quick = {("shmem", "mg_puts:S"): 0.1}
    assert found(PUTS, ran(slower=quick)).conclusion.answer is HOLDS
    lost = found(PUTS, failed("mpich", "mg:S", "hang", HUNG, quick)).conclusion
    assert lost.answer is OPEN and lost.needs and "hang" in lost.needs


def test_model_that_is_off_over_one_library_didnt_tell_whatever_another_failed_at() -> None:
    off = failed("openmpi", "mg:S", "hang", HUNG, {("mpich", "mg:S"): 1.5})
    assert found(TOLD, off).conclusion.answer is FAILS


def wrong(measured: Results, variant: str, label: str) -> Results:
    """The same where a check of the program's results failed in a later block."""
    run = measured.runs[PROGRAMS]
    at = [(one.variant, one.ranks) for one in run.configurations].index((variant, 2))
    cell = [one.pattern for one in run.cells].index(label)
    said = f"{variant}, {label}: norm 5.4e-05, expected 5.0e-05 (relative error 0.08)"
    failure = Failure(at, cell, 3, "wrong_result", said)
    failed = replace(run, failures=(failure,))
    return replace(measured, runs={**measured.runs, PROGRAMS: failed})


def test_wrong_result_has_no_time_whatever_was_measured_before() -> None:
    measured = wrong(EXACT, "openmpi", "mg:S")
    one = program(measured, "mg:S", "openmpi")
    assert (one.verified, one.seconds, one.mop_per_s) == (False, None, None)
    assert one.norm and one.norm.seen == 5.4e-5
    assert one.norm.relative_error == pytest.approx(0.08)
    time, _, beside, _ = row(tables(measured)[0], "mg:S", "2", "openmpi")
    assert time.estimate is None and time.why == (
        "openmpi, mg:S, 2 PEs: wrong_result: norm 5.4e-05, expected 5.0e-05 (relative error 0.08)"
    )
    assert (beside.estimate, beside.why) == (None, None)
    assert program(measured, "mg_puts:S", "openmpi").verified


@pytest.mark.parametrize("code", ["hang", "crash"])
def test_program_that_never_came_to_its_end_has_a_row_that_isnt_verified(code: str) -> None:
    one = program(failed("openmpi", "mg:S", code, HUNG), "mg:S", "openmpi")
    assert (one.verified, one.seconds, one.mop_per_s, one.norm) == (False, None, None, None)
    assert one.predicted


def test_program_that_was_left_out_has_no_row() -> None:
    lost = failed("openmpi", "mg:S", "hang", HUNG)
    run = replace(lost.runs[PROGRAMS], failures=())
    left = measured_programs(results_of({PROGRAMS: Analysis(run)}))
    assert ("openmpi", "mg") not in {(one.variant, one.name) for one in left}


def test_launch_that_failed_is_a_failure_of_its_programs() -> None:
    lost = failed("openmpi", "mg:S", "hang", HUNG)
    run = lost.runs[PROGRAMS]
    down = (replace(run.failures[0], cell=None, code="launch", message="no ranks after 60 s"),)
    measured = results_of({PROGRAMS: Analysis(replace(run, failures=down))})
    assert not program(measured, "mg:S", "openmpi").verified
    assert program(measured, "stap:small", "openmpi").verified


def test_norm_of_a_wrong_solution_is_read_as_kernels_report_it() -> None:
    said = parse_fault("fault id=1 rank=1 quantity=norm real=1 expected=5.3e-05 seen=nan")
    assert WRONG_NORM.search(said.text) is None
    said = parse_fault("fault id=1 rank=1 quantity=norm real=1 expected=5.3e-05 seen=1.5e+300")
    found = WRONG_NORM.search(said.text)
    assert found and (float(found[1]), float(found[2])) == (1.5e300, 5.3e-05)


def test_ratio_of_few_blocks_is_left_out_and_missed_only_where_both_have_times() -> None:
    """Of blocks that both have the ratio is 1/9, of all medians it is above 1."""
    mine = {place: [value] * BLOCKS for place, value in times().items()}
    mine[Measurand(PROGRAMS, "openmpi", 2, "mg:S")][:2] = [9e-3, 9e-3]
    mine[Measurand(PROGRAMS, "shmem", 2, "mg:S")] = [1e-3] * 2 + [math.nan] * (BLOCKS - 2)
    measured = results(mine, cores=CORES)
    apart = row(tables(measured)[0], "mg:S", "2", "shmem")[2]
    assert apart.estimate is None
    assert apart.why and "fewer than six blocks have both times" in apart.why
    assert row(tables(measured)[2], "S", "2", "shmem")[2].why == apart.why
    evidence = found(FASTEST, measured).conclusion.evidence
    assert not any("shmem" in one.text for one in evidence)
    assert not any("shmem" in one.text for one in found(PUTS, measured).conclusion.evidence[1:])
    hung = failed("shmem", "mg:S", "hang", HUNG.replace("openmpi", "shmem"))
    time, _, beside, _ = row(tables(hung)[0], "mg:S", "2", "shmem")
    assert time.why and "rank 1 is stuck" in time.why
    assert (beside.estimate, beside.why) == (None, None)


def test_program_that_failed_over_its_only_library_isnt_said_to_lack_cores() -> None:
    only = {
        place: value
        for place, value in times({"openmpi": 1.0}).items()
        if (place.variant, place.pattern) != ("openmpi", "mg:S")
    }
    whole = results(only | {Measurand(ALONE, LIMIT, 1, "mg:S"): 1e-3}, cores=CORES)
    run = whole.runs[PROGRAMS]
    at = [one.variant for one in run.configurations].index("openmpi")
    cell = [one.pattern for one in run.cells].index("mg:S")
    lame = replace(run, failures=(Failure(at, cell, 0, "wrong_result", WRONG),))
    measured = results_of({**whole.analyses, PROGRAMS: Analysis(lame)})
    for text in (FASTEST, COMPUTES, TOLD):
        conclusion = found(text, measured).conclusion
        assert conclusion.answer is OPEN
        assert conclusion.needs and "expected 5.3e-05" in conclusion.needs


def test_ranks_that_share_cores_are_shown_and_in_no_answer() -> None:
    mine = {
        Measurand(CROWDED, variant, 4, "mg:S"): seconds
        for variant, seconds in (("openmpi", 1e-3), ("mpich", 2e-3))
    }
    measured = results(mine, cores=CORES)
    entry = row(tables(measured)[0], "mg:S", "4", "mpich")
    assert entry[0].crowded and entry[2].estimate is None
    one = program(measured, "mg:S", "mpich", 4)
    assert one.crowded and one.verified and one.predicted is None
    assert {finding.conclusion.answer for finding in answered(CLAIMS, measured)} == {OPEN}


def test_nothing_measured_leaves_tables_and_answers_that_say_so() -> None:
    measured = results({Measurand(ALONE, LIMIT, 1, "mg:S"): 1e-3}, cores=CORES)
    assert [len(table.rows) for table in tables(measured)] == [1, 0, 0, 2]
    assert {finding.conclusion.answer for finding in answered(CLAIMS, measured)} == {OPEN}


# -- stages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize(("cores", "most"), [(1, 2), (2, 2), (6, 4), (64, 64), (200, 64)])
def test_programs_run_on_powers_of_two_with_a_core_each(cores: int, most: int, quick: bool) -> None:
    found = {stage.name: stage for stage in stages(FULL_S, quick, cores)}
    ranks = found[PROGRAMS].order.ranks
    assert ranks[-1] == most and (len(ranks) == 1) == (quick or most == 2)
    assert found[ALONE].order.ranks == (1,) and found[ALONE].takes(["mpich", LIMIT]) == [LIMIT]
    assert (CROWDED in found) == (most < 64)
    assert sum(stage.order.budget_s for stage in found.values()) <= FULL_S * (1 + 1e-9)


def test_programs_run_beside_their_parts_and_beside_no_library() -> None:
    (programs, *_) = stages(FULL_S, True, 2)
    order = programs.over(["mpich", LIMIT])
    assert order.backends == ("mpich", LIMIT, COMPUTING)
    assert set(PARTS) < set(order.patterns)
