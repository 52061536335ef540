"""Grades of whole campaigns: whether verdicts, and the sentences that report them, are true."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from leadline.compare.analysis import THRESHOLD, Analysis
from leadline.compare.curves import Comparison, Curve
from leadline.compare.pairs import ComparisonResult, compare_within
from leadline.compare.verdict import Verdict
from leadline.record.run import Run
from leadline.scripted.campaigns import play
from leadline.scripted.scenarios import BASELINE, CANDIDATE, Scenario

Wording = Callable[[Run, ComparisonResult], Sequence[str]]
"""The sentences that report a comparison."""
_FASTER = re.compile(r"(\w+) is (?:(?! is ).)+? times faster than (\w+)")
_SLOWER = re.compile(r"(\w+) is (?:(?! is ).)+? times slower than (\w+)")


class Grade(StrEnum):
    """How the result of a campaign compares with the truth."""

    RIGHT = "right"
    """What is planted was found, where and as it is; where nothing is, both are the same."""
    UNDECIDED = "undecided"
    """Nothing false was reported, nor what is planted."""
    WRONG = "wrong"
    """A verdict is false, or a sentence tells another one."""


@dataclass(frozen=True, slots=True)
class Graded:
    """A campaign's grade, and why it is wrong."""

    grade: Grade
    errors: tuple[str, ...] = ()
    """E.g. "faster at 8 B", "same over all"; none unless it is wrong."""


def graded(scenario: Scenario, seed: int, directory: Path, words: Wording) -> Graded:
    """Plays the campaign of `seed` into `directory`, which is new, and grades what it comes to.

    It is right where the verdict is there that the truth asks for: on the size where alone
    something is planted, or on the whole curve.
    """
    run = play(scenario.script(seed), scenario.request(seed), directory)
    result = compare_within(Analysis(run), BASELINE, [CANDIDATE], THRESHOLD)
    (curve,) = result.curves
    truth = scenario.truth(seed)
    false = [
        f"{cell.verdict} {'over all' if cell.size_bytes is None else f'at {cell.size_bytes} B'}"
        for cell in (*curve.cells, curve.whole)
        if is_false(cell.verdict, truth.at(cell.size_bytes))
    ]
    if errors := (*false, *_misreported(curve, words(run, result))):
        return Graded(Grade.WRONG, errors)
    planted = [cell for cell in curve.cells if cell.size_bytes in truth.ratios]
    wanted = planted if len(planted) == 1 else [curve.whole]
    is_found = all(comparison.verdict is not Verdict.UNDECIDED for comparison in wanted)
    return Graded(Grade.RIGHT if is_found else Grade.UNDECIDED)


def is_false(verdict: Verdict, ratio: float) -> bool:
    """Whether `verdict` contradicts the true `ratio` of times; an undecided one never does."""
    differs = abs(ratio - 1) > THRESHOLD
    if verdict is Verdict.SAME:
        return differs
    if verdict is Verdict.UNDECIDED:
        return False
    return not differs or (verdict is Verdict.SLOWER) != (ratio > 1)


def _misreported(curve: Curve, sentences: Sequence[str]) -> Iterator[str]:
    """Pairs that only sentences or only verdicts call different; and undecided ones without why."""
    ordered = _ordered(curve.cells) or _ordered([curve.whole])
    reported = {pair for text in sentences for pair in _FASTER.findall(text)}
    slower_first = {pair for text in sentences for pair in _SLOWER.findall(text)}
    reported |= {(faster, slower) for slower, faster in slower_first}
    for faster, slower in sorted(reported ^ ordered):
        yield f"a sentence and no verdict has {faster} before {slower}, or a verdict alone"
    undecided = [cell for cell in (*curve.cells, curve.whole) if cell.verdict is Verdict.UNDECIDED]
    if any(comparison.why is None for comparison in undecided):
        yield "undecided without a reason"


def _ordered(comparisons: Sequence[Comparison]) -> set[tuple[str, str]]:
    """The faster one and the slower one of each pair with a verdict."""
    return {comparison.in_order for comparison in comparisons if comparison.in_order}
