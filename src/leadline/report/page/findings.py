"""The page's first screen: which is faster, where, by how much, how sure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from leadline.compare.baselines import BaselineContrast
from leadline.compare.pairs import ComparisonResult
from leadline.compare.ranking import Standing
from leadline.compare.sides import run_names
from leadline.compare.verdict import Verdict
from leadline.record.run import Origin
from leadline.report.document import SEPARATOR, Section
from leadline.report.page.markup import Markup, element, joined
from leadline.report.page.matrix import (
    contrast_matrix,
    small_table,
    standings_matrix,
    times_matrix,
)
from leadline.report.page.reported import Reported
from leadline.report.text import comparison, times
from leadline.report.text.comparison import Compared, concluding_sentence, reasons
from leadline.report.text.measured import Measured, standings_notes, verdict_note
from leadline.report.text.phrases import listed, plural
from leadline.report.text.run import overlap_sections, pingpong_sections, rate_sections
from leadline.report.text.sentences import crossing_section

MOST_OPEN = 4
"""Of more patterns than this the sentences are folded away below the table that says the same."""


def findings(reported: Reported) -> Markup:
    """Each run against the first, or else the order of the libraries in each run."""
    across = [contrast for contrast in reported.contrasts.by_baseline if not contrast.paired]
    if across:
        return joined([_across(reported, contrast) for contrast in across])
    return joined([_within(reported, i, one) for i, one in enumerate(reported.measured)])


def _within(reported: Reported, run: int, one: Measured) -> Markup:
    curves = one.standings.curves
    title = [element("h3", run_names(reported.runs)[run])] if len(reported.measured) > 1 else []
    lead = tally(curves) if curves else _times_alone(one)
    matrix = standings_matrix(reported, run) if curves else times_matrix(reported, run, one)
    return joined(
        [
            *title,
            element("p", lead, class_="lead"),
            *(element("p", note, class_="basis") for note in standings_notes(one)),
            matrix,
            _sentences(list(times.curve_sections(one))),
            small_table(crossing_section([found for each in curves for found in each.crossings])),
            *map(small_table, pingpong_sections(one)),
            *map(small_table, rate_sections(one.rates)),
            *map(small_table, overlap_sections(one.overlaps)),
        ]
    )


def _times_alone(one: Measured) -> str:
    """Why nobody is ahead."""
    origins = {row.origin for row in one.rows}
    measured = [row for row in one.rows if row.origin is Origin.MEASURED]
    if origins and not measured:
        return f"Nothing was measured here: these times are {listed(sorted(origins))}."
    if measured and all(row.circumstances.crowded for row in measured):
        return "More ranks than cores are part of no verdict: these are the times alone."
    return "Nothing to compare: these are the times alone."


def tally(curves: Sequence[Standing]) -> str:
    """E.g. "Of 8 cells: a is the fastest in 5, b in 2; not decided in 1 (1 disturbed)."."""
    tops = [top for curve in curves for top in curve.top]
    wins = Counter(top.in_order[0] for top in tops if top.in_order)
    equal = sum(top.verdict is Verdict.SAME for top in tops)
    undecided = [top for top in tops if top.verdict is Verdict.UNDECIDED]
    parts = list(_wins(wins.most_common()))
    parts += [f"the fastest two are equal in {equal}"] * (equal > 0)
    parts += [f"not decided in {len(undecided)} ({reasons(undecided)})"] * bool(undecided)
    return f"Of {plural(len(tops), 'cell')}: {'; '.join(parts)}."


def _wins(ordered: Sequence[tuple[str, int]]) -> Iterator[str]:
    """E.g. "a is the fastest in 5, b in 2"."""
    if ordered:
        (first, most), *others = ordered
        yield ", ".join(
            [f"{first} is the fastest in {most}", *(f"{name} in {n}" for name, n in others)]
        )


def _across(reported: Reported, contrast: BaselineContrast) -> Markup:
    result = contrast.result
    sections = comparison.curve_sections(Compared(reported.runs, result, reported.threshold))
    title = f"{run_names(reported.runs)[contrast.run]} against {contrast.baseline}"
    return joined(
        [
            element("h3", title),
            element("p", lead_across(result, reported.threshold), class_="lead"),
            element("p", verdict_note(reported.threshold), class_="basis"),
            contrast_matrix(reported, contrast),
            _sentences(list(sections)),
            small_table(crossing_section([one for c in result.curves for one in c.crossings])),
        ]
    )


def lead_across(result: ComparisonResult, threshold: float) -> str:
    """What a comparison adds up to, and how many cells are what, unless that says nothing more."""
    counts = Counter(row.verdict for row in result.rows if row.counted)
    words = {one: "not decided" if one is Verdict.UNDECIDED else str(one) for one in Verdict}
    said = ", ".join(f"{counts[one]} {word}" for one, word in words.items() if counts[one])
    conclusion = concluding_sentence(result, threshold)
    if not set(counts) - {Verdict.UNDECIDED}:
        return conclusion
    return f"{conclusion} Of {plural(counts.total(), 'cell')}: {said}."


def _sentences(sections: Iterable[Section]) -> Markup:
    told = [section for section in sections if section.notes]
    parts = [
        element("div", element("dt", _short(one)), *(element("dd", note) for note in one.notes))
        for one in told
    ]
    return element(
        "details",
        element("summary", "In sentences, with intervals"),
        element("dl", *parts, class_="sentences"),
        open=len(told) <= MOST_OPEN,
        hidden=not told,
    )


def _short(section: Section) -> Markup:
    """A heading's pattern, and its other parts small beside it."""
    pattern, *rest = section.heading.split(SEPARATOR)
    return joined([pattern, element("small", " " + SEPARATOR.join(rest))])
