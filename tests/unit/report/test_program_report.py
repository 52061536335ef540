"""What is printed of a program's trade-off; for the arithmetic see models/test_program.py."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from harness.models import scattered
from harness.places import ROOT
from syrupy.assertion import SnapshotAssertion
from tests.support.programs import (
    BARRIERS,
    LINE,
    TREE,
    model,
    program,
    without_conditions,
)
from tests.support.texts import numbers

from leadline.models.calls import Calls, CallSize, ProgramCall, parse_calls
from leadline.models.forms import ClosedForm, Scaling
from leadline.models.model import Model, RankSet
from leadline.models.program import Programs, TradeOff, trade_off
from leadline.record.run import Origin
from leadline.record.warnings import WarningKind, warning_of
from leadline.report.document import Section, Table
from leadline.report.formats.json_text import document_text
from leadline.report.formats.plain_text import text_lines
from leadline.report.programs.predicted import program_content, program_records
from leadline.report.text.program import CONDITIONS, program_document, program_sentences


def test_what_models_are_of_is_said_once_for_all_calls(snapshot: SnapshotAssertion) -> None:
    found = Programs((program(), replace(program(), variant="shm")))
    (section,) = (one for one in program_document(found) if one.heading == CONDITIONS)
    (note,) = section.notes
    assert note == snapshot
    assert any(note in one for one in program_records(found).comments)
    assert not any(
        one.heading == CONDITIONS
        for one in program_document(Programs((trade_off([], 1.0, 0.0, Calls(()), [2]),)))
    )


def table_of(section: Section) -> Table:
    assert section.table is not None
    return section.table


# -- tables ----------------------------------------------------------------------------------------


def test_table_has_a_row_a_number_of_ranks(snapshot: SnapshotAssertion) -> None:
    times, calls = without_conditions(Programs((program(ranks=(2, 512, 2048)),)))
    assert (times.heading, calls.heading) == snapshot
    assert table_of(times).rows == (
        ("2", "500 ms", "1.00 ms ±10 %", "501 ms ±0.02 %", "2.00 ±0.02 %", "100 % ±0.02 %", ""),
        ("512", "1.95 ms", "9.00 ms ±10 %", "11.0 ms ±8 %", "91.3 ±8 %", "18 % ±8 %",
         "best, half"),
        ("2,048", "488 us", "11.0 ms ±20 %", "11.5 ms ±19 %", "87.0 ±19 %", "4 % ±19 %",
         "extrapolated"),
    )  # fmt: skip
    assert table_of(calls).rows == (("barrier", "0 B", "1", "all", "9.00 ms ±10 %"),)


def test_heading_says_what_was_told_of_the_program() -> None:
    found = trade_off([model()], 8.0, 0.025, replace(BARRIERS, steps=100), [2, 4])
    heading = without_conditions(Programs((found,)))[0].heading
    assert numbers(heading) == ["8.00", "2.5", "100"]


def test_calls_say_how_they_scale(snapshot: SnapshotAssertion) -> None:
    calls = Calls((ProgramCall("gather", CallSize(2**20, Fraction(1, 2)), 0.5, ranks=4),))
    _, section = without_conditions(Programs((program(calls=calls, ranks=[4]),)))
    assert table_of(section).rows == snapshot


def test_of_many_numbers_of_ranks_those_that_are_spoken_of_are_shown() -> None:
    times, _ = without_conditions(Programs((program(ranks=range(3, 1001)),)))
    shown = [row[0] for row in table_of(times).rows]
    assert shown == ["3", "4", "8", "16", "32", "64", "128", "141", "256", "512", "693", "1,000"]
    assert numbers(times.notes[0]) == ["998"]
    assert "--csv" in times.notes[0] and "--json" in times.notes[0]


def test_several_variants_end_with_the_best_of_each(snapshot: SnapshotAssertion) -> None:
    other = replace(program(ranks=(2, 4)), variant="shm")
    *_, last = without_conditions(Programs((program(), other)))
    assert [row[:2] for row in table_of(last).rows] == [("mpich", "8"), ("shm", "4")]
    (note,) = last.notes
    assert note == snapshot


def test_what_holds_of_the_calls_over_each_variant_is_said_once(
    snapshot: SnapshotAssertion,
) -> None:
    calls = Calls((ProgramCall("barrier", CallSize(0), ranks=4),))
    mpich = program(ranks=[4, 6], calls=calls)
    unsure = trade_off([model(scatter=None)], 1.0, 0.0, calls, [4, 6])
    first, _, second, _, last = without_conditions(
        Programs((mpich, replace(unsure, variant="shm")))
    )
    notes = [one.notes for one in (first, second, last)]
    assert notes == snapshot
    together = set(notes[2]) & set(program_sentences(mpich))
    assert len(together) == 2
    assert not together & {*notes[0], *notes[1]}


def test_fastest_of_several_is_named_only_where_intervals_tell_it(
    snapshot: SnapshotAssertion,
) -> None:
    def notes(*found: TradeOff) -> tuple[str, ...]:
        return tuple(without_conditions(Programs(found))[-1].notes)

    alike = replace(program(), variant="shm")
    bare = trade_off([replace(model(scatter=None), variant="shm")], 1.0, 0.0, BARRIERS, [2])
    messages = {
        "intervals overlap": notes(program(), alike),
        "one has none": notes(program(), bare),
    }
    assert messages == snapshot
    simulated = replace(alike, origin=Origin.SIMULATED)
    assert notes(program(), simulated) == ()


# -- sentences -------------------------------------------------------------------------------------


def test_sentences_name_the_best_number_of_ranks_and_where_half_is_lost(
    snapshot: SnapshotAssertion,
) -> None:
    assert program_sentences(program(work_s=0.1, ranks=range(2, 1025))) == snapshot


def test_the_end_of_what_was_asked_for_is_said(snapshot: SnapshotAssertion) -> None:
    ends = {
        "more than 8": program(),
        "100 as little": program(0.1, range(2, 101)),
        "fewer than 128": program(0.1, [128, 256]),
        "inside": program(0.1, range(2, 1025)),
        "one number": program(ranks=[8]),
        "one rank is faster": program(0.001, [2, 1024]),
    }
    assert {name: program_sentences(found) for name, found in ends.items()} == snapshot


def test_one_number_of_ranks_is_no_best(snapshot: SnapshotAssertion) -> None:
    found = program(ranks=[8])
    near = program(ranks=[139])
    assert [program_sentences(one) for one in (found, near)] == snapshot
    assert table_of(without_conditions(Programs((found,)))[0]).rows[0][-1] == ""


def test_dividing_that_does_not_pay_is_said(snapshot: SnapshotAssertion) -> None:
    # 2 ms on one rank; on 2 they take 1 ms and a barrier of 0.90 to 1.11 ms
    told = {
        "slower": program(0.001, [4, 8]), "untold": program(0.002, [2, 4]), "pays": program(),
    }  # fmt: skip
    assert {name: program_sentences(found) for name, found in told.items()} == snapshot


def test_half_outside_of_what_was_asked_for_is_said(snapshot: SnapshotAssertion) -> None:
    asked = {
        "2, 4, 8": [2, 4, 8], "2 to 139": range(2, 140), "2 to 150": range(2, 151),
        "512, 1024": [512, 1024], "2, 512": [2, 512], "512": [512],
    }  # fmt: skip
    messages = {name: program_sentences(program(ranks=ranks))[-1] for name, ranks in asked.items()}
    assert messages == snapshot


def test_half_that_is_lost_again_is_said(snapshot: SnapshotAssertion) -> None:
    # beside 1 s / p of work messages take 100 ms log2 p, on powers of two 10 us log2 p
    form = replace(TREE, powers_apart=True)
    families = [
        (family, model(values=(0.0, value)).pieces[0][1])
        for family, value in ((RankSet.POWERS_OF_TWO, 1e-5), (RankSet.OTHERS, 1e-1))
    ]
    apart = replace(model(ranks=(2, 3, 127, 1024)), form=form, pieces=tuple(families))
    few = trade_off([apart], 1.0, 0.0, BARRIERS, range(2, 9))
    unsure = replace(apart, scatter=scattered(noise=0.03, misfit=1.0, quantile=2.0))
    fewest = trade_off([unsure], 0.02, 0.0, BARRIERS, range(2, 129))
    many = trade_off([apart], 1.0, 0.0, BARRIERS, [5, *(2**k for k in range(3, 13))])
    messages = {"few": few, "as little": fewest, "many": many}
    assert {name: program_sentences(found) for name, found in messages.items()} == snapshot


@pytest.mark.parametrize("ranks", [[64, 1024, 2048, 4096], [2048, 4096], [2, 1024]])
def test_extrapolation_is_said_with_what_was_fitted(
    ranks: list[int], snapshot: SnapshotAssertion
) -> None:
    assert program_sentences(program(ranks=ranks)) == snapshot


def test_extrapolation_below_and_on_both_sides_is_said(snapshot: SnapshotAssertion) -> None:
    narrow = model("gather", LINE, (1e-6, 1e-9), ranks=(4, 6, 16))
    calls = Calls((ProgramCall("gather", CallSize(8)),))
    both = Calls((*calls.calls, ProgramCall("gather", CallSize(16))))
    messages = {
        "below": program_sentences(trade_off([narrow], 1.0, 0.0, calls, [2, 3, 4, 16])),
        "alike": program_sentences(trade_off([narrow], 1.0, 0.0, both, [2, 4])),
        "around": program_sentences(trade_off([narrow], 1.0, 0.0, calls, [2, 4, 32])),
        "many": program_sentences(trade_off([narrow], 1.0, 0.0, calls, [2, 4, *range(17, 1001)])),
    }
    assert messages == snapshot


@pytest.mark.parametrize(
    ("blocks", "origin"), [(3, Origin.MEASURED), (0, Origin.SIMULATED)], ids=["few", "simulated"]
)
def test_missing_intervals_are_said_and_leave_plain_numbers(
    blocks: int, origin: Origin, snapshot: SnapshotAssertion
) -> None:
    unsure = replace(model(scatter=None), blocks=blocks, origin=origin)
    found = trade_off([unsure], 1.0, 0.0, BARRIERS, [2, 512])
    row = table_of(without_conditions(Programs((found,)))[0]).rows[1]
    assert row[:6] == ("512", "1.95 ms", "9.00 ms", "11.0 ms", "91.3", "18 %")
    assert program_sentences(found) == snapshot


def test_time_that_stands_for_a_form_that_falls_below_it_is_said_in_every_form(
    snapshot: SnapshotAssertion,
) -> None:
    falling = [
        model(pattern, values=(10e-3, -1e-3), ranks=(2, 3, 64)) for pattern in ("barrier", "bcast")
    ]
    both = Calls((*BARRIERS.calls, ProgramCall("bcast", CallSize(0))))
    found = trade_off(falling, 1.0, 0.0, BARRIERS, [32, 128])
    throughout = trade_off(falling, 1.0, 0.0, both, [128, 256])
    assert [program_sentences(one) for one in (found, throughout)] == snapshot
    shown = without_conditions(Programs((found,)))[0]
    assert table_of(shown).rows[1][-1].split(", ") == ["best", "extrapolated", "floored"]
    (over,) = json.loads(document_text(program_content(Programs((found,)))))["programs"]
    assert [row["floored"] for row in over["rows"]] == [False, True]


def test_interval_that_says_nothing_is_in_no_sentence() -> None:
    # bounds of a barrier are a factor of exp(60) apart, so that a program may take years
    lost = model(scatter=scattered(noise=0.03, misfit=15.0, quantile=2.0))
    found = trade_off([lost], 1.0, 0.0, BARRIERS, [8])
    assert numbers(program_sentences(found)[0]) == ["8", "128", "7.81", "98"]


def test_program_without_calls_or_without_work_is_told_as_that(
    snapshot: SnapshotAssertion,
) -> None:
    silent, idle = program(calls=Calls()), program(work_s=0.0)
    assert [program_sentences(one) for one in (silent, idle)] == snapshot
    (section,) = without_conditions(Programs((silent,)))
    assert table_of(section).rows[0] == ("2", "500 ms", "-", "500 ms", "2.00", "100 %", "")
    assert table_of(without_conditions(Programs((idle,)))[0]).rows[0][4:6] == ("-", "-")


def test_groups_are_said_to_be_taken_as_if_alone(snapshot: SnapshotAssertion) -> None:
    calls = Calls((ProgramCall("barrier", CallSize(0), ranks=4),))
    assert program_sentences(program(calls=calls, ranks=[4, 8])) == snapshot


def test_ranks_that_groups_leave_over_are_said(snapshot: SnapshotAssertion) -> None:
    calls = Calls((ProgramCall("barrier", CallSize(0), ranks=4),))
    asked = [4, 5, 6, 8], [4, 8, 9]
    messages = [program_sentences(program(calls=calls, ranks=ranks)) for ranks in asked]
    assert messages == snapshot


def test_size_that_is_divided_into_nothing_counts_as_a_byte_and_is_said(
    snapshot: SnapshotAssertion,
) -> None:
    thin = Calls((ProgramCall("gather", CallSize(8, Fraction(2))),))
    messages = {
        "2 B are left": program_sentences(program(calls=thin, ranks=[2])),
        "less than a byte": program_sentences(program(calls=thin, ranks=[2, 3, 4])),
        "a barrier has none": program_sentences(program(ranks=[2, 4])),
    }
    assert messages == snapshot


def test_warnings_of_models_are_passed_on_once() -> None:
    few = warning_of(WarningKind.FEW_BLOCKS, measured=3, blocks=6)
    unsure = replace(model(scatter=None), blocks=3, warnings=(few,))
    found = trade_off([unsure], 1.0, 0.0, Calls(BARRIERS.calls * 2), [2])
    *_, last = without_conditions(Programs((found, found)))
    assert (last.heading, len(last.notes)) == ("warnings", 1)
    assert program_content(Programs((found, found)))["warnings"] == (few,)
    *_, comment = program_records(Programs((found,))).comments
    assert comment.startswith(f"warning: {few.code}: {few.cause}")


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
        fitted("alltoall", pairwise, (2e-6, 1.5e-6, 0.0, 4e-10)),
    ]
    found = trade_off(models, 60.0, 0.0, calls, range(4, 257))
    printed = "\n".join(line.text for line in text_lines(program_document(Programs((found,))), 100))
    assert page.split("```text\n")[1].split("\n```")[0] == printed
