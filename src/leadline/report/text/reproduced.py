"""Papers made again: what became of each in a line, then its tables, sentences and reasons."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from leadline.papers.cells import Label, ReproducedCell
from leadline.papers.collectives.closed_forms import MOST, NODES
from leadline.papers.published import Paper
from leadline.papers.recipe import Relation, ReproducedForm
from leadline.papers.reproduction import WITHIN, CellTable, PaperSummary, ReproducedPaper, words_of
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.text.closed_forms import expression
from leadline.report.text.phrases import MISSING, listed, plural, stated_share
from leadline.report.text.study import answers_counted, numbered_findings, warnings_of
from leadline.units import format_bandwidth, significant

SUMMARY = (
    "paper", "figures", "fitted", f"predicted,\nwithin {stated_share(WITHIN)}",
    "not repro-\nducible", "predicted\nsentences", "fitted\nconstants",
)  # fmt: skip
MEANINGS = (
    "fitted: a machine file's value was chosen to reach the figure, or is it.",
    "predicted: none was.",
    "predicted sentences: how many hold of those that no fitted figure decides.",
    "fitted constants: numbers and choices in machine files that the paper's figures made.",
)
MEASURED = "measured here: figures that a study of the paper measured on this machine, besides."
MEASURED_COLUMNS = ("figure", "published", "library", "here", "interval", "times", "why")
TIMES = "times: of the published one. Today's machines are other ones: compare the sentences."
COLUMNS = ("figure", "published", "ours", "off", "label", "why")
BOUNDS = {Relation.ABOUT: "", Relation.LEAST: "≥ ", Relation.MOST: "≤ "}
DIGITS = 4
"""Of ours."""
WITH_DECIMALS = 0.0995
"""From here on a deviation is given in whole per cent."""


class Reasons:
    """The reasons of a paper's cells, each once, by number."""

    def __init__(self, cells: Iterable[ReproducedCell]) -> None:
        """Numbers those of `cells` in their order."""
        self._found = list(dict.fromkeys(one.reason for one in cells if one.reason))

    def mark(self, reason: str) -> str:
        """E.g. "[2]"; "" for none."""
        return f"[{self._found.index(reason) + 1}]" if reason else ""

    def marked(self) -> Iterator[tuple[str, str]]:
        """Each with its mark, as a sentence."""
        return ((self.mark(reason), f"{reason}.") for reason in self._found)

    def notes(self) -> tuple[str, ...]:
        """A note a reason."""
        return tuple(map(" ".join, self.marked()))


def reproduced_document(papers: Sequence[ReproducedPaper]) -> list[Section]:
    """A summary of all, then paper by paper; of one alone also what it says in two ways."""
    sections = [summary_section(papers), *(section for one in papers for section in _paper(one))]
    return [*sections, *_contradictions(papers[0].paper)] if len(papers) == 1 else sections


# -- what became of them ---------------------------------------------------------------------------


def summary_section(papers: Sequence[ReproducedPaper]) -> Section:
    """A line a paper, and what is counted in it."""
    rows = tuple(_counted(one.summary) for one in papers)
    if not any(one.studied for one in papers):
        return Section("papers made again", Table(SUMMARY, rows), MEANINGS)
    here = (*SUMMARY, "measured\nhere"), tuple(map(_with_measured, papers, rows))
    return Section("papers made again", Table(*here), (*MEANINGS, MEASURED))


def _with_measured(found: ReproducedPaper, row: tuple[str, ...]) -> tuple[str, ...]:
    number = str(found.summary.labels[Label.MEASURED])
    return (*row, number if found.studied else MISSING)


def _counted(summary: PaperSummary) -> tuple[str, ...]:
    predicted = summary.labels[Label.PREDICTED]
    return (
        summary.paper,
        str(summary.figures),
        str(summary.labels[Label.FITTED]),
        f"{summary.predicted_within} of {predicted}" if predicted else MISSING,
        str(summary.labels[Label.NOT_REPRODUCIBLE]),
        f"{summary.predicted_sentences_that_hold} of {summary.predicted_sentences}",
        str(summary.fitted_constants),
    )


# -- a paper ---------------------------------------------------------------------------------------


def _paper(found: ReproducedPaper) -> Iterator[Section]:
    key, tables = found.paper.key, tuple(found.tables())
    in_tables = (cell for table in tables for cell in table.cells)
    reasons = Reasons((*in_tables, *found.sentences, *found.lacking, *found.measured))
    on = f"simulated on {listed(found.machines)}"
    yield Section(f"{key}{SEPARATOR}{on}", notes=(f"{found.paper.source}.", *_settings(found)))
    for table in tables:
        heading = f"Table {table.number}" if table.number else "figures of the text"
        yield Section(f"{key}{SEPARATOR}{heading}", _table(table, reasons))
    yield from _sentences(found, reasons)
    for section in forms_sections(found.forms):
        yield replace(section, heading=f"{key}{SEPARATOR}{section.heading}")
    yield from _lacking(found, reasons)
    yield from _measured(found, reasons)
    if notes := reasons.notes():
        yield Section(f"{key}{SEPARATOR}reasons", notes=notes)


def _settings(found: ReproducedPaper) -> Iterator[str]:
    if number := found.summary.settings:
        settings = plural(number, "setting")
        yield f"It prints {settings} besides, how the figures came about: --json lists them."


def _table(table: CellTable, reasons: Reasons) -> Table:
    """A figure by the words of its id; that of the table goes without saying."""
    leading = 1 if table.number else 0
    rows = tuple((name_words(cell.id, leading), *_columns(cell, reasons)) for cell in table.cells)
    return Table(COLUMNS, rows)


def name_words(name: str, leading: int = 0) -> str:
    """An id without its paper and its `leading` words, as one reads it."""
    return " ".join(words_of(name)[leading:])


def _columns(cell: ReproducedCell, reasons: Reasons) -> tuple[str, ...]:
    return (
        published_words(cell),
        value_words(cell.ours),
        off_words(cell),
        cell.label,
        reasons.mark(cell.reason),
    )


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
    """E.g. "-1.4 %", "+87 %"; where a bound is kept, that."""
    off = cell.deviation
    if off is None:
        return MISSING
    if abs(off) < NOTHING_OFF:
        return "0 %" if cell.relation is Relation.ABOUT else "kept"
    return f"{100 * off:+,.{0 if abs(off) >= WITH_DECIMALS else 1}f} %"


# -- what was measured here ------------------------------------------------------------------------


def _measured(found: ReproducedPaper, reasons: Reasons) -> Iterator[Section]:
    """Figures of the paper's that its studies have, then its sentences, as `study` prints them."""
    key = found.paper.key
    if found.studied:
        heading = f"measured here: {plural(found.summary.labels[Label.MEASURED], 'figure')}"
        rows = tuple(_measured_row(cell, reasons) for cell in found.measured)
        runs = listed(path for one in found.studied for path in one.directories)
        table = Table(MEASURED_COLUMNS, rows) if rows else None
        yield Section(f"{key}{SEPARATOR}{heading}", table, (TIMES, f"Runs: {runs}."))
    for one in found.studied:
        counts = answers_counted(one.findings)
        heading = f"put to what was measured: {counts}"
        yield Section(f"{key}{SEPARATOR}{heading}", notes=numbered_findings(one.findings))
        if warnings := warnings_of(one):
            yield Section(f"{key}{SEPARATOR}warnings", notes=warnings)


def _measured_row(cell: ReproducedCell, reasons: Reasons) -> tuple[str, ...]:
    return (
        name_words(cell.id),
        published_words(cell),
        cell.library,
        value_words(cell.ours),
        interval_words(cell),
        ratio_words(cell),
        reasons.mark(cell.reason),
    )


def ratio_words(cell: ReproducedCell) -> str:
    """How many times the published one ours is."""
    return MISSING if cell.ratio is None or cell.ratio < 0 else value_words(cell.ratio)


def interval_words(cell: ReproducedCell) -> str:
    """E.g. "1.08 to 1.12"."""
    return " to ".join(map(value_words, cell.interval)) if cell.interval else MISSING


# -- sentences, and what there is none of ----------------------------------------------------------


def _sentences(found: ReproducedPaper, reasons: Reasons) -> Iterator[Section]:
    if found.sentences:
        held = f"{found.summary.sentences_that_hold} of {found.summary.sentences} hold"
        notes = tuple(_sentence(cell, reasons) for cell in found.sentences)
        yield Section(f"{found.paper.key}{SEPARATOR}sentences: {held}", notes=notes)


def _sentence(cell: ReproducedCell, reasons: Reasons) -> str:
    """What it says, then whether it holds, by which ratio of ours and of the paper's figures."""
    why = f" {reasons.mark(cell.reason)}" if cell.reason else ""
    return f"{cell.text}\n{answer(cell)} ({cell.label}): {ratios(cell)}{why}"


def answer(cell: ReproducedCell) -> str:
    """Whether the sentence is true of ours."""
    return "holds" if cell.holds else "doesn't hold"


def ratios(cell: ReproducedCell) -> str:
    """E.g. "ours 2.1, needed 1.9 to 2.3, published 2.098", "ours 6 ms, needed 5 to 7 ms"."""
    theirs = f", published {value_words(cell.published)}" if cell.published is not None else ""
    unit = "" if cell.unit == "x" else f" {cell.unit}"
    needed = _needed(cell.bounds)
    return f"ours {value_words(cell.ours)}{unit}{needed}{needed and unit}{theirs}"


def _needed(bounds: tuple[float, float] | None) -> str:
    """E.g. ", needed ≥ 1"."""
    least, most = bounds or (0.0, math.inf)
    if least and math.isfinite(most):
        return f", needed {value_words(least)} to {value_words(most)}"
    if least:
        return f", needed {BOUNDS[Relation.LEAST]}{value_words(least)}"
    return f", needed {BOUNDS[Relation.MOST]}{value_words(most)}" if math.isfinite(most) else ""


def _lacking(found: ReproducedPaper, reasons: Reasons) -> Iterator[Section]:
    if found.lacking:
        heading = f"not reproducible: {plural(len(found.lacking), 'figure')}"
        alike = dict.fromkeys(cell.reason for cell in found.lacking)
        notes = tuple(
            f"{listed(_named(cell) for cell in found.lacking if cell.reason == reason)} "
            f"{reasons.mark(reason)}"
            for reason in alike
        )
        yield Section(f"{found.paper.key}{SEPARATOR}{heading}", notes=notes)


def _named(cell: ReproducedCell) -> str:
    """E.g. "nas-mg t3d 16 (13.127 s)"."""
    name = name_words(cell.id)
    return name if cell.published is None else f"{name} ({published_words(cell)})"


def _contradictions(paper: Paper) -> Iterator[Section]:
    if found := paper.contradictions:
        heading = f"{paper.key}{SEPARATOR}the paper contradicts itself: {len(found)}"
        notes = tuple(
            f"{listed(map(name_words, one.figures))}: {one.printed}\nbut: {one.found}"
            f"\ntaken: {one.reading}"
            for one in found
        )
        yield Section(heading, notes=notes)


FORM_COLUMNS = ("", f"R_inf({MOST})\nby form", "by slope", "off", "T(m, p)")
FORM_MEANINGS = (
    f"Fitted to simulated times on {NODES[0]} to {MOST} nodes: m are a message's bytes, p the "
    f"nodes. R_inf({MOST}) are the bytes delivered a second as messages grow, by the form, and by "
    "the slope of times at sizes beyond those that it was fitted to."
)
NOTHING_OFF = 0.0005
"""Less than that isn't told."""


def forms_sections(forms: Sequence[ReproducedForm]) -> Iterator[Section]:
    """A line an operation, machine by machine; nothing of none."""
    for machine, found in groupby(forms, lambda one: one.machine):
        table = Table(FORM_COLUMNS, tuple(map(_form_row, found)), prose=True)
        last = machine == forms[-1].machine
        yield Section(f"closed forms, {machine}", table, (FORM_MEANINGS,) if last else ())


def _form_row(form: ReproducedForm) -> tuple[str, ...]:
    return (
        form.operation.replace("_", " "),
        _rate(form.rate_bytes_per_s),
        _rate(form.slope_bytes_per_s),
        _form_off(form.deviation),
        "; ".join(expression(piece, NODES) for piece in form.pieces),
    )


def _rate(bytes_per_s: float | None) -> str:
    return MISSING if bytes_per_s is None else format_bandwidth(bytes_per_s)


def _form_off(deviation: float | None) -> str:
    if deviation is None:
        return MISSING
    return "0 %" if abs(deviation) < NOTHING_OFF else f"{100 * deviation:+.1f} %"
