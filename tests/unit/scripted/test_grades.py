"""Whole campaigns of known truth, from plan to sentence: graded the same each time, and by faults.

How often each grade comes is `validation/truth/whole_campaigns.py`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import numbers

from leadline.compare import medians, sides
from leadline.compare.analysis import THRESHOLD, Analysis
from leadline.compare.pairs import ComparisonResult
from leadline.compare.verdict import Judgement, Verdict
from leadline.record.run import Run
from leadline.report.text import sentences
from leadline.report.text.comparison import Compared, comparison_document
from leadline.scripted.campaigns import ONE_HOST, play
from leadline.scripted.grades import Grade, graded, is_false
from leadline.scripted.scenarios import (
    BASELINE,
    CANDIDATE,
    SCENARIOS,
    SIZES,
    Scenario,
    Truth,
)
from leadline.scripted.script import LoadPeriod, NoiseModel, Script, ScriptedLibrary

pytestmark = pytest.mark.long

CLEAR = Scenario(name="clear", planted=1.5)
"""Found whatever the noise."""


def words(run: Run, result: ComparisonResult) -> list[str]:
    document = comparison_document(Compared((run,), result, THRESHOLD))
    return [note for section in document for note in section.notes]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one.name)
def test_campaign_of_a_seed_has_the_same_grade_each_time(
    scenario: Scenario, tmp_path: Path
) -> None:
    found = [graded(scenario, 0, tmp_path / name, words) for name in ("first", "again")]
    assert found[0] == found[1]
    counts = Counter(one.grade for one in found)
    assert sum(counts[grade] for grade in Grade) == len(found)
    assert all(bool(one.errors) == (one.grade is Grade.WRONG) for one in found)


def test_another_seed_is_another_machine() -> None:
    scenario = SCENARIOS[0]
    assert scenario.script(1) == scenario.script(1)
    noises = {scenario.script(seed).libraries[BASELINE].noise for seed in range(10)}
    assert len(noises) == 10


def test_clear_difference_is_right_and_is_seen_as_wrong_where_sides_are_swapped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert graded(CLEAR, 0, tmp_path / "whole", words).grade is Grade.RIGHT
    paired = sides.paired
    monkeypatch.setattr(sides, "paired", lambda one, other, rows: paired(other, one, rows))
    found = graded(CLEAR, 0, tmp_path / "swapped", words)
    assert found.grade is Grade.WRONG
    faster = [numbers(error) for error in found.errors if error.startswith(f"{Verdict.FASTER} ")]
    assert [] in faster, "over all"
    assert {str(size) for size in SIZES} <= {number for one in faster for number in one}


def test_sentence_that_names_the_wrong_one_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    in_order = sentences._in_order
    monkeypatch.setattr(sentences, "_in_order", lambda one: in_order(one)[::-1])
    found = graded(CLEAR, 0, tmp_path / "run", words)
    assert found.grade is Grade.WRONG
    assert found.errors == snapshot


@pytest.mark.parametrize("message", [[], ["beta is 1.5 (1.4 to 1.6) times faster than alpha."]])
def test_verdict_that_no_sentence_tells_is_seen(message: Sequence[str], tmp_path: Path) -> None:
    found = graded(CLEAR, 0, tmp_path / "run", lambda run, result: message)
    assert found.grade is Grade.WRONG


def test_disturbed_slices_that_count_as_others_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = SCENARIOS[-1]
    struck = replace(scenario.script(0), loads=(LoadPeriod(0.4, 60.0, 0.9, CANDIDATE),))
    monkeypatch.setattr(Scenario, "script", lambda self, seed: struck)
    assert graded(scenario, 0, tmp_path / "run", words).grade is not Grade.WRONG
    monkeypatch.setattr(medians, "spared", lambda waited: np.ones(waited.shape, bool))
    monkeypatch.setattr(medians, "undisturbed", lambda batches, waited: np.minimum(batches, 15.0))
    errors = graded(scenario, 0, tmp_path / "planted", words).errors
    assert any(error.startswith(f"{Verdict.SLOWER} ") and not numbers(error) for error in errors)


def test_few_blocks_decide_nothing(tmp_path: Path) -> None:
    few = replace(CLEAR, blocks=(3, 5))
    grades = {graded(few, seed, tmp_path / str(seed), words).grade for seed in range(3)}
    assert grades == {Grade.UNDECIDED}


def test_verdict_without_a_reason_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    few = replace(CLEAR, blocks=(3, 3))
    monkeypatch.setattr(Judgement, "none", lambda why, needed=None: Judgement(Verdict.UNDECIDED))
    monkeypatch.setattr(
        "leadline.compare.verdict._judgement", lambda *_: Judgement(Verdict.UNDECIDED)
    )
    found = graded(few, 0, tmp_path / "run", lambda run, result: [])
    assert found.errors == snapshot


@pytest.mark.parametrize(
    ("ratio", "false"),
    [
        (1.0, {Verdict.FASTER, Verdict.SLOWER}),
        (1.01, {Verdict.FASTER, Verdict.SLOWER}),
        (1.03, {Verdict.FASTER, Verdict.SAME}),
        (0.97, {Verdict.SLOWER, Verdict.SAME}),
    ],
)
def test_verdict_is_false_where_the_truth_lies_elsewhere(ratio: float, false: set[Verdict]) -> None:
    assert {verdict for verdict in Verdict if is_false(verdict, ratio)} == false


def test_truth_over_the_curve_counts_each_size_the_same() -> None:
    one = Truth({SIZES[0]: 1.05})
    assert one.at(SIZES[0]) == 1.05
    assert one.at(SIZES[1]) == 1.0
    assert one.at(None) == pytest.approx(1.05 ** (1 / len(SIZES)))
    assert math.isclose(Truth(dict.fromkeys(SIZES, 1.03)).at(None), 1.03)


def test_size_at_which_a_difference_is_planted_takes_its_turn() -> None:
    (scenario,) = (one for one in SCENARIOS if one.at_one_size)
    planted = [tuple(scenario.truth(seed).ratios) for seed in range(len(SIZES))]
    assert planted == [(size,) for size in SIZES]


def test_load_of_one_library_leaves_the_other_alone(tmp_path: Path) -> None:
    calm = ScriptedLibrary(noise=NoiseModel(batches=0.001, slices=0.0, launches=0.0))
    script = Script(
        {"calm": calm, "struck": calm},
        ONE_HOST,
        mood=0.0,
        loads=(LoadPeriod(0.0, 60.0, 0.5, "struck"),),
    )
    run = play(script, CLEAR.request(0), tmp_path / "run")
    names = [one.variant for one in run.configurations]
    seconds = np.nanmedian(Analysis(run).visits.seconds, axis=(1, 2, 3))
    ratio = seconds[names.index("struck")] / seconds[names.index("calm")]
    assert ratio == pytest.approx(2, rel=0.01)
    waited = Counter[str]()
    conditions, strips = run.conditions, run.strips
    assert conditions is not None
    assert strips is not None
    for configuration, delay in zip(strips.configuration, conditions.run_delay_ns, strict=True):
        waited[names[configuration]] += int(delay > 0)
    assert waited["calm"] == 0
    assert waited["struck"] > 0
