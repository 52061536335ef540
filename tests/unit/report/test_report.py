from __future__ import annotations

from dataclasses import replace

import pytest
from harness.blocks import cell, configuration, run_of_blocks
from syrupy.assertion import SnapshotAssertion

from leadline.compare.circumstances import Circumstances
from leadline.compare.ranking import Rankings
from leadline.compare.summaries import Summary
from leadline.models.fitted import Overview
from leadline.models.pingpong import Exceeded, FourNumbers, PingPong
from leadline.record.curve import CurveKey
from leadline.report.document import Section, Table, TableCell
from leadline.report.formats.markdown import escaped, markdown_lines
from leadline.report.formats.plain_text import (
    chosen_table,
    column_width,
    fitting_tables,
    folded_heading,
    text_lines,
    wrapped,
)
from leadline.report.text.measured import Measured
from leadline.report.text.phrases import measured_time, share, size, stated_share, where
from leadline.report.text.run import pingpong_sections
from leadline.statistics.estimate import Estimate

PINGPONG = CurveKey("pingpong", 2, "echo", "streaming")


TABLE = Table(("size", "one", "two\n5.0", "three"), (("8 B", "1.05 us", "x", "faster"),) * 2)
HOSTILE = "a|b *c* _d_ <e> [f](g) `h`\n# i \x1b[31m"


def text(section: Section, width: int) -> list[str]:
    return [line.text for line in text_lines([section], width)]


# -- tables ----------------------------------------------------------------------------------------


def test_columns_are_aligned_and_titles_stand_on_their_lowest_line(
    snapshot: SnapshotAssertion,
) -> None:
    assert text(Section("heading", TABLE), 80) == snapshot


def test_too_wide_table_is_split_and_every_part_begins_with_the_first_column() -> None:
    parts = list(fitting_tables(TABLE, 22))
    assert [part.columns for part in parts] == [("size", "one", "two\n5.0"), ("size", "three")]
    assert all(len(line) <= 22 for line in text(Section("h", TABLE), 22))


NARROW = Table(("size", "one"), (("8 B", TableCell("1.05 us", fastest=True)),))


@pytest.mark.parametrize(("width", "columns"), [(80, 4), (28, 4), (27, 2), (15, 2), (14, 4)])
def test_narrower_table_stands_in_for_one_that_is_too_wide(width: int, columns: int) -> None:
    section = Section("heading", TABLE, narrower=(NARROW,))
    assert len(chosen_table(section, width).columns) == columns


def test_cells_that_stand_out_are_found_in_their_line() -> None:
    size, time, *others = TABLE.rows[0]
    first = (size, TableCell(time, fastest=True), *others)
    second = (size, time, others[0], TableCell(others[1], fastest=True))
    for width in (80, 22):  # whole, and in parts
        lines = text_lines([Section("h", replace(TABLE, rows=(first, second)))], width)
        found = [line.text[begin:end] for line in lines for begin, end in line.strong]
        assert found == ["1.05 us", "faster"]


def test_short_form_of_a_table_or_of_some_columns_keeps_marks_and_plain_text() -> None:
    title, time = TableCell("verdict", short="fastest"), TableCell("1.05 us ±1 %", "1.05 us", True)
    table = Table(("size", "one", title), (("8 B", time, TableCell("a 2.6x faster", "a 2.6x")),))
    whole, verdict = table.short(), table.short({2})
    assert (whole.columns, whole.rows) == (
        ("size", "one", "fastest"),
        (("8 B", "1.05 us", "a 2.6x"),),
    )
    assert verdict.columns == whole.columns
    assert verdict.rows == (("8 B", "1.05 us ±1 %", "a 2.6x"),)
    assert [getattr(cell, "fastest", False) for cell in whole.rows[0]] == [False, True, False]
    assert table.columns[2] == "verdict" and whole.short() == whole


def test_row_is_left_out_of_parts_in_which_it_says_nothing_while_it_does_in_another() -> None:
    rows = (("8 B", "1 us", "faster"), ("share", "31 %", ""), ("none", "", ""))
    table = Table(("size", "time", "verdict"), rows)
    assert [part.rows for part in fitting_tables(table, 14)] == [
        (("8 B", "1 us"), ("share", "31 %"), ("none", "")),
        (("8 B", "faster"), ("none", "")),
    ]
    assert list(fitting_tables(table, 80)) == [table]


def test_rows_of_one_column_are_all_shown() -> None:
    table = Table(("text",), (("a",), ("",), ("b",)))
    assert list(fitting_tables(table, 80)) == [table]


def test_width_that_fits_nothing_still_shows_every_column() -> None:
    parts = list(fitting_tables(TABLE, 1))
    assert [part.columns[1:] for part in parts] == [("one",), ("two\n5.0",), ("three",)]


def test_table_without_rows_is_as_wide_as_its_titles() -> None:
    assert column_width(Table(("size", "two\nlines"), ()), 1) == 5


def test_heading_breaks_between_its_parts_only() -> None:
    assert folded_heading("a b · c d · e", 10) == ["a b · c d", "  e"]


def test_note_keeps_its_lines_and_indents_the_later_ones() -> None:
    assert wrapped("aaaaaa a bb\nx", 12) == ["  aaaaaa a", "    bb", "    x"]


def test_number_stays_with_its_unit() -> None:
    assert wrapped("a b 64 KiB", 11) == ["  a b", "    64 KiB"]


def test_text_from_a_record_can_not_steer_the_terminal() -> None:
    section = Section(HOSTILE, Table((HOSTILE,), ((HOSTILE,),)), (HOSTILE,))
    lines = text(section, 200) + list(markdown_lines([section]))
    assert "\x1b" not in "".join(lines)


def test_markdown_shows_every_character_as_it_is() -> None:
    assert escaped("a|b_c*d") == r"a\|b\_c\*d"
    assert escaped("<img>&lt;\n# x") == r"\<img\>\&lt; # x"
    assert (escaped("- a-b"), escaped("#1"), escaped("1.5 (co-resident)")) == (
        r"\- a-b", r"\#1", "1.5 (co-resident)",
    )  # fmt: skip


def test_markdown_row_keeps_its_number_of_cells_whatever_names_hold() -> None:
    table = Table(("size", HOSTILE), ((HOSTILE, "x"),))
    rows = [line for line in markdown_lines([Section("h", table)]) if line.startswith("|")]
    assert [row.replace(r"\|", "").count("|") for row in rows] == [3, 3, 3]


# -- numbers in words ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low_s", "high_s"), [(0.9e-6, 1.1e-6), (0.9e-6, 3.1e-6), (None, None)],
    ids=["alike on both sides", "unlike", "none"],
)  # fmt: skip
def test_time_says_how_sure_it_is(
    low_s: float | None, high_s: float | None, snapshot: SnapshotAssertion
) -> None:
    time = Estimate(1e-6, low_s, high_s)
    around = Circumstances()
    row = Summary(PINGPONG, "a", "mpich", "5", 8, time, 8, 160, 20, "native", "posix", (), around)
    assert measured_time(row) == snapshot


def test_share_below_one_percent_keeps_a_decimal() -> None:
    assert [share(x) for x in (0.084, 0.0095, 0.004, 0.00031, 0.0)] == [
        "8 %", "1 %", "0.4 %", "0.03 %", "0 %",
    ]  # fmt: skip


def test_threshold_is_shown_as_it_was_given() -> None:
    shares = (0.02, 0.025, 0.0001, 0.5, 0.0, 0.07)
    assert list(map(stated_share, shares)) == ["2 %", "2.5 %", "0.01 %", "50 %", "0 %", "7 %"]


def test_lone_size_of_zero_is_no_size() -> None:
    assert (size(0, 1), size(0, 2), size(None, 3)) == ("-", "0 B", "all sizes")


def test_place_on_a_curve_is_said_shortly(snapshot: SnapshotAssertion) -> None:
    places = [(8, 4096), (8, 8), (8, 64), (64, 512), (512, 4096), (4096, 4096), (None, None)]
    assert {place: where(*place, 8, 4096) for place in places} == snapshot
    for first in (8, 4096):
        assert where(first, first, first, first) == ""


# -- four numbers ----------------------------------------------------------------------------------


def four(latency: Estimate | None = None, **numbers: Estimate | Exceeded | None) -> FourNumbers:
    none = dict.fromkeys(("bandwidth_bytes_per_s", "half_bandwidth_bytes", "intercept_s"))
    return FourNumbers(latency, **(none | numbers))


def numbers_sections(*found: FourNumbers) -> list[Section]:
    run = run_of_blocks([[[1e-6]]], [configuration("shm")], [cell(0)])
    pingpongs = [PingPong(PINGPONG, "shm", one) for one in found]
    return list(
        pingpong_sections(
            Measured(run, (), (), Rankings((), ()), pingpongs, 0.02, (), (), Overview((), 0))
        )
    )


def test_asymptote_that_a_size_exceeds_is_refused_with_the_reason(
    snapshot: SnapshotAssertion,
) -> None:
    exceeded = Exceeded(2**20, Estimate(9.7e9, 9.6e9, 9.8e9, n=8), Estimate(4.13, 3.9, 4.4))
    (section,) = numbers_sections(four(Estimate(1e-6, 0.9e-6, 1.1e-6), exceeded=exceeded))
    assert section.table is not None
    assert (section.table.columns, section.table.rows, section.notes) == snapshot


def test_numbers_that_no_size_shows_make_no_table_of_dashes(snapshot: SnapshotAssertion) -> None:
    assert numbers_sections(four(Estimate(1e-6)), four()) == []
    (section,) = numbers_sections(four(Estimate(1e-6), intercept_s=Estimate(-3e-6, -9e-6, 2e-6)))
    assert section.table is not None
    assert (section.table.columns, section.table.rows) == snapshot
