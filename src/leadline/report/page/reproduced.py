"""Papers made again as one HTML file: their figures redrawn, and every number beside ours."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.errors import printable
from leadline.papers.cells import Label, ReproducedCell, ReproducedFigure
from leadline.papers.reproduction import WITHIN, ReproducedPaper
from leadline.report.figures.studied import studied_figure
from leadline.report.page.columns import Json, packed, rounded
from leadline.report.page.markup import Markup, element, joined
from leadline.report.page.matrix import small_table
from leadline.report.page.offline import offline_file
from leadline.report.page.paper import anchor, columns_of, paper_section
from leadline.report.page.redrawn import redrawn
from leadline.report.text.phrases import plural, stated_share
from leadline.report.text.reproduced import summary_section

SCRIPTS = (
    "dom.js", "address.js", "files.js", "axes.js", "limits.js", "chart.js", "zoom.js", "lines.js",
    "dots.js", "tables.js", "data.js", "frame.js", "reproduced.js",
)  # fmt: skip
"""In the order in which they need each other."""
NEAR = f"within {stated_share(WITHIN)}"
DRAWN = {Label.FITTED: "s2", Label.PREDICTED: "s0"}
"""The colours of dots; today's machines are other ones, and none of theirs."""


def reproduced_page(papers: Sequence[ReproducedPaper], figures: Sequence[ReproducedFigure]) -> str:
    """The whole file; `figures`: those of the papers that are redrawn."""
    return offline_file(
        "reproduced.html",
        SCRIPTS,
        links=joined(_link(one) for one in papers).html,
        lead=joined([_lead(papers)]).html,
        summary=small_table(summary_section(papers)).html,
        papers=joined(paper_section(one) for one in papers).html,
        charts=packed(
            {
                "deviations": _deviations(papers),
                "figures": [_figure(one) for one in figures],
                "tables": {f"table-{one.paper.key}": columns_of(one) for one in papers},
            }
        ),
    )


def _link(found: ReproducedPaper) -> Markup:
    return element("a", found.paper.key, href=f"#{anchor(found)}")


def _lead(papers: Sequence[ReproducedPaper]) -> str:
    """How many figures there are, and what became of those that nothing was fitted to."""
    counted = [one.summary for one in papers]
    figures = plural(sum(one.figures for one in counted), "figure")
    predicted = sum(one.labels[Label.PREDICTED] for one in counted)
    near = sum(one.predicted_within for one in counted)
    sentences = plural(sum(one.predicted_sentences for one in counted), "sentence")
    hold = sum(one.predicted_sentences_that_hold for one in counted)
    return (
        f"{figures} of {plural(len(papers), 'paper')}: {predicted} are predicted, {near} of them "
        f"{NEAR}; of {sentences} that no fitted figure decides {hold} "
        f"{'holds' if hold == 1 else 'hold'}."
    )


# -- charts ----------------------------------------------------------------------------------------


def _figure(found: ReproducedFigure) -> Json:
    title = f"{found.where}: {found.figure.title}"
    return {
        "paper": found.paper,
        "title": printable(title),
        "note": printable(found.note),
        **redrawn(studied_figure(found.figure)),
    }


def _deviations(papers: Sequence[ReproducedPaper]) -> Json:
    """A row a paper and label that has any number on both sides."""
    rows = [
        _dots(one, label, cells)
        for one in papers
        for label in DRAWN
        if (cells := [cell for cell in one.cells if not cell.text and cell.label is label])
    ]
    return {"within": WITHIN, "rows": rows}


def _dots(found: ReproducedPaper, label: Label, cells: Sequence[ReproducedCell]) -> Json:
    off = [cell.deviation for cell in cells if cell.deviation is not None]
    counted = found.summary
    near = counted.fitted_within if label is Label.FITTED else counted.predicted_within
    return {
        "paper": found.paper.key,
        "title": printable(found.paper.title),
        "label": label,
        "style": DRAWN[label],
        "ratios": [rounded(1 + one) for one in off],
        "text": f"{near} of {len(cells)} {NEAR}",
    }
