"""The study of collectives: put to libraries whose closed forms are known."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.collectives_study import (
    FAST,
    LIKE_THE_T3D,
    PES,
    SLOW,
    Truth,
    measured,
    times,
)
from tests.support.study_results import noisy, results

from leadline.models.forms import Scaling
from leadline.papers.collectives.forms import CollectiveForm, closed_forms
from leadline.papers.collectives.stages import (
    BARRIER,
    CALLS,
    COLLECTIVES,
    CROWDED,
    LONG_BYTES,
    TOTAL_EXCHANGE,
    TWO_LIBRARIES,
    CollectiveCall,
    crowd,
    numbers_of_pes,
    stages,
)
from leadline.papers.collectives.study import CLAIMS, STUDY, SWITCHING, models
from leadline.papers.collectives.tables import figures, tables
from leadline.papers.findings import Conclusion, Finding, Outcome, answered
from leadline.papers.layout import StudyTable, TableEntry
from leadline.papers.results import Measurand, Results, cores_for, results_of
from leadline.papers.study import Studied
from leadline.report.programs.study import study_content
from leadline.report.text.study import study_document

HOLDS, FAILS, OPEN = Outcome.HOLDS, Outcome.FAILS, Outcome.OPEN
T3D = measured(LIKE_THE_T3D)
TODAY = measured({FAST: Truth(0.1e-6, 5e9), SLOW: Truth(0.2e-6, 4e9)})
SCAN = next(call for call in CALLS if call.pattern == "scan")
CLAIMED = {claim.text: claim for claim in CLAIMS}


def found(text: str, on: Results) -> Finding:
    (finding,) = answered([CLAIMED[text]], on)
    return finding


def entries(table: StudyTable, *labels: str) -> list[TableEntry]:
    (row,) = [row for row in table.rows if row.labels[: len(labels)] == labels]
    return list(row.entries)


def value(entry: TableEntry) -> float:
    assert entry.estimate is not None
    return entry.estimate.value


# -- closed forms ----------------------------------------------------------------------------------


def form(on: Results, variant: str, pattern: str) -> CollectiveForm:
    wanted = variant, pattern
    (one,) = [one for one in closed_forms(on) if (one.variant, one.call.pattern) == wanted]
    return one


def test_every_operation_of_every_library_has_a_form_or_a_reason() -> None:
    pairs = [(one.variant, one.call) for one in closed_forms(T3D)]
    assert pairs == [(variant, call) for variant in (FAST, SLOW) for call in CALLS]
    assert all((one.model is None) == (one.why is not None) for one in closed_forms(T3D))


def test_planted_growth_is_found() -> None:
    grown = measured({FAST: Truth(10e-6, 27.7e6), SLOW: Truth(10e-6, 27.7e6, grows=float)})
    for variant, growth in ((FAST, Scaling.LOGARITHMIC), (SLOW, Scaling.LINEAR)):
        model = form(grown, variant, BARRIER.pattern).model
        assert model is not None
        assert model.form.startup is growth
        exchange = form(grown, variant, TOTAL_EXCHANGE.pattern).model
        assert exchange is not None
        assert exchange.form.per_byte is Scaling.LINEAR


def test_aggregated_bandwidth_is_the_ports_together() -> None:
    rates = tables(T3D)[3]
    for variant, truth in LIKE_THE_T3D.items():
        for pes in PES:
            rate, _ = entries(rates, "here", variant, str(pes))
            assert value(rate) == pytest.approx(pes * truth.rate_bytes_per_s, rel=0.05)
    theirs = {row.labels[0]: value(row.entries[0]) for row in rates.rows[-3:]}
    assert theirs == {"Cray T3D": 1.745e9, "Intel Paragon": 0.879e9, "IBM SP2": 0.818e9}
    ours = value(entries(rates, "here", FAST, "64")[0])
    assert ours == pytest.approx(theirs["Cray T3D"], rel=0.05)


def test_start_up_and_transmission_add_up_to_the_time() -> None:
    forms = tables(T3D)[2]
    rows = [row for row in forms.rows if row.labels[:2] == (FAST, TOTAL_EXCHANGE.name)]
    for row in rows:
        pes = int(row.labels[4])
        start, byte = (value(entry) for entry in row.entries[:2])
        truth = LIKE_THE_T3D[FAST].seconds(TOTAL_EXCHANGE.pattern, pes, 65_536)
        assert start + 65_536 * byte == pytest.approx(truth, rel=0.05)
    assert [row.labels[4] for row in rows] == ["2", "64"]


def test_program_divides_its_work_and_pays_for_its_exchanges() -> None:
    program = tables(TODAY)[4]
    for pes in (2, 8, 64):
        compute, communicate, takes, speed_up = map(value, entries(program, FAST, str(pes)))
        assert compute == pytest.approx(1 / pes)
        size = math.ceil(262_144 / pes**2)
        truth = 1000 * Truth(0.1e-6, 5e9).seconds(TOTAL_EXCHANGE.pattern, pes, size)
        assert communicate == pytest.approx(truth, rel=0.15)
        assert takes == pytest.approx(compute + communicate)
        assert speed_up == pytest.approx(1 / takes)
    rows = [row.labels[1] for row in program.rows if row.labels[0] == FAST]
    assert rows == ["2", "4", "8", "16", "32", "64"]


def test_one_number_of_pes_has_lines_in_the_size_alone(snapshot: SnapshotAssertion) -> None:
    two = measured({FAST: Truth(1e-6, 1e9), SLOW: Truth(2e-6, 1e9)}, cores=2, pes=(2,))
    barrier = form(two, FAST, BARRIER.pattern)
    assert barrier.model is None
    assert barrier.why == snapshot
    growths = {row.labels[2:4] for row in tables(two)[2].rows}
    assert growths == {("", "")}
    assert [row.labels[1] for row in tables(two)[4].rows] == ["2", "2"]


# -- findings --------------------------------------------------------------------------------------

ANSWERS: Mapping[str, tuple[Outcome, Outcome]] = {
    # of libraries with the T3D's and the SP2's rates, and of ones of today that both cross
    "One of those compared is the fastest in almost all operations": (HOLDS, FAILS),
    "The T3D's hardwired barrier beats one in software": (HOLDS, FAILS),
    "Start-ups grow as the PEs or as their logarithm": (HOLDS, FAILS),
    "Who leads short messages in scatter, gather or total exchange is not who leads long ones": (
        FAILS, HOLDS,
    ),
    "64 KiB over 64 PEs take no operation longer than 675 ms": (HOLDS, FAILS),
    "64 KiB over 64 PEs take no operation less than 5.12 ms": (FAILS, FAILS),
    "64 PEs of the T3D deliver the most in a total exchange: 1.745 GB/s": (HOLDS, FAILS),
}  # fmt: skip


def crossing() -> Results:
    """Start-ups that don't grow, one library ahead of short messages, the other of long ones.

    The long ones of the second take a second more.
    """
    truths = {
        FAST: Truth(0.1e-6, 1e9, grows=lambda pes: 1.0),
        SLOW: Truth(1e-6, 50e9, grows=lambda pes: 1.0),
    }
    planted = times(truths)
    for place in planted:
        if place.pattern == "scan" and place.size_bytes == 65_536:
            planted[place] += 1.0
    return results(planted, cores=64)


CROSSING = crossing()
SLOWER = measured({FAST: Truth(10e-6, 20e6), SLOW: Truth(50e-6, 12.98e6)})


def test_every_finding_is_put_to_both() -> None:
    assert list(ANSWERS) == list(CLAIMED)


@pytest.mark.parametrize("text", ANSWERS)
def test_finding_follows_from_what_is_planted(text: str) -> None:
    answers = [found(text, on).conclusion.answer for on in (SLOWER, CROSSING)]
    assert answers == list(ANSWERS[text])


def test_fast_barrier_of_few_pes_tells_nothing_of_many_and_a_slow_one_does() -> None:
    claim = "The T3D's hardwired barrier beats one in software"
    two = {start: measured({FAST: Truth(start, 1e9)}, 2, (2,)) for start in (0.1e-6, 10e-6)}
    assert [found(claim, one).conclusion.answer for one in two.values()] == [OPEN, HOLDS]
    few = found(claim, two[0.1e-6]).conclusion
    assert few.needs == cores_for(64)
    assert len(few.evidence) == 2


def test_library_whose_barrier_was_lost_might_beat_the_hardwired_one() -> None:
    left = times(LIKE_THE_T3D)
    del left[Measurand(COLLECTIVES, FAST, PES[-1], BARRIER.pattern)]
    text = found("The T3D's hardwired barrier beats one in software", results(left, cores=64))
    assert text.conclusion.answer is OPEN and FAST in str(text.conclusion.needs)


def test_range_of_64_pes_needs_as_many_and_shows_what_there_is() -> None:
    two = measured({FAST: Truth(1e-6, 1e9)}, cores=2, pes=(2,))
    conclusion = found("64 KiB over 64 PEs take no operation longer than 675 ms", two).conclusion
    assert conclusion.answer is OPEN
    assert conclusion.needs == cores_for(64)
    assert len(conclusion.evidence) == 1


def test_operations_of_a_machine_as_slow_as_the_papers_are_within_its_range() -> None:
    slow = measured({FAST: Truth(10e-6, 10e6)})  # 6.6 ms, and 413 ms of a total exchange
    ends = [text for text in CLAIMED if text.startswith("64 KiB over 64 PEs")]
    assert [found(text, slow).conclusion.answer for text in ends] == [HOLDS, HOLDS]


def test_growth_takes_three_numbers_of_pes_with_a_core_each() -> None:
    few = measured(LIKE_THE_T3D, cores=2, pes=(2,))
    conclusion = found("Start-ups grow as the PEs or as their logarithm", few).conclusion
    assert conclusion.needs == cores_for(4)


def test_one_library_alone_leads_nobody(snapshot: SnapshotAssertion) -> None:
    alone = measured({FAST: Truth(1e-6, 1e9)})
    for text in list(CLAIMED)[:1] + list(CLAIMED)[3:4]:
        conclusion = found(text, alone).conclusion
        assert conclusion.needs == TWO_LIBRARIES
    assert snapshot == TWO_LIBRARIES


# -- what is lost ----------------------------------------------------------------------------------

LED = {FAST: Truth(10e-6, 20e6), SLOW: Truth(50e-6, 12.98e6)}
BEST, RANGE, RATE = (list(CLAIMED)[i] for i in (0, 4, 6))


def without(call: CollectiveCall, size_bytes: int, variant: str = SLOW, cores: int = 64) -> Results:
    """What was measured of libraries of which one leads, but for one cell on the most PEs."""
    planted = noisy(times(LED))
    del planted[Measurand(COLLECTIVES, variant, PES[-1], call.pattern, size_bytes)]
    return results(planted, cores=cores)


def test_lost_cell_takes_no_lead_from_the_others() -> None:
    assert found(BEST, without(SCAN, LONG_BYTES)).conclusion.answer is HOLDS
    close = {FAST: Truth(10e-6, 20e6), SLOW: Truth(10e-6, 20e6)}
    planted = noisy(times(close))
    gap = Measurand(COLLECTIVES, SLOW, PES[-1], SCAN.pattern, LONG_BYTES)
    del planted[gap]
    lost = results(planted, cores=64)
    conclusion = found(BEST, lost).conclusion
    assert conclusion.answer is OPEN
    assert conclusion.needs == lost.why(gap)


def test_lost_operation_may_be_the_slowest() -> None:
    lost = without(TOTAL_EXCHANGE, LONG_BYTES)
    conclusion = found(RANGE, lost).conclusion
    assert conclusion.answer is OPEN
    gap = Measurand(COLLECTIVES, SLOW, PES[-1], TOTAL_EXCHANGE.pattern, LONG_BYTES)
    assert conclusion.needs == lost.why(gap)
    assert found(RANGE, measured(LED)).conclusion.answer is HOLDS


def test_lead_that_changes_is_seen_though_a_cell_is_lost() -> None:
    claim = list(CLAIMED)[3]
    truths = {FAST: Truth(0.1e-6, 1e9), SLOW: Truth(1e-6, 50e9)}
    planted = times(truths)
    del planted[Measurand(COLLECTIVES, SLOW, PES[-1], "gather", LONG_BYTES)]
    assert found(claim, results(planted, cores=64)).conclusion.answer is HOLDS
    lost = without(SWITCHING[0], LONG_BYTES)
    gap = Measurand(COLLECTIVES, SLOW, PES[-1], SWITCHING[0].pattern, LONG_BYTES)
    assert found(claim, lost).conclusion.needs == lost.why(gap)


def test_few_pes_that_deliver_little_tell_nothing_of_many() -> None:
    def conclusion(rate: float) -> Conclusion:
        return found(RATE, measured({FAST: Truth(1e-6, rate)}, cores=2, pes=(2,))).conclusion

    assert conclusion(20e6).answer is OPEN
    assert conclusion(20e6).needs == cores_for(64)
    assert conclusion(20e9).answer is FAILS


def test_library_whose_bandwidth_is_not_known_may_deliver_the_most() -> None:
    planted = times(LED)
    for place in list(planted):
        if place.variant == SLOW and place.pattern == TOTAL_EXCHANGE.pattern:
            planted[place] = 1e-3  # whatever the size
    conclusion = found(RATE, results(noisy(planted), cores=64)).conclusion
    assert conclusion.answer is OPEN
    assert conclusion.needs and "openmpi" in conclusion.needs


def test_start_up_that_falls_does_not_grow() -> None:
    falling = measured({FAST: Truth(10e-6, 1e9, grows=lambda pes: 2 / pes)}, pes=(2, 3, 4))
    claim = list(CLAIMED)[2]
    assert all(
        one.model.form.startup != Scaling.CONSTANT for one in closed_forms(falling) if one.model
    )
    assert found(claim, falling).conclusion.answer is FAILS


def test_growth_without_intervals_is_open() -> None:
    planted = {place: [*row[:4], *[math.nan] * 4] for place, row in rows(noisy(times(LED)))}
    conclusion = found(list(CLAIMED)[2], results(planted, cores=64)).conclusion
    assert conclusion.answer is OPEN
    assert conclusion.evidence[0].estimate.value == 0


def rows(times: Mapping[Measurand, float | Sequence[float]]) -> list[tuple[Measurand, list[float]]]:
    return [(place, list(row)) for place, row in times.items() if not isinstance(row, float)]


def test_lost_stage_is_said_in_every_table() -> None:
    crowded = results({Measurand(CROWDED, FAST, 4, BARRIER.pattern): 5e-3}, cores=2)
    for table in tables(crowded)[1:]:
        ours = [row for row in table.rows if row.labels[0] in ("here", FAST)]
        reason = crowded.why(Measurand(COLLECTIVES, FAST, 2, BARRIER.pattern))
        assert {entry.why for row in ours for entry in row.entries} == {reason}


def test_nothing_measured_is_said_everywhere() -> None:
    nothing = results_of({})
    assert {one.conclusion.answer for one in answered(CLAIMS, nothing)} == {OPEN}
    first = tables(nothing)[0]
    assert entries(first, "here")[0].why == nothing.lack("mpich")
    assert models(nothing) == ()
    assert [len(one.curves) for one in figures(nothing)] == [3, 0]


# -- tables ----------------------------------------------------------------------------------------


def test_printed_figures_stand_beside() -> None:
    barriers, operations, *_ = tables(T3D)
    assert [value(row.entries[0]) for row in barriers.rows[-2:]] == pytest.approx([3e-6, 90e-6])
    assert [value(row.entries[1]) for row in operations.rows[-2:]] == [5.12e-3, 0.675]
    ours = [row for row in barriers.rows if row.labels[0] == "here"]
    assert [row.labels[1:] for row in ours[:3]] == [(FAST, str(pes)) for pes in PES]


def test_pes_that_share_cores_are_a_stage_of_their_own_and_in_no_finding(
    snapshot: SnapshotAssertion,
) -> None:
    planted = times({FAST: Truth(1e-6, 1e9)}, pes=(2,))
    planted[Measurand(CROWDED, FAST, 4, BARRIER.pattern)] = 5e-3
    crowded = results(planted, cores=2)
    (entry,) = entries(tables(crowded)[0], "here", FAST, "4")
    assert entry.crowded and value(entry) == pytest.approx(5e-3)
    conclusion = found("The T3D's hardwired barrier beats one in software", crowded).conclusion
    assert conclusion.evidence[0].text == snapshot


def test_forms_are_said_and_given_to_programs() -> None:
    known = models(T3D)
    studied = Studied(STUDY, (), tuple(tables(T3D)), (), (), models=known)
    (section,) = [one for one in study_document(studied) if one.heading == "Closed forms"]
    assert len(section.notes) == len(known) == 2 * len(CALLS)
    assert all(
        model.variant in note and model.pattern in note
        for model, note in zip(known, section.notes, strict=True)
    )
    rows = study_content(studied)["closed_forms"]
    assert [row["pattern"] for row in rows] == [model.pattern for model in known]


# -- figures ---------------------------------------------------------------------------------------


def test_figures_have_the_papers_points() -> None:
    rates, long = figures(T3D)
    assert rates.against_pes and not long.against_pes
    theirs = {curve.library: curve.points for curve in rates.curves if curve.published}
    assert {library: points[0].at for library, points in theirs.items()} == {
        "Cray T3D": 64, "Intel Paragon": 64, "IBM SP2": 64,
    }  # fmt: skip
    mine = [curve for curve in rates.curves if not curve.published]
    assert [[point.at for point in curve.points] for curve in mine] == [list(PES)] * 2
    assert [curve.name for curve in long.curves] == [FAST, SLOW]


# -- stages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("quick", [True, False])
def test_stages_share_the_budget(quick: bool) -> None:
    asked = stages(100, quick, 2)
    assert sum(stage.request.budget_s for stage in asked) == pytest.approx(100)
    assert [stage.name for stage in asked] == [COLLECTIVES, CROWDED]
    assert [stage.name for stage in stages(100, quick, 64)] == [COLLECTIVES]
    assert asked[0].request.patterns == tuple(call.pattern for call in CALLS)


@pytest.mark.parametrize(
    ("quick", "cores", "pes", "shared"),
    [
        (True, 1, (2,), (4,)),
        (True, 2, (2,), (4,)),
        (False, 2, (2,), (3, 4, 6, 8)),
        (True, 4, (2, 3, 4), ()),
        (False, 4, (2, 3, 4), (6, 8)),
        (True, 64, (2, 12, 64), ()),
        (False, 16, (2, 3, 4, 6, 8, 12, 16), ()),
    ],
)
def test_pes_have_a_core_each_or_are_few(
    quick: bool, cores: int, pes: tuple[int, ...], shared: tuple[int, ...]
) -> None:
    assert numbers_of_pes(quick, cores) == pes
    assert crowd(quick, cores) == shared
