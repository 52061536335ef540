"""A study for programs: the figures of its tables in SI units, the findings with evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypedDict

from leadline.models.file import ModelRow
from leadline.papers.findings import Evidence, Finding, Outcome
from leadline.papers.layout import StudyTable
from leadline.papers.study import MeasuredProgram, Studied
from leadline.papers.units import SIUnit
from leadline.record.caveats import Caveat
from leadline.report.programs.fitted import model_row
from leadline.report.programs.studies import StudyQuestion, study_question
from leadline.report.records import Records, records_of


class FigureRow(TypedDict):
    """One figure of a table; SI units."""

    table: int
    """Its number in the paper."""
    row: str
    quantity: str
    unit: SIUnit
    value: float | None
    """Null: there is none, for the reason in `why`."""
    low: float | None
    """Of the 95 % interval; null: too few blocks for one."""
    high: float | None
    published: bool
    crowded: bool
    """Measured with more PEs than cores."""
    why: str | None


class EvidenceRow(TypedDict):
    """A sentence with a gap, "{}", and the estimate that belongs there."""

    text: str
    unit: SIUnit
    value: float
    low: float | None
    """Of the 95 % interval; null: too few blocks for one."""
    high: float | None


class FindingRow(TypedDict):
    """A claim and what this machine says to it."""

    where: str
    """In the paper: a section or a table."""
    claim: str
    answer: Outcome
    evidence: Sequence[EvidenceRow]
    needs: str | None
    """Where it can't be told: what it would take."""


_OfClass = TypedDict("_OfClass", {"class": str})
"""A key that is a word of Python's."""


class ApplicationRow(_OfClass):
    """A repetition of a program, of a problem class, over a library; SI units."""

    name: str
    variant: str
    ranks: int
    seconds: float | None
    """Of a repetition; null: a solution was wrong or never reached, or nothing of it counts."""
    low: float | None
    """Of the 95 % interval; null: too few blocks for one."""
    high: float | None
    mop_per_s: float | None
    """Millions of operations a second, all ranks together: of NAS MG those that NPB counts."""
    verified: bool
    """Every solution was checked, and was right, and one was reached."""
    norm: float | None
    """Of NAS MG's residual in the end, of the solution furthest off, or wrong; null: none."""
    relative_error: float | None
    """How far that is from the published one."""
    communication_share: float | None
    """Of the time, the mean over ranks; null: not known, or there was none."""
    predicted_s: float | None
    """By models of the same run; null: they say nothing of it."""
    predicted_low: float | None
    """Of the prediction interval; null: too few blocks for one."""
    predicted_high: float | None


class StudyContent(StudyQuestion):
    """Everything about a study."""

    runs: Sequence[str]
    """Their directories."""
    figures: Sequence[FigureRow]
    closed_forms: Sequence[ModelRow]
    """What was fitted; empty where nothing was."""
    findings: Sequence[FindingRow]
    applications: Sequence[ApplicationRow]
    """Programs that it ran; empty: it runs patterns alone."""
    warnings: Sequence[Caveat]


def study_content(studied: Studied) -> StudyContent:
    """Everything about a study; figures in SI units."""
    return {
        **study_question(studied.study),
        "runs": studied.directories,
        "figures": list(_figures(studied.tables)),
        "closed_forms": [model_row(one) for one in studied.models],
        "findings": [_finding(finding) for finding in studied.findings],
        "applications": [_application(one) for one in studied.programs],
        "warnings": studied.caveats,
    }


def study_records(studied: Studied) -> Records:
    """The figures of all tables, one a row, SI units."""
    return records_of(tuple(FigureRow.__annotations__), list(_figures(studied.tables)))


def _figures(tables: Sequence[StudyTable]) -> Iterator[FigureRow]:
    for table in tables:
        for row in table.rows:
            for column, entry in zip(table.columns, row.entries, strict=True):
                found = entry.estimate
                yield {
                    "table": table.number,
                    "row": ", ".join(row.labels),
                    "quantity": column.title.replace("\n", " "),
                    "unit": column.unit.si,
                    "value": found.value if found else None,
                    "low": found.low if found else None,
                    "high": found.high if found else None,
                    "published": entry.published,
                    "crowded": entry.crowded,
                    "why": entry.why,
                }


def _application(found: MeasuredProgram) -> ApplicationRow:
    share, told = found.communication_share, found.predicted
    return {
        "name": found.name,
        "class": found.problem,
        "variant": found.variant,
        "ranks": found.ranks,
        "seconds": found.seconds.value if found.seconds else None,
        "low": found.seconds.low if found.seconds else None,
        "high": found.seconds.high if found.seconds else None,
        "mop_per_s": found.mop_per_s,
        "verified": found.verified,
        "norm": found.norm.seen if found.norm else None,
        "relative_error": found.norm.relative_error if found.norm else None,
        "communication_share": share.value if share else None,
        "predicted_s": told.value if told else None,
        "predicted_low": told.low if told else None,
        "predicted_high": told.high if told else None,
    }


def _finding(finding: Finding) -> FindingRow:
    conclusion = finding.conclusion
    return {
        "where": finding.where,
        "claim": finding.claim,
        "answer": conclusion.answer,
        "evidence": [_evidence(evidence) for evidence in conclusion.evidence],
        "needs": conclusion.needs,
    }


def _evidence(evidence: Evidence) -> EvidenceRow:
    return {
        "text": evidence.text,
        "unit": evidence.unit.si,
        "value": evidence.estimate.value,
        "low": evidence.estimate.low,
        "high": evidence.estimate.high,
    }
