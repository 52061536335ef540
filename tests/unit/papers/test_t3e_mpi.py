"""The study of MPICH and a vendor's MPI: put to the T3E's figures, and to a machine unlike it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import nan

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.study_results import BLOCKS, noisy, results
from tests.support.t3e_study import (
    MPICH,
    PAPERS,
    PAPERS_CALLS,
    VENDOR,
    calls,
    messages,
    t3e,
    upside_down,
)

from leadline.papers.catalogue import figure_of
from leadline.papers.estimates import intercept
from leadline.papers.findings import Finding, Outcome, answered
from leadline.papers.layout import StudyTable, TableEntry
from leadline.papers.results import Measurand, Results, cores_for, results_of
from leadline.papers.study import Studied
from leadline.papers.t3e_mpi.stages import (
    CROWDED,
    ISEND,
    LOOPED,
    MESSAGES,
    MODES,
    NO_VENDOR,
    PES,
    QUICK_SIZES,
    SEND,
    SINGLE,
    crowd,
    numbers_of_pes,
    stages,
)
from leadline.papers.t3e_mpi.study import CLAIMS, STUDY
from leadline.papers.t3e_mpi.tables import figures, tables
from leadline.record.run import Buffers, Cadence
from leadline.report.text.study import study_document

HOLDS, FAILS, OPEN = Outcome.HOLDS, Outcome.FAILS, Outcome.OPEN
T3E, PLANTED = t3e(), upside_down()
CLAIMED = {claim.text: claim for claim in CLAIMS}

FIGURES: Mapping[str, float] = {
    # each finding's first figure, of the T3E's printed ones
    "In the vendor's MPI large messages have another latency than empty ones, a longer one": 48e-6,
    "MPICH's bandwidth reaches its maximum at about a megabyte": 0.9988,
    "The bandwidth of the vendor's MPI reaches its maximum at about a megabyte": 0.9957,
    "MPICH's MPI_Send has more bandwidth than that of the vendor's MPI": 342 / 163,
    "MPICH's MPI_Send has the lower latency": 8 / 7,
    "MPICH's MPI_Send has the lower intercept": 49e-6,
    "The two MPI_Ssends' bandwidths are alike, within a tenth": 334 / 326,
    "The vendor's MPI has more bandwidth by MPI_Ssend than by MPI_Send": 2.0,
    "MPICH's MPI_Ssend has the lower latency": 29 / 8,
    "MPI_Ssend's latency is above MPI_Send's in the vendor's MPI": 29 / 8,
    "MPI_Ssend's latency is above MPI_Send's in MPICH": 8 / 7,
    "MPICH's MPI_Isend has more bandwidth than that of the vendor's MPI": 348 / 167,
    "MPICH's MPI_Isend has MPI_Send's bandwidth, within a twentieth": 348 / 342,
    "MPI_Isend of the vendor's MPI has MPI_Send's bandwidth, within a twentieth": 167 / 163,
    "MPICH's MPI_Isend has the lower latency": 2.0,
    "MPI_Isend's latency is above MPI_Send's in MPICH": 12 / 7,
    "MPI_Isend's latency is above MPI_Send's in the vendor's MPI": 3.0,
    "The vendor's MPI broadcasts faster than MPICH": 170 / 87,
    "The vendor's broadcast scales better: MPICH's grows more with the PEs": 170 / 12 / 8.7,
    "Between powers of two MPICH's MPI_Reduce is faster than that of the vendor's MPI": 4 / 3,
    "Where the PEs are a power of two, both MPI_Reduces take nearly the same, within a tenth": 1.0,
    "On 128 PEs the vendor's MPI_Reduce is the faster one": 1214 / 1318,
}  # fmt: skip


def found(text: str, measured: Results) -> Finding:
    (finding,) = answered([CLAIMED[text]], measured)
    return finding


def test_every_finding_is_put_to_the_t3es_figures() -> None:
    assert list(FIGURES) == list(CLAIMED)


@pytest.mark.parametrize("text", FIGURES)
def test_what_the_t3e_measured_answers_as_the_paper_did(text: str) -> None:
    conclusion = found(text, T3E).conclusion
    assert conclusion.evidence[0].estimate.value == pytest.approx(FIGURES[text], rel=1e-3)
    assert conclusion.answer is HOLDS


@pytest.mark.parametrize("text", FIGURES)
def test_machine_that_is_the_other_way_round_is_told(text: str) -> None:
    assert found(text, PLANTED).conclusion.answer is FAILS


def test_papers_ratio_stands_beside_where_it_printed_both(snapshot: SnapshotAssertion) -> None:
    there = found("MPICH's MPI_Send has more bandwidth than that of the vendor's MPI", PLANTED)
    assert there.conclusion.evidence[1].published
    assert there.conclusion.evidence[1].text == snapshot
    assert there.conclusion.evidence[1].estimate.value == pytest.approx(342 / 163)


def test_highest_bandwidth_that_has_no_interval_decides_nothing() -> None:
    # the peak's size has one block: a lower size that is sure must not stand for it
    times = noisy(messages(PAPERS))
    best = Measurand(MESSAGES, VENDOR, PES, ISEND.pattern, QUICK_SIZES[-4])
    planted = best.size_bytes / 200e6
    lost = results(times | {best: [planted] + [nan] * (BLOCKS - 1)})
    claim = "MPI_Isend of the vendor's MPI has MPI_Send's bandwidth, within a twentieth"
    conclusion = found(claim, lost).conclusion
    assert conclusion.answer is OPEN
    assert conclusion.evidence[0].estimate.bounds is None
    (row,) = [one for one in tables(lost)[0].rows if one.labels[1:] == (VENDOR, ISEND.name)]
    assert row.entries[2].estimate is not None and row.entries[2].estimate.bounds
    assert found(claim, results(times | {best: planted})).conclusion.answer is FAILS


def test_size_that_is_lost_may_be_the_highest() -> None:
    # MPICH is the faster one, but for the size that it lost
    times = noisy(messages(PAPERS))
    gap = Measurand(MESSAGES, MPICH, PES, SEND.pattern, QUICK_SIZES[-2])
    del times[gap]
    lost = results(times)
    for text in (
        "MPICH's MPI_Send has more bandwidth than that of the vendor's MPI",
        "MPICH's bandwidth reaches its maximum at about a megabyte",
    ):
        conclusion = found(text, lost).conclusion
        assert conclusion.answer is OPEN
        assert conclusion.needs == lost.why(gap)


# -- intercepts ------------------------------------------------------------------------------------


def curve(times: Mapping[int, float | list[float]]) -> Results:
    return results(
        {Measurand(MESSAGES, MPICH, PES, SEND.pattern, size): time for size, time in times.items()}
    )


def test_intercept_is_that_of_messages_of_one_to_two_megabytes() -> None:
    # 5 us + m / (1 GB/s), but for what is shorter
    lines = {size: 5e-6 + size / 1e9 for size in (2**20, 3 * 2**19, 2**21)}
    signed = intercept(curve({0: 9e-6, 1024: 9e-6, **lines}).curve(MESSAGES, MPICH, SEND.pattern))
    assert signed is not None
    assert signed.values == pytest.approx([5e-6] * BLOCKS, abs=1e-9)


def test_intercept_may_be_negative_and_is_printed() -> None:
    lines = {size: size / 1e9 - 40e-6 for size in (2**20, 3 * 2**19, 2**21)}
    below = curve({0: 1e-6, **lines})
    (entry,) = [row.entries[1] for row in tables(below)[0].rows if row.labels[1:] == mpichs_send()]
    assert entry.estimate is not None
    assert entry.estimate.value == pytest.approx(-40e-6, abs=1e-9)
    studied = Studied(STUDY, (), tuple(tables(below)), (), ())
    section = study_document(studied)[1]
    assert section.table is not None
    assert "-40.0 ±0 %" in section.table.rows[0]


def mpichs_send() -> tuple[str, str]:
    return MPICH, SEND.name


def test_block_that_lacks_a_size_gives_the_intercept_of_the_others() -> None:
    lines: dict[int, float | list[float]] = {
        size: 5e-6 + size / 1e9 for size in (2**20, 3 * 2**19, 2**21)
    }
    lines[2**20] = [nan] * 3 + [5e-6 + 2**20 / 1e9] * (BLOCKS - 3)
    signed = intercept(curve(lines).curve(MESSAGES, MPICH, SEND.pattern))
    assert signed is not None
    assert signed.values == pytest.approx([5e-6] * BLOCKS, abs=1e-9)


# -- tables ----------------------------------------------------------------------------------------


def entries(table: StudyTable, *labels: str) -> list[TableEntry]:
    (row,) = [row for row in table.rows if row.labels == labels]
    return list(row.entries)


def values(entries: list[TableEntry]) -> list[float | None]:
    return [one.estimate.value if one.estimate else None for one in entries]


def test_modes_stand_beside_the_papers() -> None:
    modes, *_ = tables(T3E)
    for mode in MODES:
        end = ("least",) if mode.id == "isend" else ()
        ids = (("latency", *end), ("intercept",), ("bandwidth",))
        for library, here in (("mpich", MPICH), ("cray-mpi", VENDOR)):
            theirs = [figure_of(".".join(("t3e-mpi", mode.id, library, *one))).si for one in ids]
            name = figure_of(f"t3e-mpi.{mode.id}.{library}.bandwidth").library
            printed = entries(modes, "Cray T3E-900 (ZIB)", name, mode.name)
            assert values(printed) == [*theirs, None]
            assert all(one.published for one in printed[:3])
            ours = values(entries(modes, "here", here, mode.name))
            assert [ours[0], ours[2]] == pytest.approx([theirs[0], theirs[2]], rel=0.02)
            assert ours[3] in QUICK_SIZES[-3:]


def test_broadcast_accumulates_what_127_receivers_get() -> None:
    broadcasts = tables(T3E)[2]
    looped, single, each, together = values(entries(broadcasts, "here", VENDOR, "128"))
    assert looped == pytest.approx(87e-6, rel=0.02)
    assert single == pytest.approx(1.25 * 87e-6, rel=0.02)
    assert each == pytest.approx(1024 / 87e-6)
    assert together == pytest.approx(127 * 1024 / 87e-6)
    theirs = values(entries(broadcasts, "Cray T3E-900 (ZIB)", "Cray MPI (MPT 1.3)", "128"))
    assert theirs == [87e-6, None, pytest.approx(11.2 * 2**20), pytest.approx(1.4 * 2**30)]
    assert together == pytest.approx(theirs[3], rel=0.02)


def test_reductions_stand_beside_the_papers(snapshot: SnapshotAssertion) -> None:
    reductions = tables(T3E)[3]
    for here, library, seconds in (
        (MPICH, "MPICH 1.1", 1318e-6),
        (VENDOR, "Cray MPI (MPT 1.3)", 1214e-6),
    ):
        ours = values(entries(reductions, "here", here, "128"))
        assert ours == pytest.approx([seconds, 1.25 * seconds])
        assert values(entries(reductions, "Cray T3E-900 (ZIB)", library, "128")) == [seconds, None]
    assert reductions.title == snapshot


def test_columns_are_in_the_papers_units(snapshot: SnapshotAssertion) -> None:
    modes, sizes, broadcasts, reductions = (
        [column.unit.symbol for column in table.columns] for table in tables(T3E)
    )
    assert modes == ["us", "us", "MB/s", "B"]
    assert sizes == ["MB/s"] * 2
    assert broadcasts == ["us", "us", "MiB/s", "MiB/s"]
    assert reductions == ["us", "us"]
    assert tables(T3E)[0].notes[1] == snapshot


def test_library_that_the_machine_lacks_has_lines_with_the_remedy() -> None:
    times = {place: time for place, time in messages(PAPERS).items() if place.variant == VENDOR}
    remedy = "MPICH: not installed; leadline get mpich"
    lame = results(times, missing={"mpich": remedy})
    assert entries(tables(lame)[0], "here", "mpich", SEND.name)[0].why == remedy
    finding = found("MPICH's MPI_Send has the lower latency", lame)
    assert finding.conclusion.needs == remedy


def test_without_a_second_mpi_nobody_stands_for_the_vendors() -> None:
    alone = results({p: t for p, t in messages(PAPERS).items() if p.variant == MPICH})
    needs = {one.conclusion.needs for one in answered(CLAIMS, alone)}
    assert NO_VENDOR in needs
    assert entries(tables(alone)[0], "here", "a vendor's", SEND.name)[2].why == NO_VENDOR


def test_pes_that_share_cores_are_in_tables_and_in_no_finding() -> None:
    crowded = results(messages(PAPERS) | calls(PAPERS_CALLS), cores=1)
    answers = {one.conclusion.answer for one in answered(CLAIMS, crowded)}
    assert answers == {OPEN}
    for table, what in ((0, SEND.name), (2, "128"), (3, "128")):
        assert all(one.crowded for one in entries(tables(crowded)[table], "here", MPICH, what))
    curves = [curve for figure in figures(crowded) for curve in figure.curves]
    assert all(curve.published for curve in curves)


def test_findings_of_many_pes_say_how_many_cores_they_take() -> None:
    two = results(messages(PAPERS) | calls(PAPERS_CALLS), cores=2)
    needs = [one.conclusion.needs for one in answered(CLAIMS, two)]
    assert needs[-5:] == [None, cores_for(4), cores_for(6), None, cores_for(128)]


def test_one_at_a_time_is_measured_where_each_pe_has_a_core_alone(
    snapshot: SnapshotAssertion,
) -> None:
    times = {
        replace(place, stage=CROWDED) if place.pes > 2 else place: time
        for place, time in calls(PAPERS_CALLS).items()
        if place.stage == LOOPED or place.pes == 2
    }
    looped, single, *_ = entries(tables(results(times, cores=2))[2], "here", MPICH, "96")
    assert looped.crowded
    assert single.why == snapshot


def test_stage_that_is_lost_is_said_of_every_figure() -> None:
    lost = results(messages(PAPERS))
    reason = lost.why(Measurand(LOOPED, MPICH, PES, "bcast"))
    for table in tables(lost)[2:]:
        looped = [row.entries[0].why for row in table.rows if row.labels[0] == "here"]
        assert looped == [reason] * 2


def test_nothing_measured_is_said_of_every_figure() -> None:
    nothing = results_of({})
    for table in tables(nothing):
        here = [row for row in table.rows if row.labels[0] != "Cray T3E-900 (ZIB)"]
        assert all(entry.why for row in here for entry in row.entries)
    assert {one.conclusion.answer for one in answered(CLAIMS, nothing)} == {OPEN}


# -- figures ---------------------------------------------------------------------------------------


def test_figures_are_the_papers_five_with_its_points() -> None:
    shown = figures(T3E)
    assert [one.name for one in shown] == [
        "1-send", "2-ssend", "3-isend", "4-bcast", "5-reduce",
    ]  # fmt: skip
    assert [one.against_pes for one in shown] == [False] * 3 + [True] * 2
    assert [(one.title.partition("'")[0], one.unit.symbol) for one in shown] == [
        ("MPI_Send", "MB/s"), ("MPI_Ssend", "MB/s"), ("MPI_Isend", "MB/s"),
        ("MPI_Bcast", "us"), ("MPI_Reduce", "us"),
    ]  # fmt: skip
    printed = [
        [point.estimate.value for curve in one.curves[-2:] for point in curve.points]
        for one in shown
    ]
    assert printed == [
        [342e6, 163e6], [334e6, 326e6], [348e6, 167e6], [170e-6, 87e-6], [1318e-6, 1214e-6],
    ]  # fmt: skip
    for figure in shown:
        assert figure.logarithmic
        mine = [curve for curve in figure.curves if not curve.published]
        theirs = [curve for curve in figure.curves if curve.published]
        assert [curve.library for curve in mine] == [MPICH, VENDOR]
        assert [curve.library for curve in theirs] == [MPICH, VENDOR]
        assert {point.at for curve in theirs for point in curve.points} == {
            128 if figure.against_pes else 2**20
        }
    assert [point.at for point in shown[3].curves[0].points] == [2, 96, 128]
    crowded = figures(results(calls(PAPERS_CALLS), cores=2))[3]
    assert [point.at for point in crowded.curves[0].points] == [2]
    assert [point.at for point in shown[0].curves[0].points] == list(QUICK_SIZES[1:])


# -- stages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("quick", [True, False])
def test_stages_share_the_budget_and_do_as_the_papers_programs(quick: bool) -> None:
    asked = stages(100, quick, 2)
    assert sum(stage.request.budget_s for stage in asked) == pytest.approx(100)
    assert [stage.name for stage in asked] == [MESSAGES, LOOPED, SINGLE, CROWDED]
    assert {stage.request.buffers for stage in asked} == {Buffers.SEPARATE}
    assert [stage.request.cadence for stage in asked] == [
        None, Cadence.STREAMING, Cadence.ISOLATED, Cadence.STREAMING,
    ]  # fmt: skip
    assert [stage.request.ranks for stage in asked[:3]] == [(2,)] * 3
    assert asked[0].request.patterns == ("pingpong", "pingpong_sync", "pingpong_nonblocking")
    assert {stage.request.patterns for stage in asked[1:]} == {("bcast", "reduce")}
    assert {stage.request.sizes for stage in asked[1:]} == {(1024,)}
    assert len(stages(100, quick, 16)) == 3


@pytest.mark.parametrize(
    ("quick", "cores", "pes", "crowded"),
    [
        (True, 1, (2,), (6,)),
        (True, 2, (2,), (6,)),
        (False, 2, (2,), (4, 6, 8, 12, 16)),
        (True, 16, (2, 12, 16), ()),
        (True, 40, (2, 24, 32), ()),
        (False, 256, (2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128), ()),
    ],
)
def test_pes_are_the_papers_with_a_power_of_two_and_one_between(
    quick: bool, cores: int, pes: tuple[int, ...], crowded: tuple[int, ...]
) -> None:
    assert numbers_of_pes(quick, cores) == pes
    assert crowd(quick, cores) == crowded
