"""A comparison as a document: candidates against their baseline, pattern by pattern."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from leadline.compare.circumstances import Circumstances
from leadline.compare.curves import Comparison, Curve
from leadline.compare.verdict import Verdict
from leadline.record.curve import CurveKey
from leadline.record.run import Origin
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.text.communication import COMMUNICATION, any_known, shares_against
from leadline.report.text.compared import Compared
from leadline.report.text.conclusions import concluding_sentence
from leadline.report.text.crossings import crossing_sentences
from leadline.report.text.crowds import crowd_columns
from leadline.report.text.notes import note_sections
from leadline.report.text.phrases import MISSING, listed, plural, size, stated_share
from leadline.report.text.ratios import ratio_words
from leadline.report.text.reasons import reason
from leadline.report.text.sentences import curve_sentence, tax_sentence
from leadline.report.text.titles import compared_title


def comparison_document(compared: Compared) -> list[Section]:
    """Everything that `compare` says."""
    return [
        compared_title(compared),
        *curve_sections(compared),
        Section("conclusion", notes=(concluding_sentence(compared.result, compared.threshold),)),
        *note_sections(compared.runs, compared.caveats),
    ]


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
