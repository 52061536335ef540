"""Reproduced papers as one HTML file: figures redrawn, each number and sentence with its result.

A paper's part has every figure and sentence, what a study of it measured here, and where the paper
contradicts itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from leadline.errors import printable
from leadline.papers.cells import Label, ReproducedCell, ReproducedFigure
from leadline.papers.published import Contradiction, PublishedFigure
from leadline.papers.reproduction import WITHIN, ReproducedPaper
from leadline.papers.study import Studied
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.figures.figure import Figure, PlottedLine, PlottedPoint
from leadline.report.figures.plots import NETWORK_STROKES, studied_figure
from leadline.report.page.columns import Json, packed, rounded
from leadline.report.page.markup import Content, Markup, element, joined, offline_file
from leadline.report.page.tables import small_table, sortable
from leadline.report.text.catalogue import PageWords, PaperWords
from leadline.report.text.phrases import MISSING, listed, stated_share
from leadline.report.text.reproduced import (
    Reasons,
    answer,
    forms_sections,
    interval_words,
    name_words,
    off_words,
    published_words,
    ratio_words,
    ratios,
    summary_section,
    value_words,
)
from leadline.report.text.study import answers_counted, numbered_findings, warnings_of
from leadline.units import significant

SCRIPTS = (
    "dom.js", "address.js", "files.js", "axes.js", "limits.js", "chart.js", "zoom.js", "lines.js",
    "dots.js", "tables.js", "data.js", "frame.js", "reproduced.js",
)  # fmt: skip
"""The page's scripts, in the order in which they need each other."""
NEAR = f"within {stated_share(WITHIN)}"
DRAWN = {Label.FITTED: "s2", Label.PREDICTED: "s0"}
"""The labels whose deviations are drawn as dots, and their colours. What was measured here isn't
drawn: today's machines are other ones than the papers'."""
COLUMNS = ("figure", "published", "ours", "off", "label", "why", "of what", "where")
SETTING_COLUMNS = ("setting", "printed", "of what", "where")
CLASSES = {
    Label.FITTED: "fitted", Label.PREDICTED: "predicted", Label.MEASURED: "measured",
    Label.NOT_REPRODUCIBLE: "lacking",
}  # fmt: skip


def reproduced_page(papers: Sequence[ReproducedPaper], figures: Sequence[ReproducedFigure]) -> str:
    """The whole HTML file.

    Args:
        papers: All of them, with their numbers and sentences.
        figures: The figures of the papers that are redrawn.
    """
    counted = [paper.summary for paper in papers]
    lead = PaperWords.COUNTED(
        figures=sum(summary.figures for summary in counted),
        papers=len(papers),
        predicted=sum(summary.labels[Label.PREDICTED] for summary in counted),
        near=sum(summary.predicted_within for summary in counted),
        within=NEAR,
        sentences=sum(summary.predicted_sentences for summary in counted),
        hold=sum(summary.predicted_sentences_that_hold for summary in counted),
    )
    redrawn_figures = [
        {
            "paper": figure.paper,
            "title": printable(f"{figure.where}: {figure.figure.title}"),
            "note": printable(figure.note),
            **redrawn(studied_figure(figure.figure)),
        }
        for figure in figures
    ]
    return offline_file(
        "reproduced.html",
        SCRIPTS,
        links=joined(
            element("a", paper.paper.key, href=f"#{anchor(paper)}") for paper in papers
        ).html,
        lead=joined([lead]).html,
        summary=small_table(summary_section(papers)).html,
        papers=joined(paper_section(paper) for paper in papers).html,
        charts=packed(
            {
                "deviations": _deviations(papers),
                "figures": redrawn_figures,
                "tables": {f"table-{paper.paper.key}": columns_of(paper) for paper in papers},
            }
        ),
    )


# -- charts ----------------------------------------------------------------------------------------


def redrawn(figure: Figure) -> Json:
    """The chart of a paper's figure: our results as lines, what was printed as points.

    Points that were printed go with the line of ours that looks like them, if there is one.
    """
    printed = [one for one in figure.lines if one.loose]
    lines = []
    for line in figure.lines:
        if not line.loose:
            beside = next((one for one in printed if _look(one) == _look(line)), None)
            printed = [one for one in printed if one is not beside]
            lines.append(_line(line, line, beside))
    lines += [_line(line, None, line) for line in printed]
    return {
        "x": figure.x_label,
        "y": figure.y_label,
        "ranks": figure.ranks,
        "logarithmic": not figure.linear,
        "lines": lines,
    }


def _line(shown: PlottedLine, ours: PlottedLine | None, printed: PlottedLine | None) -> Json:
    style, turn = _look(shown)
    return {
        "name": printable(shown.name),
        "style": style,
        "turn": turn,
        "points": [_point(point) for point in ours.points] if ours else [],
        "printed": [_point(point) for point in printed.points] if printed else [],
    }


def _look(line: PlottedLine) -> tuple[str, int]:
    """Colour and marker, and the index of the stroke."""
    known = line.stroke in NETWORK_STROKES
    turn = NETWORK_STROKES.index(line.stroke) if known else line.series.turn
    return line.series.style, turn


def _point(point: PlottedPoint) -> list[float | str | None]:
    """Its x, y and bounds, and the value with its interval in words."""
    words = significant(point.y)
    if point.low is not None and point.high is not None:
        words += f" ({significant(point.low)} to {significant(point.high)})"
    return [point.x, rounded(point.y), rounded(point.low), rounded(point.high), words]


def _deviations(papers: Sequence[ReproducedPaper]) -> Json:
    """Dots of our numbers over the published ones, a row for each paper and label that has any."""
    rows = []
    for paper in papers:
        within = {
            Label.FITTED: paper.summary.fitted_within,
            Label.PREDICTED: paper.summary.predicted_within,
        }
        for label, style in DRAWN.items():
            cells = [cell for cell in _numbers(paper) if cell.label is label]
            deviations = [cell.deviation for cell in cells if cell.deviation is not None]
            if cells:
                row = {
                    "paper": paper.paper.key,
                    "title": printable(paper.paper.title),
                    "label": label,
                    "style": style,
                    "ratios": [rounded(1 + deviation) for deviation in deviations],
                    "text": f"{within[label]} of {len(cells)} {NEAR}",
                }
                rows.append(row)
    return {"within": WITHIN, "rows": rows}


# -- a paper ---------------------------------------------------------------------------------------


def anchor(paper: ReproducedPaper) -> str:
    """The id of the paper's section in the page."""
    return f"paper-{paper.paper.key}"


def paper_section(paper: ReproducedPaper) -> Markup:
    """A paper's drawings, for the page's script, then all that can be read without one."""
    reasons = Reasons((*_numbers(paper), *paper.sentences))
    charts = element("div", class_="charts redrawn", data_figures=paper.paper.key)
    printed = {figure.id: figure for figure in paper.paper.figures}
    rows = [tuple(_row(number, printed.get(number.id), reasons)) for number in _numbers(paper)]
    figures = sortable(paper.paper.key, "Every figure", COLUMNS, rows)
    notes = [
        element("li", reason, id=_place(paper.paper.key, mark)) for mark, reason in reasons.marked()
    ]
    return element(
        "section",
        element("h2", paper.paper.title),
        element("p", f"{paper.paper.source}.", class_="basis"),
        element("p", f"Simulated on {listed(paper.machines)}.", class_="basis"),
        element("div", _RINGS, charts, data_chart=True, hidden=True),
        figures,
        element("ol", *notes, class_="reasons") if notes else "",
        _sentences(paper, reasons),
        *map(small_table, forms_sections(paper.forms)),
        *map(_findings, paper.studied),
        _contradictions(paper.paper.contradictions),
        _settings(paper.settings),
        id=anchor(paper),
    )


_RINGS = element(
    "p",
    f"{PageWords.RINGS()} ",
    element(
        "span",
        PageWords.READING(),
        class_="hint",
    ),
)


def columns_of(paper: ReproducedPaper) -> Mapping[str, Sequence[float | None]]:
    """The numbers by which rows of its table are sorted in columns whose text doesn't tell."""
    cells = _numbers(paper)
    return {
        "published": [rounded(cell.published) for cell in cells],
        "ours": [rounded(cell.ours) for cell in cells],
        "off": [rounded(cell.deviation) for cell in cells],
    }


def _numbers(paper: ReproducedPaper) -> list[ReproducedCell]:
    return [cell for cell in paper.cells if not cell.text]


def _row(
    cell: ReproducedCell, printed: PublishedFigure | None, reasons: Reasons
) -> Iterator[Content]:
    """The cells of COLUMNS; `printed`: the paper's figure that `cell` reproduces, if it has one."""
    yield name_words(cell.id)
    yield published_words(cell)
    yield value_words(cell.ours)
    if cell.label is Label.MEASURED:  # per cent say nothing, so far off are today's machines
        ratio = ratio_words(cell)
        yield ratio if ratio == MISSING else f"{ratio} times"
    else:
        yield off_words(cell)
    yield _label(cell)
    yield _mark(cell, reasons)
    if cell.label is Label.MEASURED:
        yield f"{cell.library}{SEPARATOR}{interval_words(cell)}"
    elif printed:
        what = [printed.system, printed.library, printed.operation]
        if printed.procs:
            what.append(f"{printed.procs} PEs")
        if printed.bytes:
            what.append(f"{printed.bytes} B" if printed.bytes[-1].isdigit() else printed.bytes)
        if printed.value is not None:  # else it is a drawing
            what.append(printed.quantity.replace("_", " "))
        yield SEPARATOR.join(filter(None, what))
    else:
        yield MISSING
    yield printed.where if printed else MISSING


def _label(cell: ReproducedCell) -> Markup:
    return element("span", cell.label, class_=f"label {CLASSES[cell.label]}")


def _mark(cell: ReproducedCell, reasons: Reasons) -> Content:
    """A link to the cell's reason, whose tooltip is the reason; nothing where it has none."""
    if not cell.reason:
        return ""
    number = reasons.mark(cell.reason)
    return element("a", number, href=f"#{_place(cell.paper, number)}", title=cell.reason)


def _place(paper: str, mark: str) -> str:
    return f"why-{paper}-{mark.strip('[]')}"


# -- in words --------------------------------------------------------------------------------------


def _sentences(paper: ReproducedPaper, reasons: Reasons) -> Content:
    """What the paper says, and whether our numbers agree; nothing where it has no sentences."""
    if not paper.sentences:
        return ""
    parts = []
    for cell in paper.sentences:
        holds = element("b", answer(cell), class_="faster" if cell.holds else "slower")
        numbers = f": {ratios(cell)} "
        parts.append(
            element(
                "div",
                element("dt", cell.text[0].upper() + cell.text[1:]),
                element("dd", holds, numbers, _label(cell), " ", _mark(cell, reasons)),
            )
        )
    counted = paper.summary
    title = PageWords.PAPER_SAYS(hold=counted.sentences_that_hold, number=counted.sentences)
    return joined([element("h3", title), element("dl", *parts, class_="sentences")])


def _findings(studied: Studied) -> Markup:
    """The paper's sentences applied to what a study of it measured here, and its warnings."""
    title = PageWords.PAPER_MEASURED(answers=answers_counted(studied.findings))
    lines = (finding.partition("\n") for finding in numbered_findings(studied.findings))
    parts = [element("div", element("dt", claim), element("dd", text)) for claim, _, text in lines]
    warnings = [element("p", warning, class_="basis") for warning in warnings_of(studied)]
    return joined([element("h3", title), element("dl", *parts, class_="sentences"), *warnings])


def _contradictions(contradictions: Sequence[Contradiction]) -> Content:
    """Where the paper contradicts itself, and how that is read; nothing where it doesn't."""
    if not contradictions:
        return ""
    parts: list[Markup] = []
    for contradiction in contradictions:
        names = element("small", listed(map(name_words, contradiction.figures)))
        parts.append(element("dt", f"{contradiction.printed} ", names))
        parts.append(element("dd", contradiction.found, element("p", contradiction.reading)))
    title = PageWords.PAPER_CONTRADICTS()
    return joined([element("h3", title), element("dl", *parts, class_="warnings")])


def _settings(figures: Sequence[PublishedFigure]) -> Content:
    """Figures that say how others came about, folded, since they are no results."""
    if not figures:
        return ""
    rows = []
    for figure in figures:
        printed = MISSING if figure.value is None else f"{figure.value:,.6g} {figure.unit}"
        what = SEPARATOR.join(filter(None, (figure.system, figure.operation, figure.condition)))
        rows.append((name_words(figure.id), printed, what, figure.where))
    title = PageWords.PAPER_SETTINGS(number=len(figures))
    table = small_table(Section("", Table(SETTING_COLUMNS, tuple(rows))))
    return element("details", element("summary", title), table)
