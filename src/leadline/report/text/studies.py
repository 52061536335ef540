"""Which studies there are: what each asks, of which machines a paper did, how long it takes."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.papers.study import Scale, Study
from leadline.report.document import Section, Table
from leadline.report.text.phrases import listed, plural

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
    return [Section("studies", Table(COLUMNS, rows), tuple(map(_asked, studies)))]


def machines(scale: Scale) -> str:
    """With their processors, e.g. "CRAY T3D (128) and CRAY J90 (32)"."""
    return listed(f"{name} ({number:,})" for name, number in scale.machines.items())


def measured_pes(scale: Scale) -> str:
    """E.g. "2, 4, 8 and 16 PEs"."""
    return f"{listed(map(str, scale.pes))} PEs"


def _asked(study: Study) -> str:
    number = len(study.claims)
    own = f"{plural(number, 'question')}, with programs as in"
    asked = own if study.own_claims else f"{plural(number, 'finding')} of"
    where = f"{asked} {study.source}, with {measured_pes(study.scale)}"
    return f"{study.name}: {study.question}\n{where}."
