"""Tables: those of a report's sections, and those of all numbers, which a script sorts and filters.

They are complete without the script. The numbers that rows are sorted by, where the text doesn't
tell, are with the charts (`columns`).
"""

from __future__ import annotations

from collections.abc import Sequence

from leadline.compare.baselines import BaselineContrast
from leadline.compare.circumstances import Circumstances
from leadline.compare.curves import Comparison
from leadline.record.run import Origin
from leadline.report.document import Section
from leadline.report.page.markup import Content, Markup, element, joined
from leadline.report.page.reported import MeasuredCell, Reported
from leadline.report.text.circumstances import (
    COMMUNICATION,
    any_known,
    crowd_columns,
    shares_against,
    shares_of,
)
from leadline.report.text.comparison import judged
from leadline.report.text.phrases import MISSING, measured_time
from leadline.report.text.ratios import ratio_words
from leadline.units import format_size

MEASURED = ("pattern", "ranks", "size", "variant", "time", "blocks", "samples", "algorithm",
            "transport", "buffers", "cadence", "origin", "warnings")  # fmt: skip
COMPARED = ("pattern", "ranks", "size", "candidate", "baseline", "ratio", "verdict", "blocks",
            "paired")  # fmt: skip


def tables(reported: Reported) -> Markup:
    """Tables of everything measured, and of all comparisons if there are any."""
    cells, comparisons = reported.cells, reported.comparisons
    shown = [comparisons[index] for index in reported.compared_once]
    sized = {cell.summary.pattern for cell in cells if cell.summary.size_bytes}
    measured = _with_crowds(
        MEASURED,
        [_measured(cell, cell.summary.pattern in sized) for cell in cells],
        [(cell.summary.circumstances,) for cell in cells],
    )
    compared = _with_crowds(
        COMPARED,
        [_compared(reported, *one, one[1].pattern in sized) for one in shown],
        [row.circumstances for _, row in shown],
    )
    others = any(cell.summary.origin is not Origin.MEASURED for cell in cells)
    title = "Everything measured, and what wasn't" if others else "Everything measured"
    parts = [sortable("measured", title, *measured)]
    if shown:
        parts.append(sortable("compared", "Every comparison", *compared))
    return joined(parts)


def _with_crowds(
    columns: Sequence[str],
    rows: Sequence[tuple[str, ...]],
    circumstances: Sequence[Sequence[Circumstances]],
) -> tuple[Sequence[str], Sequence[tuple[str, ...]]]:
    """Columns and rows, with what is known of links, waiting ranks and communication beside them.

    How busy a link was and how long ranks waited is added where ranks outnumber cores anywhere;
    applications have the share of communication, in a comparison that of both sides.
    """
    beside = crowd_columns(circumstances)
    if any_known(circumstances):
        texts = [
            shares_of(row[0]) if len(row) == 1 else shares_against((row[0], row[1]))
            for row in circumstances
        ]
        beside = [(COMMUNICATION, *texts), *beside]
    titles = [title.replace("\n", " ") for title, *_ in beside]
    added = zip(*(column[1:] for column in beside), strict=True) if beside else [()] * len(rows)
    return (*columns, *titles), [(*row, *more) for row, more in zip(rows, added, strict=True)]


def _measured(cell: MeasuredCell, sized: bool) -> tuple[str, ...]:
    row = cell.summary
    return (
        row.pattern,
        f"{row.ranks:,}",
        format_size(row.size_bytes) if sized else MISSING,
        cell.name,
        measured_time(row),
        f"{row.blocks:,}",
        f"{row.samples:,}",
        row.algorithm,
        row.transport,
        row.buffers,
        row.cadence,
        row.origin,
        ", ".join(warning.code for warning in row.warnings),
    )


def _compared(
    reported: Reported, contrast: BaselineContrast, row: Comparison, sized: bool
) -> tuple[str, ...]:
    paired = "paired" if contrast.paired else "unpaired"
    return (
        row.pattern,
        f"{row.ranks:,}",
        format_size(row.size_bytes or 0) if sized else MISSING,
        reported.name_in(row.candidate, contrast),
        reported.name_in(row.baseline, contrast),
        MISSING if row.ratio is None else ratio_words(row, reported.threshold).value,
        judged(row, reported.threshold),
        f"{row.blocks:,}",
        paired if set(row.origins) == {Origin.MEASURED} else MISSING,
    )


def sortable(
    name: str, title: str, columns: Sequence[str], rows: Sequence[Sequence[Content]]
) -> Markup:
    """A table with a heading, which the page's script makes sortable and searchable.

    Args:
        name: Names the table to the script; the id is `table-NAME`.
        title: The heading.
        columns: Titles.
        rows: Cells, one for each column.
    """
    head = [
        element("th", element("button", column, type="button"), scope="col", aria_sort="none")
        for column in columns
    ]
    body = cell_rows(rows)
    return element(
        "section",
        element("h3", title),
        element(
            "p",
            element("label", f"Filter {name} rows ", element("input", type="search")),
            element("output", f"{len(body):,} rows"),
            class_="filter",
        ),
        scrolling(table_of(head, body), title, "scroll tall"),
        class_="sortable",
        id=f"table-{name}",
    )


def small_table(section: Section) -> Markup:
    """A section's table with its heading and notes; nothing where it has no table."""
    if section.table is None:
        return joined([])
    body = [
        element("tr", element("th", row[0], scope="row"), *(element("td", one) for one in row[1:]))
        for row in section.table.rows
    ]
    table = table_of(plain_titles(section.table.titles), body, "small")
    caption = element("figcaption", section.heading)
    notes = [element("p", note, class_="basis") for note in section.notes]
    return element("figure", caption, scrolling(table, section.heading), *notes)


def plain_titles(columns: Sequence[str]) -> list[Markup]:
    """The titles of columns that can't be sorted."""
    return [element("th", column, scope="col") for column in columns]


def cell_rows(rows: Sequence[Sequence[Content]]) -> list[Markup]:
    """Rows of cells, none of which is a title."""
    return [element("tr", *(element("td", markup) for markup in row)) for row in rows]


def table_of(head: Sequence[Markup], body: Sequence[Markup], class_: str | None = None) -> Markup:
    """A table of a line of titles and rows below it."""
    rows = element("thead", element("tr", *head)), element("tbody", *body)
    return element("table", *rows, class_=class_)


def scrolling(table: Markup, label: str, class_: str = "scroll") -> Markup:
    """`table` in a part that scrolls sideways, by keys too, where it is wider than the page."""
    return element("div", table, class_=class_, tabindex="0", role="region", aria_label=label)
