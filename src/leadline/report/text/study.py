"""A study: tables in the paper's layout, and each finding with its answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from leadline.models.model import Model
from leadline.papers.findings import Evidence, Finding, Outcome
from leadline.papers.layout import StudyTable, TableEntry
from leadline.papers.study import Scale, Studied, Study
from leadline.papers.units import Unit
from leadline.report.document import Section, Table
from leadline.report.text.closed_forms import form_sentence
from leadline.report.text.phrases import MISSING, give_or_take, listed, plural
from leadline.report.text.ratios import in_words
from leadline.statistics.estimate import Estimate, Lack
from leadline.units import format_bandwidth, format_size, format_time, significant

CROWDED = "*"
CROWDED_NOTE = (
    f"{CROWDED} more PEs than cores: the scheduler was measured along; in no finding, unless as a "
    "bound."
)
UNSURE = "†"
UNSURE_NOTE = f"{UNSURE} fewer than six blocks counted: no interval."
LEAST_WITH_DECIMALS = 0.1
"""Smaller factors are given by significant digits, lest their interval vanish."""


def study_document(studied: Studied) -> list[Section]:
    """The tables, the findings, and what is to be known before believing them."""
    warnings = warnings_of(studied)
    heading = f"study {studied.study.name}: {listed(studied.directories or ['nothing measured'])}"
    return [
        Section(heading, notes=(_asked(studied.study),)),
        *map(_table_section, studied.tables),
        *_forms_sections(studied.models),
        _findings_section(studied),
        *([Section("warnings", notes=warnings)] if warnings else []),
    ]


def warnings_of(studied: Studied) -> tuple[str, ...]:
    """What is to be known before believing its answers, and what helps."""
    return tuple(f"{c.code}: {c.cause}\n{c.remedy}" for c in studied.caveats)


def _asked(study: Study) -> str:
    """The question, and how large the machines were of which it was asked."""
    there = f"{machines(study.scale)}; {measured_pes(study.scale)}"
    return f"{study.question}\nThe paper's machines, with their processors: {there}."


# -- tables ----------------------------------------------------------------------------------------


def _table_section(table: StudyTable) -> Section:
    columns = (*table.labels, *(f"{c.title}\n({c.unit.symbol})" for c in table.columns))
    units = [column.unit for column in table.columns]
    rows = tuple(
        (*row.labels, *(_entry(e, u) for e, u in zip(row.entries, units, strict=True)))
        for row in table.rows
    )
    notes = (*table.notes, *_notes_of_marks(table), *_reasons(table))
    return Section(f"Table {table.number}. {table.title}", Table(columns, rows), notes)


def _entry(entry: TableEntry, unit: Unit) -> str:
    if entry.estimate is None:
        return MISSING
    scaled = entry.estimate.scaled(1 / unit.worth)
    if entry.published:
        return f"{scaled.value:,.6g}"
    return _measured(scaled) + CROWDED * entry.crowded


def _measured(found: Estimate) -> str:
    """With half the width of its interval: a column is to stay a column."""
    if found.bounds is None:
        return significant(found.value) + UNSURE * (found.lack is Lack.TOO_FEW)
    half_width = abs(found.half_width / found.value) if found.value else math.inf
    return (
        f"{significant(found.value)} {give_or_take(half_width) if half_width <= 1 else '±>100 %'}"
    )


def _notes_of_marks(table: StudyTable) -> list[str]:
    """What the marks say that its figures have."""
    entries = [entry for row in table.rows for entry in row.entries]
    crowded = any(entry.crowded for entry in entries)
    lacks = [entry.estimate.lack for entry in entries if entry.estimate and not entry.published]
    return [CROWDED_NOTE] * crowded + [UNSURE_NOTE] * (Lack.TOO_FEW in lacks)


def _reasons(table: StudyTable) -> list[str]:
    """Why figures are missing, each reason once."""
    found = (entry.why for row in table.rows for entry in row.entries if entry.why)
    return [f"{MISSING} {reason}" for reason in dict.fromkeys(found)]


# -- closed forms ----------------------------------------------------------------------------------


def _forms_sections(models: Sequence[Model]) -> list[Section]:
    """What was fitted, a sentence each; none where nothing was."""
    notes = tuple(map(form_sentence, models))
    return [Section("Closed forms", notes=notes)] if notes else []


# -- findings --------------------------------------------------------------------------------------


def _findings_section(studied: Studied) -> Section:
    counts, notes = answers_counted(studied.findings), numbered_findings(studied.findings)
    source = f"Source: {studied.study.source}."
    whose = "Answers" if studied.study.own_claims else "The paper's findings"
    return Section(f"{whose}: {counts}", notes=(*notes, source))


def answers_counted(findings: Sequence[Finding]) -> str:
    """E.g. "3 hold, 1 don't hold, 2 can't be told"."""
    answers = [finding.conclusion.answer for finding in findings]
    return ", ".join(f"{answers.count(answer)} {_plural(answer)}" for answer in Outcome)


def numbered_findings(findings: Sequence[Finding]) -> tuple[str, ...]:
    """Each with its answer, and what it rests on."""
    return tuple(f"{number}. {_sentence(one)}" for number, one in enumerate(findings, 1))


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
    text = _FORMATS.get(unit, partial(_printed, unit))
    if found.bounds is None:
        return text(found.value)
    low, high = found.bounds
    if unit is Unit.FACTOR and low >= LEAST_WITH_DECIMALS:
        return str(in_words(found))
    return f"{text(found.value)} ({text(low)} to {text(high)})"


def _printed(unit: Unit, value: float) -> str:
    """E.g. "93.1 Mbit/s", of a `value` in the SI unit."""
    return f"{significant(value / unit.worth)} {unit.symbol}"


_FORMATS: Mapping[Unit, Callable[[float], str]] = {
    Unit.FACTOR: lambda value: significant(value, 2),
    Unit.SECONDS: format_time,
    Unit.BYTES: lambda value: format_size(round(value)),
    Unit.BYTES_PER_SECOND: format_bandwidth,
}
"""Of units whose prefix follows the value."""


COLUMNS = ("study", "about", "the paper's machines", "takes", "--quick")


def studies_document(studies: Sequence[Study]) -> list[Section]:
    """A line a study, and below what each asks."""
    rows = tuple(
        (
            study.name,
            study.title,
            machines(study.scale),
            f"{study.full_s:.0f} s",
            f"{study.quick_s:.0f} s",
        )
        for study in studies
    )
    return [Section("studies", Table(COLUMNS, rows), tuple(map(_studied_question, studies)))]


def machines(scale: Scale) -> str:
    """With their processors, e.g. "CRAY T3D (128) and CRAY J90 (32)"."""
    return listed(f"{name} ({number:,})" for name, number in scale.machines.items())


def measured_pes(scale: Scale) -> str:
    """E.g. "2, 4, 8 and 16 PEs"."""
    return f"{listed(map(str, scale.pes))} PEs"


def _studied_question(study: Study) -> str:
    number = len(study.claims)
    own = f"{plural(number, 'question')}, with programs as in"
    asked = own if study.own_claims else f"{plural(number, 'finding')} of"
    where = f"{asked} {study.source}, with {measured_pes(study.scale)}"
    return f"{study.name}: {study.question}\n{where}."
