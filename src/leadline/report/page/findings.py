"""The page's findings: which library is faster, where, by how much, how sure; and closed forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from leadline.compare.baselines import BaselineContrast
from leadline.compare.pairs import ComparisonResult
from leadline.compare.ranking import Ranking
from leadline.compare.sides import run_names
from leadline.compare.verdict import Verdict
from leadline.record.run import Origin
from leadline.report.document import SEPARATOR, Section
from leadline.report.page.markup import Markup, element, joined
from leadline.report.page.matrix import contrast_matrix, rankings_matrix, times_matrix
from leadline.report.page.reported import Reported
from leadline.report.page.tables import small_table
from leadline.report.text import comparison, times
from leadline.report.text.catalogue import PageWords
from leadline.report.text.comparison import Compared, concluding_sentence, reasons
from leadline.report.text.fitted import form_sections
from leadline.report.text.measured import Measured, rankings_notes, verdict_note
from leadline.report.text.phrases import listed
from leadline.report.text.run import overlap_sections, pingpong_sections, rate_sections
from leadline.report.text.sentences import crossing_section

MOST_OPEN = 4
"""Most patterns whose sentences are unfolded below the table that says the same."""


def findings(reported: Reported) -> Markup:
    """Each run compared with the first, or else the ranking of the libraries in each run."""
    across = [contrast for contrast in reported.contrasts.by_baseline if not contrast.paired]
    if across:
        return joined([_across(reported, contrast) for contrast in across])
    return joined([_within(reported, i, measured) for i, measured in enumerate(reported.measured)])


def _within(reported: Reported, run: int, one: Measured) -> Markup:
    """The ranking of a run's libraries; where there is none its times, and why."""
    curves = one.rankings.curves
    origins = {row.origin for row in one.rows}
    measured = [row for row in one.rows if row.origin is Origin.MEASURED]
    if curves:
        lead = tally(curves)
    elif origins and not measured:
        lead = PageWords.NOT_MEASURED(origins=listed(sorted(origins)))
    elif measured and all(row.circumstances.crowded for row in measured):
        lead = PageWords.CROWDED()
    else:
        lead = PageWords.ALONE()
    title = [element("h3", run_names(reported.runs)[run])] if len(reported.measured) > 1 else []
    matrix = rankings_matrix(reported, run) if curves else times_matrix(reported, run, one)
    return joined(
        [
            *title,
            element("p", lead, class_="lead"),
            *(element("p", note, class_="basis") for note in rankings_notes(one)),
            matrix,
            _sentences(list(times.curve_sections(one))),
            small_table(
                crossing_section([crossing for each in curves for crossing in each.crossings])
            ),
            *map(small_table, pingpong_sections(one)),
            *map(small_table, rate_sections(one.rates)),
            *map(small_table, overlap_sections(one.overlaps)),
        ]
    )


def tally(curves: Sequence[Ranking]) -> str:
    """E.g. "Of 8 cells: a is the fastest in 5, b in 2; not decided in 1 (1 disturbed)."."""
    tops = [top for curve in curves for top in curve.top]
    wins = Counter(top.in_order[0] for top in tops if top.in_order)
    equal = sum(top.verdict is Verdict.SAME for top in tops)
    undecided = [top for top in tops if top.verdict is Verdict.UNDECIDED]
    parts = []
    if wins:
        (first, most), *others = wins.most_common()
        rest = "".join(PageWords.OTHER_FASTEST(variant=name, cells=n) for name, n in others)
        parts.append(PageWords.FASTEST(variant=first, cells=most, rest=rest))
    if equal:
        parts.append(PageWords.EQUAL(cells=equal))
    if undecided:
        parts.append(PageWords.UNDECIDED(cells=len(undecided), reasons=reasons(undecided)))
    return PageWords.TALLY(cells=len(tops), parts="; ".join(parts))


def _across(reported: Reported, contrast: BaselineContrast) -> Markup:
    """A run compared with the first."""
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
            small_table(
                crossing_section([crossing for c in result.curves for crossing in c.crossings])
            ),
        ]
    )


def lead_across(result: ComparisonResult, threshold: float) -> str:
    """The conclusion of a comparison, and how many cells have each verdict if any is decided."""
    counts = Counter(row.verdict for row in result.rows if row.counted)
    words = {
        verdict: "not decided" if verdict is Verdict.UNDECIDED else str(verdict)
        for verdict in Verdict
    }
    counted = [f"{counts[verdict]} {word}" for verdict, word in words.items() if counts[verdict]]
    conclusion = concluding_sentence(result, threshold)
    if not set(counts) - {Verdict.UNDECIDED}:
        return conclusion
    tallied = PageWords.TALLY(cells=counts.total(), parts=", ".join(counted))
    return f"{conclusion} {tallied}"


def _sentences(sections: Sequence[Section]) -> Markup:
    """The notes of `sections`, folded away where there are many patterns."""
    noted = [section for section in sections if section.notes]
    parts = []
    for one in noted:
        pattern, *rest = one.heading.split(SEPARATOR)
        heading = element("dt", pattern, element("small", " " + SEPARATOR.join(rest)))
        parts.append(element("div", heading, *(element("dd", note) for note in one.notes)))
    return element(
        "details",
        element("summary", PageWords.FOLDED()),
        element("dl", *parts, class_="sentences"),
        open=len(noted) <= MOST_OPEN,
        hidden=not noted,
    )


def closed_forms(reported: Reported) -> Markup:
    """The closed forms fitted to each run that has any, their sentences folded below the tables."""
    parts: list[Markup] = []
    for name, measured in zip(run_names(reported.runs), reported.measured, strict=True):
        sections = list(form_sections(measured.forms))
        if sections and len(reported.measured) > 1:
            parts.append(element("h3", name))
        for section in sections:
            sentences = [element("p", note, class_="basis") for note in section.notes]
            if section.table is None:
                parts += sentences
            else:
                parts.append(small_table(replace(section, notes=())))
                parts.append(element("details", element("summary", "In sentences"), *sentences))
    return joined(parts)
