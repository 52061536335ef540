"""Whatever was measured, every sentence printed follows from the numbers beside it: read back."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest
from harness.blocks import cell, configuration, run_of_blocks
from tests.support.mixed import FASTEST, with_words
from tests.support.read_back import check_comparison, check_run, check_words, texts

from leadline.cli.show import computed
from leadline.compare.analysis import Analysis
from leadline.compare.comparisons import Range
from leadline.compare.pairs import compare_runs, compare_within
from leadline.compare.verdict import Judgement, Why
from leadline.record.run import Cell, Configuration, Run
from leadline.report.page.findings import lead_across
from leadline.report.text import crossings, ratios, sentences, times
from leadline.report.text.compared import Compared
from leadline.report.text.comparison import comparison_document, judged
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


def shown(run: Run, threshold: float = 0.02, baseline: str = "a") -> str:
    """Both reports on a run, consistent with its numbers."""
    check_run(run, threshold)
    result = compare_within(Analysis(run), baseline, threshold=threshold)
    compared = Compared((run,), result, threshold)
    check_comparison(compared)
    document = [
        *run_document(computed(Analysis(run), threshold)),
        *comparison_document(compared),
    ]
    return " | ".join(texts(document))


def run_with(
    microseconds: dict[str, Sequence[float]], blocks: int = 8, noise: float = 0.001, **other: object
) -> Run:
    """By variant and size; each block differs a little."""
    rng = np.random.default_rng(3)
    times = np.array(list(microseconds.values()), dtype=np.float64)[:, :, None] * 1e-6
    seconds = times * np.exp(noise * rng.normal(size=(*times.shape[:2], blocks)))
    cells = [cell(size) for size in SIZES[: times.shape[1]]]
    return run_of_blocks(seconds, [configuration(name, **other) for name in microseconds], cells)


def test_few_blocks_say_how_many_would_do() -> None:
    said = shown(run_with({"a": (10, 10), "b": (1000, 1000)}, blocks=5))
    assert "a 100x, not decided: 5 of 7 blocks" in said
    assert "100 not decided: 5 of 7 blocks" in said
    assert "none of 2 cells is decided (too few blocks): measure 7 blocks at least." in said
    assert "difference" not in said


def test_page_says_once_that_nothing_is_decided() -> None:
    few = compare_within(Analysis(run_with({"a": (10, 10), "b": (1000, 1000)}, blocks=5)), "a")
    lead = lead_across(few, 0.02)
    assert "none of 2 cells is decided" in lead
    assert "Of 2 cells" not in lead
    enough = compare_within(Analysis(run_with({"a": (10, 10), "b": (1000, 10)})), "a")
    assert lead_across(enough, 0.02).endswith("Of 2 cells: 1 slower, 1 same.")


def test_one_block_shows_times_and_nothing_else() -> None:
    said = shown(run_with({"a": (10.0,), "b": (20.0,)}, blocks=1))
    assert "1 of 6 blocks" in said and "faster" not in said.replace("Faster, slower", "")


def test_ties_are_equal_not_open() -> None:
    said = shown(run_with({"a": (10, 10), "b": (10, 10), "c": (10, 10)}))
    assert "a and b are equal within 2 % at all sizes" in said or "equal within 2 %" in said
    assert "overtakes" not in said and "fastest first" not in said


def test_what_one_side_lacks_is_not_measured_rather_than_equal() -> None:
    said = shown(run_with({"a": (10, math.nan, 10), "b": (20, 20, 20)}))
    assert "not decided: not measured on both sides" in said
    assert "not decided between a and b at 8 B (not measured on both sides)" in said.lower() or (
        "not decided at 8 B (not measured on both sides)" in said
    )


def test_average_over_some_sizes_is_not_called_one_over_all() -> None:
    run = run_with({"a": (10, math.nan, 10.15), "b": (10.3, 20, 10.3)})
    result = compare_within(Analysis(run), "a", threshold=0.02)
    table = " ".join(texts(comparison_document(Compared((run,), result, 0.02))))
    assert "all that count 1.02" in table and "all sizes 1.02" not in table


def test_heading_has_the_blocks_of_all_cells() -> None:
    seconds = np.full((2, 2, 8), 1e-5)
    seconds[1, 1, 3:] = math.nan
    said = shown(run_of_blocks(seconds, [configuration(name) for name in "ab"], two_cells()))
    assert "3 to 8 blocks, paired" in said


def two_cells() -> list[Cell]:
    return [cell(size) for size in SIZES[:2]]


def test_nothing_measured_says_so() -> None:
    run = run_of_blocks(np.full((1, 1, 8), math.nan), [configuration("a")], [cell(8)])
    assert "nothing was measured" in " ".join(texts(run_document(computed(Analysis(run), 0.02))))


def test_one_size_and_zero_bytes_alone_have_no_places() -> None:
    for run in (
        run_with({"a": (10.0,), "b": (20.0,)}),
        run_of_blocks([[[1e-5] * 8], [[2e-5] * 8]], [configuration(n) for n in "ab"], [cell(8)]),
    ):
        said = shown(run)
        assert "times faster than b." in said
        assert "all sizes:" not in said and "together" not in said


def test_threshold_of_nought_leaves_no_room_to_be_equal() -> None:
    said = shown(run_with({"a": (10, 10), "b": (10.02, 10)}), threshold=0.0)
    assert "by more than 0 %" in said
    assert "crosses 0 %" in said
    assert "equal" not in said


def test_huge_ratios_are_whole_numbers() -> None:
    said = shown(run_with({"a": (1, 10), "b": (123_456.7, 10)}))
    assert re.search(r"a 123,\d\d\dx faster", said)


def test_oversubscribed_cells_have_no_verdict() -> None:
    run = run_with({"a": (10, 10), "b": (20, 20)}, oversubscribed=True)
    said = shown(run)
    assert "not decided: oversubscribed" in said
    assert "Not decided: more ranks than cores are part of no verdict." in said


def test_values_that_were_not_measured_have_no_verdict() -> None:
    said = shown(with_words(run_with({"a": (10, 10), "b": (20, 20)}), FASTEST))
    assert "not decided: simulated" in said
    assert "torus (simulated) is" not in said


def test_crossing_is_told_of_the_leader_alone_and_agrees_with_the_table() -> None:
    said = shown(run_with({"a": (1, 1, 4, 4), "b": (2, 2, 2, 2), "c": (3, 3, 3, 3)}))
    assert said.count("b overtakes a between 8 B and 104 B, at ") == 2  # show, and compare to a
    run = run_with({"a": (1, 1, 1, 1), "b": (2, 2, 4, 4), "c": (3, 3, 3, 3)})
    assert "overtakes" not in " ".join(texts(run_document(computed(Analysis(run), 0.02))))


def test_disturbed_and_single_pairs_of_runs_have_words() -> None:
    run = run_with({"a": (10.0,), "b": (20.0,)})
    row = compare_within(Analysis(run), "a").rows[0]
    for why, words in ((Why.DISTURBED, "disturbed"), (Why.ONE_PAIR_OF_RUNS, "one pair of runs")):
        open_ = replace(row, judgement=Judgement.none(why))
        check_words(judged(open_, 0.02), open_, 0.02)
        assert judged(open_, 0.02).endswith(f" not decided: {words}")


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
        (crossings, "_between", lambda one: "between 8 B and 104 B"),
    ],
)
def test_sentence_that_says_another_thing_is_caught(
    where: ModuleType, name: str, fault: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, fault)
    with pytest.raises(AssertionError):
        for seed in range(60):
            test_every_sentence_follows_from_the_numbers(seed)
