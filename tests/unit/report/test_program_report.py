"""What is printed of a program's trade-off; for the arithmetic see models/test_program.py."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from harness.models import scattered
from harness.places import ROOT
from tests.support.programs import (
    BARRIERS,
    LINE,
    TREE,
    model,
    program,
    said,
    without_conditions,
)

from leadline.models.calls import Calls, CallSize, ProgramCall, parse_calls
from leadline.models.forms import ClosedForm, Scaling
from leadline.models.model import Model, RankSet
from leadline.models.program import Programs, TradeOff, trade_off
from leadline.record.caveats import CaveatKind
from leadline.record.run import Origin
from leadline.report.document import Section, Table
from leadline.report.formats.json_text import document_text
from leadline.report.formats.plain_text import text_lines
from leadline.report.programs.program import program_content, program_records
from leadline.report.text.program import CONDITIONS, program_document, program_sentences


def test_what_models_are_of_is_said_once_for_all_calls() -> None:
    found = Programs((program(), replace(program(), variant="shm")))
    (section,) = (one for one in program_document(found) if one.heading == CONDITIONS)
    assert section.notes[0].startswith("Intervals of predictions are of a campaign of the same")
    assert len(section.notes) == 1
    assert any("of the same hour" in one for one in program_records(found).comments)
    assert not any(
        one.heading == CONDITIONS
        for one in program_document(Programs((trade_off([], 1.0, 0.0, Calls(()), [2]),)))
    )


def table_of(section: Section) -> Table:
    assert section.table is not None
    return section.table


# -- tables ----------------------------------------------------------------------------------------


def test_table_has_a_row_a_number_of_ranks() -> None:
    times, calls = without_conditions(Programs((program(ranks=(2, 512, 2048)),)))
    assert times.heading == "program over mpich · 1.00 s of work on one rank"
    assert table_of(times).rows == (
        ("2", "500 ms", "1.00 ms ±10 %", "501 ms ±0.02 %", "2.00 ±0.02 %", "100 % ±0.02 %", ""),
        ("512", "1.95 ms", "9.00 ms ±10 %", "11.0 ms ±8 %", "91.3 ±8 %", "18 % ±8 %",
         "best, half"),
        ("2,048", "488 us", "11.0 ms ±20 %", "11.5 ms ±19 %", "87.0 ±19 %", "4 % ±19 %",
         "extrapolated"),
    )  # fmt: skip
    assert calls.heading == "calls over mpich · on 512 ranks"
    assert table_of(calls).rows == (("barrier", "0 B", "1", "all", "9.00 ms ±10 %"),)


def test_heading_says_what_was_told_of_the_program() -> None:
    found = trade_off([model()], 8.0, 0.025, replace(BARRIERS, steps=100), [2, 4])
    heading = without_conditions(Programs((found,)))[0].heading
    assert heading.endswith("8.00 s of work on one rank · 2.5 % of it serial · 100 steps")


def test_calls_say_how_they_scale() -> None:
    calls = Calls((ProgramCall("gather", CallSize(2**20, Fraction(1, 2)), 0.5, ranks=4),))
    _, section = without_conditions(Programs((program(calls=calls, ranks=[4]),)))
    row = ("gather", "1 MiB / p^(1/2)", "0.5", "groups of 4", "263 us ±10 %")
    assert table_of(section).rows == (row,)


def test_of_many_numbers_of_ranks_those_that_are_spoken_of_are_shown() -> None:
    times, _ = without_conditions(Programs((program(ranks=range(3, 1001)),)))
    shown = [row[0] for row in table_of(times).rows]
    assert shown == ["3", "4", "8", "16", "32", "64", "128", "141", "256", "512", "693", "1,000"]
    assert times.notes[0] == (
        "998 numbers of ranks were asked for: --csv and --json have them all."
    )


def test_several_variants_end_with_the_best_of_each() -> None:
    other = replace(program(ranks=(2, 4)), variant="shm")
    *_, last = without_conditions(Programs((program(), other)))
    assert [row[:2] for row in table_of(last).rows] == [("mpich", "8"), ("shm", "4")]
    (note,) = last.notes
    assert note == (
        "mpich on 8 ranks is the fastest: its interval lies below the others' on all numbers of "
        "ranks."
    )


def test_what_holds_of_the_calls_over_each_variant_is_said_once() -> None:
    calls = Calls((ProgramCall("barrier", CallSize(0), ranks=4),))
    mpich = program(ranks=[4, 6], calls=calls)
    unsure = trade_off([model(scatter=None)], 1.0, 0.0, calls, [4, 6])
    first, _, second, _, last = without_conditions(
        Programs((mpich, replace(unsure, variant="shm")))
    )
    words = ["barrier takes what 4 ranks take", "Groups of 4 leave ranks over from 6 ranks on"]
    for sentence in words:
        notes = [" ".join(section.notes) for section in (first, second, last)]
        assert [sentence in one for one in notes] == [False, False, True]
    assert any("There are no intervals" in line for line in second.notes)
    assert all(any(sentence in line for line in program_sentences(mpich)) for sentence in words)


def test_fastest_of_several_is_named_only_where_intervals_tell_it() -> None:
    def notes(*found: TradeOff) -> str:
        return " ".join(without_conditions(Programs(found))[-1].notes)

    alike = replace(program(), variant="shm")
    assert notes(program(), alike) == "Which is the fastest can't be told: intervals overlap."
    bare = trade_off([replace(model(scatter=None), variant="shm")], 1.0, 0.0, BARRIERS, [2])
    assert "can't be told: not all have intervals." in notes(program(), bare)
    simulated = replace(alike, origin=Origin.SIMULATED)
    assert notes(program(), simulated) == ""


# -- sentences -------------------------------------------------------------------------------------


def test_sentences_name_the_best_number_of_ranks_and_where_half_is_lost() -> None:
    first, second = program_sentences(program(work_s=0.1, ranks=range(2, 1025)))
    assert first.startswith("The least time is on 69 ranks (26 to 451 may take as little): 7.56 ms")
    assert first.endswith("13 (12 to 14) times as fast as one, efficiency 19 % ±8 %.")
    assert second == "Communication takes half of the time, or more, from 23 ranks on (21 to 25)."


def test_the_end_of_what_was_asked_for_is_said() -> None:
    assert "ends there: more than 8 ranks may take less." in said(program())
    assert "ends at 100 ranks, which may take as little." in said(program(0.1, range(2, 101)))
    assert "begins there: fewer than 128 ranks may take less." in said(program(0.1, [128, 256]))
    for inside in (program(0.1, range(2, 1025)), program(ranks=[8]), program(0.001, [2, 1024])):
        assert "asked for" not in said(inside)


def test_one_number_of_ranks_is_no_best() -> None:
    found = program(ranks=[8])
    first, second = program_sentences(found)
    assert first.startswith("On 8 ranks: 128 ms")
    assert second == "Communication takes less than half of the time."
    assert table_of(without_conditions(Programs((found,)))[0]).rows[0][-1] == ""
    near = said(program(ranks=[139]))
    assert "takes less than half of the time, but perhaps more." in near


def test_dividing_that_does_not_pay_is_said() -> None:
    assert "One rank alone is faster: it takes 1.00 ms." in said(program(0.001, [4, 8]))
    # 2 ms on one rank; on 2 they take 1 ms and a barrier of 0.90 to 1.11 ms
    assert "faster than one rank alone, 2.00 ms, can't be told." in said(program(0.002, [2, 4]))
    assert "one rank alone" not in said(program()).lower()


def test_half_outside_of_what_was_asked_for_is_said() -> None:
    assert "half of the time on none of these numbers of ranks." in said(program())
    near = said(program(ranks=range(2, 140)))
    assert "none of these numbers of ranks, but perhaps on 130." in near
    assert "more, from 141 ranks on (130 to more than 150)." in said(program(ranks=range(2, 151)))
    assert "or more, from 512 ranks on already." in said(program(ranks=[512, 1024]))
    assert "or more, on 512 ranks." in said(program(ranks=[2, 512]))
    assert "or more, on 512 ranks." in said(program(ranks=[512]))


def test_half_that_is_lost_again_is_said() -> None:
    # beside 1 s / p of work messages take 100 ms log2 p, on powers of two 10 us log2 p
    form = replace(TREE, powers_apart=True)
    families = [
        (family, model(values=(0.0, value)).pieces[0][1])
        for family, value in ((RankSet.POWERS_OF_TWO, 1e-5), (RankSet.OTHERS, 1e-1))
    ]
    apart = replace(model(ranks=(2, 3, 127, 1024)), form=form, pieces=tuple(families))
    few = said(trade_off([apart], 1.0, 0.0, BARRIERS, range(2, 9)))
    assert "takes half of the time, or more, on 5 ranks, but not on 8 ranks." in few
    assert "The least time is on 8 ranks: " in few
    unsure = replace(apart, scatter=scattered(noise=0.03, misfit=1.0, quantile=2.0))
    fewest = said(trade_off([unsure], 0.02, 0.0, BARRIERS, range(2, 129)))
    assert "on 128 ranks (32, 64 and 128 ranks may take as little): 226" in fewest
    many = said(trade_off([apart], 1.0, 0.0, BARRIERS, [5, *(2**k for k in range(3, 13))]))
    assert "already, but not on 8 to 4,096 ranks (10 numbers of them)." in many


@pytest.mark.parametrize(
    ("ranks", "where"),
    [
        ([64, 1024, 2048, 4096], "from 2,048 ranks on"),
        ([2048, 4096], "throughout"),
        ([2, 1024], ""),
    ],
)
def test_extrapolation_is_said_with_what_was_fitted(ranks: list[int], where: str) -> None:
    words = said(program(ranks=ranks))
    sentence = f"barrier is extrapolated {where}: fitted to 2 to 1,024 ranks and 0 B."
    assert (sentence in words) if where else ("extrapolated" not in words)


def test_extrapolation_below_and_on_both_sides_is_said() -> None:
    narrow = model("gather", LINE, (1e-6, 1e-9), ranks=(4, 6, 16))
    calls = Calls((ProgramCall("gather", CallSize(8)),))
    below = said(trade_off([narrow], 1.0, 0.0, calls, [2, 3, 4, 16]))
    assert (
        "gather of 8 B is extrapolated up to 3 ranks: fitted to 4 to 16 ranks and 0 B to" in below
    )
    both = Calls((*calls.calls, ProgramCall("gather", CallSize(16))))
    alike = said(trade_off([narrow], 1.0, 0.0, both, [2, 4]))
    assert "gather of 8 B and gather of 16 B are extrapolated up to 2 ranks: fitted to" in alike
    around = said(trade_off([narrow], 1.0, 0.0, calls, [2, 4, 32]))
    assert "gather of 8 B is extrapolated on 2 and 32 ranks: fitted to" in around
    many = said(trade_off([narrow], 1.0, 0.0, calls, [2, 4, *range(17, 1001)]))
    assert "is extrapolated on 2 to 1,000 ranks (985 numbers of them): fitted" in many


@pytest.mark.parametrize(
    ("blocks", "origin", "words"),
    [(3, Origin.MEASURED, "3 blocks"), (0, Origin.SIMULATED, "simulated values")],
)
def test_missing_intervals_are_said_and_leave_plain_numbers(
    blocks: int, origin: Origin, words: str
) -> None:
    unsure = replace(model(scatter=None), blocks=blocks, origin=origin)
    found = trade_off([unsure], 1.0, 0.0, BARRIERS, [2, 512])
    assert f"There are no intervals: barrier rests on {words}." in program_sentences(found)
    row = table_of(without_conditions(Programs((found,)))[0]).rows[1]
    assert row[:6] == ("512", "1.95 ms", "9.00 ms", "11.0 ms", "91.3", "18 %")
    assert program_sentences(found)[0] == (
        "The least time is on 512 ranks: 11.0 ms, 91.3 times as fast as one, efficiency 18 %."
    )


def test_time_that_stands_for_a_form_that_falls_below_it_is_said_in_every_form() -> None:
    falling = [
        model(pattern, values=(10e-3, -1e-3), ranks=(2, 3, 64)) for pattern in ("barrier", "bcast")
    ]
    both = Calls((*BARRIERS.calls, ProgramCall("bcast", CallSize(0))))
    found = trade_off(falling, 1.0, 0.0, BARRIERS, [32, 128])
    its = "barrier takes the shortest time of its piece from 128 ranks on, below which its form"
    assert its in said(found)
    assert "barrier and bcast take the shortest times of their pieces throughout" in said(
        trade_off(falling, 1.0, 0.0, both, [128, 256])
    )
    shown = without_conditions(Programs((found,)))[0]
    assert table_of(shown).rows[1][-1] == "best, extrapolated, floored"
    (over,) = json.loads(document_text(program_content(Programs((found,)))))["programs"]
    assert [row["floored"] for row in over["rows"]] == [False, True]
    assert "takes the shortest time" not in said(program())


def test_interval_that_says_nothing_is_in_no_sentence() -> None:
    # bounds of a barrier are a factor of exp(60) apart, so that a program may take years
    lost = model(scatter=scattered(noise=0.03, misfit=15.0, quantile=2.0))
    found = trade_off([lost], 1.0, 0.0, BARRIERS, [8])
    assert program_sentences(found)[0] == (
        "On 8 ranks: 128 ms (no useful interval), 7.81 (no useful interval) times as fast as one, "
        "efficiency 98 % (no useful interval)."
    )


def test_program_without_calls_or_without_work_is_told_as_that() -> None:
    silent = program(calls=Calls())
    assert "There are no calls: nothing is communicated, whatever the variant." in said(silent)
    (section,) = without_conditions(Programs((silent,)))
    assert table_of(section).rows[0] == ("2", "500 ms", "-", "500 ms", "2.00", "100 %", "")
    idle = program(work_s=0.0)
    assert "There is no work to divide, so there is no speed-up." in program_sentences(idle)
    assert table_of(without_conditions(Programs((idle,)))[0]).rows[0][4:6] == ("-", "-")


def test_groups_are_said_to_be_taken_as_if_alone() -> None:
    calls = Calls((ProgramCall("barrier", CallSize(0), ranks=4),))
    words = said(program(calls=calls, ranks=[4, 8]))
    assert "barrier takes what 4 ranks take" in words and "over" not in words


def test_ranks_that_groups_leave_over_are_said() -> None:
    calls = Calls((ProgramCall("barrier", CallSize(0), ranks=4),))
    words = said(program(calls=calls, ranks=[4, 5, 6, 8]))
    assert "Groups of 4 leave ranks over on 5 and 6 ranks: these are taken to call no" in words
    beyond = said(program(calls=calls, ranks=[4, 8, 9]))
    assert "Groups of 4 leave ranks over from 9 ranks on: these" in beyond


def test_size_that_is_divided_into_nothing_counts_as_a_byte_and_is_said() -> None:
    thin = Calls((ProgramCall("gather", CallSize(8, Fraction(2))),))
    assert "Less than a byte is left" not in said(program(calls=thin, ranks=[2]))  # 2 B
    words = said(program(calls=thin, ranks=[2, 3, 4]))
    assert "Less than a byte is left from 3 ranks on of gather of 8 B / p^2: it counts as" in words
    assert "Less than a byte" not in said(program(ranks=[2, 4]))  # a barrier has none to divide


def test_warnings_of_models_are_passed_on_once() -> None:
    caveat = CaveatKind.FEW_BLOCKS.because("3 blocks", blocks=6)
    unsure = replace(model(scatter=None), blocks=3, caveats=(caveat,))
    found = trade_off([unsure], 1.0, 0.0, Calls(BARRIERS.calls * 2), [2])
    *_, last = without_conditions(Programs((found, found)))
    assert (last.heading, len(last.notes)) == ("warnings", 1)
    assert program_content(Programs((found, found)))["warnings"] == (caveat,)
    assert (
        program_records(Programs((found,))).comments[-1].startswith("warning: few_blocks: 3 blocks")
    )


# -- the documentation -----------------------------------------------------------------------------


def fitted(pattern: str, form: ClosedForm, values: Sequence[float]) -> Model:
    """One fitted to 4 to 64 ranks and sizes up to 1 MiB."""
    scatter = scattered(noise=0.02, misfit=0.03, quantile=2.1)
    ranks = (4, 6, 8, 12, 16, 24, 32, 48, 64)
    return model(pattern, form, values, ranks, scatter, sizes=(8, 2**20))


def test_howto_shows_what_is_printed() -> None:
    page = (ROOT / "docs" / "howto.md").read_text().split("## How many ranks for my program?")[1]
    calls = parse_calls(page.split("```toml\n")[1].split("```")[0], "calls.toml")
    tree = ClosedForm(Scaling.LOGARITHMIC, Scaling.LOGARITHMIC)
    pairwise = ClosedForm(Scaling.LINEAR, Scaling.LINEAR)
    models = [
        fitted("allreduce", tree, (3e-6, 2.5e-6, 1e-10, 1e-10)),
        fitted("total_exchange", pairwise, (2e-6, 1.5e-6, 0.0, 4e-10)),
    ]
    found = trade_off(models, 60.0, 0.0, calls, range(4, 257))
    printed = "\n".join(line.text for line in text_lines(program_document(Programs((found,))), 100))
    assert page.split("```text\n")[1].split("\n```")[0] == printed
