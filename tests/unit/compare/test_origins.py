"""What wasn't measured is shown beside what was, and changes nothing in what that says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from harness.synthetic import BARRIER, Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.mixed import FASTEST, Word, constant, with_words

from leadline.compare import sides
from leadline.compare.analysis import Analysis
from leadline.compare.baselines import contrasts_of
from leadline.compare.history import Choice, History, history_of, points_of
from leadline.compare.origins import NOT_MEASURED, in_run, labelled
from leadline.compare.pairs import (
    NO_REGRESSION,
    REGRESSION,
    TOO_UNCERTAIN,
    ComparisonResult,
    compare_runs,
    compare_within,
)
from leadline.compare.ranking import rankings_of
from leadline.compare.verdict import Verdict
from leadline.record.run import Origin, Run

CELLS = tuple(pingpong(size) for size in (0, 8, 512, 65536))
MEASURED = Campaign(["shm", "mpich", "openmpi", "impi"], (*CELLS, BARRIER)).run()
WORDS = (
    FASTEST,
    Word("model", Origin.PREDICTED, constant(2e-9), reach=0.1),
    Word("mpich", Origin.IMPORTED, constant(3e-9)),
    Word("ring", Origin.SIMULATED, constant(1e-9), backend="shm"),
    Word("torus", Origin.SIMULATED, constant(1e-9), ranks=512, more_cells=[pingpong(64)]),
)
MIXED = with_words(MEASURED, *WORDS)


def simulated(run: Run, variant: str) -> Run:
    """`run` with a variant that wasn't measured but has batches all the same."""
    return replace(
        run,
        configurations=tuple(
            replace(one, origin=Origin.SIMULATED) if one.variant == variant else one
            for one in run.configurations
        ),
    )


def of_measured(result: ComparisonResult) -> tuple[object, ...]:
    curves = [c for c in result.curves if set(c.whole.origins) == {Origin.MEASURED}]
    return curves, result.overheads, result.exit_status


def everything(run: Run) -> list[object]:
    """All that a run says of what was measured in it."""
    analysis = Analysis(run)
    within = [compare_within(analysis, name) for name in ("shm", "mpich", "openmpi", "impi")]
    held = contrasts_of([analysis], None, 0.02).by_baseline
    return [
        rankings_of(analysis),
        analysis.overheads,
        [of_measured(result) for result in within],
        [(one.baseline, of_measured(one.result)) for one in held],
        [row for row in analysis.summaries_with_tails if row.origin is Origin.MEASURED],
    ]


# -- in one run ------------------------------------------------------------------------------------


def test_what_was_measured_says_the_same_whatever_stands_beside_it() -> None:
    assert everything(MIXED) == everything(MEASURED)


def test_planted_fault_everybody_competes_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sides, "competes", lambda configuration: True)
    assert rankings_of(Analysis(MIXED)) != rankings_of(Analysis(MEASURED))


def test_simulation_with_batches_competes_as_little_as_one_without() -> None:
    without = Campaign(["shm", "openmpi", "impi"], CELLS).run()
    mixed = simulated(Campaign(["shm", "openmpi", "impi", "mpich"], CELLS).run(), "mpich")
    assert {top.candidate for one in rankings_of(Analysis(mixed)).curves for top in one.top} == {
        "impi"
    }
    assert {overhead.variant for overhead in Analysis(mixed).overheads} == {"openmpi", "impi"}
    assert len(rankings_of(Analysis(mixed)).curves) == len(rankings_of(Analysis(without)).curves)


def test_rows_of_all_origins_are_there_and_marked() -> None:
    rows = Analysis(MIXED).summaries
    assert {row.label for row in rows if row.origin is not Origin.MEASURED} == {
        "torus (simulated)", "model (predicted)", "mpich (imported)", "ring (simulated)",
    }  # fmt: skip
    for row in rows:
        own = NOT_MEASURED.get(row.origin)
        assert (own in row.warnings) == (own is not None)


def test_stated_interval_is_no_interval_of_blocks() -> None:
    (row, *_) = [row for row in Analysis(MIXED).summaries if row.origin is Origin.PREDICTED]
    assert (row.low_s, row.high_s, row.blocks, row.time.n) == (None, None, 0, 0)
    assert row.stated_low_s == pytest.approx(2e-9 / 1.1)
    assert row.stated_high_s == pytest.approx(2e-9 * 1.1)


def test_stated_value_is_shown_to_the_last_digit() -> None:
    word = Word("torus", Origin.SIMULATED, constant(3.1e-06))
    rows = [
        row for row in Analysis(with_words(MEASURED, word)).summaries if row.label != row.variant
    ]
    assert {row.median_s for row in rows} == {3.1e-06}


def test_names_of_what_was_not_measured_say_so(snapshot: SnapshotAssertion) -> None:
    assert labelled("mpich", Origin.MEASURED) == "mpich"
    assert in_run(labelled("mpich", Origin.MEASURED), "one") == "mpich (one)"
    assert in_run(labelled("torus", Origin.SIMULATED), "one") == snapshot


def test_measured_variant_is_the_baseline_before_one_of_its_name() -> None:
    result = compare_within(Analysis(MIXED), "mpich")
    assert {curve.whole.baseline for curve in result.curves} == {"mpich"}
    named = compare_within(Analysis(MIXED), "model", ["mpich"])
    assert {(c.whole.baseline, c.whole.candidate) for c in named.curves} == {
        ("model (predicted)", "mpich")
    }


# -- a model's word --------------------------------------------------------------------------------


def held(
    factor: float, reach: float | None = None, against_model: bool = False
) -> ComparisonResult:
    """A measured variant against a model that says `factor` times its time."""
    run = Campaign(["mpich"], CELLS).run()
    times = {row.size_bytes: row.median_s for row in Analysis(run).summaries}
    model = Word("mpich", Origin.PREDICTED, lambda cell: factor * times[cell.size_bytes], reach)
    modelled = with_words(UNMEASURED, model)
    return compare_runs(Analysis(modelled), Analysis(run), against_model=against_model)


UNMEASURED = replace(Campaign(["mpich"], CELLS, blocks=0).run(), configurations=())


@pytest.mark.parametrize("factor", [0.5, 1.0, 2.0])
def test_measured_against_predicted_has_no_verdict(factor: float) -> None:
    result = held(factor)
    assert result.exit_status == TOO_UNCERTAIN
    assert {row.verdict for row in result.rows} == {Verdict.UNDECIDED}
    assert [row.ratio for row in result.rows] == pytest.approx([1 / factor] * 4, rel=1e-6)
    assert {row.low for row in result.rows} == {None}
    assert [curve.ranges for curve in result.curves] == [()]
    assert [warning.code for warning in result.warnings] == ["predicted"]


@pytest.mark.parametrize(
    ("factor", "reach", "status", "verdict"),
    [
        (0.9, None, REGRESSION, Verdict.SLOWER),
        (1.1, None, NO_REGRESSION, Verdict.FASTER),
        (0.9, 0.2, TOO_UNCERTAIN, Verdict.UNDECIDED),  # the interval that was stated holds it
        (0.5, 0.2, REGRESSION, Verdict.SLOWER),
        (2.0, 0.2, NO_REGRESSION, Verdict.FASTER),
    ],
)
def test_at_its_word_a_model_is_a_baseline(
    factor: float, reach: float | None, status: int, verdict: Verdict
) -> None:
    result = held(factor, reach, against_model=True)
    assert result.exit_status == status
    assert {row.verdict for row in result.rows} == {verdict}
    for row in result.rows:
        assert row.low is not None and row.high is not None and row.ratio is not None
        assert row.low <= row.ratio <= row.high
        assert row.blocks == 8
        if reach:
            assert row.high / row.low > (1 + reach) ** 2


def test_printed_values_are_not_taken_at_their_word() -> None:
    run = with_words(MEASURED, Word("osu", Origin.IMPORTED, constant(1e-9)))
    result = compare_within(Analysis(run), "osu", ["mpich"], against_model=True)
    assert result.exit_status == TOO_UNCERTAIN
    assert not any(row.counted for row in result.rows)


def test_two_models_have_a_ratio_and_no_verdict_at_their_word_either() -> None:
    first, second = (
        with_words(UNMEASURED, word)
        for word in (FASTEST, replace(FASTEST, seconds=constant(3e-9), origin=Origin.PREDICTED))
    )
    result = compare_runs(Analysis(first), Analysis(second), against_model=True)
    assert result.exit_status == TOO_UNCERTAIN
    assert {round(row.ratio or 0, 6) for row in result.rows} == {3.0}


# -- of two runs -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "slowdown"),
    [
        (["mpich"], ["mpich"], {"mpich": 1.2}),
        (["mpich"], ["openmpi"], {}),
        (["mpich", "openmpi"], ["mpich", "openmpi"], {}),
        (["mpich", "openmpi"], ["openmpi"], {}),
    ],
)
def test_two_runs_say_the_same_whatever_stands_beside_what_was_measured(
    before: Sequence[str], after: Sequence[str], slowdown: dict[str, float]
) -> None:
    first = replace(Campaign(before, CELLS).run(), path="before")
    second = replace(Campaign(after, CELLS, slowdown=slowdown).run(), path="after")
    plain = compare_runs(Analysis(first), Analysis(second))
    beside = [(FASTEST, WORDS[2]), (WORDS[1], WORDS[2]), ()]
    for one, other in zip(beside, beside[1:] + beside[:1], strict=True):
        left, right = Analysis(with_words(first, *one)), Analysis(with_words(second, *other))
        assert of_measured(compare_runs(left, right)) == of_measured(plain)


# -- over many runs --------------------------------------------------------------------------------


def dated(day: int, word: Word | None) -> Run:
    slower = Campaign(["mpich"], CELLS[:2], 1, 3, slowdown={"mpich": 1.3 if day > 6 else 1.0})
    run = replace(
        slower.run(), path=str(day), metadata={"started": f"2026-11-{day:02d}T06:00:00+00:00"}
    )
    return with_words(run, word) if word else run


def history(words: dict[int, Word]) -> History:
    points = [
        point
        for day in range(1, 13)
        for point in points_of(Analysis(dated(day, words.get(day))), Choice())
    ]
    return history_of(points, 0.02)


def word_of(origin: Origin, day: int) -> Word:
    seconds = (1 + 0.001 * (day % 3)) * (2e-6 if day > 6 else 1e-6)
    return Word("mpich", origin, constant(seconds))


@pytest.mark.parametrize("origin", [Origin.IMPORTED, Origin.SIMULATED])
def test_history_of_what_was_measured_is_a_family_of_its_own(origin: Origin) -> None:
    plain = history({})
    mixed = history({day: word_of(origin, day) for day in range(1, 13)})
    assert plain.exit_status == mixed.exit_status == 1
    measured = [one for one in mixed.trends if one.conditions.origin is Origin.MEASURED]
    assert tuple(measured) == plain.trends


def test_history_of_simulations_alone_never_fails() -> None:
    points = [
        point
        for day in range(1, 13)
        for point in points_of(Analysis(dated(day, word_of(Origin.SIMULATED, day))), Choice())
        if point.conditions.origin is Origin.SIMULATED
    ]
    found = history_of(points, 0.02)
    assert [len(one.changes) for one in found.trends] == [1]
    assert found.exit_status == 0
