"""What Extra-P models, as tables: times by call path, parameters and repetition.

Extra-P takes any parameter and any metric. Here a parameter is a number of ranks or a size in
bytes, by its name, and a metric that is a time counts in seconds. The last part of a call path
serves as the pattern, what stands before it names the variant. Blocks of ours are more than the
repetitions of others (alternated, some launches each): of these the median is taken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import median_high, median_low

from leadline.record.foreign.table import (
    MOST_BYTES,
    MOST_RANKS,
    ForeignError,
    PrintedRow,
    PrintedTable,
    duration,
)
from leadline.record.terms import WhoseTime

RANKS = ("ranks", "p", "np", "nprocs", "processes")
SIZES = ("bytes", "size", "size_bytes", "m")
TIMES = ("time", "runtime", "seconds", "", "<default>")
"""Metrics that are taken for a time; the last two: it isn't named."""


@dataclass(frozen=True, slots=True)
class Point:
    """The repetitions of one metric of one call path where its parameters have these values."""

    line: int
    path: str
    """Parts with "->" between them; "": not named."""
    metric: str
    """"": not named."""
    parameters: Mapping[str, float]
    values: tuple[float, ...]
    """At least one."""


def check_parameters(names: Sequence[str], line: int) -> None:
    """ForeignError on `line` unless `names` are a number of ranks, a size, or one of each."""
    for name in names:
        if name.lower() not in RANKS + SIZES:
            raise ForeignError(
                line, f"parameter {name[:40]!r} is neither a number of ranks "
                f"({', '.join(RANKS)}) nor a size in bytes ({', '.join(SIZES)}); rename it, or "
                "leave it out where it is constant"
            )  # fmt: skip
    for kind, known in (("numbers of ranks", RANKS), ("sizes", SIZES)):
        both = [name for name in names if name.lower() in known]
        if len(both) > 1:
            raise ForeignError(line, f"{' and '.join(map(repr, both))} are both {kind}")


def tables_of(points: Sequence[Point], end: int) -> tuple[PrintedTable, ...]:
    """A table for each call path and number of ranks; ForeignError where no metric is a time."""
    if not points:
        raise ForeignError(end, "the text ends without a value")
    others = tuple(sorted({one.metric for one in points if not _is_time(one.metric)}))
    timed = [one for one in points if _is_time(one.metric)]
    if not timed:
        raise ForeignError(
            points[0].line, f"none of the metrics is a time: {', '.join(others)[:60]!r}; a time in "
            f"seconds is called {', '.join(filter(str.isalpha, TIMES))}"
        )  # fmt: skip
    named = sorted({one.metric for one in timed})
    if len(named) > 1:
        raise ForeignError(timed[0].line, f"{' and '.join(map(repr, named))} are both times")
    cells: dict[tuple[str, int | None], dict[int, list[Point]]] = {}
    for one in timed:
        for value in one.values:
            duration(value, one.line)
        ranks = _whole(one, RANKS, "number of ranks", 1, MOST_RANKS)
        size = _whole(one, SIZES, "size", 0, MOST_BYTES) or 0
        cells.setdefault((one.path, ranks), {}).setdefault(size, []).append(one)
    return tuple(_table(path, ranks, cells[path, ranks], others) for path, ranks in cells)


def _is_time(metric: str) -> bool:
    return metric.lower() in TIMES


def _whole(point: Point, names: Sequence[str], what: str, least: int, most: int) -> int | None:
    """The parameter of `point` that is one of `names`; None: it has none of them."""
    value = next((v for name, v in point.parameters.items() if name.lower() in names), None)
    if value is None:
        return None
    if not least <= value <= most or value != int(value):
        raise ForeignError(
            point.line, f"{value!r} is no {what}: whole numbers from {least} to {most:,} are"
        )
    return int(value)


def _table(
    path: str, ranks: int | None, cells: Mapping[int, Sequence[Point]], others: tuple[str, ...]
) -> PrintedTable:
    variant, _, pattern = path.rpartition("->")
    values = {size: [v for one in cell for v in one.values] for size, cell in cells.items()}
    return PrintedTable(
        benchmark=re.sub(r"[^\w:.=-]+", "_", pattern, flags=re.ASCII).strip("_") or "extrap",
        line=next(iter(cells.values()))[0].line,
        ranks=ranks,
        whose_time=WhoseTime.UNSTATED,
        rows=tuple(
            PrintedRow(cells[size][0].line, size, _median(values[size])) for size in sorted(cells)
        ),
        variant=variant or None,
        repetitions=max(map(len, values.values())),
        other_metrics=others,
    )


def _median(values: Sequence[float]) -> float:
    """Of an even number the geometric mean of the middle two, as the median of blocks is."""
    low, high = median_low(values), median_high(values)
    return low if low == high else sqrt(low) * sqrt(high)
