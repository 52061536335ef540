"""Studies for programs: their questions, and of one its figures in SI units and its findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict

from leadline.models.file import ModelRow
from leadline.papers.findings import Outcome
from leadline.papers.layout import StudyTable
from leadline.papers.study import MeasuredProgram, Studied, Study
from leadline.papers.units import SIUnit
from leadline.record.warnings import RunWarning
from leadline.report.programs.fitted import model_row
from leadline.report.records import Records, records_of

# -- all studies -----------------------------------------------------------------------------------


class StudyQuestion(TypedDict):
    """The question of a study, and the machines of the paper that asked it."""

    study: str
    """Its name on the command line."""
    title: str
    question: str
    source: str
    """The paper that asked it first."""
    machines: Mapping[str, int]
    """The paper's machines, each with the number of its processors."""
    pes: Sequence[int]
    """The numbers of PEs that the paper measured with."""


class StudyRow(StudyQuestion):
    """A study that can be run."""

    claims: int
    """Number of the paper's findings that are tested."""
    full_s: float
    """Time that it takes by default, in seconds."""
    quick_s: float
    """Time that it takes with `--quick`, in seconds."""


class StudiesContent(TypedDict):
    """All studies."""

    studies: Sequence[StudyRow]


def study_question(study: Study) -> StudyQuestion:
    """The question of `study`, and the machines of the paper that asked it."""
    return {
        "study": study.name,
        "title": study.title,
        "question": study.question,
        "source": study.source,
        "machines": dict(study.scale.machines),
        "pes": list(study.scale.pes),
    }


def studies_content(studies: Sequence[Study]) -> StudiesContent:
    """All studies."""
    return {"studies": [_study_row(study) for study in studies]}


def studies_records(studies: Sequence[Study]) -> Records:
    """One row for each study."""
    return records_of(tuple(StudyRow.__annotations__), [_study_row(study) for study in studies])


def _study_row(study: Study) -> StudyRow:
    return {
        **study_question(study),
        "claims": len(study.claims),
        "full_s": study.full_s,
        "quick_s": study.quick_s,
    }


# -- one study -------------------------------------------------------------------------------------


class FigureRow(TypedDict):
    """One figure of a table, in SI units."""

    table: int
    """The table's number in the paper."""
    row: str
    quantity: str
    unit: SIUnit
    value: float | None
    """Null: there is none, for the reason in `why`."""
    low: float | None
    """Lower bound of the 95 % interval; null: too few blocks for one."""
    high: float | None
    """Upper bound of that interval; null: too few blocks for one."""
    published: bool
    """Whether it is the paper's."""
    crowded: bool
    """Whether it was measured with more PEs than cores."""
    why: str | None
    """Why there is no value; null: there is one."""


class EvidenceRow(TypedDict):
    """A sentence with a gap, "{}", and the estimate that belongs there."""

    text: str
    unit: SIUnit
    value: float
    low: float | None
    """Lower bound of the 95 % interval; null: too few blocks for one."""
    high: float | None
    """Upper bound of that interval; null: too few blocks for one."""


class FindingRow(TypedDict):
    """A claim, and whether it holds on this machine."""

    where: str
    """The section or table of the paper."""
    claim: str
    answer: Outcome
    evidence: Sequence[EvidenceRow]
    needs: str | None
    """What it would take to decide the claim; null: it is decided."""


_OfClass = TypedDict("_OfClass", {"class": str})
"""A key that is a keyword of Python."""


class ApplicationRow(_OfClass):
    """One repetition of a program, of a problem class, under a library; SI units."""

    name: str
    """The program, e.g. "mg"."""
    variant: str
    """The library."""
    ranks: int
    """Number of ranks."""
    seconds: float | None
    """Time of a repetition; null: a solution was wrong or never reached, or nothing counts."""
    low: float | None
    """Lower bound of the 95 % interval; null: too few blocks for one."""
    high: float | None
    """Upper bound of that interval; null: too few blocks for one."""
    mop_per_s: float | None
    """Millions of operations per second, all ranks together; for NAS MG as NPB counts them."""
    verified: bool
    """Whether every solution was checked and right, and at least one was reached."""
    norm: float | None
    """Final residual norm of NAS MG, for the solution that deviates most; null: there is none."""
    relative_error: float | None
    """Relative deviation of the norm from the published one; null: there is none."""
    communication_share: float | None
    """Share of the time, the mean over ranks; null: not known, or nothing communicated."""
    predicted_s: float | None
    """Prediction by models of the same run; null: they have none."""
    predicted_low: float | None
    """Lower bound of the prediction interval; null: too few blocks for one."""
    predicted_high: float | None
    """Upper bound of that interval; null: too few blocks for one."""


class StudyContent(StudyQuestion):
    """Everything about a study."""

    runs: Sequence[str]
    """The directories of the runs."""
    figures: Sequence[FigureRow]
    closed_forms: Sequence[ModelRow]
    """The models that were fitted; empty: none was."""
    findings: Sequence[FindingRow]
    applications: Sequence[ApplicationRow]
    """The programs that it ran; empty: it runs patterns only."""
    warnings: Sequence[RunWarning]


def study_content(studied: Studied) -> StudyContent:
    """Everything about a study, with figures in SI units."""
    return {
        **study_question(studied.study),
        "runs": studied.directories,
        "figures": list(_figures(studied.tables)),
        "closed_forms": [model_row(model) for model in studied.models],
        "findings": [
            {
                "where": finding.where,
                "claim": finding.claim,
                "answer": finding.conclusion.answer,
                "evidence": [
                    {
                        "text": evidence.text,
                        "unit": evidence.unit.si,
                        "value": evidence.estimate.value,
                        "low": evidence.estimate.low,
                        "high": evidence.estimate.high,
                    }
                    for evidence in finding.conclusion.evidence
                ],
                "needs": finding.conclusion.needs,
            }
            for finding in studied.findings
        ],
        "applications": [_application(program) for program in studied.programs],
        "warnings": studied.warnings,
    }


def study_records(studied: Studied) -> Records:
    """One row for each figure of all tables, in SI units."""
    return records_of(tuple(FigureRow.__annotations__), list(_figures(studied.tables)))


def _figures(tables: Sequence[StudyTable]) -> Iterator[FigureRow]:
    for table in tables:
        for row in table.rows:
            for column, entry in zip(table.columns, row.entries, strict=True):
                estimate = entry.estimate
                yield {
                    "table": table.number,
                    "row": ", ".join(row.labels),
                    "quantity": column.title.replace("\n", " "),
                    "unit": column.unit.si,
                    "value": estimate.value if estimate else None,
                    "low": estimate.low if estimate else None,
                    "high": estimate.high if estimate else None,
                    "published": entry.published,
                    "crowded": entry.crowded,
                    "why": entry.why,
                }


def _application(program: MeasuredProgram) -> ApplicationRow:
    share, predicted = program.communication_share, program.predicted
    return {
        "name": program.name,
        "class": program.problem,
        "variant": program.variant,
        "ranks": program.ranks,
        "seconds": program.seconds.value if program.seconds else None,
        "low": program.seconds.low if program.seconds else None,
        "high": program.seconds.high if program.seconds else None,
        "mop_per_s": program.mop_per_s,
        "verified": program.verified,
        "norm": program.norm.seen if program.norm else None,
        "relative_error": program.norm.relative_error if program.norm else None,
        "communication_share": share.value if share else None,
        "predicted_s": predicted.value if predicted else None,
        "predicted_low": predicted.low if predicted else None,
        "predicted_high": predicted.high if predicted else None,
    }
