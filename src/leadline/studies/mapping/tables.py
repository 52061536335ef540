"""The paper's tables, and what its text says of its figures, with this machine's values beside."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial

from leadline.record.run import GridPlacement
from leadline.statistics.estimate import Estimate
from leadline.studies.estimates import Quantity
from leadline.studies.mapping.stages import (
    ALONE,
    HALO,
    HOSTS,
    LINK,
    NEIGHBOURS,
    OPEN,
    PAIR,
    PERIODIC,
    PES,
    TWO_STEPS,
)
from leadline.studies.mapping.times import in_order, libraries, reordered, sizes, uncongested
from leadline.studies.published import t3e_mapping
from leadline.studies.published.t3e_mapping import EXCHANGES, MACHINE, REPETITIONS, TABLE_1
from leadline.studies.results import Results
from leadline.studies.tables import Column, StudyTable, TableEntry, TableRow, measured, published
from leadline.studies.units import Unit

ORDERS = ("without\nreordering", "with\nreordering")
SENT = {PAIR: 1, HALO: 4}
"""Messages that a PE with all neighbours sends."""
EXCHANGED = dict(zip((OPEN, PERIODIC, TWO_STEPS), EXCHANGES, strict=True))


def tables(results: Results) -> tuple[StudyTable, ...]:
    """Hops as in table 1, exchanges as in 2 and 3, then the text's rates."""
    return _hops(results), _exchanges(results), _rates(results)


def _columns(unit: Unit) -> tuple[Column, ...]:
    return tuple(Column(title, unit) for title in ORDERS)


# -- hops ------------------------------------------------------------------------------------------


def _hops(results: Results) -> StudyTable:
    papers = (
        TableRow((MACHINE, f"{row.grid} grid"), published(row.without, row.reordered))
        for row in TABLE_1
    )
    return StudyTable(
        1,
        "Average number of hops that a message travels",
        ("System", "Neighbours of"),
        _columns(Unit.HOPS),
        (*papers, *_own_hops(results)),
        (
            f"Here {HOSTS} hosts at a switch, {PES // HOSTS} PEs each: two hops between hosts, "
            "none inside. Both computed, as `leadline map` does.",
            "The paper's own rule computes its table: `leadline map --grid 8x4x2 --machine "
            "torus:8x8x8 --allocation t3e:64 --method sort`; docs/benchmarks.md says how far.",
        ),
    )


def _own_hops(results: Results) -> Iterator[TableRow]:
    """Of the first library's mapped variant: all are laid alike."""
    for one in _placements(results):
        values = (TableEntry(Estimate(hops)) for hops in (one.before, one.after))
        yield TableRow(("here", one.pattern), tuple(values))


def _placements(results: Results) -> tuple[GridPlacement, ...]:
    run = results.runs.get(NEIGHBOURS)
    laid = (one.placement for one in run.configurations if one.placement) if run else ()
    return next(iter(laid), ())


# -- times -----------------------------------------------------------------------------------------


def _exchanges(results: Results) -> StudyTable:
    papers = (
        TableRow(
            (MACHINE, row.what, f"{t3e_mapping.EXCHANGED_BYTES:,}"),
            published(row.without_s / REPETITIONS, row.reordered_s / REPETITIONS),
        )
        for row in EXCHANGES
    )
    here = (
        TableRow((variant, there.what, f"{size:,}"), _both(results, variant, pattern, size))
        for variant in libraries(results)
        for pattern, there in EXCHANGED.items()
        for size in sizes(results)
    )
    return StudyTable(
        2,
        "An exchange with both neighbours along the first axis (tables 2 and 3)",
        ("System", "Exchange", "Size (B)"),
        _columns(Unit.MILLISECONDS),
        (*papers, *here),
        (
            f"The paper's times are of {REPETITIONS} exchanges on 8x4x1 PEs; here one on 8x2, over "
            f"links of {LINK}: compare the two columns, not the systems.",
        ),
    )


def _both(results: Results, variant: str, pattern: str, size: int) -> tuple[TableEntry, ...]:
    return tuple(
        measured(partial(time, results, variant, pattern, size)) for time in (in_order, reordered)
    )


# -- rates -----------------------------------------------------------------------------------------


def _rates(results: Results) -> StudyTable:
    return StudyTable(
        3,
        "What a PE with all neighbours sends while all do the same (figures 4 to 7)",
        ("System", "Pattern", "Size (B)"),
        _columns(Unit.MEGABYTES_PER_SECOND),
        (*_papers_rates(), *_own_rates(results)),
        ("The paper's figures are those of its text, the highest or, of the halo, at 128 PEs.",),
    )


def _papers_rates() -> Iterator[TableRow]:
    for row in t3e_mapping.RATES:
        (without,) = published(row.without_bytes_per_s)
        lack = TableEntry(None, why=f"the paper doesn't say it of a {row.what}")
        reordered_rate = row.reordered_bytes_per_s
        entry = lack if reordered_rate is None else published(reordered_rate)[0]
        yield TableRow((MACHINE, row.what, "large"), (without, entry))


def _own_rates(results: Results) -> Iterator[TableRow]:
    for variant in libraries(results):
        for size in sizes(results):
            alone = measured(_sent(partial(uncongested, results, variant, size), size))
            lack = TableEntry(None, why="two PEs on a host each: nothing to reorder")
            yield TableRow((variant, f"pair of {ALONE} PEs", f"{size:,}"), (alone, lack))
            for pattern, messages in SENT.items():
                times = (
                    partial(time, results, variant, pattern, size) for time in (in_order, reordered)
                )
                entries = (measured(_sent(time, messages * size)) for time in times)
                yield TableRow((variant, f"{pattern}, {PES} PEs", f"{size:,}"), tuple(entries))


def _sent(time: Callable[[], Quantity], sent_bytes: int) -> Callable[[], Quantity]:
    """The rate of so many bytes in that time."""

    def rate() -> Quantity:
        found = time()
        return Quantity(found.run, math.log(sent_bytes) - found.logs, found.crowded)

    return rate
