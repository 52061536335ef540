from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.study_results import BLOCKS, results

from leadline.compare.analysis import Analysis
from leadline.compare.circumstances import Circumstances
from leadline.papers.catalogue import study_named
from leadline.papers.estimates import Quantity, estimate
from leadline.papers.findings import (
    MORE_BLOCKS,
    QUIETER,
    SOME_BLOCKS,
    Claim,
    Conclusion,
    Evidence,
    Outcome,
    above,
    answered,
    between,
)
from leadline.papers.results import (
    Measurand,
    Results,
    UnmeasuredError,
    cores_for,
    kind_of,
    results_of,
)
from leadline.papers.study import studied
from leadline.record.run import Failure
from leadline.record.slices import COLUMNS, BatchColumns
from leadline.record.warnings import RunWarning, WarningKind
from leadline.statistics.estimate import Estimate

HERE = Measurand("tasks", "openmpi@4.1.4", 2, "barrier")
THERE = Measurand("tasks", "openmpi", 8, "barrier")
REMEDY = "PVM: not installed; get it"
FOUND = results({HERE: 2e-6, THERE: 3e-6}, missing={"pvm": REMEDY})


def why(found: Results, place: Measurand) -> str:
    with pytest.raises(UnmeasuredError) as caught:
        found.time(place)
    return str(caught.value)


def test_time_is_that_of_its_place() -> None:
    assert estimate(FOUND.time(HERE)).value == pytest.approx(2e-6)


def test_under_load_the_time_is_the_mean() -> None:
    run = results({HERE: 2e-6}).runs["tasks"]
    doubled: dict[str, Any] = {name: np.repeat(getattr(run.batches, name), 2) for name in COLUMNS}
    doubled["batch"] = np.tile([0, 1], run.batches.batch.size).astype(np.int32)
    doubled["repetitions"] = np.tile([3, 1], run.batches.batch.size).astype(np.int32)
    run = dataclasses.replace(run, batches=BatchColumns(**doubled))
    beside_load = {"machine": {"background_load": "2 spinning"}}
    idle = results_of({"tasks": Analysis(run)})
    loaded = results_of({"tasks": Analysis(dataclasses.replace(run, metadata=beside_load))})
    # a batch of three operations and one of one, 2 us each
    assert estimate(idle.time(HERE)).value == pytest.approx((2 / 3 + 2) / 2 * 1e-6)
    assert estimate(loaded.time(HERE)).value == pytest.approx(4 / 4 * 1e-6)


def test_variants_of_a_kind_are_all_its_versions() -> None:
    assert FOUND.variants("openmpi") == ["openmpi@4.1.4", "openmpi"]
    assert FOUND.library("openmpi") == "openmpi@4.1.4"
    assert kind_of("mpich#2") == "mpich"


def test_missing_library_comes_with_its_remedy(snapshot: SnapshotAssertion) -> None:
    assert FOUND.lack("pvm") == REMEDY
    with pytest.raises(UnmeasuredError) as caught:
        FOUND.library("shmem")
    assert str(caught.value) == FOUND.lack("shmem")
    assert FOUND.lack("shmem") == snapshot


def test_every_gap_has_its_reason(snapshot: SnapshotAssertion) -> None:
    gaps = {
        "stage": dataclasses.replace(HERE, stage="vectors"),
        "PEs": dataclasses.replace(HERE, pes=32),
        "PE": dataclasses.replace(HERE, pes=1),
        "variant": dataclasses.replace(HERE, variant="impi"),
        "time": dataclasses.replace(HERE, pes=8),
        "operation": dataclasses.replace(HERE, pattern="reduce"),
        "option": dataclasses.replace(HERE, pattern="barrier:x"),
    }
    assert {gap: why(FOUND, place) for gap, place in gaps.items()} == snapshot


def test_gap_of_an_interrupted_stage_is_not_laid_to_the_plan(snapshot: SnapshotAssertion) -> None:
    run = dataclasses.replace(FOUND.runs["tasks"], complete=False)
    found = results_of({"tasks": Analysis(run)})
    assert why(found, dataclasses.replace(HERE, pes=8)) == snapshot


def test_study_gives_no_budget_of_a_stage_for_its_own(snapshot: SnapshotAssertion) -> None:
    few = RunWarning("few_for_tests", "6 blocks were measured", "give --budget 66s")
    run = dataclasses.replace(FOUND.runs["tasks"], warnings=(few,))
    warnings = studied(study_named("shared-memory"), {"tasks": run}).warnings
    (told,) = (one for one in warnings if one.code == few.code)
    assert told.cause == snapshot
    assert "66s" not in told.remedy


def test_few_blocks_for_tests_are_nothing_to_ranks_that_share_cores() -> None:
    few = RunWarning("few_for_tests", "6 blocks were measured", "give --budget 66s")
    measured = FOUND.runs["tasks"]
    crowded = (dataclasses.replace(one, oversubscribed=True) for one in measured.configurations)
    run = dataclasses.replace(measured, warnings=(few,), configurations=tuple(crowded))
    warnings = studied(study_named("shared-memory"), {"tasks": run}).warnings
    assert few.code not in {one.code for one in warnings}


def test_what_cells_warn_of_is_said_once_of_all_stages(snapshot: SnapshotAssertion) -> None:
    """Of three blocks there is no interval; of ranks that share cores nothing is asked."""
    three = [1e-6] * 3 + [np.nan] * (BLOCKS - 3)
    few: dict[Measurand, float | Sequence[float]] = {
        Measurand("tasks", "openmpi", 2, name): three for name in ("barrier", "bcast")
    }
    few[Measurand("latency", "mpich", 2, "pingpong", 8)] = three
    few[Measurand("tasks", "openmpi", 8, "barrier")] = three
    runs = results(few).runs
    warnings = studied(study_named("shared-memory"), runs).warnings
    (told,) = [one for one in warnings if one.code == WarningKind.FEW_BLOCKS.code]
    assert told.cause == snapshot
    warned = dataclasses.replace(runs["tasks"], warnings=(told,))
    warnings = studied(study_named("shared-memory"), {**runs, "tasks": warned}).warnings
    assert [one.cause for one in warnings if one.code == told.code] == [told.cause]


def test_failure_is_the_reason_where_there_was_one(snapshot: SnapshotAssertion) -> None:
    run = FOUND.runs["tasks"]
    text = "no result from openmpi@4.1.4, barrier after 5 s: all ranks are stuck\nlast words"
    failed = Failure(0, 0, 3, "hang", text)
    lame = dataclasses.replace(run, failures=(failed,))
    found = Results({"tasks": lame}, {}, {}, {})
    assert why(found, HERE) == snapshot


def test_operations_that_all_started_late_are_the_reason(snapshot: SnapshotAssertion) -> None:
    run = FOUND.runs["tasks"]
    late = Results({"tasks": run}, {}, {}, {})
    assert why(late, HERE) == snapshot


def test_pes_that_share_cores_take_no_part_in_findings(snapshot: SnapshotAssertion) -> None:
    assert FOUND.time(THERE).crowded
    with pytest.raises(UnmeasuredError) as caught:
        FOUND.counted(THERE)
    assert str(caught.value) == cores_for(8) == snapshot
    assert FOUND.sweep(THERE) == {}
    assert list(FOUND.sweep(HERE)) == [2]


@pytest.mark.parametrize(
    ("low", "high", "answer"),
    [(1.1, 2.0, Outcome.HOLDS), (0.5, 0.9, Outcome.FAILS), (0.9, 1.1, Outcome.OPEN)],
)
def test_interval_on_one_side_of_the_bound_decides(
    low: float, high: float, answer: Outcome
) -> None:
    evidence = Evidence("{}", Estimate(1, low, high))
    assert above(evidence, 1).answer is answer
    mirrored = {
        Outcome.HOLDS: Outcome.FAILS,
        Outcome.FAILS: Outcome.HOLDS,
        Outcome.OPEN: Outcome.OPEN,
    }
    assert between(evidence, None, 1).answer is mirrored[answer]


@pytest.mark.parametrize(
    ("low", "high", "answer"),
    [
        (0.9, 1.1, Outcome.HOLDS),
        (1.3, 1.4, Outcome.FAILS),
        (0.6, 0.7, Outcome.FAILS),
        (1.1, 1.3, Outcome.OPEN),
    ],
)
def test_interval_inside_both_bounds_is_similar(low: float, high: float, answer: Outcome) -> None:
    assert between(Evidence("{}", Estimate(1, low, high)), 0.8, 1.25).answer is answer


def test_undecided_says_what_it_would_take() -> None:
    assert above(Evidence("{}", Estimate(1, 0.9, 1.1)), 1).needs == MORE_BLOCKS
    assert above(Evidence("{}", Estimate(2)), 1).needs == SOME_BLOCKS


@pytest.mark.parametrize(
    ("measured", "lost", "needs"), [(7, 2, QUIETER), (7, 0, SOME_BLOCKS), (5, 2, SOME_BLOCKS)]
)
def test_blocks_that_disturbance_took_are_brought_by_quiet_and_not_by_time(
    measured: int, lost: int, needs: str
) -> None:
    """Seven blocks of which five count; a larger budget has more of which some don't."""
    analysis = Analysis(FOUND.runs[HERE.stage])
    one = Circumstances(lost=lost)
    analysis.circumstances = ((one,) * len(analysis.run.cells),) * len(analysis.run.configurations)
    few = Quantity("run", np.zeros(measured))
    found = dataclasses.replace(FOUND, times={HERE: few}, analyses={HERE.stage: analysis})
    claim = Claim("table 1", "it is so", lambda _: above(Evidence("{}", Estimate(2, n=5)), 1))
    assert answered([claim], found)[0].conclusion.needs == needs


def test_claim_without_its_measurement_says_what_it_lacks() -> None:
    def test(found: Results) -> Conclusion:
        found.library("pvm")
        raise AssertionError

    (finding,) = answered([Claim("table 1", "it is so", test)], FOUND)
    assert finding.conclusion == Conclusion(Outcome.OPEN, needs=REMEDY)


@pytest.mark.parametrize(("share", "crowded"), [(0.9, False), (0.5, True), (None, True)])
def test_times_of_more_pes_than_cores_count_where_a_link_was_the_limit(
    share: float | None, crowded: bool
) -> None:
    analysis = Analysis(FOUND.runs[THERE.stage])
    one = Circumstances(oversubscribed=True, link_share=share)
    analysis.circumstances = ((one,) * len(analysis.run.cells),) * len(analysis.run.configurations)
    assert results_of({THERE.stage: analysis}).time(THERE).crowded is crowded
