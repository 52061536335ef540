"""Tables of all numbers, which the page's script sorts and filters; complete without it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from leadline.compare.curves import Comparison
from leadline.compare.summaries import Summary
from leadline.report.page.markup import Markup, element, joined
from leadline.report.page.matrix import scrolling
from leadline.report.page.reported import Reported
from leadline.report.text.compared import judged
from leadline.report.text.phrases import measured_time
from leadline.units import format_size

MEASURED = ("pattern", "ranks", "size", "variant", "time", "blocks", "samples", "algorithm",
            "transport", "buffers", "cadence", "warnings")  # fmt: skip
COMPARED = ("pattern", "ranks", "size", "candidate", "baseline", "ratio", "verdict", "blocks",
            "paired")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cell:
    """A table's cell; `value` is what it is sorted by if that isn't its text."""

    text: str
    value: float | None = None


Row = tuple[Cell, ...]


def tables(reported: Reported) -> Markup:
    """What was measured, and all comparisons, if there are any."""
    compared = list(_compared(reported))
    parts = [_table("measured", "Everything measured", MEASURED, _measured(reported))]
    if compared:
        parts.append(_table("compared", "Every comparison", COMPARED, compared))
    return joined(parts)


def _measured(reported: Reported) -> Iterator[Row]:
    for i, one in enumerate(reported.measured):
        for row in one.rows:
            yield _measured_row(row, reported.name(row.variant, i))


def _measured_row(row: Summary, name: str) -> Row:
    return (
        Cell(row.pattern),
        _number(row.ranks),
        Cell(format_size(row.size_bytes), row.size_bytes),
        Cell(name),
        Cell(measured_time(row), row.median_s),
        _number(row.blocks),
        _number(row.samples),
        Cell(row.algorithm),
        Cell(row.transport),
        Cell(row.buffers),
        Cell(row.cadence),
        Cell(", ".join(caveat.code for caveat in row.warnings)),
    )


def _compared(reported: Reported) -> Iterator[Row]:
    """Two variants of a run once, though each is the baseline of the other in turn."""
    shown: set[tuple[int, str, str]] = set()
    for held in reported.contrasts.by_baseline:
        paired = "paired" if held.paired else "unpaired"
        told = [r for r in held.result.rows if (held.run, r.baseline, r.candidate) not in shown]
        shown |= {(held.run, row.candidate, row.baseline) for row in told}
        for row in told:
            names = [reported.held_name(name, held) for name in (row.candidate, row.baseline)]
            yield _compared_row(row, names, paired)


def _compared_row(row: Comparison, names: Sequence[str], paired: str) -> Row:
    size_bytes = row.size_bytes or 0
    return (
        Cell(row.pattern),
        _number(row.ranks),
        Cell(format_size(size_bytes), size_bytes),
        *map(Cell, names),
        Cell("-") if row.ratio is None else Cell(f"{row.ratio:.3f}", row.ratio),
        Cell(judged(row)),
        _number(row.blocks),
        Cell(paired),
    )


def _number(value: int) -> Cell:
    """What has no comma is sorted as a number by its text."""
    return Cell(f"{value:,}", value if value >= 1000 else None)


def _table(name: str, title: str, columns: Sequence[str], rows: Iterable[Row]) -> Markup:
    head = [
        element("th", element("button", column, type="button"), scope="col", aria_sort="none")
        for column in columns
    ]
    body = [element("tr", *map(_cell, row)) for row in rows]
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


def _cell(cell: Cell) -> Markup:
    value = None if cell.value is None else f"{cell.value:.9g}"
    return element("td", cell.text, data_value=value)
