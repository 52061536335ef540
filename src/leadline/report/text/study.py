"""A study: tables in the paper's layout, and each finding with its answer."""

from __future__ import annotations

from leadline.report.document import Section, Table
from leadline.report.text.phrases import MISSING, listed, share
from leadline.report.text.ratios import in_words
from leadline.statistics.estimate import Estimate
from leadline.studies.findings import Evidence, Finding, Outcome, Unit
from leadline.studies.study import Studied
from leadline.studies.tables import Scale, StudyTable, TableEntry
from leadline.units import format_bandwidth, format_size, format_time, significant

CROWDED = "*"
CROWDED_NOTE = f"{CROWDED} more PEs than cores: the scheduler was measured along; in no finding."
LEAST_WITH_DECIMALS = 0.1
"""Smaller factors are given by significant digits, lest their interval vanish."""


def study_document(studied: Studied) -> list[Section]:
    """The tables, the findings, and what is to be known before believing them."""
    warnings = tuple(f"{c.code}: {c.cause}\n{c.remedy}" for c in studied.caveats)
    return [
        Section(f"study {studied.title}: {listed(studied.directories or ['nothing measured'])}"),
        *map(_table_section, studied.tables),
        _findings_section(studied),
        *([Section("warnings", notes=warnings)] if warnings else []),
    ]


# -- tables ----------------------------------------------------------------------------------------


def _table_section(table: StudyTable) -> Section:
    columns = (*table.labels, *(f"{c.title}\n({c.scale.value[0]})" for c in table.columns))
    scales = [column.scale for column in table.columns]
    rows = tuple(
        (*row.labels, *(_entry(e, s) for e, s in zip(row.entries, scales, strict=True)))
        for row in table.rows
    )
    notes = (*table.notes, *_crowded_note(table), *_reasons(table))
    return Section(f"Table {table.number}. {table.title}", Table(columns, rows), notes)


def _entry(entry: TableEntry, scale: Scale) -> str:
    if entry.estimate is None:
        return MISSING
    scaled = entry.estimate.scaled(1 / scale.value[1])
    if entry.published:
        return f"{scaled.value:.6g}"
    return _measured(scaled) + CROWDED * entry.crowded


def _measured(found: Estimate) -> str:
    """With half the width of its interval: a column is to stay a column."""
    if found.bounds is None:
        return significant(found.value)
    half_width = found.half_width / found.value
    return f"{significant(found.value)} ±{share(half_width) if half_width <= 1 else '>100 %'}"


def _crowded_note(table: StudyTable) -> list[str]:
    crowded = any(entry.crowded for row in table.rows for entry in row.entries)
    return [CROWDED_NOTE] if crowded else []


def _reasons(table: StudyTable) -> list[str]:
    """Why figures are missing, each reason once."""
    found = (entry.why for row in table.rows for entry in row.entries if entry.why)
    return [f"{MISSING} {reason}" for reason in dict.fromkeys(found)]


# -- findings --------------------------------------------------------------------------------------


def _findings_section(studied: Studied) -> Section:
    answers = [finding.conclusion.answer for finding in studied.findings]
    counts = ", ".join(f"{answers.count(answer)} {_plural(answer)}" for answer in Outcome)
    notes = tuple(
        f"{number}. {_sentence(finding)}" for number, finding in enumerate(studied.findings, 1)
    )
    return Section(f"The paper's findings: {counts}", notes=(*notes, f"Source: {studied.source}."))


def _plural(answer: Outcome) -> str:
    return {Outcome.HOLDS: "hold", Outcome.FAILS: "don't hold", Outcome.OPEN: "can't be told"}[
        answer
    ]


def _sentence(finding: Finding) -> str:
    """The claim, a line with the answer and its figures, and what is needed to tell."""
    conclusion = finding.conclusion
    because = "; ".join(map(evidence_text, conclusion.evidence))
    answer = f"{conclusion.answer}: {because}" if because else str(conclusion.answer)
    needs = f"; needed: {conclusion.needs}" if conclusion.needs else ""
    return f"{finding.claim} ({finding.where})\n{answer}{needs}."


def evidence_text(evidence: Evidence) -> str:
    """Its sentence with the estimate and the interval in the gap."""
    return evidence.text.format(_figure(evidence.estimate, evidence.unit))


def _figure(found: Estimate, unit: Unit) -> str:
    text = _FORMATS[unit]
    if found.bounds is None:
        return text(found.value)
    low, high = found.bounds
    if unit is Unit.FACTOR and low >= LEAST_WITH_DECIMALS:
        return str(in_words(found))
    return f"{text(found.value)} ({text(low)} to {text(high)})"


_FORMATS = {
    Unit.FACTOR: lambda value: significant(value, 2),
    Unit.SECONDS: format_time,
    Unit.BYTES: lambda value: format_size(round(value)),
    Unit.BYTES_PER_SECOND: format_bandwidth,
}
