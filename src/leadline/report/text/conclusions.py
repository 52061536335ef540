"""What a comparison adds up to: the sentence that its exit status stands for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from leadline.compare.between import KNOWN_APART
from leadline.compare.curves import Comparison, Curve
from leadline.compare.origins import MODELS
from leadline.compare.pairs import (
    NO_REGRESSION,
    REGRESSION,
    ComparisonResult,
    exit_status,
    in_simulation,
)
from leadline.compare.verdict import Why
from leadline.record.run import Origin
from leadline.report.text.phrases import listed, plural, stated_share
from leadline.report.text.sentences import slower_words
from leadline.units import significant

MOST_NAMED = 3
"""Slowdowns; of more, how many there are."""


def concluding_sentence(result: ComparisonResult, threshold: float) -> str:
    """What a comparison adds up to, and whose word it takes for it."""
    if in_simulation(result.curves):
        return _simulated(result.curves)
    if not result.counted:
        return f"Not decided: {_nothing_counts(result)}."
    return _conclusion(result, threshold) + _trust(result)


def _simulated(curves: Sequence[Curve]) -> str:
    """E.g. "In the simulation b is faster than a: it takes 0.65 to 0.98 times as long. ..."."""
    ratios: dict[tuple[str, str], list[float]] = {}
    for cell in (cell for curve in curves for cell in curve.cells):
        if cell.ratio is not None:
            ratios.setdefault((cell.candidate, cell.baseline), []).append(cell.ratio)
    said = "; ".join(_times_as_long(*pair, found) for pair, found in ratios.items())
    return f"In the simulation {said}. That is no verdict on a machine: nothing was measured."


def _times_as_long(candidate: str, baseline: str, ratios: Sequence[float]) -> str:
    low, high = significant(min(ratios)), significant(max(ratios))
    if low == high == _AS_LONG:
        return f"{candidate} takes as long as {baseline}"
    takes = f"takes {low if low == high else f'{low} to {high}'} times as long"
    if _AS_LONG not in (low, high) and (max(ratios) < 1 or min(ratios) > 1):
        which = "faster" if max(ratios) < 1 else "slower"
        return f"{candidate} is {which} than {baseline}: it {takes}"
    return f"{candidate} {takes} as {baseline}"


_AS_LONG = "1.00"


def _conclusion(result: ComparisonResult, threshold: float) -> str:
    if result.exit_status == REGRESSION:
        return _regression(result, threshold)
    nothing = f"nothing is shown to be slower by more than {stated_share(threshold)}"
    if result.exit_status == NO_REGRESSION:
        return f"No regression: {nothing}{_open(result.undecided, ', but ', len(result.counted))}."
    nothing = nothing[0].upper() + nothing[1:]
    if exit_status(result.curves) == NO_REGRESSION:
        return f"{nothing}, but one side lacks cells of the other."
    undecided = _open(result.undecided, ", but ", len(result.counted))
    return f"{nothing}{undecided}{_remedy(result)}."


def _regression(result: ComparisonResult, threshold: float) -> str:
    """What is slower, where, and by how much, the worst first."""
    named = [slower_words(one, threshold) for one in result.slowdowns[:MOST_NAMED]]
    more = len(result.slowdowns) - len(named)
    rest = f"; and {plural(more, 'more slowdown')}" if more else ""
    return f"Regression: {'; '.join(named)}{rest}."


def _open(undecided: Sequence[Comparison], begin: str, of: int) -> str:
    """E.g. "2 of 3 cells aren't decided (1 disturbed, 1 with too few blocks)"; "" where none."""
    number = len(undecided)
    if not number:
        return ""
    if number == of:
        cells = "the only cell isn't" if of == 1 else f"none of {of:,} cells is"
    else:
        cells = f"{number:,} of {plural(of, 'cell')} {'isn' if number == 1 else 'aren'}'t"
    return f"{begin}{cells} decided ({reasons(undecided)})"


def reasons(undecided: Sequence[Comparison]) -> str:
    """How many there are for which reason, e.g. "2 disturbed, 1 with too few blocks".

    Where all have the same, it alone: "too few blocks".
    """
    counts = Counter(row.why for row in undecided if row.why)
    if len(counts) == 1:
        return _REASONS[next(iter(counts))].removeprefix("with ").removeprefix("of ")
    return ", ".join(f"{number} {_REASONS[why]}" for why, number in counts.most_common())


_REASONS = {
    Why.CROSSES: "crossing the threshold",
    Why.FAMILY: "beyond it alone but not in the test over all",
    Why.FEW_BLOCKS: "with too few blocks",
    Why.NOT_MEASURED: "not measured on both sides",
    Why.DISTURBED: "disturbed",
    Why.HANDOVER: "with cores in different states",
    Why.ONE_PAIR_OF_RUNS: "of one pair of runs",
    Why.OVERSUBSCRIBED: "oversubscribed",
    Why.STATED: "not measured here",
}


def _remedy(result: ComparisonResult) -> str:
    """What can decide more."""
    whys = {row.why for row in result.undecided}
    if result.lone and whys & {Why.ONE_PAIR_OF_RUNS, *_MENDED}:
        return f": {IN_ONE_RUN}, or {KNOWN_APART}" if result.changed else f": {KNOWN_APART}"
    needed = max((row.blocks_needed or 0 for row in result.undecided), default=0)
    if needed:
        return f": measure {needed:,} blocks at least"
    if Why.HANDOVER in whys:
        again = "measure again until the cores are in one state in both"
        return f": {IN_ONE_RUN}, for longer" if result.changed else f": {again}"
    return ": measure longer" if whys & _MENDED else ""


_MENDED = {Why.CROSSES, Why.FAMILY, Why.FEW_BLOCKS}
"""By more blocks, unless a pair of runs is alone."""
IN_ONE_RUN = "measure both in one run (leadline run --against)"


def _nothing_counts(result: ComparisonResult) -> str:
    """Why there is no verdict, however long one measures."""
    pairs = [row.origins for row in result.rows]
    if not pairs:
        return "no cell was measured on both sides"
    others = [one for pair in pairs for one in pair if one is not Origin.MEASURED]
    crowded = "more ranks than cores are part of no verdict"
    if not others:
        return crowded
    unmeasured = f"{listed(others)} values weren't measured, so they can't show which is faster"
    measured = any(set(pair) == {Origin.MEASURED} for pair in pairs)
    return f"{unmeasured}, and {crowded}" if measured else unmeasured


def _trust(result: ComparisonResult) -> str:
    """Whose word the conclusion rests on, besides what was measured."""
    counted = [curve for curve in result.curves if curve.whole.counted]
    slower = [curve for curve in counted if exit_status([curve]) == REGRESSION]
    models = [one for c in slower or counted for one in c.whole.origins]
    others = [one for one in models if one in MODELS]
    return f" This takes {listed(others)} values at their word." if others else ""
