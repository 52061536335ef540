"""Papers made again, for programs: a row a figure and a sentence, a summary a paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypedDict

from leadline.papers.cells import Label, ReproducedCell
from leadline.papers.published import Contradiction, PublishedFigure
from leadline.papers.recipe import Relation, ReproducedForm
from leadline.papers.reproduction import WITHIN, ReproducedPaper
from leadline.record.caveats import Caveat
from leadline.report.records import Records, records_of


class CellRow(TypedDict):
    """A figure of a paper, or a sentence of it, beside ours."""

    id: str
    """The same in every version; begins with the paper's name."""
    paper: str
    """Its name on the command line."""
    published: float | None
    """In `unit`, as `ours`; of a sentence the ratio of the paper's figures; null: only drawn, or
    said without a figure."""
    ours: float | None
    """Null: not reproducible, or not measured."""
    unit: str
    """As the paper prints it; "x": times; "": only drawn."""
    deviation: float | None
    """Ours over the published one, less 1; 0 where a bound is kept; null: one is missing."""
    label: Label
    """A machine's value was chosen to reach it, or none was, or it was measured, or there is
    none."""
    reason: str | None
    """Why there is none of ours, or why it is off, as far as it is known."""
    relation: Relation
    """What the paper says of the published figure."""
    sentence: str | None
    """What the paper says in words; null: the row is a figure."""
    holds: bool | None
    """Whether the sentence is true of ours; null: the row is a figure, or what was measured doesn't
    tell."""
    least: float | None
    """Ours has to be for it; null: any, or the row is a figure."""
    most: float | None
    library: str | None
    """That was measured; null: it was simulated, or a sentence is about several."""
    low: float | None
    """Of the 95 % interval of what was measured; null: too few blocks for one, or simulated."""
    high: float | None


class ContradictionRow(TypedDict):
    """What a paper says in two ways that don't agree."""

    ids: Sequence[str]
    """Its figures."""
    printed: str
    found: str
    """What else it says, or what its figures come to."""
    reading: str
    """How it is taken here."""


class SettingRow(TypedDict):
    """A figure that says how others came about; no cell has it."""

    id: str
    value: float | None
    """In `unit`."""
    unit: str
    """As the paper prints it."""
    condition: str
    """What the paper says of it; "": nothing more."""
    where: str
    """Its table, section or drawing."""


class PaperRow(TypedDict):
    """A paper, and what became of its figures; sentences are counted by themselves."""

    paper: str
    title: str
    source: str
    machines: Sequence[str]
    """The machine files that it was simulated by."""
    figures: int
    """All that have a row: of `settings` none has. Those measured here are counted once."""
    fitted: int
    predicted: int
    measured_here: int
    """Figures that a study measured, besides; by one library or several."""
    not_reproducible: int
    predicted_within: int
    """Predicted figures that are at most `within` off, bounds that are kept among them."""
    share_predicted_within: float | None
    """Of the predicted ones; null: there are none."""
    fitted_within: int
    fitted_constants: int
    """Numbers and choices in machine files that were made by its figures."""
    settings: int
    """Figures that say how others came about."""
    setting_figures: Sequence[SettingRow]
    """All of them."""
    sentences: int
    sentences_that_hold: int
    predicted_sentences: int
    """Sentences that no fitted figure decides: others hold by choice."""
    predicted_sentences_that_hold: int
    findings: int
    """Sentences put to what was measured here."""
    findings_that_hold: int
    contradictions: Sequence[ContradictionRow]
    runs: Sequence[str]
    """Directories of what was measured here."""
    warnings: Sequence[Caveat]
    """Of them."""


class FormTermRow(TypedDict):
    """One of a closed form."""

    term: str
    value: float
    """s, or s/B."""


class ReproducedFormRow(TypedDict):
    """A closed form fitted to what was simulated for a paper."""

    paper: str
    machine: str
    """Its file."""
    operation: str
    formula: str
    """In m, the bytes of a message, and p, the nodes."""
    coefficients: Sequence[FormTermRow]
    """In the order of the formula."""
    limit: float | None
    """B/s that it delivers as messages grow, on the most nodes; null: a barrier."""
    slope: float | None
    """The same by times at sizes beyond those that it was fitted to."""
    deviation: float | None
    """`limit` over `slope`, less 1."""


class ReproducedContent(TypedDict):
    """Papers made again."""

    within: float
    """How far off a figure may be that counts as reached."""
    papers: Sequence[PaperRow]
    cells: Sequence[CellRow]
    forms: Sequence[ReproducedFormRow]
    warnings: Sequence[Caveat]
    """What of the runs that were read is damaged, missing or left out."""


def reproduced_content(
    papers: Sequence[ReproducedPaper], warnings: Sequence[Caveat] = ()
) -> ReproducedContent:
    """All papers with all of their cells, in their order, and the `warnings` of reading runs."""
    return {
        "within": WITHIN,
        "papers": [_paper(one) for one in papers],
        "cells": [_cell(cell) for one in papers for cell in one.cells],
        "forms": [_form(one.paper.key, form) for one in papers for form in one.forms],
        "warnings": warnings,
    }


def reproduced_records(papers: Sequence[ReproducedPaper]) -> Records:
    """All cells, one a row."""
    cells = [_cell(cell) for one in papers for cell in one.cells]
    return records_of(tuple(CellRow.__annotations__), cells)


def _paper(found: ReproducedPaper) -> PaperRow:
    counted = found.summary
    return {
        "paper": found.paper.key,
        "title": found.paper.title,
        "source": found.paper.source,
        "machines": found.machines,
        "figures": counted.figures,
        "fitted": counted.labels[Label.FITTED],
        "predicted": counted.labels[Label.PREDICTED],
        "measured_here": counted.labels[Label.MEASURED],
        "not_reproducible": counted.labels[Label.NOT_REPRODUCIBLE],
        "predicted_within": counted.predicted_within,
        "share_predicted_within": counted.share_predicted_within,
        "fitted_within": counted.fitted_within,
        "fitted_constants": counted.fitted_constants,
        "settings": counted.settings,
        "setting_figures": [_setting(one) for one in found.settings],
        "sentences": counted.sentences,
        "sentences_that_hold": counted.sentences_that_hold,
        "predicted_sentences": counted.predicted_sentences,
        "predicted_sentences_that_hold": counted.predicted_sentences_that_hold,
        "findings": counted.findings,
        "findings_that_hold": counted.findings_that_hold,
        "contradictions": [_contradiction(one) for one in found.paper.contradictions],
        "runs": [path for one in found.studied for path in one.directories],
        "warnings": [caveat for one in found.studied for caveat in one.caveats],
    }


def _setting(found: PublishedFigure) -> SettingRow:
    return {
        "id": found.id,
        "value": found.value,
        "unit": found.unit,
        "condition": found.condition,
        "where": found.where,
    }


def _contradiction(found: Contradiction) -> ContradictionRow:
    return {
        "ids": found.figures,
        "printed": found.printed,
        "found": found.found,
        "reading": found.reading,
    }


def _cell(found: ReproducedCell) -> CellRow:
    least, most = found.bounds or (-math.inf, math.inf)
    return {
        "id": found.id,
        "paper": found.paper,
        "published": found.published,
        "ours": found.ours,
        "unit": found.unit,
        "deviation": found.deviation,
        "label": found.label,
        "reason": found.reason or None,
        "relation": found.relation,
        "sentence": found.text or None,
        "holds": found.holds,
        "least": least if least > 0 else None,
        "most": most if math.isfinite(most) else None,
        "library": found.library or None,
        "low": found.interval[0] if found.interval else None,
        "high": found.interval[1] if found.interval else None,
    }


def _form(paper: str, found: ReproducedForm) -> ReproducedFormRow:
    return {
        "paper": paper,
        "machine": found.machine,
        "operation": found.operation,
        "formula": found.formula,
        "coefficients": [{"term": term, "value": value} for term, value in found.coefficients],
        "limit": found.rate_bytes_per_s,
        "slope": found.slope_bytes_per_s,
        "deviation": found.deviation,
    }
