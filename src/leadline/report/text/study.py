"""Studies: their list, and one with tables in the paper's layout and an answer to each finding."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from leadline.papers.findings import Evidence, Finding, Outcome
from leadline.papers.layout import StudyTable, TableEntry
from leadline.papers.study import Scale, Studied, Study
from leadline.papers.units import Unit
from leadline.report.document import Section, Table
from leadline.report.text.catalogue import StudyWords
from leadline.report.text.closed_forms import form_sentence
from leadline.report.text.notes import warning_texts
from leadline.report.text.phrases import MISSING, give_or_take, listed
from leadline.report.text.ratios import in_words
from leadline.statistics.estimate import Lack
from leadline.units import format_bandwidth, format_size, format_time, significant

CROWDED = "*"
UNSURE = "†"
LEAST_WITH_DECIMALS = 0.1
"""Smaller factors are given by significant digits, lest their interval vanish."""
_FORMATS: Mapping[Unit, Callable[[float], str]] = {
    Unit.FACTOR: lambda value: significant(value, 2),
    Unit.SECONDS: format_time,
    Unit.BYTES: lambda value: format_size(round(value)),
    Unit.BYTES_PER_SECOND: format_bandwidth,
}
"""Formats of units whose prefix follows the value."""


# -- the list of studies ---------------------------------------------------------------------------

COLUMNS = ("study", "about", "the paper's machines", "takes", "--quick")


def studies_document(studies: Sequence[Study]) -> list[Section]:
    """A line a study: the paper's machines and how long it takes; below what each asks."""
    rows: list[tuple[str, ...]] = []
    notes: list[str] = []
    for study in studies:
        takes = (f"{study.full_s:.0f} s", f"{study.quick_s:.0f} s")
        rows.append((study.name, study.title, machines(study.scale), *takes))
        number = len(study.claims)
        words = StudyWords.OWN_QUESTIONS if study.own_claims else StudyWords.FINDINGS
        notes.append(
            words(
                question=f"{study.name}: {study.question}",
                number=number,
                source=study.source,
                pes=measured_pes(study.scale),
            )
        )
    return [Section("studies", Table(COLUMNS, tuple(rows)), tuple(notes))]


def machines(scale: Scale) -> str:
    """The paper's machines with their processors, e.g. "CRAY T3D (128) and CRAY J90 (32)"."""
    return listed(f"{name} ({number:,})" for name, number in scale.machines.items())


def measured_pes(scale: Scale) -> str:
    """E.g. "2, 4, 8 and 16 PEs"."""
    return f"{listed(map(str, scale.pes))} PEs"


# -- one study -------------------------------------------------------------------------------------


def study_document(studied: Studied) -> list[Section]:
    """The question, the tables, closed forms, the findings, and warnings about all of these."""
    study, warnings = studied.study, warnings_of(studied)
    question = StudyWords.QUESTION(
        question=study.question,
        machines=machines(study.scale),
        pes=measured_pes(study.scale),
    )
    forms = tuple(map(form_sentence, studied.models))
    whose = "Answers" if study.own_claims else "The paper's findings"
    findings = (*numbered_findings(studied.findings), f"Source: {study.source}.")
    return [
        Section(
            f"study {study.name}: {listed(studied.directories or ['nothing measured'])}",
            notes=(question,),
        ),
        *map(_table_section, studied.tables),
        *([Section("Closed forms", notes=forms)] if forms else []),
        Section(f"{whose}: {answers_counted(studied.findings)}", notes=findings),
        *([Section("warnings", notes=warnings)] if warnings else []),
    ]


def warnings_of(studied: Studied) -> tuple[str, ...]:
    """What is to be known before believing its answers, and what helps."""
    return warning_texts(studied.warnings)


def _table_section(table: StudyTable) -> Section:
    """The table, what its marks mean, and why figures are missing, each reason once."""
    columns = (*table.labels, *(f"{c.title}\n({c.unit.symbol})" for c in table.columns))
    units = [column.unit for column in table.columns]
    rows = tuple(
        (*row.labels, *(_entry(e, u) for e, u in zip(row.entries, units, strict=True)))
        for row in table.rows
    )
    entries = [entry for row in table.rows for entry in row.entries]
    lacks = [entry.estimate.lack for entry in entries if entry.estimate and not entry.published]
    reasons = dict.fromkeys(entry.why for entry in entries if entry.why)
    notes = (
        *table.notes,
        *[StudyWords.CROWDED(mark=CROWDED)] * any(entry.crowded for entry in entries),
        *[StudyWords.UNSURE(mark=UNSURE)] * (Lack.TOO_FEW in lacks),
        *(f"{MISSING} {reason}" for reason in reasons),
    )
    return Section(f"Table {table.number}. {table.title}", Table(columns, rows), notes)


def _entry(entry: TableEntry, unit: Unit) -> str:
    """A figure in the column's unit: as published, or with half the width of its interval.

    Bounds would be too wide for a column.
    """
    if entry.estimate is None:
        return MISSING
    scaled = entry.estimate.scaled(1 / unit.worth)
    if entry.published:
        return f"{scaled.value:,.6g}"
    crowded = CROWDED * entry.crowded
    if scaled.bounds is None:
        return significant(scaled.value) + UNSURE * (scaled.lack is Lack.TOO_FEW) + crowded
    half_width = abs(scaled.half_width / scaled.value) if scaled.value else math.inf
    width = give_or_take(half_width) if half_width <= 1 else "±>100 %"
    return f"{significant(scaled.value)} {width}{crowded}"


def answers_counted(findings: Sequence[Finding]) -> str:
    """E.g. "3 hold, 1 don't hold, 2 can't be told"."""
    answers = [finding.conclusion.answer for finding in findings]
    return ", ".join(StudyWords[each.name](number=answers.count(each)) for each in Outcome)


def numbered_findings(findings: Sequence[Finding]) -> tuple[str, ...]:
    """Each claim, then a line with its answer, the evidence, and what is needed to decide."""
    notes: list[str] = []
    for number, finding in enumerate(findings, 1):
        conclusion = finding.conclusion
        because = "; ".join(map(evidence_text, conclusion.evidence))
        answer = f"{conclusion.answer}: {because}" if because else str(conclusion.answer)
        needs = f"; needed: {conclusion.needs}" if conclusion.needs else ""
        notes.append(f"{number}. {finding.claim} ({finding.where})\n{answer}{needs}.")
    return tuple(notes)


def evidence_text(evidence: Evidence) -> str:
    """Its sentence with the estimate and the interval in the gap, e.g. "93.1 Mbit/s"."""
    estimate, unit = evidence.estimate, evidence.unit

    def in_unit(value: float) -> str:
        return f"{significant(value / unit.worth)} {unit.symbol}"

    words = _FORMATS.get(unit, in_unit)
    figure = words(estimate.value)
    if estimate.bounds is not None:
        low, high = estimate.bounds
        figure = f"{figure} ({words(low)} to {words(high)})"
        if unit is Unit.FACTOR and low >= LEAST_WITH_DECIMALS:
            figure = str(in_words(estimate))
    return evidence.text.format(figure)
