"""A study for programs: the figures of its tables in SI units, the findings with evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypedDict

from leadline.record.caveats import Caveat
from leadline.report.programs.studies import StudyQuestion, study_question
from leadline.report.records import Records, records_of
from leadline.studies.findings import Evidence, Finding, Outcome
from leadline.studies.study import Studied
from leadline.studies.tables import StudyTable
from leadline.studies.units import SIUnit


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


class StudyContent(StudyQuestion):
    """Everything about a study."""

    runs: Sequence[str]
    """Their directories."""
    figures: Sequence[FigureRow]
    findings: Sequence[FindingRow]
    warnings: Sequence[Caveat]


def study_content(studied: Studied) -> StudyContent:
    """Everything about a study; figures in SI units."""
    return {
        **study_question(studied.study),
        "runs": studied.directories,
        "figures": list(_figures(studied.tables)),
        "findings": [_finding(finding) for finding in studied.findings],
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
                    "quantity": column.title.replace("\n", ", "),
                    "unit": column.unit.si,
                    "value": found.value if found else None,
                    "low": found.low if found else None,
                    "high": found.high if found else None,
                    "published": entry.published,
                    "crowded": entry.crowded,
                    "why": entry.why,
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
