from __future__ import annotations

import pytest

from leadline.compare.circumstances import Circumstances
from leadline.compare.curves import Comparison, Range
from leadline.compare.ranking import Lead
from leadline.compare.summaries import Summary
from leadline.compare.taxes import Tax
from leadline.compare.verdict import Judgement, Verdict
from leadline.record.curve import CurveKey
from leadline.report.document import Section, Table
from leadline.report.formats.markdown import escaped, markdown_lines
from leadline.report.formats.plain_text import (
    column_width,
    fitting_tables,
    folded_heading,
    text_lines,
    wrapped,
)
from leadline.report.text.phrases import (
    factor,
    faster,
    in_words,
    measured_time,
    share,
    size,
    times_of,
    where,
)
from leadline.report.text.sentences import leads_sentence, tax_sentence, whole_sentences
from leadline.statistics.estimate import Estimate

PINGPONG = CurveKey("pingpong", 2, "echo", "streaming")


TABLE = Table(("size", "one", "two\n5.0", "three"), (("8 B", "1.05 us", "x", "faster"),) * 2)
HOSTILE = "a|b *c* _d_ <e> [f](g) `h`\n# i \x1b[31m"


def text(section: Section, width: int) -> list[str]:
    return [line.text for line in text_lines([section], width)]


# -- tables ----------------------------------------------------------------------------------------


def test_columns_are_aligned_and_titles_stand_on_their_lowest_line() -> None:
    assert text(Section("heading", TABLE), 80) == [
        "heading",
        "                 two",
        "  size  one      5.0  three",
        "  8 B   1.05 us  x    faster",
        "  8 B   1.05 us  x    faster",
    ]


def test_too_wide_table_is_split_and_every_part_begins_with_the_first_column() -> None:
    parts = list(fitting_tables(TABLE, 22))
    assert [part.columns for part in parts] == [("size", "one", "two\n5.0"), ("size", "three")]
    assert all(len(line) <= 22 for line in text(Section("h", TABLE), 22))


def test_width_that_fits_nothing_still_shows_every_column() -> None:
    parts = list(fitting_tables(TABLE, 1))
    assert [part.columns[1:] for part in parts] == [("one",), ("two\n5.0",), ("three",)]


def test_table_without_rows_is_as_wide_as_its_titles() -> None:
    assert column_width(Table(("size", "two\nlines"), ()), 1) == 5


def test_heading_breaks_between_its_parts_only() -> None:
    assert folded_heading("one two · three four · five", 20) == [
        "one two · three four", "  five",
    ]  # fmt: skip


def test_note_keeps_its_lines_and_indents_the_later_ones() -> None:
    assert wrapped("cause of it\nremedy", 12) == ["  cause of", "    it", "    remedy"]


def test_number_stays_with_its_unit() -> None:
    assert wrapped("up to 64 KiB", 11) == ["  up to", "    64 KiB"]


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
    ("values", "value", "bounds"),
    [
        ((2.6, 2.5, 2.7), "2.6", "2.5 to 2.7"),
        ((1.052, 1.0421, 1.065), "1.05", "1.04 to 1.06"),
        ((1.052, 1.0501, 1.0529), "1.052", "1.050 to 1.053"),
        ((1.0, 1.0, 1.0), "1.000", "1.000 to 1.000"),
        ((1.5, 0.9, 2.8), "1.5", "0.9 to 2.8"),
        ((25.4, 20.2, 30.1), "25", "20 to 30"),
    ],
)
def test_ratio_has_the_decimals_that_its_interval_is_worth(
    values: tuple[float, float, float], value: str, bounds: str
) -> None:
    times = times_of(*values)
    assert (times.value, times.bounds) == (value, bounds)


def test_faster_reads_the_ratio_from_the_winner_s_side() -> None:
    candidate_wins = faster(Estimate(0.5, 0.4, 0.8), Verdict.FASTER)
    assert (candidate_wins.value, candidate_wins.bounds) == ("2.0", "1.2 to 2.5")
    assert faster(Estimate(2.0, 1.25, 2.5), Verdict.SLOWER).value == "2.0"


def test_ratio_without_interval_has_no_words_and_no_winner() -> None:
    assert in_words(Estimate(2.0, n=3)) is None
    with pytest.raises(ValueError, match="without an interval"):
        faster(Estimate(2.0, n=3), Verdict.FASTER)


@pytest.mark.parametrize(
    ("low_s", "high_s", "shown"),
    [
        (0.9e-6, 1.1e-6, "1.00 us ±10 %"),
        (0.9e-6, 3.1e-6, "1.00 us (0.900 us to 3.10 us)"),
        (None, None, "1.00 us, 8 blocks"),
    ],
)
def test_time_says_how_sure_it_is(low_s: float | None, high_s: float | None, shown: str) -> None:
    time = Estimate(1e-6, low_s, high_s)
    around = Circumstances()
    row = Summary(PINGPONG, "a", "mpich", "5", 8, time, 8, 160, 20, "native", "posix", (), around)
    assert measured_time(row) == shown


def test_share_below_one_percent_keeps_a_decimal() -> None:
    assert (share(0.084), share(0.0095), share(0.004)) == ("8 %", "1 %", "0.4 %")


def test_lone_size_of_zero_is_no_size() -> None:
    assert (size(0, 1), size(0, 2), size(None, 3)) == ("-", "0 B", "all sizes")


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (8, 4096, " at all sizes"),
        (8, 8, " at 8 B"),
        (8, 64, " up to 64 B"),
        (64, 512, " from 64 B to 512 B"),
        (512, 4096, " from 512 B on"),
        (4096, 4096, " at 4 KiB"),
    ],
)
def test_place_on_a_curve_is_said_shortly(first: int, last: int, words: str) -> None:
    assert where(first, last, 8, 4096) == words
    assert where(first, first, first, first) == ""


# -- sentences -------------------------------------------------------------------------------------


def lead(first: int, last: int, verdict: Verdict, ratio: float, other: str = "mpich") -> Lead:
    effect = Estimate(ratio, ratio * 0.96, ratio * 1.04)
    return Lead(other, "openmpi", Range(first, last, Judgement(verdict), effect))


def test_sentence_names_winners_once_and_says_where_nothing_was_shown() -> None:
    leads = [
        lead(0, 512, Verdict.FASTER, 0.385),
        lead(1024, 4096, Verdict.FASTER, 0.7),
        lead(65536, 65536, Verdict.UNDECIDED, 1.0),
        lead(10**6, 10**6, Verdict.SLOWER, 1.2),
    ]
    assert leads_sentence(leads, 0.02, several=False) == (
        "openmpi is 2.6 (2.5 to 2.7) times faster than mpich up to 512 B; "
        "1.43 (1.37 to 1.49) times faster from 1 KiB to 4 KiB; "
        "no difference shown at 64 KiB; "
        "mpich is 1.20 (1.15 to 1.25) times faster than openmpi at 1,000,000 B."
    )


def test_sizes_that_have_no_lead_are_not_spoken_for() -> None:
    leads = [lead(512, 4096, Verdict.FASTER, 0.5)]
    assert leads_sentence(leads, 0.02, several=False).endswith(" at all sizes.")
    assert leads_sentence(leads, 0.02, False, (8, 512, 4096)).endswith(" from 512 B on.")


def test_among_several_no_difference_names_its_two() -> None:
    leads = [lead(0, 8, Verdict.UNDECIDED, 1.0, "impi"), lead(16, 32, Verdict.SAME, 1.0)]
    assert leads_sentence(leads, 0.02, several=True) == (
        "No difference shown between impi and openmpi up to 8 B; "
        "mpich and openmpi are equal within 2 % from 16 B on."
    )


def test_tax_names_size_and_cost_of_each_library() -> None:
    taxes = [
        Tax("pingpong", 2, 8, "openmpi", Estimate(1.4, 1.3, 1.5), "shm"),
        Tax("pingpong", 2, 8, "mpich", Estimate(3.5, n=3), "shm"),
    ]
    assert tax_sentence(taxes) == (
        "Library tax over raw shared memory at 8 B: openmpi 1.4x (1.3 to 1.5), mpich 3.5x."
    )
    assert tax_sentence([]) == ""


def test_tax_over_each_raw_transport_is_a_sentence_of_its_own() -> None:
    effect = Estimate(2, n=3)
    taxes = [Tax("bcast", 2, 8, "impi", effect, raw) for raw in ("shm", "tcp")]
    assert tax_sentence(taxes) == (
        "Library tax over raw shared memory at 8 B: impi 2.0x. "
        "Library tax over raw TCP at 8 B: impi 2.0x."
    )


def whole(verdict: Verdict) -> Comparison:
    effect = Estimate(0.9, 0.85, 0.95, n=8)
    return Comparison(PINGPONG, None, "mpich", "openmpi", effect, Judgement(verdict), counted=True)


def test_whole_curve_is_spoken_of_where_no_size_alone_shows_anything() -> None:
    undecided = [lead(0, 512, Verdict.UNDECIDED, 0.9)]
    assert whole_sentences([whole(Verdict.FASTER)], undecided) == [
        "All sizes together: openmpi is 1.11 (1.05 to 1.18) times faster than mpich."
    ]
    assert whole_sentences([whole(Verdict.UNDECIDED)], undecided) == []
    assert whole_sentences([whole(Verdict.FASTER)], [lead(0, 512, Verdict.FASTER, 0.9)]) == []
    assert whole_sentences([whole(Verdict.FASTER)], [lead(0, 0, Verdict.SAME, 0.9)]) == [
        "openmpi is 1.11 (1.05 to 1.18) times faster than mpich."
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [(25.4, "25"), (2.64, "2.6"), (0.0951, "0.1"), (0.0949, "0.09"), (0.000988, "0.0010")],
)
def test_ratio_without_an_interval_is_never_nought(value: float, text: str) -> None:
    assert factor(value) == text
