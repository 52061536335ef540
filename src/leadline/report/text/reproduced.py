"""Reproduced papers: what became of each in a line, then its tables, sentences and reasons."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from leadline.papers.cells import Label, ReproducedCell
from leadline.papers.collectives.closed_forms import MOST, NODES
from leadline.papers.recipe import Relation, ReproducedForm
from leadline.papers.reproduction import WITHIN, CellTable, ReproducedPaper, words_of
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.text.catalogue import PaperWords
from leadline.report.text.closed_forms import expression
from leadline.report.text.phrases import MISSING, listed, plural, stated_share
from leadline.report.text.study import answers_counted, numbered_findings, warnings_of
from leadline.units import format_bandwidth, significant

SUMMARY = (
    "paper", "figures", "fitted", f"predicted,\nwithin {stated_share(WITHIN)}",
    "not repro-\nducible", "predicted\nsentences", "fitted\nconstants",
)  # fmt: skip
MEANINGS = (
    PaperWords.FITTED(),
    PaperWords.PREDICTED(),
    PaperWords.SENTENCES(),
    PaperWords.CONSTANTS(),
)
MEASURED_COLUMNS = ("figure", "published", "library", "here", "interval", "times", "why")
COLUMNS = ("figure", "published", "ours", "off", "label", "why")
BOUNDS = {Relation.ABOUT: "", Relation.LEAST: "≥ ", Relation.MOST: "≤ "}
DIGITS = 4
"""Significant digits of our values."""
WITH_DECIMALS = 0.0995
"""Deviations from here on are given in whole per cent."""
NOTHING_OFF = 0.0005
"""Smaller deviations are given as zero."""
FORM_COLUMNS = ("", f"R_inf({MOST})\nby form", "by slope", "off", "T(m, p)")
FORM_MEANINGS = PaperWords.FORMS(least=NODES[0], most=MOST)


class Reasons:
    """The reasons of a paper's cells, each once, numbered."""

    def __init__(self, cells: Iterable[ReproducedCell]) -> None:
        """Numbers the reasons of `cells` in their order."""
        self._found = list(dict.fromkeys(cell.reason for cell in cells if cell.reason))

    def mark(self, reason: str) -> str:
        """E.g. "[2]"; "" for none."""
        return f"[{self._found.index(reason) + 1}]" if reason else ""

    def marked(self) -> Iterator[tuple[str, str]]:
        """Each with its mark, as a sentence."""
        return ((self.mark(reason), f"{reason}.") for reason in self._found)

    def notes(self) -> tuple[str, ...]:
        """A note for each reason."""
        return tuple(map(" ".join, self.marked()))


def reproduced_document(papers: Sequence[ReproducedPaper]) -> list[Section]:
    """A summary of all, then paper by paper; of a single paper also where it contradicts itself."""
    sections = [
        summary_section(papers),
        *(section for paper in papers for section in _paper_sections(paper)),
    ]
    if len(papers) == 1 and (contradictions := papers[0].paper.contradictions):
        heading = (
            f"{papers[0].paper.key}{SEPARATOR}the paper contradicts itself: {len(contradictions)}"
        )
        notes = tuple(
            PaperWords.CONTRADICTION(
                figures=listed(map(name_words, contradiction.figures)),
                printed=contradiction.printed,
                found=contradiction.found,
                reading=contradiction.reading,
            )
            for contradiction in contradictions
        )
        sections.append(Section(heading, notes=notes))
    return sections


def summary_section(papers: Sequence[ReproducedPaper]) -> Section:
    """A line a paper, and what is counted in it; a last column if any was measured here."""
    measured = any(paper.studied for paper in papers)
    rows: list[tuple[str, ...]] = []
    for paper in papers:
        summary = paper.summary
        predicted = summary.labels[Label.PREDICTED]
        here = str(summary.labels[Label.MEASURED]) if paper.studied else MISSING
        rows.append(
            (
                summary.paper,
                str(summary.figures),
                str(summary.labels[Label.FITTED]),
                f"{summary.predicted_within} of {predicted}" if predicted else MISSING,
                str(summary.labels[Label.NOT_REPRODUCIBLE]),
                f"{summary.predicted_sentences_that_hold} of {summary.predicted_sentences}",
                str(summary.fitted_constants),
                *[here] * measured,
            )
        )
    columns = (*SUMMARY, *["measured\nhere"] * measured)
    notes = (*MEANINGS, *[PaperWords.MEASURED()] * measured)
    return Section("reproduced papers", Table(columns, tuple(rows)), notes)


# -- a paper ---------------------------------------------------------------------------------------


def _paper_sections(paper: ReproducedPaper) -> Iterator[Section]:
    """Tables, sentences, closed forms, what isn't reproducible, what was measured, and reasons."""
    key, tables = paper.paper.key, tuple(paper.tables())
    in_tables = (cell for table in tables for cell in table.cells)
    reasons = Reasons((*in_tables, *paper.sentences, *paper.lacking, *paper.measured))
    notes = [f"{paper.paper.source}."]
    if number := paper.summary.settings:
        notes.append(PaperWords.SETTINGS(number=number))
    yield Section(f"{key}{SEPARATOR}simulated on {listed(paper.machines)}", notes=tuple(notes))
    for table in tables:
        heading = f"Table {table.number}" if table.number else "figures of the text"
        yield Section(f"{key}{SEPARATOR}{heading}", _table(table, reasons))
    if paper.sentences:
        held = f"{paper.summary.sentences_that_hold} of {paper.summary.sentences} hold"
        sentences: list[str] = []
        for cell in paper.sentences:
            why = f" {reasons.mark(cell.reason)}" if cell.reason else ""
            sentences.append(f"{cell.text}\n{answer(cell)} ({cell.label}): {ratios(cell)}{why}")
        yield Section(f"{key}{SEPARATOR}sentences: {held}", notes=tuple(sentences))
    for section in forms_sections(paper.forms):
        yield replace(section, heading=f"{key}{SEPARATOR}{section.heading}")
    if paper.lacking:
        heading = f"not reproducible: {plural(len(paper.lacking), 'figure')}"
        figures: dict[str, list[str]] = {}
        for cell in paper.lacking:
            name = name_words(cell.id)
            value = "" if cell.published is None else f" ({published_words(cell)})"
            figures.setdefault(cell.reason, []).append(f"{name}{value}")
        lacking = tuple(f"{listed(each)} {reasons.mark(why)}" for why, each in figures.items())
        yield Section(f"{key}{SEPARATOR}{heading}", notes=lacking)
    yield from _measured_sections(paper, reasons)
    if marked := reasons.notes():
        yield Section(f"{key}{SEPARATOR}reasons", notes=marked)


def _table(table: CellTable, reasons: Reasons) -> Table:
    """Published and our values by the words of the figures' ids, without the table's own word."""
    leading = 1 if table.number else 0
    rows = tuple(
        (
            name_words(cell.id, leading),
            published_words(cell),
            value_words(cell.ours),
            off_words(cell),
            cell.label,
            reasons.mark(cell.reason),
        )
        for cell in table.cells
    )
    return Table(COLUMNS, rows)


def _measured_sections(paper: ReproducedPaper, reasons: Reasons) -> Iterator[Section]:
    """Figures of the paper that its studies measured here, then its sentences, as `study` has them.

    Nothing where no study of it was run.
    """
    key = paper.paper.key
    if paper.studied:
        heading = f"measured here: {plural(paper.summary.labels[Label.MEASURED], 'figure')}"
        rows = tuple(
            (
                name_words(cell.id),
                published_words(cell),
                cell.library,
                value_words(cell.ours),
                interval_words(cell),
                ratio_words(cell),
                reasons.mark(cell.reason),
            )
            for cell in paper.measured
        )
        runs = listed(path for studied in paper.studied for path in studied.directories)
        table = Table(MEASURED_COLUMNS, rows) if rows else None
        yield Section(
            f"{key}{SEPARATOR}{heading}", table, (PaperWords.TIMES(), PaperWords.RUNS(runs=runs))
        )
    for one in paper.studied:
        heading = f"put to what was measured: {answers_counted(one.findings)}"
        yield Section(f"{key}{SEPARATOR}{heading}", notes=numbered_findings(one.findings))
        if warnings := warnings_of(one):
            yield Section(f"{key}{SEPARATOR}warnings", notes=warnings)


def forms_sections(forms: Sequence[ReproducedForm]) -> Iterator[Section]:
    """Closed forms of what was simulated, and the rate that each tends to, by two ways.

    A line an operation, machine by machine; nothing if there are none.
    """
    for machine, found in groupby(forms, lambda one: one.machine):
        rows: list[tuple[str, ...]] = []
        for form in found:
            off = MISSING
            if form.deviation is not None:
                small = abs(form.deviation) < NOTHING_OFF
                off = "0 %" if small else f"{100 * form.deviation:+.1f} %"
            rates = (form.rate_bytes_per_s, form.slope_bytes_per_s)
            rows.append(
                (
                    form.operation.replace("_", " "),
                    *(MISSING if rate is None else format_bandwidth(rate) for rate in rates),
                    off,
                    "; ".join(expression(piece, NODES) for piece in form.pieces),
                )
            )
        table = Table(FORM_COLUMNS, tuple(rows), prose=True)
        last = machine == forms[-1].machine
        yield Section(f"closed forms, {machine}", table, (FORM_MEANINGS,) if last else ())


# -- a figure, a sentence --------------------------------------------------------------------------


def name_words(name: str, leading: int = 0) -> str:
    """The words of an id, without the paper's and the first `leading` ones."""
    return " ".join(words_of(name)[leading:])


def published_words(cell: ReproducedCell) -> str:
    """As printed, with its unit, e.g. "≥ 30 x"."""
    if cell.published is None:
        return MISSING
    return f"{BOUNDS[cell.relation]}{cell.published:,.6g} {cell.unit}"


def value_words(value: float | None) -> str:
    """To four digits, e.g. "341.6", "7", "0.006138"."""
    if value is None:
        return MISSING
    text = significant(value, DIGITS)
    return text.rstrip("0").rstrip(".") if "." in text else text


def off_words(cell: ReproducedCell) -> str:
    """The deviation, e.g. "-1.4 %", "+87 %"; "kept" where a bound is."""
    off = cell.deviation
    if off is None:
        return MISSING
    if abs(off) < NOTHING_OFF:
        return "0 %" if cell.relation is Relation.ABOUT else "kept"
    return f"{100 * off:+,.{0 if abs(off) >= WITH_DECIMALS else 1}f} %"


def ratio_words(cell: ReproducedCell) -> str:
    """Our value over the published one."""
    return MISSING if cell.ratio is None or cell.ratio < 0 else value_words(cell.ratio)


def interval_words(cell: ReproducedCell) -> str:
    """E.g. "1.08 to 1.12"."""
    return " to ".join(map(value_words, cell.interval)) if cell.interval else MISSING


def answer(cell: ReproducedCell) -> str:
    """Whether a sentence is true of our values."""
    return PaperWords.HOLDS() if cell.holds else PaperWords.FAILS()


def ratios(cell: ReproducedCell) -> str:
    """By which value a sentence holds or doesn't, and the paper's own.

    E.g. "ours 2.1, needed 1.9 to 2.3, published 2.098", "ours 6 ms, needed 5 to 7 ms".
    """
    unit = "" if cell.unit == "x" else f" {cell.unit}"
    least, most = cell.bounds or (0.0, math.inf)
    needed = None
    if least and math.isfinite(most):
        needed = f"{value_words(least)} to {value_words(most)}{unit}"
    elif least:
        needed = f"{BOUNDS[Relation.LEAST]}{value_words(least)}{unit}"
    elif math.isfinite(most):
        needed = f"{BOUNDS[Relation.MOST]}{value_words(most)}{unit}"
    return PaperWords.RATIOS(
        ours=value_words(cell.ours),
        unit=unit,
        needed=needed,
        published=None if cell.published is None else value_words(cell.published),
    )
