"""The study of SHMEM and PVM: put to the Crays' own figures, and to made-up ones."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.study_results import j90, j90_times, results, today, transfers

from leadline.papers.cray_mpt import printed as cray_mpt
from leadline.papers.cray_mpt.stages import (
    BARRIER,
    CROWDED,
    FETCH_AND_INCREMENT,
    LATENCY,
    LIBRARY_MAXIMUM,
    LIBRARY_SUM,
    LOADED,
    LOG2_SUM,
    MASTER_SUM,
    PACKED,
    PINGPONG,
    PUT_FLAG,
    PVM_IN_PLACE,
    QUEUEING,
    TASKS,
    VECTORS,
    WORD_BYTES,
    stages,
)
from leadline.papers.cray_mpt.study import CLAIMS
from leadline.papers.cray_mpt.tables import tables
from leadline.papers.findings import Finding, Outcome, answered
from leadline.papers.layout import TableEntry
from leadline.papers.results import Measurand, Results, cores_for
from leadline.record.run import Cadence

HOLDS, FAILS, OPEN = Outcome.HOLDS, Outcome.FAILS, Outcome.OPEN
CLAIMED = {claim.text: claim for claim in CLAIMS}


def found(text: str, measured: Results) -> Finding:
    (finding,) = answered([CLAIMED[text]], measured)
    return finding


def first(finding: Finding) -> float:
    return finding.conclusion.evidence[0].estimate.value


@pytest.mark.parametrize(
    ("text", "on_j90", "on_today", "answer_today"),
    [
        ("SHMEM has a lower latency than PVM", 450 / 15, 20, HOLDS),
        ("SHMEM has a higher bandwidth than PVM", 70 / 34, 50, HOLDS),
        ("Shared memory has more bandwidth than the T3D's network", 700 / 130, 10e3 / 130, HOLDS),
        ("Shared memory has a higher latency than the T3D's network", 7.5, 0.25, FAILS),
        ("Its bandwidth takes longer packets to reach than the T3D's", 105 / 2.6, 50 / 2.6, HOLDS),
        ("Small packets are faster on the T3D, by SHMEM", 15.0114 / 2.06154, 0.2430, FAILS),
        ("Small packets are faster on the T3D, by PVM", 450.0235 / 230.308, 0.04359, FAILS),
        ("A couple of barriers inside the test raise its latency", 15.2 / 15, 0.4, HOLDS),
        ("A barrier takes longer with more PEs", 46.6 / 7.6, 4.01, HOLDS),
        ("The T3D's hardware barrier beats a software barrier", 46.6 / 0.74, 0.5419, FAILS),
    ],
)
def test_j90_answers_as_the_paper_does_and_another_machine_for_itself(
    text: str, on_j90: float, on_today: float, answer_today: Outcome
) -> None:
    finding = found(text, j90())
    assert first(finding) == pytest.approx(on_j90, rel=2e-3)
    assert finding.conclusion.answer is HOLDS
    finding = found(text, today())
    assert first(finding) == pytest.approx(on_today, rel=2e-3)
    assert finding.conclusion.answer is answer_today


def test_growth_of_barriers_is_told_from_the_line_that_fits() -> None:
    text = "A software barrier's time grows about as the PEs, not as their logarithm"
    finding = found(text, j90())
    assert first(finding) == pytest.approx(12.82 / 73.5, rel=0.01)
    assert finding.conclusion.answer is HOLDS
    assert found(text, today()).conclusion.answer is FAILS


def test_findings_about_pes_need_a_core_for_each() -> None:
    crowded = results(j90_times(), cores=2)
    for text, needed in (
        ("A barrier takes longer with more PEs", 4),
        ("A software barrier's time grows about as the PEs, not as their logarithm", 8),
    ):
        conclusion = found(text, crowded).conclusion
        assert conclusion.answer is OPEN
        assert conclusion.needs == cores_for(needed)


def test_crowded_pes_are_held_against_those_with_a_core_each(snapshot: SnapshotAssertion) -> None:
    text = "More PEs than CPUs don't run in parallel: their barrier grows beyond their number"
    crowded = {
        Measurand(CROWDED, "shmem", pes, BARRIER): time for pes, time in ((8, 27e-6), (16, 1e-3))
    }
    finding = found(text, results(j90_times() | crowded, cores=4))
    assert first(finding) == pytest.approx(27.0 / 10.6, rel=2e-3)  # 8 PEs against 4
    assert finding.conclusion.answer is HOLDS
    assert found(text, j90()).conclusion.needs == snapshot


@pytest.mark.parametrize(("queueing_s", "answer"), [(11e-6, HOLDS), (9e-6, FAILS), (None, OPEN)])
def test_order_of_magnitude_is_ten(queueing_s: float | None, answer: Outcome) -> None:
    times = {Measurand(TASKS, "shm", 2, FETCH_AND_INCREMENT): 1e-6}
    if queueing_s is not None:
        times[Measurand(TASKS, "shm", 2, QUEUEING)] = queueing_s
    text = "Fetch-and-increment beats a queueing barrier by an order of magnitude"
    finding = found(text, results(times))
    assert finding.conclusion.answer is answer
    if queueing_s is not None:
        assert first(finding) == pytest.approx(queueing_s / 1e-6)


@pytest.mark.parametrize(("queueing_s", "answer"), [(20e-6, HOLDS), (60e-6, FAILS)])
def test_barriers_under_load_are_compared_there_and_shown_in_a_crowd(
    queueing_s: float, answer: Outcome
) -> None:
    places = ((LOADED, 2, 40e-6), (CROWDED, 8, 10e-6), (CROWDED, 16, 30e-6))
    times = {
        Measurand(stage, "shm", pes, pattern): time
        for stage, pes, counter_s in places
        for pattern, time in ((FETCH_AND_INCREMENT, counter_s), (QUEUEING, queueing_s))
    }
    text = "A queueing barrier works best on a heavily loaded system"
    conclusion = found(text, results(times)).conclusion
    loaded, crowded = (evidence.estimate.value for evidence in conclusion.evidence)
    assert (loaded, crowded) == pytest.approx((40e-6 / queueing_s, 30e-6 / queueing_s))
    assert conclusion.answer is answer


def reductions_of_two(word_s: float, log2_s: float, own_s: float) -> Results:
    return results(
        {
            Measurand(TASKS, "shmem", 2, MASTER_SUM): word_s,
            Measurand(VECTORS, "shmem", 2, LOG2_SUM, cray_mpt.VECTOR_BYTES): log2_s,
            Measurand(VECTORS, "shmem", 2, LIBRARY_SUM, cray_mpt.VECTOR_BYTES): own_s,
        }
    )


@pytest.mark.parametrize(
    ("text", "holding", "failing", "figure"),
    [
        # the T3D with two PEs: a word in 27 us, a vector in 43.53 ms
        (
            "Reductions of one word lag not far behind the T3D's, within a factor of 3",
            (54e-6, 1e-3, 1e-3),
            (108e-6, 1e-3, 1e-3),
            54 / 27,
        ),
        (
            "Reductions of long vectors suit shared memory better than those of a word",
            (54e-6, 43.53e-3, 1e-3),
            (13.5e-6, 43.53e-3, 1e-3),
            0.5,
        ),
        (
            "The library's reduction is faster than a log2 one",
            (1e-6, 3e-3, 2e-3),
            (1e-6, 2e-3, 3e-3),
            1.5,
        ),
    ],
)
def test_reductions_are_held_against_the_t3ds_and_the_librarys(
    text: str,
    holding: tuple[float, float, float],
    failing: tuple[float, float, float],
    figure: float,
) -> None:
    finding = found(text, reductions_of_two(*holding))
    assert first(finding) == pytest.approx(figure, rel=1e-3)
    assert finding.conclusion.answer is HOLDS
    assert found(text, reductions_of_two(*failing)).conclusion.answer is FAILS


def with_packed(share: float) -> Results:
    """The J90, whose PVM has without packing `share` of SHMEM's bandwidth, in place half of it."""
    curve, place = (transfers("PVM", 50e-6, f * 700e6) for f in (share, 0.5))
    packed = {dataclasses.replace(p, pattern=PACKED): t for p, t in curve.items()}
    in_place = {dataclasses.replace(p, variant=PVM_IN_PLACE): t for p, t in place.items()}
    return results(j90_times() | packed | in_place)


@pytest.mark.parametrize(
    ("share", "answer"), [(0.9, HOLDS), (1.1, HOLDS), (0.7, FAILS), (1.5, FAILS)]
)
def test_similar_bandwidths_are_within_a_quarter_of_each_other(
    share: float, answer: Outcome
) -> None:
    text = "Without them PVM's bandwidth is like SHMEM's, within a quarter"
    finding = found(text, with_packed(share))
    figures = [evidence.estimate.value for evidence in finding.conclusion.evidence]
    assert figures == pytest.approx([1 / share, 2], rel=2e-3)
    assert finding.conclusion.answer is answer


@pytest.mark.parametrize(("share", "answer"), [(0.6, HOLDS), (0.4, FAILS)])
def test_packing_costs_what_its_absence_gains(share: float, answer: Outcome) -> None:
    finding = found("Packing and unpacking lower PVM's bandwidth", with_packed(share))
    assert first(finding) == pytest.approx(share * 700 / 340, rel=2e-3)
    assert finding.conclusion.answer is answer


def test_every_claim_can_be_told_or_says_what_it_needs() -> None:
    nothing = results({Measurand(TASKS, "mpich", 2, BARRIER): 1e-6})
    for finding in answered(CLAIMS, nothing):
        assert finding.conclusion.answer is OPEN
        assert finding.conclusion.needs


# -- tables ----------------------------------------------------------------------------------------


def rows(number: int, measured: Results) -> dict[tuple[str, ...], tuple[TableEntry, ...]]:
    table = tables(measured)[number - 1]
    assert table.number == number
    return {row.labels: row.entries for row in table.rows}


def values(entries: Sequence[TableEntry]) -> list[float | None]:
    return [entry.estimate.value if entry.estimate else None for entry in entries]


def test_table_1_has_latency_and_bandwidth_of_here_and_there() -> None:
    found = rows(1, j90())
    assert values(found["here", "shmem"]) == pytest.approx([15e-6, 700e6], rel=1e-3)
    assert values(found["here", "shmem"]) == pytest.approx(
        values(found["CRAY J90", "SHMEM"]), rel=1e-3
    )
    assert values(found["CRAY T3D", "PVM"]) == [230e-6, 26e6]
    assert [entry.published for entry in found["CRAY T3D", "PVM"]] == [True, True]


def test_table_1_has_a_line_of_its_own_for_puts_where_messages_go_another_way() -> None:
    times = {
        Measurand(LATENCY, variant, 2, pattern): time
        for variant, pattern, time in (
            ("mpich", PINGPONG, 1e-6),
            ("mpich", PUT_FLAG, 2e-6),
            ("shmem", PINGPONG, 3e-6),
            ("shmem", PUT_FLAG, 4e-6),
        )
    }
    latencies = {
        labels[1]: values(entries)[0] for labels, entries in rows(1, results(times)).items()
    }
    assert latencies["mpich"] == pytest.approx(1e-6)
    assert latencies["mpich, puts"] == pytest.approx(2e-6)
    assert latencies["shmem"] == pytest.approx(4e-6)
    assert "shmem, puts" not in latencies


def test_table_2_has_the_rate_beside_the_time_and_flags_shared_cores() -> None:
    found = rows(2, results(j90_times(), cores=4))
    assert values(found["here", "shmem", "4"]) == pytest.approx([10.6e-6, 1 / 10.6e-6])
    crowded = {labels[2]: entries[0].crowded for labels, entries in found.items()
               if labels[:2] == ("here", "shmem")}  # fmt: skip
    assert crowded == {"2": False, "4": False, "8": True, "16": True}


def test_table_3_has_the_papers_way_beside_the_librarys_own() -> None:
    own = {
        Measurand(TASKS, "shmem", 2, LIBRARY_SUM, WORD_BYTES): 1e-6,
        Measurand(TASKS, "shmem", 2, LIBRARY_MAXIMUM, WORD_BYTES): 2e-6,
    }
    found = rows(3, results(j90_times() | own))
    here = found["here", "shmem", "all-put, all-get", "8"]
    assert values(here) == pytest.approx([79e-6, 58e-6, 58e-6])
    there = found["CRAY J90", "SHMEM", "all-put, all-get", "8"]
    assert values(here) == pytest.approx(values(there))
    assert values(found["here", "shmem", "its own", "2"]) == [
        pytest.approx(1e-6), pytest.approx(2e-6), None,
    ]  # fmt: skip


def test_table_4_has_a_column_for_each_way(snapshot: SnapshotAssertion) -> None:
    own = {Measurand(VECTORS, "shmem", 2, LIBRARY_SUM, cray_mpt.VECTOR_BYTES): 3e-3}
    measured = results(j90_times() | own)
    table = tables(measured)[3]
    columns = {column.title: number for number, column in enumerate(table.columns)}
    assert list(columns) == snapshot
    two, four, *_ = (row.entries for row in table.rows)
    assert values(two)[:2] == [43.53e-3, 17.89e-3]
    assert values([four[columns["shmem\nlog2"]]]) == pytest.approx([30.67e-3])
    own_sum = columns["shmem\nits own"]
    assert values([two[own_sum]]) == pytest.approx([3e-3])
    gap = Measurand(VECTORS, "shmem", 4, LIBRARY_SUM, cray_mpt.VECTOR_BYTES)
    assert four[own_sum].why == measured.why(gap)


def test_library_without_puts_has_no_line_for_them() -> None:
    found = rows(3, results({Measurand(TASKS, "pvm", 2, LIBRARY_SUM, WORD_BYTES): 1e-6}))
    assert [labels[2] for labels in found if labels[1] == "pvm"] == ["its own"]


def test_missing_library_has_one_line_with_its_remedy() -> None:
    remedy = "PVM: not installed; apt-get install pvm pvm-dev"
    found = rows(2, results({Measurand(TASKS, "shm", 2, BARRIER): 1e-6}, missing={"pvm": remedy}))
    (line,) = [entries for labels, entries in found.items() if labels[1] == "pvm"]
    assert [(entry.estimate, entry.why) for entry in line] == [(None, remedy)] * 2


# -- stages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("quick", "cores", "pes"),
    [(True, 1, (2,)), (True, 2, (2, 4)), (True, 8, (2, 16)), (False, 2, (2, 4, 8, 16))],
)
def test_quick_study_has_two_numbers_of_pes_up_to_twice_the_cores(
    quick: bool, cores: int, pes: tuple[int, ...]
) -> None:
    by_name = {stage.name: stage for stage in stages(100, quick, cores)}
    assert by_name[TASKS].request.ranks == pes
    assert by_name[VECTORS].request.ranks == ((2,) if quick else pes)
    assert by_name[LATENCY].request.ranks == (2,)


def test_patience_is_short_where_pes_share_cores() -> None:
    by_name = {stage.name: stage.request.patience_s for stage in stages(100, True, 2)}
    assert by_name == {LATENCY: 20.0, TASKS: 5.0, VECTORS: 20.0, LOADED: 20.0, CROWDED: 5.0}


@pytest.mark.parametrize(
    ("quick", "cores", "pes"), [(True, 2, (8,)), (False, 2, (4, 8, 16)), (False, 8, (16,))]
)
def test_crowd_is_of_pes_beyond_the_cores(quick: bool, cores: int, pes: tuple[int, ...]) -> None:
    (crowded,) = [stage for stage in stages(100, quick, cores) if stage.name == CROWDED]
    assert crowded.request.ranks == pes
    assert crowded.takes(["mpich", "shmem", "shm"]) == ["shmem", "shm"]


def test_load_is_a_spinning_process_a_core_in_one_stage_alone() -> None:
    orders = {stage.name: stage.over(["shm"]) for stage in stages(100, True, 2)}
    loaded = orders.pop(LOADED)
    assert (loaded.load, loaded.cadence) == (None, Cadence.STREAMING)
    assert {request.load for request in orders.values()} == {0}


def test_machine_with_cores_enough_has_no_crowd() -> None:
    assert CROWDED not in [stage.name for stage in stages(100, False, 16)]


def test_stages_share_the_whole_budget() -> None:
    assert sum(stage.request.budget_s for stage in stages(100, True, 2)) == pytest.approx(100)
    assert sum(stage.request.budget_s for stage in stages(100, True, 16)) <= 100


def test_pvm_is_measured_past_its_daemon_and_without_packing_for_messages_alone() -> None:
    latency, *others = stages(100, True, 2)
    with_pvm, without = latency.over(["pvm", "shm"]), latency.over(["shm"])
    assert [spec.name for spec in with_pvm.variants] == ["pvm-direct", "pvm-inplace"]
    assert with_pvm.patterns == (*latency.request.patterns, PACKED)
    assert (without.variants, without.patterns) == ((), latency.request.patterns)
    assert [stage.over(["pvm"]).variants for stage in others] == [()] * len(others)
