"""What became of a paper's figures, in a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.reproduce.cell import Label, ReproducedCell
from leadline.reproduce.fits import fitted_constants
from leadline.simulate.machine import MachineModel
from leadline.studies.published.catalogue import Paper

WITHIN = 0.10
"""How far off a figure may be that counts as reached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSummary:
    """Of one paper; sentences are counted by themselves."""

    paper: str
    title: str
    source: str
    labels: Mapping[Label, int]
    """How many figures have each; all of them are there."""
    predicted_within: int
    """Predicted ones that are at most WITHIN off, bounds that are kept among them."""
    fitted_within: int
    fitted_constants: int
    """Numbers and choices in machine files that were made by its figures."""
    settings: int
    """Figures that say how others came about, and have no cell."""
    sentences: int
    sentences_that_hold: int
    predicted_sentences: int
    """Sentences that no fitted figure decides."""
    predicted_sentences_that_hold: int
    contradictions: int
    findings: int = 0
    """Sentences put to what was measured here."""
    findings_that_hold: int = 0

    @property
    def figures(self) -> int:
        """All that have a cell; what was measured here, some of them have besides."""
        return sum(self.labels.values()) - self.labels[Label.MEASURED]

    @property
    def share_predicted_within(self) -> float | None:
        """Of the predicted ones; None: there are none."""
        predicted = self.labels[Label.PREDICTED]
        return self.predicted_within / predicted if predicted else None


def summary_of(
    paper: Paper, cells: Sequence[ReproducedCell], machines: Sequence[MachineModel]
) -> PaperSummary:
    """Of the cells of `paper` among all `cells`; labels count figures, however often measured."""
    of_paper = [one for one in cells if one.paper == paper.key]
    measured = [one for one in of_paper if one.label is Label.MEASURED]
    own = [one for one in of_paper if one.label is not Label.MEASURED]
    findings = [one for one in measured if one.text]
    here = {one.id for one in measured if not one.text and one.ours is not None}
    figures, sentences = ([one for one in own if bool(one.text) is said] for said in (False, True))
    told = [one for one in sentences if one.label is Label.PREDICTED]
    counted = Counter(one.label for one in figures)
    return PaperSummary(
        paper=paper.key,
        title=paper.title,
        source=paper.source,
        labels={label: counted[label] for label in Label} | {Label.MEASURED: len(here)},
        predicted_within=_within(figures, Label.PREDICTED),
        fitted_within=_within(figures, Label.FITTED),
        fitted_constants=fitted_constants(machines, paper.key),
        settings=len(paper.figures) - len(figures),
        sentences=len(sentences),
        sentences_that_hold=sum(bool(one.holds) for one in sentences),
        predicted_sentences=len(told),
        predicted_sentences_that_hold=sum(bool(one.holds) for one in told),
        contradictions=len(paper.contradictions),
        findings=len(findings),
        findings_that_hold=sum(bool(one.holds) for one in findings),
    )


def _within(cells: Sequence[ReproducedCell], label: Label) -> int:
    return sum(one.label is label and one.is_within(WITHIN) for one in cells)
