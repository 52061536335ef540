"""A paper's part of the page: every figure and sentence, and where the paper contradicts itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from leadline.papers.cells import Label, ReproducedCell
from leadline.papers.published import Contradiction, PublishedFigure
from leadline.papers.reproduction import ReproducedPaper
from leadline.papers.study import Studied
from leadline.report.document import SEPARATOR, Section, Table
from leadline.report.page.columns import rounded
from leadline.report.page.markup import Content, Markup, element, joined
from leadline.report.page.matrix import small_table
from leadline.report.page.tables import sortable
from leadline.report.text.phrases import MISSING, listed, plural
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
    value_words,
)
from leadline.report.text.study import answers_counted, numbered_findings, warnings_of

COLUMNS = ("figure", "published", "ours", "off", "label", "why", "of what", "where")
SETTING_COLUMNS = ("setting", "printed", "of what", "where")
CLASSES = {
    Label.FITTED: "fitted", Label.PREDICTED: "predicted", Label.MEASURED: "measured",
    Label.NOT_REPRODUCIBLE: "lacking",
}  # fmt: skip


def anchor(found: ReproducedPaper) -> str:
    """The paper's place in the page."""
    return f"paper-{found.paper.key}"


def paper_section(found: ReproducedPaper) -> Markup:
    """Its drawings first, for the page's script; then all that can be read without one."""
    reasons = Reasons((*_numbers(found), *found.sentences))
    charts = element("div", class_="charts redrawn", data_figures=found.paper.key)
    return element(
        "section",
        element("h2", found.paper.title),
        element("p", f"{found.paper.source}.", class_="basis"),
        element("p", f"Simulated on {listed(found.machines)}.", class_="basis"),
        element("div", _RINGS, charts, data_chart=True, hidden=True),
        _figures(found, reasons),
        _reasons(found, reasons),
        _sentences(found, reasons),
        *map(small_table, forms_sections(found.forms)),
        *map(_findings, found.studied),
        _contradictions(found.paper.contradictions),
        _settings(found.settings),
        id=anchor(found),
    )


_RINGS = element(
    "p",
    "Rings are what the paper printed, lines are ours. ",
    element(
        "span",
        "Point at a plot, or focus it and press ← and →, to read it; press a name to hide it.",
        class_="hint",
    ),
)


# -- every figure ----------------------------------------------------------------------------------


def columns_of(found: ReproducedPaper) -> Mapping[str, Sequence[float | None]]:
    """What the rows of its table are sorted by where that isn't their text."""
    cells = _numbers(found)
    return {
        "published": [rounded(one.published) for one in cells],
        "ours": [rounded(one.ours) for one in cells],
        "off": [rounded(one.deviation) for one in cells],
    }


def _numbers(found: ReproducedPaper) -> list[ReproducedCell]:
    return [one for one in found.cells if not one.text]


def _figures(found: ReproducedPaper, reasons: Reasons) -> Markup:
    printed = {one.id: one for one in found.paper.figures}
    rows = [tuple(_row(one, printed.get(one.id), reasons)) for one in _numbers(found)]
    return sortable(found.paper.key, "Every figure", COLUMNS, rows)


def _row(
    cell: ReproducedCell, printed: PublishedFigure | None, reasons: Reasons
) -> Iterator[Content]:
    yield name_words(cell.id)
    yield published_words(cell)
    yield value_words(cell.ours)
    yield _off(cell)
    yield _label(cell)
    yield _mark(cell, reasons)
    if cell.label is Label.MEASURED:
        yield f"{cell.library}{SEPARATOR}{interval_words(cell)}"
    else:
        yield SEPARATOR.join(_of_what(printed)) if printed else MISSING
    yield printed.where if printed else MISSING


def _off(cell: ReproducedCell) -> str:
    """Today's machines are so far off that per cent say nothing."""
    if cell.label is not Label.MEASURED:
        return off_words(cell)
    ratio = ratio_words(cell)
    return ratio if ratio == MISSING else f"{ratio} times"


def _of_what(printed: PublishedFigure) -> Iterator[str]:
    yield from filter(None, (printed.system, printed.library, printed.operation))
    if printed.procs:
        yield f"{printed.procs} PEs"
    if printed.bytes:
        yield f"{printed.bytes} B" if printed.bytes[-1].isdigit() else printed.bytes
    if printed.value is not None:  # else it is a drawing
        yield printed.quantity.replace("_", " ")


def _label(cell: ReproducedCell) -> Markup:
    return element("span", cell.label, class_=f"label {CLASSES[cell.label]}")


def _mark(cell: ReproducedCell, reasons: Reasons) -> Content:
    """Leads to the reason; pointing at it shows it."""
    if not cell.reason:
        return ""
    number = reasons.mark(cell.reason)
    return element("a", number, href=f"#{_place(cell.paper, number)}", title=cell.reason)


def _place(paper: str, mark: str) -> str:
    return f"why-{paper}-{mark.strip('[]')}"


def _reasons(found: ReproducedPaper, reasons: Reasons) -> Markup:
    notes = [
        element("li", reason, id=_place(found.paper.key, mark)) for mark, reason in reasons.marked()
    ]
    return element("ol", *notes, class_="reasons") if notes else joined([])


# -- in words --------------------------------------------------------------------------------------


def _sentences(found: ReproducedPaper, reasons: Reasons) -> Markup:
    if not found.sentences:
        return joined([])
    counted = found.summary
    title = f"What it says: {counted.sentences_that_hold} of {counted.sentences} hold"
    said = [_sentence(one, reasons) for one in found.sentences]
    return joined([element("h3", title), element("dl", *said, class_="sentences")])


def _sentence(cell: ReproducedCell, reasons: Reasons) -> Markup:
    held = element("b", answer(cell), class_="faster" if cell.holds else "slower")
    text = cell.text[0].upper() + cell.text[1:]
    return element(
        "div",
        element("dt", text),
        element("dd", held, f": {ratios(cell)} ", _label(cell), " ", _mark(cell, reasons)),
    )


def _findings(found: Studied) -> Markup:
    """Its sentences put to what was measured here, as the study has them."""
    title = f"Put to what was measured here: {answers_counted(found.findings)}"
    lines = (one.partition("\n") for one in numbered_findings(found.findings))
    said = [element("div", element("dt", claim), element("dd", told)) for claim, _, told in lines]
    warnings = [element("p", one, class_="basis") for one in warnings_of(found)]
    return joined([element("h3", title), element("dl", *said, class_="sentences"), *warnings])


def _settings(found: Sequence[PublishedFigure]) -> Markup:
    """Folded: they say how the figures above came about, and are no results."""
    if not found:
        return joined([])
    title = f"How its figures came about: {plural(len(found), 'setting')}"
    table = Table(SETTING_COLUMNS, tuple(tuple(_setting(one)) for one in found))
    return element("details", element("summary", title), small_table(Section("", table)))


def _setting(found: PublishedFigure) -> Iterator[str]:
    yield name_words(found.id)
    yield MISSING if found.value is None else f"{found.value:,.6g} {found.unit}"
    yield SEPARATOR.join(filter(None, (found.system, found.operation, found.condition)))
    yield found.where


def _contradictions(found: Sequence[Contradiction]) -> Markup:
    if not found:
        return joined([])
    said = [
        joined(
            [
                element(
                    "dt", f"{one.printed} ", element("small", listed(map(name_words, one.figures)))
                ),
                element("dd", one.found, element("p", one.reading)),
            ]
        )
        for one in found
    ]
    return joined(
        [
            element("h3", "Where it contradicts itself, and how that is read here"),
            element("dl", *said, class_="warnings"),
        ]
    )
