"""The study of Ethernet and ATM: put to curves as the paper's, and to links that merely carry."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.networked import (
    VARIANTS,
    curves,
    emulated,
    emulated_s,
    papers,
    papers_s,
)
from tests.support.study_results import BLOCKS, noisy, results

from leadline.hosts.emulated.link import parse_link
from leadline.papers.ethernet_atm.printed import ATM, ETHERNET, LARGEST_BYTES
from leadline.papers.ethernet_atm.stages import (
    EMULATED,
    FULL_S,
    LONG_SIZES,
    PVM_DIRECT,
    QUICK_SIZES,
    SIZES,
    Leads,
    leads,
    link_of,
    message_s,
    papers_adapter_s,
    payload_bytes_per_s,
    stages,
)
from leadline.papers.ethernet_atm.study import CLAIMS
from leadline.papers.ethernet_atm.tables import figures, tables
from leadline.papers.findings import Finding, Outcome, answered
from leadline.papers.layout import StudyTable, TableEntry
from leadline.papers.results import Measurand, Results, cores_for
from leadline.statistics.estimate import Estimate

HOLDS, FAILS, OPEN = Outcome.HOLDS, Outcome.FAILS, Outcome.OPEN
CLAIMED = {claim.text: claim for claim in CLAIMS}
AS_PAPERS, LINKS_ALONE = papers(), emulated()


def found(text: str, measured: Results) -> Finding:
    (finding,) = answered([CLAIMED[text]], measured)
    return finding


SMALL = "For small messages ATM has less bandwidth than Ethernet, and so the longer round trip"
CROSSING = "The two cross at messages of 1,024 B"

ANSWERS: Mapping[str, tuple[float, float, Outcome]] = {
    # of curves as the paper's, of links that merely carry, and what the latter's answer is
    SMALL: (0.495, 3.98, FAILS),
    "For large messages ATM has more bandwidth": (2.43, 13.5, HOLDS),
    CROSSING: (910, 3.98, FAILS),
    "ATM gains PVM much less than MPICH: half as much at most": (0.410, 0.91, FAILS),
    "MPICH over Ethernet comes second: before PVM, even over ATM": (1.36, 0.081, FAILS),
    "MPICH gets most of Ethernet's rated capacity: nearly 8 of 10 Mbit/s": (0.790, 0.931, HOLDS),
    "Even the largest messages get less than 13 % of ATM's rated capacity": (0.122, 0.824, FAILS),
    "MPICH over ATM peaks at 8,192 B": (1.16, 0.986, FAILS),
    "PVM's peak is only 6 Mbit/s": (5.89e6 / 8, 115e6 / 8, FAILS),
    "TCP alone gets no more than about 25 Mbit/s over ATM": (17.3e6 / 8, 129e6 / 8, FAILS),
    "TCP alone is little faster over ATM than MPICH: it is the limit, not the library": (
        1.09, 1.01, HOLDS,
    ),
    "MPICH has more bandwidth than PVM over Ethernet": (1.34, 1.01, HOLDS),
    "MPICH has more bandwidth than PVM over ATM": (3.26, 1.11, HOLDS),
    "MPICH has the lower latency over Ethernet": (3.70, 1.46, HOLDS),
    "MPICH has the lower latency over ATM": (2.35, 2.81, HOLDS),
}  # fmt: skip


def test_every_finding_is_put_to_both() -> None:
    assert list(ANSWERS) == list(CLAIMED)


@pytest.mark.parametrize("text", ANSWERS)
def test_curves_as_the_papers_answer_as_it_does_and_links_alone_for_themselves(text: str) -> None:
    theirs, ours, answer = ANSWERS[text]
    for measured, figure, expected in ((AS_PAPERS, theirs, HOLDS), (LINKS_ALONE, ours, answer)):
        conclusion = found(text, measured).conclusion
        assert conclusion.answer is expected
        assert conclusion.evidence[0].estimate.value == pytest.approx(figure, rel=0.01)


@pytest.mark.parametrize("text", [SMALL, CROSSING], ids=["small", "crossing"])
def test_what_needs_the_papers_adapters_says_so_by_numbers(
    text: str, snapshot: SnapshotAssertion
) -> None:
    evidence = found(text, LINKS_ALONE).conclusion.evidence[-3:]
    # 64 B: a frame of 154 bytes at 10 Mbit/s, three cells at 149.76; see the wire's own test
    assert [one.estimate.value for one in evidence] == pytest.approx(
        [123.2e-6, 8.494e-6, 826.1e-6], rel=1e-3
    )
    assert [one.text for one in evidence] == snapshot


def test_hosts_of_the_paper_took_what_its_link_did_not() -> None:
    text = "Even the largest messages get less than 13 % of ATM's rated capacity"
    link, added, here = found(text, LINKS_ALONE).conclusion.evidence[2:]
    # 8,192 B at 19 Mbit/s take 3.449 ms; 173 cells of 53 bytes 0.490 ms
    assert link.estimate.value == pytest.approx(489.8e-6, rel=1e-3)
    assert added.estimate.value == pytest.approx(3449.3e-6 - 489.8e-6, rel=1e-3)
    assert here.estimate.value == pytest.approx(489.8e-6 + 30e-6, rel=0.02)


# -- what the links alone take ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "size", "bits"),
    [
        ("ethernet-10", 64, 8 * (64 + 52 + 38)),
        ("ethernet-10", 1024, 8 * (1024 + 52 + 38)),
        ("ethernet-10", 2000, 8 * (1500 + 38 + 552 + 52 + 38)),  # 1,448 bytes, then 552
        ("atm-155", 64, 8 * 3 * 53),  # 64 + 52 + 16 bytes: 2.75 cells of 48
        ("atm-155", 1024, 8 * 23 * 53),
        ("atm-155", 9128, 8 * 192 * 53),
        ("atm-155", 9129, 8 * (192 + 2) * 53),  # 53 + 16 bytes more, two cells
    ],
)
def test_message_occupies_its_frames_or_cells(link: str, size: int, bits: int) -> None:
    found = parse_link(link)
    assert message_s(found, size) == pytest.approx(bits / found.rate_bits_per_s)


def test_payload_is_that_of_full_segments_one_way() -> None:
    assert payload_bytes_per_s(link_of(ETHERNET)) == pytest.approx(10e6 / 8 * 1448 / 1538)
    assert payload_bytes_per_s(link_of(ATM)) == pytest.approx(149.76e6 / 8 * 9128 / (192 * 53))


def test_adapters_of_the_paper_took_what_the_link_saves_where_its_curves_cross() -> None:
    assert papers_adapter_s() == pytest.approx(1114 * 8 / 10e6 - 23 * 53 * 8 / 149.76e6)


# -- crossovers ------------------------------------------------------------------------------------


def test_crossing_lies_where_the_curves_do() -> None:
    # 500 us + m / (8.3 Mbit/s) = 1117 us + m / (28 Mbit/s) at 909 B; straight lines on a log axis
    point = leads(AS_PAPERS, "mpich").point
    assert point is not None and point.bounds is not None
    assert point.value == pytest.approx(909, rel=0.03)
    assert 256 < point.bounds[0] < point.bounds[1] < 2048


def test_network_that_is_ahead_everywhere_is_never_overtaken() -> None:
    found = leads(LINKS_ALONE, "mpich")
    assert (found.point, found.ahead) == (None, ATM)
    assert set(found.decided) == set(QUICK_SIZES) - {0}


def test_network_whose_lead_is_open_at_the_small_end_may_be_overtaken_there(
    snapshot: SnapshotAssertion,
) -> None:
    sure = {size: Estimate(2, 1.5, 3, 0.95, 6) for size in (1024, 8192)}
    unsure = {64: Estimate(1.2, 0.8, 1.6, 0.95, 6)}
    assert Leads("mpich", unsure | sure, None, False).ahead is None
    known = Leads("mpich", {512: sure[1024], 768: unsure[64], **sure}, None, False)
    assert known.ahead == ATM
    assert known.where == snapshot
    slower = {512: Estimate(0.5, 0.4, 0.6, 0.95, 6)}
    assert Leads("mpich", slower, None, False).ahead == ETHERNET
    assert Leads("mpich", slower | {8192: unsure[64]}, None, False).ahead is None


def test_ethernet_that_is_faster_for_large_messages_alone_is_not_overtaken() -> None:
    def swapped(network: str, variant: str, size: int) -> float:
        return papers_s(ATM if network == ETHERNET else ETHERNET, variant, size)

    upside_down = results(noisy(curves(swapped)))
    assert leads(upside_down, "mpich").point is None
    assert found(CROSSING, upside_down).conclusion.answer is not HOLDS


def test_too_few_blocks_decide_nothing() -> None:
    few = {place: [time] * BLOCKS for place, time in curves(emulated_s).items()}
    for times in few.values():
        times[1:] = [float("nan")] * (BLOCKS - 1)
    lead = leads(results(few), "mpich")
    assert (lead.point, lead.ahead, lead.decided) == (None, None, {})
    assert found(CROSSING, results(few)).conclusion.answer is OPEN


def test_crossing_far_from_the_papers_is_not_the_papers() -> None:
    def late(network: str, variant: str, size: int) -> float:
        return papers_s(network, variant, size) + 2e-3 * (network == ATM)

    finding = found(CROSSING, results(noisy(curves(late))))
    assert finding.conclusion.answer is FAILS
    # 2,617 us more start-up over 84.1e-8 s a byte of difference in slope: about 3,850 B
    assert finding.conclusion.evidence[0].estimate.value == pytest.approx(3850, rel=0.1)


# -- tables ----------------------------------------------------------------------------------------


def entries(table: StudyTable, *labels: str) -> list[TableEntry]:
    (row,) = [row for row in table.rows if row.labels == labels]
    return list(row.entries)


def column(table: StudyTable, title: str) -> int:
    return [one.title for one in table.columns].index(title)


def test_bandwidth_is_twice_the_message_over_its_round_trip() -> None:
    bandwidths, round_trips, *_ = tables(AS_PAPERS)
    for variant in ("mpich", "pvm"):
        at = column(bandwidths, variant)
        rate = entries(bandwidths, ATM, "8192")[at].estimate
        trip = entries(round_trips, ATM, "8192")[at].estimate
        assert rate is not None and trip is not None
        assert rate.value == pytest.approx(2 * 8192 / trip.value)
        assert trip.value == pytest.approx(2 * papers_s(ATM, variant, 8192), rel=0.01)


def test_empty_messages_have_a_round_trip_and_no_bandwidth() -> None:
    bandwidths, round_trips, *_ = tables(LINKS_ALONE)
    assert (ATM, "0") not in [row.labels for row in bandwidths.rows]
    assert (ATM, "0") in [row.labels for row in round_trips.rows]
    assert {len(row.entries) for row in bandwidths.rows} == {len(VARIANTS)}


def test_peaks_stand_beside_the_papers_and_what_the_link_allows() -> None:
    peaks = tables(LINKS_ALONE)[2]
    rate, rated, most, at = (
        one.estimate.value for one in entries(peaks, "here", ATM, "mpich") if one.estimate
    )
    assert rate == pytest.approx(128e6 / 8, rel=0.02)
    assert rated == pytest.approx(rate * 8 / 155e6)
    assert most == pytest.approx(rate / payload_bytes_per_s(link_of(ATM)))
    assert at in (8192, LARGEST_BYTES)
    theirs = entries(peaks, "the paper", ATM, "MPICH")
    assert [one.estimate and one.estimate.value for one in theirs] == [19e6 / 8, 0.123, None, 8192]
    assert all(one.published for one in theirs if one.estimate)


def test_peak_has_an_interval_where_any_size_has() -> None:
    times: dict[Measurand, float | list[float]] = dict(curves(emulated_s))
    few = [1e-6, 1e-6, *[float("nan")] * (BLOCKS - 2)]
    times[Measurand("atm", "mpich", 2, "pingpong", 1024)] = few
    rate, _, _, at = entries(tables(results(times))[2], "here", ATM, "mpich")
    assert rate.estimate is not None and rate.estimate.bounds is not None
    assert at.estimate is not None and at.estimate.value == LARGEST_BYTES


def test_finding_of_a_peak_takes_no_other_size_for_it() -> None:
    """Neither for one that has no interval nor for one that was lost."""
    claim, place = "PVM's peak is only 6 Mbit/s", Measurand("atm", "pvm", 2, "pingpong", 8192)
    times: dict[Measurand, float | list[float]] = dict(curves(emulated_s))
    assert found(claim, results(noisy(curves(emulated_s)))).conclusion.answer is FAILS
    times[place] = [1e-6, 1e-6, *[float("nan")] * (BLOCKS - 2)]
    assert found(claim, results(times)).conclusion.answer is OPEN
    del times[place]
    assert found(claim, results(times)).conclusion.answer is OPEN


def test_table_of_crossovers_says_who_is_ahead_where_nothing_crosses(
    snapshot: SnapshotAssertion,
) -> None:
    crossovers = tables(LINKS_ALONE)[3]
    first, *shares = entries(crossovers, "here", "mpich")
    assert first.why == snapshot
    assert all(one.estimate and one.estimate.value > 1 for one in shares)
    assert entries(tables(AS_PAPERS)[3], "here", "mpich")[0].estimate is not None
    assert entries(crossovers, "the paper", "MPICH")[0].estimate is not None


REMEDY = "PVM: not installed; apt-get install pvm-dev"


def without(measured: Mapping[Measurand, object], *variants: str, stage: str = "") -> Results:
    times = {
        place: time
        for place, time in curves(emulated_s).items()
        if place.variant not in variants and place.stage != stage and place in measured
    }
    return results(times, missing={"pvm": REMEDY})


def test_library_that_the_machine_lacks_has_a_column_with_the_remedy() -> None:
    lame = without(curves(emulated_s), "pvm", PVM_DIRECT)
    for table in tables(lame):
        reasons = {entry.why for row in table.rows for entry in row.entries}
        assert REMEDY in reasons
    finding = found("PVM's peak is only 6 Mbit/s", lame)
    assert finding.conclusion.needs == REMEDY


def test_network_that_was_not_measured_is_said_wherever_it_is_missed() -> None:
    lame = without(curves(emulated_s), stage="atm")
    for table in tables(lame):
        reasons = {entry.why for row in table.rows for entry in row.entries}
        assert lame.why(Measurand("atm", "mpich", 2, "pingpong")) in reasons
    answers = {one.conclusion.answer for one in answered(CLAIMS, lame) if "ATM" in one.claim}
    assert answers == {OPEN}


def test_failed_size_leaves_the_others() -> None:
    times = curves(emulated_s)
    del times[Measurand("atm", "mpich", 2, "pingpong", 8192)]
    lame = results(noisy(times))
    assert 8192 not in leads(lame, "mpich").ratios
    assert entries(tables(lame)[0], ATM, "8192")[0].why is not None
    assert entries(tables(lame)[0], ATM, "4096")[0].estimate is not None


def test_pes_that_share_a_core_take_part_in_no_finding() -> None:
    crowded = results(noisy(curves(emulated_s)), cores=1)
    assert {one.conclusion.needs for one in answered(CLAIMS, crowded)} == {cores_for(2)}
    assert all(
        entry.crowded for row in tables(crowded)[0].rows for entry in row.entries if entry.estimate
    )


# -- figures ---------------------------------------------------------------------------------------


def test_figures_are_the_papers_four() -> None:
    shown = figures(AS_PAPERS)
    assert [one.name for one in shown] == [
        "1-bandwidth", "2-bandwidth-small", "3-round-trip", "4-round-trip-small",
    ]  # fmt: skip
    for figure, least, most in zip(shown, (1, 1, 0, 0), (LARGEST_BYTES, 1024) * 2, strict=True):
        sizes = {point.at for curve in figure.curves for point in curve.points}
        assert sizes == {size for size in QUICK_SIZES if least <= size <= most}
        mine = [curve.name for curve in figure.curves if not curve.published]
        assert mine == [f"{variant}, {one.name}" for one in EMULATED for variant in VARIANTS]


def test_figure_has_the_point_that_the_paper_printed(snapshot: SnapshotAssertion) -> None:
    printed = [one for figure in figures(AS_PAPERS) for one in figure.curves if one.published]
    (atm,) = printed
    assert (atm.library, atm.network) == ("mpich", ATM)
    assert atm.name == snapshot
    assert atm.points[0].estimate.value == 19e6 / 8


def test_long_messages_are_in_the_table_and_not_in_the_papers_figures() -> None:
    times = curves(emulated_s)
    times[Measurand("atm-long", "mpich", 2, "pingpong", LONG_SIZES[1])] = 0.07
    longer = results(times)
    assert entries(tables(longer)[0], ATM, str(LONG_SIZES[1]))[0].estimate is not None
    assert max(p.at for c in figures(longer)[0].curves for p in c.points) == LARGEST_BYTES


# -- stages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("quick", [True, False])
def test_stages_share_the_budget_and_have_a_network_each(quick: bool) -> None:
    asked = stages(100, quick, 2)
    assert sum(stage.request.budget_s for stage in asked) == pytest.approx(100)
    assert [stage.name for stage in asked[:2]] == ["ethernet", "atm"]
    networks = {stage.network for stage in asked}
    assert {(one.prefix, one.link, one.hosts) for one in networks if one} == {
        ("ethernet", "ethernet-10", 2), ("atm", "atm-155", 2),
    }  # fmt: skip
    assert None not in networks


def test_quick_study_has_some_of_the_sizes_of_the_full_one() -> None:
    assert set(QUICK_SIZES) < set(SIZES)
    assert max(SIZES) == LARGEST_BYTES < min(LONG_SIZES)
    quick, full = (stages(FULL_S, one, 2) for one in (True, False))
    assert {stage.request.sizes for stage in quick} == {QUICK_SIZES}
    assert {stage.request.sizes for stage in full} == {SIZES, LONG_SIZES, LONG_SIZES[:1]}


def test_libraries_are_the_papers_with_pvm_both_ways_and_the_limit() -> None:
    names = ["mpich", "openmpi", "pvm", "tcp"]
    for stage in stages(FULL_S, False, 2):
        request = stage.over(names)
        assert list(request.backends) == names
        assert [(v.name, v.arguments) for v in request.variants] == [(PVM_DIRECT, ("direct",))]
