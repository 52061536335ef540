"""The study of applications where libraries fail: what stays open, and what is said of it."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from harness.blocks import configuration
from syrupy.assertion import SnapshotAssertion
from tests.support.ran_programs import (
    COMPUTES,
    CORES,
    FASTEST,
    HUNG,
    PUTS,
    TOLD,
    WRONG,
    failed,
    found,
    program,
    ran,
    row,
    spending,
    spent,
    times,
)
from tests.support.study_results import BLOCKS, results

from leadline.compare.analysis import Analysis
from leadline.kernels.messages import parse_fault
from leadline.papers.applications.measured import WRONG_NORM, measured_programs
from leadline.papers.applications.stages import ALONE, CROWDED, LIMIT, PROGRAMS
from leadline.papers.applications.study import CLAIMS
from leadline.papers.applications.tables import tables
from leadline.papers.findings import Outcome, answered
from leadline.papers.results import Measurand, Results, results_of
from leadline.record.run import Failure

HOLDS, FAILS, OPEN = Outcome.HOLDS, Outcome.FAILS, Outcome.OPEN
EXACT = ran()


@pytest.mark.parametrize(("code", "message"), [("hang", HUNG), ("wrong_result", WRONG)])
@pytest.mark.parametrize("text", [FASTEST, TOLD])
def test_library_that_failed_might_be_the_fastest_or_the_worst_told(
    text: str, code: str, message: str
) -> None:
    measured = failed("openmpi", "mg:S", code, message)
    conclusion = found(text, measured).conclusion
    assert conclusion.answer is OPEN
    assert conclusion.needs == measured.why(Measurand(PROGRAMS, "openmpi", 2, "mg:S"))
    assert code in conclusion.needs
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
    measured = results_of({PROGRAMS: Analysis(beside)})
    conclusion = found(COMPUTES, measured).conclusion
    assert conclusion.answer is OPEN
    assert conclusion.needs == measured.why(Measurand(PROGRAMS, "mpich", 2, "mg:S"))
    assert "hang" in conclusion.needs


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
    text = f"{variant}, {label}: norm 5.4e-05, expected 5.0e-05 (relative error 0.08)"
    failure = Failure(at, cell, 3, "wrong_result", text)
    failed = replace(run, failures=(failure,))
    return replace(measured, runs={**measured.runs, PROGRAMS: failed})


def test_wrong_result_has_no_time_whatever_was_measured_before(snapshot: SnapshotAssertion) -> None:
    measured = wrong(EXACT, "openmpi", "mg:S")
    one = program(measured, "mg:S", "openmpi")
    assert (one.verified, one.seconds, one.mop_per_s) == (False, None, None)
    assert one.norm and one.norm.seen == 5.4e-5
    assert one.norm.relative_error == pytest.approx(0.08)
    time, _, beside, _ = row(tables(measured)[0], "mg:S", "2", "openmpi")
    assert time.estimate is None
    assert time.why == snapshot
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
    text = parse_fault("fault id=1 rank=1 quantity=norm real=1 expected=5.3e-05 seen=nan")
    assert WRONG_NORM.search(text.text) is None
    text = parse_fault("fault id=1 rank=1 quantity=norm real=1 expected=5.3e-05 seen=1.5e+300")
    found = WRONG_NORM.search(text.text)
    assert found and (float(found[1]), float(found[2])) == (1.5e300, 5.3e-05)


def test_ratio_of_few_blocks_is_left_out_and_missed_only_where_both_have_times(
    snapshot: SnapshotAssertion,
) -> None:
    """Of blocks that both have the ratio is 1/9, of all medians it is above 1."""
    mine = {place: [value] * BLOCKS for place, value in times().items()}
    mine[Measurand(PROGRAMS, "openmpi", 2, "mg:S")][:2] = [9e-3, 9e-3]
    mine[Measurand(PROGRAMS, "shmem", 2, "mg:S")] = [1e-3] * 2 + [math.nan] * (BLOCKS - 2)
    measured = results(mine, cores=CORES)
    apart = row(tables(measured)[0], "mg:S", "2", "shmem")[2]
    assert apart.estimate is None
    assert apart.why == snapshot
    assert row(tables(measured)[2], "S", "2", "shmem")[2].why == apart.why
    evidence = found(FASTEST, measured).conclusion.evidence
    assert not any("shmem" in one.text for one in evidence)
    assert not any("shmem" in one.text for one in found(PUTS, measured).conclusion.evidence[1:])
    hung = failed("shmem", "mg:S", "hang", HUNG.replace("openmpi", "shmem"))
    time, _, beside, _ = row(tables(hung)[0], "mg:S", "2", "shmem")
    assert time.why == snapshot
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
