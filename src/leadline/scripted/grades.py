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
from leadline.scripted.scenarios import BASELINE, CANDIDATE, Scenario, Truth

Wording = Callable[[Run, ComparisonResult], Sequence[str]]
"""The sentences that report a comparison."""
_FASTER = re.compile(r"(\w+) is (?:(?! is ).)+? times faster than (\w+)")
_SLOWER = re.compile(r"(\w+) is (?:(?! is ).)+? times slower than (\w+)")


class Grade(StrEnum):
    """What a campaign comes to, beside the truth."""

    RIGHT = "right"
    """What is planted was found, where and as it is: of nothing, that both are the same."""
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
    """Plays the campaign of `seed` into `directory`, which is new; compares what it comes to."""
    run = play(scenario.script(seed), scenario.order(seed), directory)
    result = compare_within(Analysis(run), BASELINE, [CANDIDATE], THRESHOLD)
    (curve,) = result.curves
    truth = scenario.truth(seed)
    errors = (*_false(curve, truth), *_misreported(curve, words(run, result)))
    if errors:
        return Graded(Grade.WRONG, errors)
    return Graded(Grade.RIGHT if _found(curve, truth) else Grade.UNDECIDED)


def is_false(verdict: Verdict, ratio: float) -> bool:
    """Whether `verdict` contradicts the true `ratio` of times; an undecided one never does."""
    differs = abs(ratio - 1) > THRESHOLD
    if verdict is Verdict.SAME:
        return differs
    if verdict is Verdict.UNDECIDED:
        return False
    return not differs or (verdict is Verdict.SLOWER) != (ratio > 1)


def _false(curve: Curve, truth: Truth) -> Iterator[str]:
    for one in (*curve.cells, curve.whole):
        if is_false(one.verdict, truth.at(one.size_bytes)):
            yield f"{one.verdict} {_place(one)}"


def _place(one: Comparison) -> str:
    return "over all" if one.size_bytes is None else f"at {one.size_bytes} B"


def _found(curve: Curve, truth: Truth) -> bool:
    """Whether the verdict is there that the truth asks for: on the curve, or on what is planted."""
    planted = [one for one in curve.cells if one.size_bytes in truth.ratios]
    wanted = planted if len(planted) == 1 else [curve.whole]
    return all(one.verdict is not Verdict.UNDECIDED for one in wanted)


def _misreported(curve: Curve, sentences: Sequence[str]) -> Iterator[str]:
    """What sentences say of who is faster and no verdict does, or the other way round."""
    ordered = _ordered(curve.cells) or _ordered([curve.whole])
    for faster, slower in sorted(_told(sentences) ^ ordered):
        yield f"a sentence and no verdict has {faster} before {slower}, or a verdict alone"
    undecided = [one for one in (*curve.cells, curve.whole) if one.verdict is Verdict.UNDECIDED]
    if any(one.why is None for one in undecided):
        yield "undecided without a reason"


def _ordered(comparisons: Sequence[Comparison]) -> set[tuple[str, str]]:
    """The faster one and the slower one of each pair with a verdict."""
    return {one.in_order for one in comparisons if one.in_order}


def _told(sentences: Sequence[str]) -> set[tuple[str, str]]:
    """The faster one and the slower one of each pair that sentences call different."""
    faster = {found for text in sentences for found in _FASTER.findall(text)}
    slower = {found for text in sentences for found in _SLOWER.findall(text)}
    return faster | {(fast, slow) for slow, fast in slower}
