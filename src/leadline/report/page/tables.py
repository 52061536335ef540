"""Tables of all numbers, which the page's script sorts and filters; complete without it.

What their rows are sorted by, where that isn't their text, is with the charts (`columns`).
"""

from __future__ import annotations

from collections.abc import Sequence

from leadline.compare.baselines import BaselineContrast
from leadline.compare.circumstances import Circumstances
from leadline.compare.curves import Comparison
from leadline.record.run import Origin
from leadline.report.page.markup import Content, Markup, element, joined
from leadline.report.page.matrix import scrolling
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
    """What was measured, and all comparisons, if there are any."""
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
    """With how busy a link was and how long ranks waited, where they outnumber cores anywhere."""
    beside = [*_communication(circumstances), *crowd_columns(circumstances)]
    titles = [title.replace("\n", " ") for title, *_ in beside]
    texts = zip(*(column[1:] for column in beside), strict=True) if beside else [()] * len(rows)
    return (
        (*columns, *titles),
        [(*row, *more) for row, more in zip(rows, texts, strict=True)],
    )


def _communication(circumstances: Sequence[Sequence[Circumstances]]) -> list[tuple[str, ...]]:
    """What applications have beside: a row's share, or both sides' of a comparison."""
    if not any_known(circumstances):
        return []
    texts = (
        shares_of(row[0]) if len(row) == 1 else shares_against((row[0], row[1]))
        for row in circumstances
    )
    return [(COMMUNICATION, *texts)]


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
        ", ".join(caveat.code for caveat in row.warnings),
    )


def _compared(
    reported: Reported, contrast: BaselineContrast, row: Comparison, sized: bool
) -> tuple[str, ...]:
    return (
        row.pattern,
        f"{row.ranks:,}",
        format_size(row.size_bytes or 0) if sized else MISSING,
        reported.name_in(row.candidate, contrast),
        reported.name_in(row.baseline, contrast),
        MISSING if row.ratio is None else ratio_words(row, reported.threshold).value,
        judged(row, reported.threshold),
        f"{row.blocks:,}",
        _how(contrast, row),
    )


def _how(contrast: BaselineContrast, row: Comparison) -> str:
    if set(row.origins) != {Origin.MEASURED}:
        return MISSING
    return "paired" if contrast.paired else "unpaired"


def sortable(
    name: str, title: str, columns: Sequence[str], rows: Sequence[Sequence[Content]]
) -> Markup:
    """A table with a heading, which the page's script makes sortable and searchable."""
    head = [
        element("th", element("button", column, type="button"), scope="col", aria_sort="none")
        for column in columns
    ]
    body = [element("tr", *(element("td", one) for one in row)) for row in rows]
    return element(
        "section",
        element("h3", title),
        element(
            "p",
            element("label", f"Filter {name} rows ", element("input", type="search")),
            element("output", f"{len(body):,} rows"),
            class_="filter",
        ),
        scrolling(
            element("table", element("thead", element("tr", *head)), element("tbody", *body)),
            title,
            "scroll tall",
        ),
        class_="sortable",
        id=f"table-{name}",
    )
