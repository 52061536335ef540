"""The study of mapping: put to times as the paper's, and to planted ones that say otherwise."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.support.study_results import noisy, results

from leadline.studies.estimates import Quantity
from leadline.studies.findings import Conclusion, Outcome, answered
from leadline.studies.mapping.claims import CLAIMS
from leadline.studies.mapping.stages import (
    ALONE,
    HALO,
    HOSTS,
    KINDS,
    MAPPED,
    NEIGHBOURS,
    OPEN,
    PAIR,
    PERIODIC,
    PES,
    QUICK_SIZES,
    TWO_STEPS,
    UNCONGESTED,
    mapped,
    stages,
)
from leadline.studies.mapping.tables import tables
from leadline.studies.published import t3e_mapping
from leadline.studies.published.t3e_mapping import EXCHANGES, RATES, TABLE_1
from leadline.studies.results import Measurand, Results
from leadline.studies.tables import StudyTable

HOLDS, FAILS, OPEN_QUESTION = Outcome.HOLDS, Outcome.FAILS, Outcome.OPEN
SIZE = QUICK_SIZES[-1]
Times = Mapping[str, tuple[float, float]]
"""By pattern, in order and mapped."""
PAPERS: Times = {
    PAIR: (2.5, 1.1),
    OPEN: (8.2, 5.9),
    PERIODIC: (8.7, 6.8),
    TWO_STEPS: (9.2, 5.4),
    HALO: (1 / 124, 1 / 154),
}
"""The pair's are any that have its sentences hold; alone it takes 1."""


def measured(times: Times, cores: int = PES) -> Results:
    places = {Measurand(UNCONGESTED, "mpich", ALONE, PAIR, SIZE): 1.0}
    for pattern, seconds in times.items():
        for variant, time in zip(("mpich", mapped("mpich")), seconds, strict=True):
            places[Measurand(NEIGHBOURS, variant, PES, pattern, SIZE)] = time
    return results(noisy(places), cores=cores)


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


def test_without_a_link_as_the_limit_crowded_times_say_nothing() -> None:
    found = conclusions(measured(PAPERS, cores=2))
    assert {one.answer for one in found} == {OPEN_QUESTION}
    assert "no link carried 70 % of its rate" in str(found[0].needs)


def bound(found: Results, *free: Measurand) -> Results:
    """All times where a link was the limit, but for those at `free`."""
    for place, time in found.times.items():
        crowded = place in free
        found.times[place] = Quantity(time.run, time.logs, crowded)  # type: ignore[index]
    return found


def test_mapped_pairs_that_need_no_link_gain_at_least_what_is_seen() -> None:
    unlinked = Measurand(NEIGHBOURS, mapped("mpich"), PES, PAIR, SIZE)
    gained = conclusions(bound(measured(PAPERS, cores=2), unlinked))[1]
    lost = conclusions(bound(measured({**PAPERS, PAIR: (2.5, 3.0)}, cores=2), unlinked))[1]
    assert gained.answer is HOLDS
    assert lost.answer is OPEN_QUESTION
    assert "a core for each PE" in str(lost.needs)


def test_nothing_measured_can_not_be_told() -> None:
    assert {one.answer for one in conclusions(results({}))} == {OPEN_QUESTION}


# -- tables ----------------------------------------------------------------------------------------


def test_papers_rows_stand_beside_what_was_measured() -> None:
    found = measured(PAPERS)
    hops, exchanges, rates = (table(found, number) for number in (1, 2, 3))
    assert [row.labels[1] for row in hops.rows][:2] == ["2x2x2 grid", "3x3x3 grid"]
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
        len(TABLE_1), len(EXCHANGES), len(RATES),
    ]  # fmt: skip


# -- what is measured ------------------------------------------------------------------------------


@pytest.mark.parametrize("quick", [True, False])
def test_order_and_mapping_are_measured_by_the_same_launches_over_links_that_are_watched(
    quick: bool,
) -> None:
    uncongested, neighbours = stages(100.0, quick, 2)
    order = neighbours.over(["mpich", "openmpi", "tcp"])
    assert order.backends == ("mpich", "openmpi")
    assert [(one.backend, one.map) for one in order.variants] == [
        ("mpich", "hops"), ("openmpi", "hops"),
    ]  # fmt: skip
    assert order.link_bound == 20e6 / 8
    assert neighbours.network is not None and neighbours.network.hosts == HOSTS
    assert uncongested.over(KINDS).variants == ()
    assert uncongested.order.budget_s + neighbours.order.budget_s == pytest.approx(100.0)
    assert len(MAPPED) == len(KINDS)


def test_printed_figures_agree_among_themselves() -> None:
    """4 MB in 2.7 s a hundred times is one communication; the paper's cycles are these over it."""
    cycles = [row.reordered_s / 2.7 for row in EXCHANGES]
    assert cycles == pytest.approx([2.19, 2.52, 2.0], abs=0.01)
    assert t3e_mapping.HALO.reordered_bytes_per_s == 154e6
    assert all(row.reordered <= row.without for row in TABLE_1)
