"""A paper that never was, made again: a table, figures of its text, sentences, and what lacks."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from leadline.papers.catalogue import study_named
from leadline.papers.cells import Label, ReproducedCell
from leadline.papers.findings import Conclusion, Evidence, Finding, Outcome
from leadline.papers.published import Contradiction, Paper, PublishedFigure
from leadline.papers.recipe import Relation
from leadline.papers.reproduction import ReproducedPaper, summary_of
from leadline.papers.study import Studied
from leadline.record.warnings import RunWarning
from leadline.statistics.estimate import Estimate

KEY = "ring"
LOAD = RunWarning("load", "the load is 4 on 2 cores", "measure when nothing else runs")
GUESSED = "which algorithm it was isn't printed"


def _figure(name: str, value: float | None, unit: str, where: str) -> PublishedFigure:
    return PublishedFigure(
        id=f"{KEY}.{name}", system="RING/8", quantity="time", value=value, unit=unit, where=where
    )


FIGURES = (
    _figure("peak", 4.0, "MB/s", "text"),
    _figure("share", 0.5, "x", "text"),
    _figure("gain", 20.0, "%", "text"),
    _figure("table2.bcast.4", 1214.0, "us", "Table 2"),
    _figure("table2.bcast.8", 2000.0, "us", "Table 2"),
    _figure("table2.reduce.8", 0.008, "us", "Table 2"),
    _figure("wire", 600.0, "MB/s", "text"),
    _figure("figure1", None, "", "Figure 1"),
)
PAPER = Paper(
    KEY,
    "Messages in a ring",
    'A. Nobody, "Messages in a ring", 1990',
    FIGURES,
    (Contradiction((f"{KEY}.peak",), "4 MB/s", "its times give 5", "5"),),
)


def _cell(
    figure: PublishedFigure,
    ours: float | None,
    label: Label,
    relation: Relation = Relation.ABOUT,
    reason: str = "",
) -> ReproducedCell:
    return ReproducedCell(
        id=figure.id, paper=KEY, published=figure.value, ours=ours, unit=figure.unit,
        relation=relation, label=label, reason=reason,
    )  # fmt: skip


def _sentence(
    text: str,
    ours: float,
    published: float | None,
    bounds: tuple[float, float] | None,
    reason: str = "",
) -> ReproducedCell:
    return ReproducedCell(
        id=f"{KEY}.sentence.{len(text)}", paper=KEY, published=published, ours=ours, unit="x",
        label=Label.PREDICTED, text=text, bounds=bounds, reason=reason,
        holds=bounds is None or bounds[0] <= ours <= bounds[1],
    )  # fmt: skip


def ring_measured_here() -> ReproducedPaper:
    """The ring with two libraries of this machine, and a sentence that is put to them."""
    paper = ring()
    peak, _, _, bcast, *_ = FIGURES
    here = partial(ReproducedCell, paper=KEY, label=Label.MEASURED)
    rated = partial(here, id=peak.id, published=peak.value, unit=peak.unit)
    claim, needs = "a ring is twice as fast as a row", "a machine with 8 cores or more"
    fast = Estimate(2.5, 2.4, 2.7, 0.95, 8)
    cells = (
        *paper.cells,
        rated(ours=9200.123, library="mpich", interval=(9100.0, 9300.0)),
        rated(ours=8000.0, library="openmpi", reason="more PEs than cores"),
        here(
            id=bcast.id, published=bcast.value, unit=bcast.unit, ours=None, library="pvm",
            reason="PVM: not installed",
        ),
        here(id=f"{KEY}.finding.1", published=2.1, ours=2.5, unit="x", text=claim, holds=True,
             interval=(2.4, 2.7)),
        here(id=f"{KEY}.finding.2", published=None, ours=None, unit="x", text="all slow down",
             reason=f"it takes {needs}"),
    )  # fmt: skip
    holds = Conclusion(Outcome.HOLDS, (Evidence("mpich's takes {} times openmpi's", fast),))
    findings = (
        Finding("s1", claim, holds),
        Finding("s2", "all slow down", Conclusion(Outcome.OPEN, needs=needs)),
    )
    study = replace(study_named("t3e-mpi"), paper=KEY)
    studied = Studied(study, ("runs/ring/messages",), (), findings, (LOAD,))
    return replace(paper, cells=cells, summary=summary_of(PAPER, cells, []), studied=(studied,))


def ring() -> ReproducedPaper:
    """All labels but that of what is measured, bounds kept and missed, two reasons of several."""
    peak, share, gain, bcast, long_bcast, reduce, wire, drawn = FIGURES
    cells = (
        _cell(peak, 4.0000001, Label.FITTED),
        _cell(share, 0.43654, Label.PREDICTED, Relation.MOST),
        _cell(gain, 12.0, Label.PREDICTED, Relation.LEAST, GUESSED),
        _cell(bcast, 1231.0, Label.FITTED),
        _cell(long_bcast, 7000.0, Label.PREDICTED, reason=GUESSED),
        _cell(reduce, 0.00799, Label.PREDICTED),
        _cell(wire, None, Label.NOT_REPRODUCIBLE, reason="the maker's word"),
        _cell(drawn, None, Label.NOT_REPRODUCIBLE, reason="only drawn"),
        _sentence("a ring is twice as fast as a row", 2.1, 2.098, (1.9, 2.3)),
        _sentence("long rings are slower", 0.96334, None, (1.0, float("inf")), GUESSED),
        _sentence("all are nearly the same", 1.1594, 1.0, (0.0, 1.1)),
    )
    return ReproducedPaper(PAPER, summary_of(PAPER, cells, []), ("ring-8",), cells)
