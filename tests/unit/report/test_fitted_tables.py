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
from tests.support.fitted import FITTED, RUN, printed

from leadline.compare.summaries import few_blocks
from leadline.models.model import Break, Model, RankSet
from leadline.report.text.closed_forms import form_sentence
from leadline.report.text.fitted import Fitted, fitted_sections, model_caveats
from leadline.report.text.refused import refused_notes


def test_text_has_a_table_a_model_and_what_was_refused() -> None:
    text = printed(FITTED)
    assert "pingpong · mpich · a + b m, 3 pieces · 2 ranks · 12 blocks · echo buffers" in text
    assert "protocol switch at 11 KiB (8 KiB to 16 KiB), 1.4x (1.3 to 1.5) the time" in text
    assert "impi, scan: a line needs 3 sizes above 0 B, there are 2" in text


def test_intervals_say_what_they_dont_hold() -> None:
    text = " ".join(printed(FITTED).split())
    assert "over blocks, of the form as it stands; how far that is off is said by sizes" in text


def test_value_without_an_interval_says_what_it_rests_on() -> None:
    assert "5.00 us, simulated" in printed(replace_models(stated()))
    few = replace(stated(), origin=pingpong().origin, blocks=3)
    assert "5.00 us, 3 blocks" in printed(replace_models(few))


def replace_models(*models: Model) -> Fitted:
    return Fitted(RUN, models, ())


def test_rate_whose_interval_reaches_nought_has_a_lower_bound_alone() -> None:
    model = pingpong()
    first = model.pieces[0][1][0]
    unsure = replace(first.coefficients[1], value=estimate(0.31e-9, 1.5))
    one = replace(first, coefficients=(first.coefficients[0], unsure))
    pieces = ((model.pieces[0][0], (one, *model.pieces[0][1][1:])),)
    text = printed(replace_models(replace(model, pieces=pieces)))
    assert "at least 1.29 GB/s" in text and "3.23 GB/s" not in text


def test_jump_that_may_be_none_is_not_told() -> None:
    text = printed(replace_models(pingpong()))
    assert "cache edge at 724 KiB (512 KiB to 1 MiB)" in text
    assert "1.0x" not in text


def test_reason_is_told_once_with_all_that_it_holds_for() -> None:
    others = [replace(REFUSED, variant=name) for name in ("shm", "mpich")]
    second = replace(REFUSED, variant="shm", pattern="bcast")
    more = replace(REFUSED, pattern="barrier", reason="has no sizes")
    assert refused_notes([REFUSED, *others, second, more]) == (
        f"impi and mpich, scan; shm, scan and bcast: {REFUSED.reason}",
        "impi, barrier: has no sizes",
    )


def test_other_reports_show_a_row_a_variant_and_its_sentence() -> None:
    first, *_ = fitted_sections([*EVERY, REFUSED])
    assert first.heading == "pingpong · closed form · 2 ranks"
    assert first.table is not None
    assert [row[0] for row in first.table.rows] == ["mpich", "torus (simulated)"]
    assert first.notes[0] == form_sentence(EVERY[0])


def test_breakpoints_of_other_reports_are_gathered_by_what_they_are() -> None:
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
    assert "protocol switch at 11 KiB and 2.4 MiB; cache edge at 724 KiB" in section.table.rows[0]


def test_other_reports_show_nothing_where_nothing_was_fitted() -> None:
    assert list(fitted_sections([REFUSED])) == []


def test_caveat_of_several_models_names_one_and_counts_the_rest() -> None:
    few = replace(pingpong(), caveats=(few_blocks(3),))
    (caveat,) = model_caveats([few, replace(few, pattern="bcast"), barrier()])
    assert caveat.cause == f"mpich, pingpong: {few_blocks(3).cause}; and 1 more model"


def test_table_of_closed_forms_names_algorithms_only_where_one_is_known() -> None:
    undecided = replace(bcast().algorithms[0], name=None, confidence=None)
    (nobody,) = fitted_sections([replace(bcast(), algorithms=(undecided, undecided))])
    (somebody,) = fitted_sections(
        [replace(bcast(), algorithms=(*bcast().algorithms[:1], undecided))]
    )
    assert nobody.table is not None and "algorithm" not in nobody.table.columns
    assert somebody.table is not None and somebody.table.columns[-1] == "algorithm"
    assert somebody.table.rows[0][-1].endswith(", undecided")
