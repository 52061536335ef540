"""Which studies there are, for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from leadline.papers.study import Study
from leadline.report.records import Records, records_of


class StudyQuestion(TypedDict):
    """What a study asks, and of which machines a paper asked it."""

    study: str
    """Its name on the command line."""
    title: str
    question: str
    source: str
    """Who asked it first: the paper."""
    machines: Mapping[str, int]
    """The paper's, each with the number of its processors."""
    pes: Sequence[int]
    """The numbers of PEs with which the paper measured."""


class StudyRow(StudyQuestion):
    """A study that can be made."""

    claims: int
    """So many of the paper's findings are put to the test."""
    full_s: float
    """What it takes unless told otherwise."""
    quick_s: float
    """Likewise with `--quick`."""


class StudiesContent(TypedDict):
    """All studies."""

    studies: Sequence[StudyRow]


def study_question(study: Study) -> StudyQuestion:
    """What `study` asks, and of which machines a paper asked it."""
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
    return {"studies": [_row(study) for study in studies]}


def studies_records(studies: Sequence[Study]) -> Records:
    """All studies, one a row."""
    return records_of(tuple(StudyRow.__annotations__), [_row(study) for study in studies])


def _row(study: Study) -> StudyRow:
    return {
        **study_question(study),
        "claims": len(study.claims),
        "full_s": study.full_s,
        "quick_s": study.quick_s,
    }
