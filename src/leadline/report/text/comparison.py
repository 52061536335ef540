"""A comparison as a document: candidates against their baseline, pattern by pattern."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from leadline.compare.between import KNOWN_APART
from leadline.compare.circumstances import Circumstances
from leadline.compare.curves import Comparison, Curve
from leadline.compare.origins import MODELS
from leadline.compare.pairs import (
    NO_REGRESSION,
    REGRESSION,
    ComparisonResult,
    exit_status,
    in_simulation,
)
from leadline.compare.verdict import Verdict, Why
from leadline.record.caveats import Caveat
from leadline.record.curve import CurveKey
from leadline.record.run import Origin, Run
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.text.circumstances import (
    COMMUNICATION,
    any_known,
    crowd_columns,
    shares_against,
)
from leadline.report.text.measured import links_notes, verdict_note
from leadline.report.text.notes import note_sections, of_several
from leadline.report.text.phrases import MISSING, listed, plural, size, stated_share
from leadline.report.text.ratios import ratio_words
from leadline.report.text.sentences import (
    crossing_sentences,
    curve_sentence,
    reason,
    slower_words,
    tax_sentence,
)
from leadline.units import significant


@dataclass(frozen=True, slots=True)
class Compared:
    """Everything that was computed from one run or two, for the report."""

    runs: tuple[Run, ...]
    """One: its variants were compared; two: the second with the first."""
    result: ComparisonResult
    threshold: float

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """Each once: the runs', then those of comparing them; which run's, if not every one's."""
        warnings = of_several([(run, run.warnings) for run in self.runs])
        return tuple(dict.fromkeys([*warnings, *self.result.caveats]))


def comparison_document(compared: Compared) -> list[Section]:
    """Everything that `compare` says."""
    return [
        compared_title(compared),
        *curve_sections(compared),
        Section("conclusion", notes=(concluding_sentence(compared.result, compared.threshold),)),
        *note_sections(compared.runs, compared.caveats),
    ]


def compared_title(compared: Compared) -> Section:
    """Who is held to whom, in which run or runs, over what; how verdicts come about."""
    paths = " against ".join(run.path for run in reversed(compared.runs))
    verdicts = (verdict_note(compared.threshold),) if compared.result.counted else ()
    notes = (*links_notes(compared.runs), *verdicts)
    return Section(f"{paths}: {_compared(compared)}", notes=notes)


def _compared(compared: Compared) -> str:
    """E.g. "b against a"; of two runs the variants that both have: "a and b"."""
    curves = compared.result.curves
    first, *second = (run.configurations for run in compared.runs)
    known = {one.variant for one in first}
    common = [one.variant for run in second for one in run if one.variant in known]
    if common:
        return listed(common)
    if not curves:
        return "nothing in common"
    candidates = listed(curve.whole.candidate for curve in curves)
    return f"{candidates} against {listed(curve.whole.baseline for curve in curves)}"


def curve_sections(compared: Compared) -> Iterator[Section]:
    """A table of ratios for each pattern, number of ranks and way to measure; who is faster."""
    tables: dict[CurveKey, list[Curve]] = {}
    for curve in compared.result.curves:
        tables.setdefault(curve.whole.curve, []).append(curve)
    return (_curve_section(curves, compared) for curves in tables.values())


def _curve_section(curves: Sequence[Curve], compared: Compared) -> Section:
    whole = curves[0].whole
    taxes = [
        tax
        for tax in compared.result.taxes
        if (tax.pattern, tax.ranks) == (whole.pattern, whole.ranks)
    ]
    notes = [*_sentences(curves, compared.threshold), tax_sentence(taxes)]
    table = _table(curves, compared.threshold)
    return Section(_heading(curves, compared), table, tuple(filter(None, notes)))


def _heading(curves: Sequence[Curve], compared: Compared) -> str:
    whole = curves[0].whole
    return SEPARATOR.join(
        [
            whole.pattern,
            f"time over that of {_baseline(curves) or 'the first run'}",
            *_origins(curves),
            plural(whole.ranks, "rank"),
            *_blocks(curves, len(compared.runs) == 1),
            *[f"{whole.buffers} buffers"] * (not any_known(_sides(curves))),
            f"{whole.cadence} cadence",
            *_threshold(curves, compared.threshold),
        ]
    )


def _threshold(curves: Sequence[Curve], threshold: float) -> Iterator[str]:
    """E.g. "threshold 2 %"; nothing where nothing is held to it."""
    if not all(curve.whole.in_simulation for curve in curves):
        yield f"threshold {stated_share(threshold)}"


def _origins(curves: Sequence[Curve]) -> Iterator[str]:
    """E.g. "measured against simulated"; nothing where all were measured."""
    candidates = [curve.whole.candidate_origin for curve in curves]
    baselines = [curve.whole.baseline_origin for curve in curves]
    if {*candidates, *baselines} != {Origin.MEASURED}:
        yield f"{listed(candidates)} against {listed(baselines)}"


def _blocks(curves: Sequence[Curve], one_run: bool) -> Iterator[str]:
    """E.g. "6 to 8 blocks, paired", of all cells; nothing where none decide."""
    decisive = [curve.whole for curve in curves if curve.whole.blocks]
    cells = [cell for c in curves if c.whole.blocks for cell in c.cells]
    numbers = sorted({cell.blocks for cell in cells if cell.blocks})
    if numbers:
        least = f"{numbers[0]} to " if len(numbers) > 1 else ""
        pairs = any(set(whole.origins) == {Origin.MEASURED} for whole in decisive)
        how = (", paired" if one_run else ", unpaired") * pairs
        yield least + plural(numbers[-1], "block") + how


def _baseline(curves: Sequence[Curve]) -> str | None:
    """The baseline's name; None: each candidate has its own, as in two runs of several variants."""
    names = {curve.whole.baseline for curve in curves}
    return names.pop() if len(names) == 1 else None


def _table(curves: Sequence[Curve], threshold: float) -> Table:
    found = [{row.size_bytes: row for row in (*c.cells, c.whole)} for c in curves]
    sizes = sorted({one for rows in found for one in rows if one is not None})
    whole = "all that count" if any(map(_partial, curves)) else size(None, len(sizes))
    shown = [*sizes, *([None] if len(sizes) > 1 else [])]
    beside = crowd_columns([_circumstances(rows.get(one) for rows in found) for one in shown])
    rows = [
        (
            whole if one is None else size(one, len(sizes)),
            *(judged(rows.get(one), threshold) for rows in found),
            *crowd,
        )
        for one, *crowd in zip(shown, *(column[1:] for column in beside), strict=True)
    ]
    first = "size"
    if any_known(_sides(curves)):
        first, rows = "", [("ratio", *rows[0][1:]), _communication(found, beside)]
    titles = [curve.whole.candidate for curve in curves]
    if _baseline(curves) is None:
        titles = [f"{curve.whole.candidate}\nto {curve.whole.baseline}" for curve in curves]
    return Table((first, *titles, *(title for title, *_ in beside)), tuple(rows))


def _communication(
    found: Sequence[Mapping[int | None, Comparison]], beside: Sequence[Sequence[str]]
) -> tuple[str, ...]:
    """The row of an application, which has one cell: the candidates' shares and the baselines'."""
    cells = [next(iter(rows.values()), None) for rows in found]
    spent = (shares_against(one.circumstances if one else None) for one in cells)
    return (COMMUNICATION, *spent, *[""] * len(beside))


def _sides(curves: Sequence[Curve]) -> list[tuple[Circumstances, Circumstances]]:
    return [cell.circumstances for curve in curves for cell in curve.cells]


def _partial(curve: Curve) -> bool:
    """Whether some of its sizes are part of the average, and some aren't."""
    return len({cell.counted and cell.ratio is not None for cell in curve.cells}) > 1


def _circumstances(rows: Iterable[Comparison | None]) -> list[Circumstances]:
    return [one for row in rows if row is not None for one in row.circumstances]


def judged(row: Comparison | None, threshold: float) -> str:
    """The ratio and what it is: "1.05 (1.03 to 1.07) slower", "1.5 not decided: 5 of 6 blocks".

    Of two simulations the ratio alone; "-" where there is no such cell, or only one has its time.
    """
    if row is None or (row.in_simulation and row.ratio is None):
        return MISSING
    words = str(row.verdict)
    if row.in_simulation:
        words = ""
    elif row.verdict is Verdict.UNDECIDED:
        words = f"not decided: {reason([row], threshold)}"
    return words if row.ratio is None else f"{ratio_words(row, threshold)} {words}".strip()


def _sentences(curves: Sequence[Curve], threshold: float) -> Iterator[str]:
    for curve in curves:
        yield curve_sentence(curve, threshold, named=len(curves) > 1)
        yield from crossing_sentences(curve.crossings)


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
