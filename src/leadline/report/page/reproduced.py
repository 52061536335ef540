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
    counted = [one.summary for one in papers]
    lead = PaperWords.COUNTED(
        figures=sum(one.figures for one in counted),
        papers=len(papers),
        predicted=sum(one.labels[Label.PREDICTED] for one in counted),
        near=sum(one.predicted_within for one in counted),
        within=NEAR,
        sentences=sum(one.predicted_sentences for one in counted),
        hold=sum(one.predicted_sentences_that_hold for one in counted),
    )
    redrawn_figures = [
        {
            "paper": one.paper,
            "title": printable(f"{one.where}: {one.figure.title}"),
            "note": printable(one.note),
            **redrawn(studied_figure(one.figure)),
        }
        for one in figures
    ]
    return offline_file(
        "reproduced.html",
        SCRIPTS,
        links=joined(element("a", one.paper.key, href=f"#{anchor(one)}") for one in papers).html,
        lead=joined([lead]).html,
        summary=small_table(summary_section(papers)).html,
        papers=joined(paper_section(one) for one in papers).html,
        charts=packed(
            {
                "deviations": _deviations(papers),
                "figures": redrawn_figures,
                "tables": {f"table-{one.paper.key}": columns_of(one) for one in papers},
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
        "points": [_point(one) for one in ours.points] if ours else [],
        "printed": [_point(one) for one in printed.points] if printed else [],
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
    for one in papers:
        within = {
            Label.FITTED: one.summary.fitted_within,
            Label.PREDICTED: one.summary.predicted_within,
        }
        for label, style in DRAWN.items():
            cells = [cell for cell in _numbers(one) if cell.label is label]
            deviations = [cell.deviation for cell in cells if cell.deviation is not None]
            if cells:
                row = {
                    "paper": one.paper.key,
                    "title": printable(one.paper.title),
                    "label": label,
                    "style": style,
                    "ratios": [rounded(1 + deviation) for deviation in deviations],
                    "text": f"{within[label]} of {len(cells)} {NEAR}",
                }
                rows.append(row)
    return {"within": WITHIN, "rows": rows}


# -- a paper ---------------------------------------------------------------------------------------


def anchor(found: ReproducedPaper) -> str:
    """The id of the paper's section in the page."""
    return f"paper-{found.paper.key}"


def paper_section(found: ReproducedPaper) -> Markup:
    """A paper's drawings, for the page's script, then all that can be read without one."""
    reasons = Reasons((*_numbers(found), *found.sentences))
    charts = element("div", class_="charts redrawn", data_figures=found.paper.key)
    printed = {one.id: one for one in found.paper.figures}
    rows = [tuple(_row(one, printed.get(one.id), reasons)) for one in _numbers(found)]
    figures = sortable(found.paper.key, "Every figure", COLUMNS, rows)
    notes = [
        element("li", reason, id=_place(found.paper.key, mark)) for mark, reason in reasons.marked()
    ]
    return element(
        "section",
        element("h2", found.paper.title),
        element("p", f"{found.paper.source}.", class_="basis"),
        element("p", f"Simulated on {listed(found.machines)}.", class_="basis"),
        element("div", _RINGS, charts, data_chart=True, hidden=True),
        figures,
        element("ol", *notes, class_="reasons") if notes else "",
        _sentences(found, reasons),
        *map(small_table, forms_sections(found.forms)),
        *map(_findings, found.studied),
        _contradictions(found.paper.contradictions),
        _settings(found.settings),
        id=anchor(found),
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


def columns_of(found: ReproducedPaper) -> Mapping[str, Sequence[float | None]]:
    """The numbers by which rows of its table are sorted in columns whose text doesn't tell."""
    cells = _numbers(found)
    return {
        "published": [rounded(one.published) for one in cells],
        "ours": [rounded(one.ours) for one in cells],
        "off": [rounded(one.deviation) for one in cells],
    }


def _numbers(found: ReproducedPaper) -> list[ReproducedCell]:
    return [one for one in found.cells if not one.text]


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


def _sentences(found: ReproducedPaper, reasons: Reasons) -> Content:
    """What the paper says, and whether our numbers agree; nothing where it has no sentences."""
    if not found.sentences:
        return ""
    parts = []
    for cell in found.sentences:
        holds = element("b", answer(cell), class_="faster" if cell.holds else "slower")
        numbers = f": {ratios(cell)} "
        parts.append(
            element(
                "div",
                element("dt", cell.text[0].upper() + cell.text[1:]),
                element("dd", holds, numbers, _label(cell), " ", _mark(cell, reasons)),
            )
        )
    counted = found.summary
    title = PageWords.PAPER_SAYS(hold=counted.sentences_that_hold, number=counted.sentences)
    return joined([element("h3", title), element("dl", *parts, class_="sentences")])


def _findings(found: Studied) -> Markup:
    """The paper's sentences applied to what a study of it measured here, and its warnings."""
    title = PageWords.PAPER_MEASURED(answers=answers_counted(found.findings))
    lines = (one.partition("\n") for one in numbered_findings(found.findings))
    parts = [element("div", element("dt", claim), element("dd", text)) for claim, _, text in lines]
    warnings = [element("p", one, class_="basis") for one in warnings_of(found)]
    return joined([element("h3", title), element("dl", *parts, class_="sentences"), *warnings])


def _contradictions(found: Sequence[Contradiction]) -> Content:
    """Where the paper contradicts itself, and how that is read; nothing where it doesn't."""
    if not found:
        return ""
    parts: list[Markup] = []
    for one in found:
        names = element("small", listed(map(name_words, one.figures)))
        parts.append(element("dt", f"{one.printed} ", names))
        parts.append(element("dd", one.found, element("p", one.reading)))
    title = PageWords.PAPER_CONTRADICTS()
    return joined([element("h3", title), element("dl", *parts, class_="warnings")])


def _settings(found: Sequence[PublishedFigure]) -> Content:
    """Figures that say how others came about, folded, since they are no results."""
    if not found:
        return ""
    rows = []
    for one in found:
        printed = MISSING if one.value is None else f"{one.value:,.6g} {one.unit}"
        what = SEPARATOR.join(filter(None, (one.system, one.operation, one.condition)))
        rows.append((name_words(one.id), printed, what, one.where))
    title = PageWords.PAPER_SETTINGS(number=len(found))
    table = small_table(Section("", Table(SETTING_COLUMNS, tuple(rows))))
    return element("details", element("summary", title), table)
