"""A comparison as a document: candidates against their baseline, pattern by pattern."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
from leadline.record.curve import CurveKey
from leadline.record.run import Origin, Run
from leadline.record.warnings import Remedy, RunWarning
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.text.catalogue import ConclusionWords, CountedWords
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
    overhead_sentence,
    reason,
    slower_words,
)
from leadline.units import significant


@dataclass(frozen=True, slots=True)
class Compared:
    """Everything that was computed from one run or two, for the report."""

    runs: tuple[Run, ...]
    """One run: its variants were compared; two runs: the second with the first."""
    result: ComparisonResult
    threshold: float

    @property
    def warnings(self) -> tuple[RunWarning, ...]:
        """Warnings of the runs, naming the run where not all have it, then of the comparison."""
        warnings = of_several([(run, run.warnings) for run in self.runs])
        return tuple(dict.fromkeys([*warnings, *self.result.warnings]))


def comparison_document(compared: Compared) -> list[Section]:
    """Everything that `compare` says."""
    return [
        compared_title(compared),
        *curve_sections(compared),
        Section("conclusion", notes=(concluding_sentence(compared.result, compared.threshold),)),
        *note_sections(compared.runs, compared.warnings),
    ]


def compared_title(compared: Compared) -> Section:
    """The runs and the variants compared, e.g. "b against a", links, and the test behind verdicts.

    Two runs with variants in common are headed by those alone: "a and b".
    """
    curves = compared.result.curves
    first, *second = (run.configurations for run in compared.runs)
    known = {configuration.variant for configuration in first}
    common = [
        configuration.variant
        for run in second
        for configuration in run
        if configuration.variant in known
    ]
    if common:
        who = listed(common)
    elif curves:
        candidates = listed(curve.whole.candidate for curve in curves)
        who = f"{candidates} against {listed(curve.whole.baseline for curve in curves)}"
    else:
        who = "nothing in common"
    paths = " against ".join(run.path for run in reversed(compared.runs))
    verdicts = (verdict_note(compared.threshold),) if compared.result.counted else ()
    return Section(f"{paths}: {who}", notes=(*links_notes(compared.runs), *verdicts))


# -- a table of ratios a pattern -------------------------------------------------------------------


def curve_sections(compared: Compared) -> Iterator[Section]:
    """A table of ratios for each pattern, number of ranks and way to measure; who is faster."""
    tables: dict[CurveKey, list[Curve]] = {}
    for curve in compared.result.curves:
        tables.setdefault(curve.whole.curve, []).append(curve)
    for key, curves in tables.items():
        notes: list[str] = []
        for curve in curves:
            notes.append(curve_sentence(curve, compared.threshold, named=len(curves) > 1))
            notes += crossing_sentences(curve.crossings)
        overheads = compared.result.overheads
        notes.append(
            overhead_sentence(
                [t for t in overheads if (t.pattern, t.ranks) == (key.pattern, key.ranks)]
            )
        )
        table = _table(curves, compared.threshold)
        yield Section(_heading(curves, compared), table, tuple(filter(None, notes)))


def _heading(curves: Sequence[Curve], compared: Compared) -> str:
    whole = curves[0].whole
    parts = [whole.pattern, f"time over that of {_baseline(curves) or 'the first run'}"]
    candidates = [curve.whole.candidate_origin for curve in curves]
    baselines = [curve.whole.baseline_origin for curve in curves]
    if {*candidates, *baselines} != {Origin.MEASURED}:
        parts.append(f"{listed(candidates)} against {listed(baselines)}")
    parts.append(plural(whole.ranks, "rank"))
    decisive = [curve for curve in curves if curve.whole.blocks]
    if numbers := sorted({cell.blocks for c in decisive for cell in c.cells if cell.blocks}):
        least = f"{numbers[0]} to " if len(numbers) > 1 else ""
        pairs = any(set(curve.whole.origins) == {Origin.MEASURED} for curve in decisive)
        how = (", paired" if len(compared.runs) == 1 else ", unpaired") * pairs
        parts.append(least + plural(numbers[-1], "block") + how)
    if not any_known(_sides(curves)):
        parts.append(f"{whole.buffers} buffers")
    parts.append(f"{whole.cadence} cadence")
    if not all(curve.whole.in_simulation for curve in curves):
        parts.append(f"threshold {stated_share(compared.threshold)}")
    return SEPARATOR.join(parts)


def _baseline(curves: Sequence[Curve]) -> str | None:
    """The baseline's name; None: each candidate has its own, as in two runs of several variants."""
    names = {curve.whole.baseline for curve in curves}
    return names.pop() if len(names) == 1 else None


def _sides(curves: Sequence[Curve]) -> list[tuple[Circumstances, Circumstances]]:
    return [cell.circumstances for curve in curves for cell in curve.cells]


def _table(curves: Sequence[Curve], threshold: float) -> Table:
    """A row a size and one over all of them, a column a candidate, then circumstances.

    An application has no sizes: one row of ratios, then one of communication shares.
    """
    by_size = [{row.size_bytes: row for row in (*c.cells, c.whole)} for c in curves]
    sizes = sorted({one for rows in by_size for one in rows if one is not None})
    partial = any(
        len({cell.counted and cell.ratio is not None for cell in curve.cells}) > 1
        for curve in curves
    )
    whole = "all that count" if partial else size(None, len(sizes))
    shown = [*sizes, *([None] if len(sizes) > 1 else [])]
    beside = crowd_columns(
        [
            [
                circumstances
                for rows in by_size
                if each in rows
                for circumstances in rows[each].circumstances
            ]
            for each in shown
        ]
    )
    rows = [
        (
            whole if each is None else size(each, len(sizes)),
            *(judged(rows.get(each), threshold) for rows in by_size),
            *crowd,
        )
        for each, *crowd in zip(shown, *(column[1:] for column in beside), strict=True)
    ]
    first = "size"
    if any_known(_sides(curves)):
        cells = [next(iter(rows.values()), None) for rows in by_size]
        spent = (shares_against(cell.circumstances if cell else None) for cell in cells)
        first = ""
        rows = [("ratio", *rows[0][1:]), (COMMUNICATION, *spent, *[""] * len(beside))]
    titles = [curve.whole.candidate for curve in curves]
    if _baseline(curves) is None:
        titles = [f"{curve.whole.candidate}\nto {curve.whole.baseline}" for curve in curves]
    return Table((first, *titles, *(title for title, *_ in beside)), tuple(rows))


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


# -- the conclusion, which the exit status stands for ----------------------------------------------

MOST_NAMED = 3
"""Slowdowns listed one by one; of more the rest is counted."""
_AS_LONG = "1.00"
_FIXED_BY_BLOCKS = {Why.CROSSES, Why.FAMILY, Why.FEW_BLOCKS}
"""Reasons that more blocks remove, unless there is only one pair of runs."""


def concluding_sentence(result: ComparisonResult, threshold: float) -> str:
    """What a comparison adds up to, and which models it rests on besides measured values."""
    if in_simulation(result.curves):
        return _simulated(result.curves)
    if not result.counted:
        return ConclusionWords.NOTHING_COUNTS(why=_nothing_counts(result))
    beyond, undecided = stated_share(threshold), _but_undecided(result)
    if result.exit_status == REGRESSION:
        named = [slower_words(slowdown, threshold) for slowdown in result.slowdowns[:MOST_NAMED]]
        more = len(result.slowdowns) - len(named)
        sentence = ConclusionWords.REGRESSION(slowdowns="; ".join(named), more=more)
    elif result.exit_status == NO_REGRESSION:
        sentence = ConclusionWords.NO_REGRESSION(threshold=beyond, undecided=undecided)
    elif exit_status(result.curves) == NO_REGRESSION:
        sentence = ConclusionWords.LACKING(threshold=beyond)
    else:
        sentence = ConclusionWords.NOTHING_SHOWN(
            threshold=beyond, undecided=undecided, remedy=_remedy(result)
        )
    counted = [curve for curve in result.curves if curve.whole.counted]
    slower = [curve for curve in counted if exit_status([curve]) == REGRESSION]
    origins = [origin for curve in slower or counted for origin in curve.whole.origins]
    models = [origin for origin in origins if origin in MODELS]
    return sentence + (ConclusionWords.TAKEN_AS_TRUE(models=listed(models)) if models else "")


def _simulated(curves: Sequence[Curve]) -> str:
    """E.g. "In the simulation b is faster than a: it takes 0.65 to 0.98 times as long. ..."."""
    by_pair: dict[tuple[str, str], list[float]] = {}
    for cell in (cell for curve in curves for cell in curve.cells):
        if cell.ratio is not None:
            by_pair.setdefault((cell.candidate, cell.baseline), []).append(cell.ratio)
    parts = []
    for (candidate, baseline), ratios in by_pair.items():
        low, high = significant(min(ratios)), significant(max(ratios))
        times = low if low == high else f"{low} to {high}"
        pair = {"candidate": candidate, "baseline": baseline}
        if low == high == _AS_LONG:
            parts.append(ConclusionWords.AS_LONG(**pair))
        elif _AS_LONG not in (low, high) and max(ratios) < 1:
            parts.append(ConclusionWords.SIMULATED_FASTER(times=times, **pair))
        elif _AS_LONG not in (low, high) and min(ratios) > 1:
            parts.append(ConclusionWords.SIMULATED_SLOWER(times=times, **pair))
        else:
            parts.append(ConclusionWords.SIMULATED(times=times, **pair))
    return ConclusionWords.IN_SIMULATION(pairs="; ".join(parts))


def _nothing_counts(result: ComparisonResult) -> str:
    """Why there is no verdict, however long one measures."""
    pairs = [row.origins for row in result.rows]
    if not pairs:
        return ConclusionWords.NO_CELL()
    others = [one for pair in pairs for one in pair if one is not Origin.MEASURED]
    if not others:
        return ConclusionWords.CROWDED()
    if any(set(pair) == {Origin.MEASURED} for pair in pairs):
        return ConclusionWords.UNMEASURED_AND_CROWDED(origins=listed(others))
    return ConclusionWords.UNMEASURED(origins=listed(others))


def _but_undecided(result: ComparisonResult) -> str:
    """E.g. ", but 2 of 3 cells aren't decided (1 disturbed, 1 with too few blocks)".

    "" where all are decided.
    """
    number, of = len(result.undecided), len(result.counted)
    if not number:
        return ""
    why = reasons(result.undecided)
    if number < of:
        return ConclusionWords.SOME_CELLS(number=number, cells=of, reasons=why)
    if of == 1:
        return ConclusionWords.ONLY_CELL(reasons=why)
    return ConclusionWords.NO_CELL_DECIDED(cells=of, reasons=why)


def reasons(undecided: Sequence[Comparison]) -> str:
    """Number of cells for each reason, e.g. "2 disturbed, 1 with too few blocks".

    Where all have the same, it alone: "too few blocks".
    """
    counts = Counter(row.why for row in undecided if row.why)
    if len(counts) == 1:
        alone = CountedWords[next(iter(counts)).name]()
        return alone.removeprefix("with ").removeprefix("of ")
    return ", ".join(f"{number} {CountedWords[why.name]()}" for why, number in counts.most_common())


def _remedy(result: ComparisonResult) -> str:
    """What can decide more."""
    whys, in_one_run = {row.why for row in result.undecided}, ConclusionWords.IN_ONE_RUN()
    if result.lone and whys & {Why.ONE_PAIR_OF_RUNS, *_FIXED_BY_BLOCKS}:
        known = Remedy.KNOWN_APART()
        if result.changed:
            return ConclusionWords.RUN_OR_SPREAD(in_one_run=in_one_run, known_apart=known)
        return ConclusionWords.SPREAD(known_apart=known)
    needed = max((row.blocks_needed or 0 for row in result.undecided), default=0)
    if needed:
        return ConclusionWords.BLOCKS(needed=needed)
    if Why.CORE_STATES in whys and result.changed:
        return ConclusionWords.LONGER_RUN(in_one_run=in_one_run)
    if Why.CORE_STATES in whys:
        return ConclusionWords.SAME_STATE()
    return ConclusionWords.LONGER() if whys & _FIXED_BY_BLOCKS else ""
