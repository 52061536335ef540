"""The paper's tables, and what its text says of its figures, with this machine's values beside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from leadline.compare.circumstances import LINK_BOUND_SHARE
from leadline.statistics.estimate import Estimate
from leadline.studies.estimates import Quantity
from leadline.studies.mapping.hops import hops
from leadline.studies.mapping.stages import (
    ALONE,
    HALO,
    NEIGHBOURS,
    OPEN,
    PAIR,
    PERIODIC,
    PES,
    TWO_STEPS,
)
from leadline.studies.mapping.times import (
    hosts_in_words,
    in_order,
    libraries,
    rate,
    reordered,
    sizes,
    uncongested,
)
from leadline.studies.published import t3e_mapping
from leadline.studies.published.t3e_mapping import EXCHANGES, MACHINE, REPETITIONS
from leadline.studies.results import Results, UnmeasuredError
from leadline.studies.tables import Column, StudyTable, TableEntry, TableRow, measured, published
from leadline.studies.units import Unit

ORDERS = ("without\nreordering", "with\nreordering")
SENT = {PAIR: 1, HALO: 4}
"""Messages that a PE with all neighbours sends."""
NOT_REORDERED = TableEntry(None, why="two PEs on a host each: nothing to reorder")
EXCHANGED = dict(zip((OPEN, PERIODIC, TWO_STEPS), EXCHANGES, strict=True))


def tables(results: Results) -> tuple[StudyTable, ...]:
    """Hops as in table 1, exchanges as in 2 and 3, the text's rates, and what links carried."""
    return hops(results), _exchanges(results), _rates(results), _use(results)


def _columns(unit: Unit) -> tuple[Column, ...]:
    return tuple(Column(title, unit) for title in ORDERS)


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
    run = results.runs.get(NEIGHBOURS)
    ours = f"; here one on 8x2, {hosts_in_words(run)}" if run else ""
    return StudyTable(
        2,
        "An exchange with both neighbours along the first axis (tables 2 and 3)",
        ("System", "Exchange", "Size (B)"),
        _columns(Unit.MILLISECONDS),
        (*papers, *here),
        (
            f"The paper's times are those of {REPETITIONS} exchanges over {REPETITIONS}, on 8x4x1 "
            f"PEs{ours}: compare the two columns, not the systems.",
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
            yield TableRow((variant, f"pair of {ALONE} PEs", f"{size:,}"), (alone, NOT_REORDERED))
            for pattern, messages in SENT.items():
                times = (
                    partial(time, results, variant, pattern, size) for time in (in_order, reordered)
                )
                entries = (measured(_sent(time, messages * size)) for time in times)
                yield TableRow((variant, f"{pattern}, {PES} PEs", f"{size:,}"), tuple(entries))


def _sent(time: Callable[[], Quantity], sent_bytes: int) -> Callable[[], Quantity]:
    """The rate of so many bytes in that time."""
    return lambda: rate(time(), sent_bytes)


# -- links -----------------------------------------------------------------------------------------


def _use(results: Results) -> StudyTable:
    return StudyTable(
        4,
        "What the busiest link carried of its rate",
        ("System", "Pattern", "Size (B)"),
        _columns(Unit.PERCENT),
        tuple(_used(results)),
        (
            f"Of more PEs than cores a time counts where it was {100 * LINK_BOUND_SHARE:.0f} % or "
            "more: then a link was what all waited for.",
        ),
    )


def _used(results: Results) -> Iterator[TableRow]:
    for variant in libraries(results):
        for size in sizes(results):
            alone = _carried(partial(uncongested, results, variant, size))
            yield TableRow((variant, f"pair of {ALONE} PEs", f"{size:,}"), (alone, NOT_REORDERED))
            for pattern in (PAIR, *EXCHANGED, HALO):
                entries = (
                    _carried(partial(time, results, variant, pattern, size))
                    for time in (in_order, reordered)
                )
                yield TableRow((variant, pattern, f"{size:,}"), tuple(entries))


def _carried(time: Callable[[], Quantity]) -> TableEntry:
    try:
        found = time()
    except UnmeasuredError as lack:
        return TableEntry(None, why=str(lack))
    if found.link_share is None:
        return TableEntry(None, why="what links carried isn't known")
    return TableEntry(Estimate(found.link_share), crowded=found.crowded)
