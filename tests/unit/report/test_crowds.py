"""What is shown where ranks outnumber cores, in every form of output."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.links import crowded_run

from leadline.cli.commands.report import _reported
from leadline.cli.outcome import computed
from leadline.compare.analysis import Analysis
from leadline.compare.circumstances import Circumstances
from leadline.compare.pairs import TOO_UNCERTAIN, compare_within
from leadline.compare.ranking import rankings_of
from leadline.compare.verdict import Judgement, Verdict, Why
from leadline.query.tables import MEASUREMENTS
from leadline.record.run import Origin
from leadline.report.page.findings import findings, tally
from leadline.report.page.tables import tables
from leadline.report.programs.compared import compared_content, compared_records
from leadline.report.text.circumstances import crowd_columns, span, time_span
from leadline.report.text.comparison import (
    Compared,
    comparison_document,
    concluding_sentence,
    judged,
)
from leadline.report.text.times import curve_sections
from leadline.statistics.estimate import Estimate

SLOWER = {"a": (10.0, 10.0, 10.0), "b": (20.0, 20.0, 20.0)}
SHARES = {"a": (0.1, 0.9, 0.98), "b": (0.12, 0.9, 0.96)}
LINK, DELAY = (
    title.replace("\n", " ")
    for title, _ in crowd_columns(
        [[Circumstances(oversubscribed=True, link="h1 eth0 tx", run_delay_share=0.25)]]
    )
)
"""Titles of what only crowds have."""


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return Analysis(crowded_run(SLOWER, SHARES))


@pytest.fixture(scope="module")
def compared(analysis: Analysis) -> Compared:
    return Compared((analysis.run,), compare_within(analysis, "a"), 0.02)


@pytest.mark.parametrize(
    ("shares", "text"),
    [
        ((), "-"),
        ((None, None), "-"),
        ((0.981, None), "98 %"),
        ((0.12, 0.1), "10 to 12 %"),
        ((0.096, 1.02, 0.104), "10 to 102 %"),
    ],
)
def test_span_of_shares(shares: tuple[float | None, ...], text: str) -> None:
    assert span(shares) == text


def test_cores_enough_and_records_that_say_nothing_have_no_columns() -> None:
    enough = Circumstances(run_delay_share=0.1, link="h1 eth0 tx", link_share=0.9)
    assert crowd_columns([[enough]]) == []
    assert crowd_columns([[Circumstances(oversubscribed=True)]]) == []
    assert crowd_columns([]) == []


@pytest.mark.parametrize(
    ("residuals", "text"),
    [
        ((), "-"),
        ((None,), "-"),
        ((1200.0, None), "1.20 us"),
        ((1200.0, 1201.0), "1.20 us"),
        ((0.0, 90_000.0), "0 us to 90.0 us"),
    ],
)
def test_span_of_residuals(residuals: tuple[float | None, ...], text: str) -> None:
    assert time_span(residuals) == text


def test_clocks_that_were_fitted_have_a_column_wherever_there_are_cores_enough() -> None:
    fitted, one_clock = Circumstances(clock_residual_ns=850.0), Circumstances()
    assert crowd_columns([[fitted, one_clock], [one_clock]]) == [("clocks\napart", "0.850 us", "-")]


def test_comparison_shows_both_beside_the_verdict(
    compared: Compared, snapshot: SnapshotAssertion
) -> None:
    (curve,) = compared.result.curves
    assert [row.judgement for row in (*curve.cells, curve.whole)] == [
        Judgement.none(Why.OVERSUBSCRIBED),
        *[Judgement(Verdict.SLOWER)] * 3,
    ]
    table = comparison_document(compared)[1].table
    assert table is not None
    assert [table.columns, *table.rows] == snapshot


def test_sentences_speak_of_the_sizes_that_count(
    compared: Compared, snapshot: SnapshotAssertion
) -> None:
    assert comparison_document(compared)[1].notes == snapshot


def test_lead_ends_at_a_size_that_does_not_count() -> None:
    run = crowded_run(SLOWER, {"a": (0.9, 0.1, 0.9), "b": (0.9, 0.1, 0.9)})
    (ranking,) = rankings_of(Analysis(run)).curves
    ends = [(lead.first_bytes, lead.last_bytes) for lead in ranking.leads]
    assert ends == [(8, 8), (65536, 65536)]


def test_where_no_cell_counts_nobody_is_told_to_measure_longer(
    snapshot: SnapshotAssertion,
) -> None:
    crowded = Analysis(crowded_run(SLOWER))
    result = compare_within(crowded, "a")
    assert result.exit_status == TOO_UNCERTAIN
    assert concluding_sentence(result, 0.02) == snapshot


def test_few_blocks_of_more_ranks_than_cores_are_no_matter_of_more_blocks(
    snapshot: SnapshotAssertion,
) -> None:
    row = compare_within(Analysis(crowded_run(SLOWER)), "a").rows[0]
    few = replace(row, effect=Estimate(2.0, n=2))
    counted = replace(few, counted=True, judgement=Judgement.none(Why.FEW_BLOCKS, 6))
    stated = Judgement.none(Why.STATED)
    simulated = replace(few, judgement=stated, origins=(Origin.MEASURED, Origin.SIMULATED))
    assert few.why is Why.OVERSUBSCRIBED
    assert [judged(one, 0.02) for one in (few, counted, simulated)] == snapshot


def test_sentence_without_names_begins_like_a_sentence(snapshot: SnapshotAssertion) -> None:
    even = {"a": (10.0, 10.0, 10.0), "b": (10.0, 10.0, 10.0)}
    run = crowded_run(even, SHARES)
    found = comparison_document(Compared((run,), compare_within(Analysis(run), "a"), 0.02))
    assert found[1].notes == snapshot


def test_programs_get_both_sides_of_every_row(compared: Compared) -> None:
    first, _, last = compared_content(compared)["rows"]
    assert (first["counted"], last["counted"]) == (False, True)
    assert (last["baseline_link_share"], last["candidate_link_share"]) == pytest.approx(
        (0.98, 0.96)
    )
    assert first["candidate_run_delay_share"] == pytest.approx(0.25)
    assert (last["baseline_disturbed_share"], last["candidate_disturbed_share"]) == (1.0, 1.0)
    whole = compared_content(compared)["curves"][0]
    assert (whole["baseline_link_share"], whole["candidate_run_delay_share"]) == (None, None)
    assert whole["candidate_disturbed_share"] is None
    assert "candidate_link_share" in compared_records(compared).columns


def test_sql_and_the_page_have_them_too(analysis: Analysis) -> None:
    rows = list(MEASUREMENTS.rows(analysis))
    assert [row["link_share"] for row in rows] == pytest.approx([*SHARES["a"], *SHARES["b"]])
    assert {(row["link"], row["run_delay_share"]) for row in rows} == {("h1 eth0 tx", 0.25)}
    page = str(tables(_reported([analysis], None, 0.02)))
    assert page.count(LINK) == 2
    assert page.count(span((0.96, 0.98))) == 1


def test_page_says_why_nobody_is_ahead_and_between_whom_no_difference_shows(
    snapshot: SnapshotAssertion,
) -> None:
    crowded = str(findings(_reported([Analysis(crowded_run(SLOWER))], None, 0.02)))
    assert re.findall(r'<p class="lead">([^<]*)', crowded) == snapshot
    even = {"a": (10.0, 10.0, 10.0), "b": (10.0, 10.0, 10.0), "c": (90.0, 90.0, 90.0)}
    analysis = Analysis(crowded_run(even, oversubscribed=False))
    text = tally(rankings_of(analysis).curves)
    assert text == snapshot
    assert text in str(findings(_reported([analysis], None, 0.02)))


def test_one_library_alone_has_nothing_to_decide() -> None:
    one, other = crowded_run(SLOWER).configurations
    raw = replace(crowded_run(SLOWER), configurations=(one, replace(other, backend="tcp")))
    for run in (crowded_run({"a": (10.0, 10.0, 10.0)}), raw):
        (section,) = curve_sections(computed(Analysis(run), 0.02))
        assert section.table is not None and "verdict" not in section.table.columns


def test_page_without_crowds_has_no_such_columns() -> None:
    run = crowded_run(SLOWER, SHARES, oversubscribed=False)
    page = str(tables(_reported([Analysis(run)], None, 0.02)))
    assert LINK not in page and DELAY not in page
