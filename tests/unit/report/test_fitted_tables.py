"""Tables of closed forms, and what other reports show of them."""

from __future__ import annotations

from dataclasses import replace

from harness.models import (
    EVERY,
    REFUSED,
    barrier,
    bcast,
    breakpoint_at,
    estimate,
    pingpong,
    stated,
)
from syrupy.assertion import SnapshotAssertion
from tests.support.fitted import FITTED, RUN, printed

from leadline.compare.warnings import few_blocks
from leadline.models.model import Break, Model, RankSet
from leadline.report.formats.plain_text import text_lines
from leadline.report.text.closed_forms import form_sentence, refused_notes
from leadline.report.text.fitted import (
    Fitted,
    fitted_document,
    fitted_sections,
    model_warnings,
)


def tables(fitted: Fitted) -> list[str]:
    """The lines of the report without sentences below tables."""
    document = [replace(one, notes=()) if one.table else one for one in fitted_document(fitted)]
    return [line.text for line in text_lines(document, 120)]


def test_text_has_a_table_a_model_and_what_was_refused(snapshot: SnapshotAssertion) -> None:
    assert tables(FITTED) == snapshot


def test_value_without_an_interval_says_what_it_rests_on(snapshot: SnapshotAssertion) -> None:
    few = replace(stated(), origin=pingpong().origin, blocks=3)
    assert tables(replace_models(stated(), few)) == snapshot


def replace_models(*models: Model) -> Fitted:
    return Fitted(RUN, models, ())


def test_rate_whose_interval_reaches_nought_has_a_lower_bound_alone(
    snapshot: SnapshotAssertion,
) -> None:
    model = pingpong()
    first = model.pieces[0][1][0]
    unsure = replace(first.coefficients[1], value=estimate(0.31e-9, 1.5))
    one = replace(first, coefficients=(first.coefficients[0], unsure))
    pieces = ((model.pieces[0][0], (one, *model.pieces[0][1][1:])),)
    fitted = replace_models(replace(model, pieces=pieces))
    assert [line for line in tables(fitted) if "0.310 ns" in line] == snapshot
    assert "3.23 GB/s" not in printed(fitted)


def test_jump_that_may_be_none_is_not_told() -> None:
    (edge,) = (line for line in tables(replace_models(pingpong())) if Break.CACHE_EDGE in line)
    assert all(size in edge for size in ("724 KiB", "512 KiB", "1 MiB"))
    assert "1.0x" not in printed(replace_models(pingpong()))


def test_reason_is_told_once_with_all_that_it_holds_for(snapshot: SnapshotAssertion) -> None:
    others = [replace(REFUSED, variant=name) for name in ("shm", "mpich")]
    second = replace(REFUSED, variant="shm", pattern="bcast")
    more = replace(REFUSED, pattern="barrier", reason="has no sizes")
    assert refused_notes([REFUSED, *others, second, more]) == snapshot


def test_other_reports_show_a_row_a_variant_and_its_sentence(snapshot: SnapshotAssertion) -> None:
    first, *_ = fitted_sections([*EVERY, REFUSED])
    assert [line.text for line in text_lines([replace(first, notes=())], 120)] == snapshot
    assert first.notes == (form_sentence(pingpong()), form_sentence(stated()))


def test_breakpoints_of_other_reports_are_gathered_by_what_they_are(
    snapshot: SnapshotAssertion,
) -> None:
    first, second = pingpong().breakpoints
    third = breakpoint_at(2 << 20, 3 << 20, Break.PROTOCOL_SWITCH, 1.2)
    _, *pieces = pingpong().pieces[0][1]
    model = replace(
        pingpong(),
        pieces=((RankSet.ALL, (pingpong().pieces[0][1][0], *pieces, pieces[-1])),),
        breakpoints=(first, second, third),
    )
    (section,) = fitted_sections([model])
    assert section.table is not None
    assert section.table.rows == snapshot


def test_other_reports_show_nothing_where_nothing_was_fitted() -> None:
    assert list(fitted_sections([REFUSED])) == []


def test_warning_of_several_models_names_one_and_counts_the_rest(
    snapshot: SnapshotAssertion,
) -> None:
    few = replace(pingpong(), warnings=(few_blocks(3),))
    (warning,) = model_warnings([few, replace(few, pattern="bcast"), barrier()])
    assert warning.code == few_blocks(3).code
    assert warning.cause == snapshot


def test_table_of_closed_forms_names_algorithms_only_where_one_is_known(
    snapshot: SnapshotAssertion,
) -> None:
    undecided = replace(bcast().algorithms[0], name=None, confidence=None)
    (nobody,) = fitted_sections([replace(bcast(), algorithms=(undecided, undecided))])
    (somebody,) = fitted_sections(
        [replace(bcast(), algorithms=(*bcast().algorithms[:1], undecided))]
    )
    assert nobody.table is not None and somebody.table is not None
    assert somebody.table.columns[:-1] == nobody.table.columns
    assert [
        (one.columns[-1], one.rows[0][-1]) for one in (nobody.table, somebody.table)
    ] == snapshot
