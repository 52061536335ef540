"""The study of mapping: put to times as the paper's, and to planted ones that say otherwise."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.mapping_study import PAPERS, SIZE, Times, measured, places
from tests.support.study_results import BLOCKS, noisy, results
from tests.support.texts import numbers

from leadline.papers.estimates import Quantity
from leadline.papers.findings import MORE_BLOCKS, SOME_BLOCKS, Conclusion, Outcome, answered
from leadline.papers.layout import StudyTable
from leadline.papers.results import Measurand, Results
from leadline.papers.study import mapped
from leadline.papers.t3e_mapping import printed as t3e_mapping
from leadline.papers.t3e_mapping.printed import EXCHANGES, RATES, TABLE_1
from leadline.papers.t3e_mapping.stages import (
    ALONE,
    HALO,
    HOSTS,
    NEIGHBOURS,
    OPEN,
    PAIR,
    PERIODIC,
    PES,
    TWO_STEPS,
    UNCONGESTED,
    stages,
)
from leadline.papers.t3e_mapping.study import CLAIMS
from leadline.papers.t3e_mapping.tables import tables
from leadline.record.run import Failure

HOLDS, FAILS, OPEN_QUESTION = Outcome.HOLDS, Outcome.FAILS, Outcome.OPEN


def conclusions(found: Results) -> list[Conclusion]:
    return [one.conclusion for one in answered(CLAIMS, found)]


def table(found: Results, number: int) -> StudyTable:
    return tables(found)[number - 1]


# -- findings --------------------------------------------------------------------------------------


def test_times_as_the_papers_have_every_finding_hold_by_the_papers_figures() -> None:
    found = conclusions(measured(PAPERS))
    assert [one.answer for one in found] == [HOLDS] * len(CLAIMS)
    here = [one.evidence[0].estimate.value for one in found[2:]]
    there = [one.evidence[1].estimate.value for one in found[2:]]
    assert here == pytest.approx(there, rel=0.02)
    assert there == pytest.approx([1.39, 1.28, 1.06, 1.15, 1.06, 1.26, 1.24], rel=0.01)


def test_a_machine_on_which_order_makes_no_difference_has_none_hold() -> None:
    same: Times = dict.fromkeys(PAPERS, (1.0, 1.0))
    answers = [one.answer for one in conclusions(measured(same))]
    assert HOLDS not in answers
    assert answers[0] is answers[-1] is FAILS


@pytest.mark.parametrize("number", range(1, len(CLAIMS)))
def test_each_finding_fails_where_its_two_times_are_exchanged(number: int) -> None:
    """The fault planted in one pair of times is seen by the finding that is about it."""
    turned: list[Times] = [
        {PAIR: (1.1, 2.5)},
        {OPEN: (5.9, 8.2)},
        {PERIODIC: (6.8, 8.7)},
        {OPEN: (8.7, 5.9), PERIODIC: (8.2, 6.8)},
        {OPEN: (8.2, 6.8), PERIODIC: (8.7, 5.9)},
        {PERIODIC: (9.2, 6.8), TWO_STEPS: (8.7, 5.4)},
        {PERIODIC: (8.7, 5.4), TWO_STEPS: (9.2, 6.8)},
        {HALO: (1 / 154, 1 / 124)},
    ]
    found = conclusions(measured({**PAPERS, **turned[number - 1]}))
    assert found[number].answer is FAILS


def test_a_halo_that_gains_more_than_the_papers_is_not_as_the_paper_says() -> None:
    assert conclusions(measured({**PAPERS, HALO: (2.0, 1.0)}))[-1].answer is FAILS


def test_without_a_link_as_the_limit_crowded_times_say_nothing(snapshot: SnapshotAssertion) -> None:
    found = conclusions(measured(PAPERS, cores=2))
    assert {one.answer for one in found} == {OPEN_QUESTION}
    assert found[0].needs == snapshot


def bound(found: Results, *free: Measurand) -> Results:
    """All times where a link was the limit, but for those at `free`."""
    for place, time in found.times.items():
        crowded = place in free
        found.times[place] = Quantity(time.run, time.logs, crowded)  # type: ignore[index]
    return found


def test_mapped_pairs_that_need_no_link_gain_at_least_what_is_seen(
    snapshot: SnapshotAssertion,
) -> None:
    unlinked = Measurand(NEIGHBOURS, mapped("mpich"), PES, PAIR, SIZE)
    gained = conclusions(bound(measured(PAPERS, cores=2), unlinked))[1]
    lost = conclusions(bound(measured({**PAPERS, PAIR: (2.5, 3.0)}, cores=2), unlinked))[1]
    assert gained.answer is HOLDS
    assert lost.answer is OPEN_QUESTION
    assert lost.needs == snapshot


def test_nothing_measured_can_not_be_told() -> None:
    assert {one.answer for one in conclusions(results({}))} == {OPEN_QUESTION}


@pytest.mark.parametrize(("share", "seen"), [(0.43, "43"), (1.3, "130")])
def test_what_links_carried_is_said_where_they_were_not_the_limit(share: float, seen: str) -> None:
    found = measured(PAPERS, cores=2)
    for place, time in found.times.items():
        found.times[place] = replace(time, link_share=share)  # type: ignore[index]
    assert seen in numbers(str(conclusions(found)[-1].needs))


# -- corners ---------------------------------------------------------------------------------------


def exactly(times: Times, blocks: int = BLOCKS, alone: float = 1.0) -> dict[Measurand, list[float]]:
    """The same time in each of so many blocks, and none in the others."""
    lost = [math.nan] * (BLOCKS - blocks)
    found = places(times, alone=alone)
    return {place: [time] * blocks + lost for place, time in found.items()}


def test_ties_to_the_nanosecond_are_undecided_and_the_reason_is_true_of_them() -> None:
    """The interval is 1 to 1: it lies on neither side, nor on both."""
    ties = results(exactly(dict.fromkeys(PAPERS, (1.0, 1.0)), alone=0.5), cores=PES)
    found = conclusions(ties)
    assert [one.answer for one in found] == [OPEN_QUESTION] * (len(CLAIMS) - 1) + [FAILS]
    for one in found[:-1]:
        assert one.needs == MORE_BLOCKS
        low, high = one.evidence[0].estimate.bounds or (0.0, 0.0)
        assert low == high == pytest.approx(one.evidence[0].estimate.value)


def test_too_few_blocks_for_an_interval_decide_nothing_however_large_the_gain() -> None:
    """Of two runs, whose blocks aren't paired, four blocks each are enough for one."""
    for blocks, undecided in ((3, CLAIMS), (5, CLAIMS[1:])):
        few = conclusions(results(exactly(PAPERS, blocks), cores=PES))[-len(undecided) :]
        assert {(one.answer, one.needs) for one in few} == {(OPEN_QUESTION, SOME_BLOCKS)}
        assert {one.evidence[0].estimate.bounds for one in few} == {None}
    enough = conclusions(results(exactly(PAPERS, 6), cores=PES))
    assert {one.answer for one in enough} == {HOLDS}


def test_blocks_that_one_order_lacks_are_left_out_of_its_pairs() -> None:
    """Slow blocks in order whose mapped ones were lost would else look like a gain."""
    times = exactly({**PAPERS, HALO: (1.2, 1.0)})
    times[Measurand(NEIGHBOURS, "mpich", PES, HALO, SIZE)][:2] = [9.0, 9.0]
    times[Measurand(NEIGHBOURS, mapped("mpich"), PES, HALO, SIZE)][:2] = [math.nan] * 2
    halo = conclusions(results(times, cores=PES))[-1]
    assert halo.evidence[0].estimate.value == pytest.approx(1.2)
    assert halo.answer is HOLDS


def test_a_library_that_hung_mapped_is_named_with_what_became_of_it(
    snapshot: SnapshotAssertion,
) -> None:
    times = exactly(PAPERS)
    times[Measurand(NEIGHBOURS, mapped("mpich"), PES, HALO, SIZE)] = [math.nan] * BLOCKS
    found = results(times, cores=PES)
    run = found.runs[NEIGHBOURS]
    variants = [one.variant for one in run.configurations]
    patterns = [one.pattern for one in run.cells]
    place = variants.index(mapped("mpich")), patterns.index(HALO)
    hung = Failure(*place, 0, "hang", "rank 3 on map16n1: no answer within 60 s")
    found.runs[NEIGHBOURS] = replace(run, failures=(hung,))  # type: ignore[index]
    answers = conclusions(found)
    assert [one.answer for one in answers] == [HOLDS] * (len(CLAIMS) - 1) + [OPEN_QUESTION]
    assert answers[-1].needs == snapshot


def test_a_stage_that_was_never_reached_is_named() -> None:
    alone = {Measurand(UNCONGESTED, "mpich", ALONE, PAIR, SIZE): 1.0}
    reason = results(alone).why(Measurand(NEIGHBOURS, "mpich", PES, PAIR, SIZE))
    for one in conclusions(results(alone, cores=PES)):
        assert one.answer is OPEN_QUESTION
        assert one.needs == reason
    reasons = {entry.why for row in table(results(alone), 4).rows for entry in row.entries}
    assert reason in reasons


def test_findings_are_of_the_first_library_that_was_measured_and_say_so() -> None:
    both = places(PAPERS, "openmpi@4.1.4") | places(dict.fromkeys(PAPERS, (1.0, 1.0)))
    found = results(noisy(both), cores=PES)
    assert conclusions(found)[-1].answer is HOLDS
    assert "openmpi@4.1.4" in conclusions(found)[0].evidence[0].text
    systems = list(dict.fromkeys(row.labels[0] for row in table(found, 2).rows))
    assert systems == [t3e_mapping.MACHINE, "openmpi@4.1.4", "mpich"]


# -- tables ----------------------------------------------------------------------------------------


def test_papers_rows_stand_beside_what_was_measured() -> None:
    found = measured(PAPERS)
    hops, exchanges, rates = (table(found, number) for number in (1, 2, 3))
    assert [row.labels for row in hops.rows][1:4] == [
        ("computed", "2x2x2 grid"), (t3e_mapping.MACHINE, "3x3x3 grid"), ("computed", "3x3x3 grid"),
    ]  # fmt: skip
    values = [[e.estimate.value for e in row.entries if e.estimate] for row in exchanges.rows]
    printed = [[0.082, 0.059], [0.087, 0.068], [0.092, 0.054]]
    assert values[:3] == [pytest.approx(row) for row in printed]
    assert values[3:] == [pytest.approx(PAPERS[one], rel=0.02) for one in EXCHANGED]
    halo = rates.rows[-1]
    sent = [entry.estimate.value for entry in halo.entries if entry.estimate]
    assert sent == pytest.approx([4 * SIZE * 124, 4 * SIZE * 154], rel=0.02)
    assert rates.rows[0].entries[1].estimate is None
    assert rates.rows[0].entries[1].why


EXCHANGED = (OPEN, PERIODIC, TWO_STEPS)


def test_tables_of_nothing_have_the_papers_rows_alone() -> None:
    assert [len(one.rows) for one in tables(results({}))] == [
        2 * len(TABLE_1), len(EXCHANGES), len(RATES), 0,
    ]  # fmt: skip


# -- what is measured ------------------------------------------------------------------------------


@pytest.mark.parametrize("quick", [True, False])
def test_order_and_mapping_are_measured_by_the_same_launches_over_links_that_are_watched(
    quick: bool,
) -> None:
    uncongested, neighbours = stages(100.0, quick, 2)
    request = neighbours.over(["mpich", "openmpi@4.1.4", "tcp"])
    assert request.backends == ("mpich", "openmpi@4.1.4", "tcp")
    assert [(one.name, one.backend, one.map) for one in request.variants] == [
        (f"{name}-mapped", name, "hops") for name in request.backends
    ]
    assert neighbours.network is not None and neighbours.network.hosts == HOSTS
    assert neighbours.network.watched
    assert uncongested.over(["mpich"]).variants == ()
    assert uncongested.request.budget_s + neighbours.request.budget_s == pytest.approx(100.0)


def test_printed_figures_agree_among_themselves() -> None:
    """4 MB in 2.7 s a hundred times is one communication; the paper's cycles are these over it."""
    cycles = [row.reordered_s / 2.7 for row in EXCHANGES]
    assert cycles == pytest.approx([2.19, 2.52, 2.0], abs=0.01)
    assert t3e_mapping.HALO.reordered_bytes_per_s == 154e6
    assert all(row.reordered <= row.without for row in TABLE_1)
