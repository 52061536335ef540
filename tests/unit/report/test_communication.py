"""What share of its time an application communicates, in every form of output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from harness.blocks import configuration
from harness.synthetic import one_slice
from syrupy.assertion import SnapshotAssertion

from leadline.cli.commands.report import _reported
from leadline.cli.outcome import computed
from leadline.compare.analysis import Analysis
from leadline.compare.circumstances import Circumstances
from leadline.compare.pairs import compare_within
from leadline.compare.summaries import gathered
from leadline.record.batches import batches_of, conditions_of, strips_of
from leadline.record.run import Buffers, Cadence, Cell, Run, WhoseTime
from leadline.record.slices import CommunicationTimes, Slice
from leadline.report.page.matrix import rankings_matrix
from leadline.report.page.tables import tables
from leadline.report.text.circumstances import COMMUNICATION, shares_against, shares_of
from leadline.report.text.comparison import Compared, comparison_document
from leadline.report.text.sweeps import sweep_sections
from leadline.report.text.times import curve_sections

SOLVER = Cell("solver:S", 0, Buffers.ECHO, Cadence.STREAMING, 1, WhoseTime.SLOWEST)
PINGPONGS = tuple(
    Cell("pingpong", size, Buffers.ECHO, Cadence.STREAMING, 2, WhoseTime.ROOT) for size in (0, 8)
)
SPENT_NS = {"a": (300_000, 350_000), "b": (600_000, 600_000)}
"""By variant and rank, of a million ns that repetitions take."""


def solved(*cells: Cell, ranks: Sequence[int] = (2,), blocks: int = 8) -> Run:
    """A run of a and b on so many ranks, of which two record; b takes twice the time of a."""
    configurations = tuple(configuration(name, ranks=p) for p in ranks for name in SPENT_NS)
    slices = [
        slice_of(configurations[c].variant, (c, k, block, 0), cells[k] == SOLVER)
        for block in range(blocks)
        for c in range(len(configurations))
        for k in range(len(cells))
    ]
    return Run(
        "run", True, {}, configurations, cells, batches_of(slices), strips=strips_of(slices),
        conditions=conditions_of(slices),
    )  # fmt: skip


def slice_of(variant: str, where: tuple[int, int, int, int], application: bool) -> Slice:
    elapsed_ns = 100_000 * (1 + list(SPENT_NS).index(variant)) + where[2] * 10
    taken = one_slice(where, [[elapsed_ns] * 5] * 2)
    if not application:
        return taken
    spent = CommunicationTimes(np.array(SPENT_NS[variant]), np.full(2, 10**6))
    return replace(taken, communication=spent)


def around(mean: float | None, most: float | None = None) -> Circumstances:
    return Circumstances(communication_share=mean, communication_most=most or mean)


SPENT_BY_A, SPENT_BY_B = around(0.325, 0.35), around(0.6)
"""What SPENT_NS comes to."""


def test_shares_are_the_mean_and_the_most_where_that_is_more(
    snapshot: SnapshotAssertion,
) -> None:
    pairs = ((0.31, 0.35), (0.312, 0.314), (0.0, 0.0), (None, None))
    assert {pair: shares_of(around(*pair)) for pair in pairs} == snapshot


def test_candidate_stands_before_its_baseline(snapshot: SnapshotAssertion) -> None:
    pairs = ((0.31, 0.5), (None, 0.5), (None, None))
    assert {
        (baseline, candidate): shares_against((around(baseline), around(candidate)))
        for baseline, candidate in pairs
    } == snapshot
    assert shares_against(None) == shares_against((around(None), around(None)))


def test_table_of_times_has_a_row_of_shares_below_each_library(
    snapshot: SnapshotAssertion,
) -> None:
    section, *_ = curve_sections(computed(Analysis(solved(SOLVER)), 0.02))
    assert section.heading == snapshot
    assert section.table is not None
    assert [title.split("\n")[0] for title in section.table.columns] == ["", "a", "b", "verdict"]
    times, shares = section.table.rows
    assert times[0] == "time"
    assert shares == (COMMUNICATION, shares_of(SPENT_BY_A), shares_of(SPENT_BY_B), "")


def test_patterns_that_only_move_messages_have_no_such_row(snapshot: SnapshotAssertion) -> None:
    (section,) = curve_sections(computed(Analysis(solved(*PINGPONGS)), 0.02))
    assert section.table is not None
    assert section.table.columns[0] == "size"
    assert COMMUNICATION not in [row[0] for row in section.table.rows]
    assert section.heading == snapshot


def test_comparison_has_a_row_of_both_sides(snapshot: SnapshotAssertion) -> None:
    run = solved(SOLVER)
    compared = Compared((run,), compare_within(Analysis(run), "a"), 0.02)
    _, section, *_ = comparison_document(compared)
    assert section.heading == snapshot
    assert section.table is not None
    assert section.table.columns == ("", "b")
    assert [row[0] for row in section.table.rows] == ["ratio", COMMUNICATION]
    assert section.table.rows[1] == (COMMUNICATION, shares_against((SPENT_BY_A, SPENT_BY_B)))


def test_shares_against_ranks_are_a_table_of_their_own(snapshot: SnapshotAssertion) -> None:
    times, shares = sweep_sections(Analysis(solved(SOLVER, ranks=(2, 4))).summaries)
    assert [times.heading, shares.heading] == snapshot
    assert shares.table is not None
    assert [row[:3] for row in shares.table.rows] == [
        (ranks, shares_of(SPENT_BY_A), shares_of(SPENT_BY_B)) for ranks in ("2", "4")
    ]


def test_page_has_a_column_and_no_size_for_what_has_none() -> None:
    reported = _reported([Analysis(solved(SOLVER, *PINGPONGS))], None, 0.02)
    page = str(tables(reported))
    assert page.count(f">{COMMUNICATION}<") == 2
    assert page.count(shares_of(SPENT_BY_A)) == 1
    assert page.count(shares_against((SPENT_BY_A, SPENT_BY_B))) == 1
    assert page.count("<td>0 B<") == 2 + 1
    matrix = str(rankings_matrix(reported, 0))
    assert [title.split("<")[0] for title in matrix.split('scope="col">')[1:]] == [
        "-",
        "0 B",
        "8 B",
    ]
    assert matrix.count('<td class="none">') == 2 + 1


def test_page_without_applications_has_no_such_column() -> None:
    reported = _reported([Analysis(solved(*PINGPONGS))], None, 0.02)
    assert COMMUNICATION not in str(tables(reported))


def test_warnings_name_no_size_where_there_is_none(snapshot: SnapshotAssertion) -> None:
    rows = Analysis(solved(SOLVER, *PINGPONGS, blocks=3)).summaries
    (few,) = gathered(row for row in rows if row.pattern == "solver:S")
    odd = [replace(row, warnings=(replace(few, cause=f"{row.variant}"),)) for row in rows]
    (named,) = gathered(odd)
    (sized,) = gathered(reversed(odd))
    assert [few.cause, named.cause, sized.cause] == snapshot
