"""Whatever was measured, every sentence printed follows from the numbers beside it: read back."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest
from harness.blocks import cell, configuration, run_of_blocks
from syrupy.assertion import SnapshotAssertion
from tests.support.mixed import FASTEST, with_words
from tests.support.read_back import check_comparison, check_run, check_words, texts

from leadline.cli.outcome import computed
from leadline.compare.analysis import Analysis
from leadline.compare.curves import Range
from leadline.compare.pairs import compare_runs, compare_within
from leadline.compare.ranking import rankings_of
from leadline.compare.verdict import Judgement, Verdict, Why
from leadline.record.run import Cell, Configuration, Run
from leadline.report.document import Section
from leadline.report.page.findings import lead_across
from leadline.report.text import ratios, sentences, times
from leadline.report.text.comparison import (
    Compared,
    comparison_document,
    concluding_sentence,
    curve_sections,
    judged,
)
from leadline.report.text.measured import verdict_note
from leadline.report.text.ratios import in_words
from leadline.report.text.run import run_document
from leadline.statistics.estimate import Estimate

SIZES = (0, 8, 104, 1024, 65536, 10**6, 2**21)
NAMES = ("a", "b", "c", "d")


def random_run(rng: np.random.Generator) -> Run:
    """Of two to four libraries that differ a little, a lot, or here and there, or fall out."""
    libraries, blocks = int(rng.integers(2, 5)), int(rng.choice([1, 3, 5, 6, 8, 12]))
    sizes = sorted(rng.choice(SIZES, size=int(rng.integers(1, 8)), replace=False).tolist())
    shape = libraries, len(sizes), 1
    ratios = rng.normal(size=shape) * rng.choice([0.0, 0.01, 0.1, 0.5, 3.0])
    spread = 10 ** rng.uniform(-4, -0.3)
    noise = spread * rng.normal(size=(libraries, len(sizes), blocks))
    seconds = 1e-4 * np.exp(ratios + noise + rng.normal(size=(1, 1, blocks)) * 0.2)
    seconds[rng.random(seconds.shape[:2]) < 0.05] = math.nan
    return run_of_blocks(
        seconds, [configuration(name) for name in NAMES[:libraries]], [cell(s) for s in sizes]
    )


@pytest.mark.parametrize("seed", range(60))
def test_every_sentence_follows_from_the_numbers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    threshold = float(rng.choice([0.0, 0.005, 0.02, 0.2]))
    run = random_run(rng)
    check_run(run, threshold)
    result = compare_within(Analysis(run), "a", threshold=threshold)
    check_comparison(Compared((run,), result, threshold))


@pytest.mark.parametrize("seed", range(12))
def test_every_sentence_on_two_runs_follows_from_the_numbers(seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)
    first = run_of_blocks(1e-4 * np.exp(rng.normal(size=(1, 4, 8)) * 0.02), *one_library())
    factors = np.exp(rng.normal(size=(1, 4, 1)) * 0.2)
    second = run_of_blocks(
        1e-4 * factors * np.exp(rng.normal(size=(1, 4, 7)) * 0.02), *one_library(), path="runs/two"
    )
    result = compare_runs(Analysis(first), Analysis(second), 0.02)
    check_comparison(Compared((first, second), result, 0.02))


def one_library() -> tuple[list[Configuration], list[Cell]]:
    return [configuration("a")], [cell(size) for size in (0, 8, 1024, 65536)]


def shown(run: Run, threshold: float = 0.02, baseline: str = "a") -> list[str]:
    """What both reports on a run judge, consistent with its numbers."""
    check_run(run, threshold)
    result = compare_within(Analysis(run), baseline, threshold=threshold)
    compared = Compared((run,), result, threshold)
    check_comparison(compared)
    measured = computed(Analysis(run), threshold)
    return [
        *judging(times.curve_sections(measured), -1),
        *judging(curve_sections(compared), 1),
        concluding_sentence(result, threshold),
    ]


def judging(sections: Iterable[Section], column: int) -> Iterable[str]:
    """Headings, notes, and the verdicts in a column of tables."""
    for section in sections:
        yield section.heading
        yield from section.notes
        if section.table is not None:
            yield from (f"{row[0]}: {row[column]}" for row in section.table.rows)


def judgements(run: Run) -> set[Judgement]:
    """Of each size, between the fastest two and against a."""
    tops = [top for one in rankings_of(Analysis(run)).curves for top in one.top]
    return {row.judgement for row in (*tops, *compare_within(Analysis(run), "a").rows)}


def run_with(
    microseconds: dict[str, Sequence[float]], blocks: int = 8, noise: float = 0.001, **other: object
) -> Run:
    """By variant and size; each block differs a little."""
    rng = np.random.default_rng(3)
    times = np.array(list(microseconds.values()), dtype=np.float64)[:, :, None] * 1e-6
    seconds = times * np.exp(noise * rng.normal(size=(*times.shape[:2], blocks)))
    cells = [cell(size) for size in SIZES[: times.shape[1]]]
    return run_of_blocks(seconds, [configuration(name, **other) for name in microseconds], cells)


def test_few_blocks_say_how_many_would_do(snapshot: SnapshotAssertion) -> None:
    run = run_with({"a": (10, 10), "b": (1000, 1000)}, blocks=5)
    assert judgements(run) == {Judgement.none(Why.FEW_BLOCKS, 7)}
    assert shown(run) == snapshot


def test_page_says_once_that_nothing_is_decided(snapshot: SnapshotAssertion) -> None:
    few = compare_within(Analysis(run_with({"a": (10, 10), "b": (1000, 1000)}, blocks=5)), "a")
    enough = compare_within(Analysis(run_with({"a": (10, 10), "b": (1000, 10)})), "a")
    assert [lead_across(result, 0.02) for result in (few, enough)] == snapshot


def test_one_block_shows_times_and_nothing_else(snapshot: SnapshotAssertion) -> None:
    run = run_with({"a": (10.0,), "b": (20.0,)}, blocks=1)
    assert judgements(run) == {Judgement.none(Why.FEW_BLOCKS, 6)}
    assert shown(run) == snapshot


def test_ties_are_equal_not_open(snapshot: SnapshotAssertion) -> None:
    run = run_with({"a": (10, 10), "b": (10, 10), "c": (10, 10)})
    assert judgements(run) == {Judgement(Verdict.SAME)}
    assert shown(run) == snapshot


def test_what_one_side_lacks_is_not_measured_rather_than_equal(
    snapshot: SnapshotAssertion,
) -> None:
    run = run_with({"a": (10, math.nan, 10), "b": (20, 20, 20)})
    rows = compare_within(Analysis(run), "a").rows
    assert [row.why for row in rows] == [None, Why.NOT_MEASURED, None]
    assert shown(run) == snapshot


def test_average_over_some_sizes_is_not_called_one_over_all(snapshot: SnapshotAssertion) -> None:
    run = run_with({"a": (10, math.nan, 10.15), "b": (10.3, 20, 10.3)})
    result = compare_within(Analysis(run), "a", threshold=0.02)
    table = comparison_document(Compared((run,), result, 0.02))[1].table
    assert table is not None
    assert table.rows[-1] == snapshot


def test_heading_has_the_blocks_of_all_cells(snapshot: SnapshotAssertion) -> None:
    seconds = np.full((2, 2, 8), 1e-5)
    seconds[1, 1, 3:] = math.nan
    run = run_of_blocks(seconds, [configuration(name) for name in "ab"], two_cells())
    assert shown(run) == snapshot


def two_cells() -> list[Cell]:
    return [cell(size) for size in SIZES[:2]]


def test_nothing_measured_says_so(snapshot: SnapshotAssertion) -> None:
    run = run_of_blocks(np.full((1, 1, 8), math.nan), [configuration("a")], [cell(8)])
    assert list(texts(run_document(computed(Analysis(run), 0.02)))) == snapshot


def test_one_size_and_zero_bytes_alone_have_no_places(snapshot: SnapshotAssertion) -> None:
    for run in (
        run_with({"a": (10.0,), "b": (20.0,)}),
        run_of_blocks([[[1e-5] * 8], [[2e-5] * 8]], [configuration(n) for n in "ab"], [cell(8)]),
    ):
        assert shown(run) == snapshot


def test_threshold_of_nought_leaves_no_room_to_be_equal(snapshot: SnapshotAssertion) -> None:
    run = run_with({"a": (10, 10), "b": (10.02, 10)})
    assert shown(run, threshold=0.0) == snapshot
    title, *_ = run_document(computed(Analysis(run), 0.0))
    assert verdict_note(0.0) in title.notes
    assert verdict_note(0.0) == snapshot


def test_huge_ratios_are_whole_numbers() -> None:
    text = " ".join(shown(run_with({"a": (1, 10), "b": (123_456.7, 10)})))
    huge = re.findall(r"\b123,[\d.,]*\d", text)
    assert "123,565" in huge
    assert all(re.fullmatch(r"\d{3},\d{3}", one) for one in huge)


def test_oversubscribed_cells_have_no_verdict(snapshot: SnapshotAssertion) -> None:
    run = run_with({"a": (10, 10), "b": (20, 20)}, oversubscribed=True)
    assert judgements(run) == {Judgement.none(Why.OVERSUBSCRIBED)}
    assert shown(run) == snapshot


def test_values_that_were_not_measured_have_no_verdict(snapshot: SnapshotAssertion) -> None:
    run = with_words(run_with({"a": (10, 10), "b": (20, 20)}), FASTEST)
    rows = [row for row in compare_within(Analysis(run), "a").rows if row.candidate != "b"]
    assert {row.judgement for row in rows} == {Judgement.none(Why.STATED)}
    check_run(run, 0.02)
    compared = Compared((run,), compare_within(Analysis(run), "a"), 0.02)
    check_comparison(compared)
    (show,) = times.curve_sections(computed(Analysis(run), 0.02))
    (compare,) = curve_sections(compared)
    assert compare.table is not None
    assert [*show.notes, *compare.notes, *compare.table.rows] == snapshot


def test_crossing_is_told_of_the_leader_alone_and_agrees_with_the_table(
    snapshot: SnapshotAssertion,
) -> None:
    leader = run_with({"a": (1, 1, 4, 4), "b": (2, 2, 2, 2), "c": (3, 3, 3, 3)})
    assert shown(leader) == snapshot
    behind = run_with({"a": (1, 1, 1, 1), "b": (2, 2, 4, 4), "c": (3, 3, 3, 3)})
    (ranking,) = rankings_of(Analysis(behind)).curves
    assert [one.leads for one in ranking.crossings] == [False]
    (section,) = times.curve_sections(computed(Analysis(behind), 0.02))
    assert section.notes == snapshot


def test_disturbed_and_single_pairs_of_runs_have_words(snapshot: SnapshotAssertion) -> None:
    run = run_with({"a": (10.0,), "b": (20.0,)})
    row = compare_within(Analysis(run), "a").rows[0]
    for why in (Why.DISTURBED, Why.ONE_PAIR_OF_RUNS):
        open_ = replace(row, judgement=Judgement.none(why))
        check_words(judged(open_, 0.02), open_, 0.02)
        assert judged(open_, 0.02) == snapshot


def average(found: Range, threshold: float, inverted: bool = False) -> str:
    """What no cell of the range may have."""
    mean = math.exp(np.mean([math.log(cell.effect.value) for cell in found.cells]))
    return str(in_words(Estimate(1 / mean if inverted else mean)))


@pytest.mark.parametrize(
    ("where", "name", "fault"),
    [
        (sentences, "span", average),
        (sentences, "_in_order", lambda one: (one.baseline, one.candidate)),
        (ratios, "_rounded", lambda value, decimals, margins: f"{value:,.{decimals}f}"),
        (times, "reason", lambda cells, threshold: "crosses 2 %"),
        (sentences, "_between", lambda one: "8 B and 104 B"),
    ],
)
def test_sentence_that_says_another_thing_is_caught(
    where: ModuleType, name: str, fault: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, fault)
    with pytest.raises(AssertionError):
        for seed in range(60):
            test_every_sentence_follows_from_the_numbers(seed)
