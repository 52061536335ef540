"""Reproduced papers for programs: a row for each figure and sentence, a summary of each paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypedDict

from leadline.papers.cells import Label, ReproducedCell
from leadline.papers.recipe import Relation
from leadline.papers.reproduction import WITHIN, ReproducedPaper
from leadline.record.warnings import RunWarning
from leadline.report.programs.rows import row_of
from leadline.report.records import Records, records_of


class CellRow(TypedDict):
    """A figure or a sentence of a paper, and our result."""

    id: str
    """Stable identifier, which begins with the paper's name."""
    paper: str
    """Its name on the command line."""
    published: float | None
    """The published value in `unit`; for a sentence the ratio of the paper's figures; null: it is
    only drawn, or the sentence has no figure."""
    ours: float | None
    """Our value in `unit`; null: not reproducible, or not measured."""
    unit: str
    """The unit as the paper prints it; "x": a ratio; "": the value is only drawn."""
    deviation: float | None
    """Our value over the published one, minus 1; 0: a bound is met; null: one is missing."""
    label: Label
    """Whether a machine file's value was fitted to it, or it was predicted, or measured, or isn't
    reproducible."""
    reason: str | None
    """Why our value is missing or deviates, as far as it is known."""
    relation: Relation
    """How the paper qualifies the published figure."""
    sentence: str | None
    """The paper's statement in words; null: the row is a figure."""
    holds: bool | None
    """Whether the sentence is true of our values; null: the row is a figure, or what was measured
    can't decide it."""
    least: float | None
    """Least value of ours for which it holds; null: no bound, or the row is a figure."""
    most: float | None
    """Largest value of ours for which it holds; null: as `least`."""
    library: str | None
    """The library that was measured; null: it was simulated, or a sentence is about several."""
    low: float | None
    """Lower bound of the 95 % interval of what was measured; null: too few blocks, or simulated."""
    high: float | None
    """Upper bound of that interval; null: as `low`."""


class ContradictionRow(TypedDict):
    """Two statements of a paper that don't agree."""

    ids: Sequence[str]
    """The figures that are concerned."""
    printed: str
    found: str
    """The other statement, or what its figures amount to."""
    reading: str
    """The reading that is used here."""


class SettingRow(TypedDict):
    """A figure that describes how others were obtained; it has no cell."""

    id: str
    value: float | None
    """The value in `unit`; null: it is no number."""
    unit: str
    """The unit as the paper prints it."""
    condition: str
    """The condition that the paper states for it; "": none."""
    where: str
    """Its table, section or drawing."""


class PaperRow(TypedDict):
    """A paper, and the numbers of its figures and sentences by result."""

    paper: str
    title: str
    source: str
    machines: Sequence[str]
    """The machine files that it was simulated with."""
    figures: int
    """Number of figures that have a cell, unlike `settings`. Those measured here count once."""
    fitted: int
    predicted: int
    measured_here: int
    """Figures that a study measured here in addition, with one library or several."""
    not_reproducible: int
    predicted_within: int
    """Predicted figures that deviate by at most `within`, including bounds that are met."""
    share_predicted_within: float | None
    """The share of the predicted figures; null: there are none."""
    fitted_within: int
    fitted_constants: int
    """Numbers and choices in machine files that were fitted to its figures."""
    settings: int
    """Number of figures that describe how others were obtained."""
    setting_figures: Sequence[SettingRow]
    """Those figures."""
    sentences: int
    sentences_that_hold: int
    predicted_sentences: int
    """Sentences that no fitted figure decides; others hold because of the fit."""
    predicted_sentences_that_hold: int
    findings: int
    """Sentences that were tested on what was measured here."""
    findings_that_hold: int
    contradictions: Sequence[ContradictionRow]
    runs: Sequence[str]
    """Directories of the runs that were measured here."""
    warnings: Sequence[RunWarning]
    """Warnings about these runs."""


class FormTermRow(TypedDict):
    """One term of a closed form."""

    term: str
    value: float
    """The coefficient, in s or s/B."""


class ReproducedFormRow(TypedDict):
    """A closed form fitted to what was simulated for a paper."""

    paper: str
    machine: str
    """The machine file."""
    operation: str
    formula: str
    """The formula in m, the bytes of a message, and p, the number of nodes."""
    coefficients: Sequence[FormTermRow]
    """Terms in the order of the formula."""
    limit: float | None
    """Asymptotic bandwidth on the most nodes, in B/s; null: the operation is a barrier."""
    slope: float | None
    """The same from times at sizes beyond those that it was fitted to."""
    deviation: float | None
    """`limit` over `slope`, minus 1."""


class ReproducedContent(TypedDict):
    """Reproduced papers."""

    within: float
    """The largest deviation of a figure that counts as reproduced."""
    papers: Sequence[PaperRow]
    cells: Sequence[CellRow]
    forms: Sequence[ReproducedFormRow]
    warnings: Sequence[RunWarning]
    """What is damaged, missing or left out of the runs that were read."""


def reproduced_content(
    papers: Sequence[ReproducedPaper], warnings: Sequence[RunWarning] = ()
) -> ReproducedContent:
    """All papers with all of their cells, in their order, and the `warnings` of reading runs."""
    return {
        "within": WITHIN,
        "papers": [_paper(paper) for paper in papers],
        "cells": [_cell(cell) for paper in papers for cell in paper.cells],
        "forms": [
            {
                "paper": paper.paper.key,
                "machine": form.machine,
                "operation": form.operation,
                "formula": form.formula,
                "coefficients": [
                    {"term": term, "value": value} for term, value in form.coefficients
                ],
                "limit": form.rate_bytes_per_s,
                "slope": form.slope_bytes_per_s,
                "deviation": form.deviation,
            }
            for paper in papers
            for form in paper.forms
        ],
        "warnings": warnings,
    }


def reproduced_records(papers: Sequence[ReproducedPaper]) -> Records:
    """One row for each cell."""
    cells = [_cell(cell) for paper in papers for cell in paper.cells]
    return records_of(tuple(CellRow.__annotations__), cells)


def _paper(paper: ReproducedPaper) -> PaperRow:
    counted = paper.summary
    return {
        "paper": paper.paper.key,
        "title": paper.paper.title,
        "source": paper.paper.source,
        "machines": paper.machines,
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
        "setting_figures": [row_of(SettingRow, setting) for setting in paper.settings],
        "sentences": counted.sentences,
        "sentences_that_hold": counted.sentences_that_hold,
        "predicted_sentences": counted.predicted_sentences,
        "predicted_sentences_that_hold": counted.predicted_sentences_that_hold,
        "findings": counted.findings,
        "findings_that_hold": counted.findings_that_hold,
        "contradictions": [
            row_of(ContradictionRow, contradiction, ids=contradiction.figures)
            for contradiction in paper.paper.contradictions
        ],
        "runs": [path for studied in paper.studied for path in studied.directories],
        "warnings": [warning for studied in paper.studied for warning in studied.warnings],
    }


def _cell(cell: ReproducedCell) -> CellRow:
    least, most = cell.bounds or (-math.inf, math.inf)
    return {
        "id": cell.id,
        "paper": cell.paper,
        "published": cell.published,
        "ours": cell.ours,
        "unit": cell.unit,
        "deviation": cell.deviation,
        "label": cell.label,
        "reason": cell.reason or None,
        "relation": cell.relation,
        "sentence": cell.text or None,
        "holds": cell.holds,
        "least": least if least > 0 else None,
        "most": most if math.isfinite(most) else None,
        "library": cell.library or None,
        "low": cell.interval[0] if cell.interval else None,
        "high": cell.interval[1] if cell.interval else None,
    }
