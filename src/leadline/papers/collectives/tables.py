"""What the abstract prints, and what the paper derives, with this machine's figures first.

Then two figures: the aggregated bandwidth against PEs, with the points that the abstract prints,
and long operations. The abstract has none itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from leadline.models.forms import Scaling
from leadline.models.model import Model
from leadline.papers.catalogue import figure_of
from leadline.papers.collectives import ALL, PARAGON, SP2, T3D
from leadline.papers.collectives.forms import (
    EXCHANGED_BYTES,
    STEPS,
    WORK_S,
    byte_s,
    closed_forms,
    program_on,
    startup,
)
from leadline.papers.collectives.stages import (
    BARRIER,
    CALLS,
    COLLECTIVES,
    CROWDED,
    KINDS,
    LONG_BYTES,
    PAPERS_PES,
    SHORT_BYTES,
    TOTAL_EXCHANGE,
    CollectiveCall,
    place,
    sizes,
    time,
    variants,
    widest,
)
from leadline.papers.estimates import estimate
from leadline.papers.layout import (
    Column,
    LibraryColumn,
    StudyCurve,
    StudyFigure,
    StudyPoint,
    StudyTable,
    TableEntry,
    TableRow,
    published,
)
from leadline.papers.results import Results, UnmeasuredError
from leadline.papers.units import Unit
from leadline.statistics.estimate import Estimate

HERE, PAPERS, PAPERS_NODES = "here", "MPI", "64"
RATES = {T3D: "t3d", PARAGON: "paragon", SP2: "sp2"}
"""Systems, and their names in ids."""
T3DS_BARRIER = "collectives.barrier.t3d.time"
UNPRINTED = TableEntry(None)


def libraries(results: Results) -> list[LibraryColumn]:
    """All that were measured; where none was, whom the study would take first."""
    columns = list(map(LibraryColumn, variants(results)))
    return columns or [LibraryColumn(KINDS[0], results.lack(KINDS[0]))]


def tables(results: Results) -> tuple[StudyTable, ...]:
    """Barriers, operations short and long, closed forms, aggregated bandwidth, a program."""
    return (
        _barriers(results),
        _operations(results),
        _forms(results),
        _aggregated(results),
        _program(results),
    )


# -- times -----------------------------------------------------------------------------------------


def _barriers(results: Results) -> StudyTable:
    ours = []
    for library in libraries(results):
        for pes in _pes(results, library, CROWDED):
            (entry,) = _times(results, library, BARRIER, pes, 0)
            # the paper's is of its machines' PEs, if any number
            figures = (T3DS_BARRIER,) if str(pes) == PAPERS_NODES else ()
            beside = entry.put_beside(library.name, *figures)
            ours.append(TableRow((HERE, library.name, str(pes or "")), (beside,)))
    t3d = figure_of(T3DS_BARRIER).si
    slower = figure_of("collectives.barrier.others.ratio").si
    papers = (
        TableRow((T3D, PAPERS, ""), published(t3d)),
        TableRow((f"{SP2}, {PARAGON}, at least", PAPERS, ""), published(slower * t3d)),
    )
    return StudyTable(
        1,
        "Barriers",
        ("System", "Library", "PE's"),
        (Column("Time", Unit.MICROSECONDS),),
        (*ours, *papers),
        ("The T3D's is hardwired. On how many PEs theirs are the abstract doesn't say.",),
    )


def _operations(results: Results) -> StudyTable:
    ours = (
        TableRow(
            (HERE, library.name, call.name, str(pes or "")),
            _times(results, library, call, pes, SHORT_BYTES, LONG_BYTES),
        )
        for library in libraries(results)
        for call in CALLS
        if call.sized
        for pes in _pes(results, library)
    )
    papers = (
        TableRow(
            (ALL, PAPERS, what, PAPERS_NODES),
            (UNPRINTED, *published(figure_of(f"collectives.range.64.{end}").si)),
        )
        for what, end in (("the fastest", "least"), ("the slowest", "most"))
    )
    return StudyTable(
        2,
        "Operations, short and long",
        ("System", "Library", "Operation", "PE's"),
        (
            Column(f"{SHORT_BYTES} B", Unit.MICROSECONDS),
            Column(f"{LONG_BYTES:,} B", Unit.MICROSECONDS),
        ),
        (*ours, *papers),
        (
            "The size is what one PE has for each other one, or contributes. Of any of its "
            "operations and machines the paper prints the fastest and the slowest alone.",
        ),
    )


def _times(
    results: Results, library: LibraryColumn, call: CollectiveCall, pes: int, *sizes: int
) -> tuple[TableEntry, ...]:
    return tuple(
        library.entry(partial(time, results, call=call, pes=pes, size_bytes=size)) for size in sizes
    )


def _pes(results: Results, library: LibraryColumn, *besides: str) -> list[int]:
    """The numbers of PEs that a library has a line for; what is missing has one line, 0."""
    stages = (COLLECTIVES, *besides)
    numbers = [pes for stage in stages for pes in results.pes(stage)]
    return numbers if numbers and not library.lack else [0]


# -- closed forms ----------------------------------------------------------------------------------


def _forms(results: Results) -> StudyTable:
    columns = (
        Column("Start-up", Unit.MICROSECONDS),
        Column("A byte", Unit.NANOSECONDS),
        Column("off by", Unit.PERCENT),
    )
    rows = []
    for form in closed_forms(results):
        model = form.model
        if model is None:
            lacking = (TableEntry(None, why=form.why),) * 3
            rows.append(TableRow((form.variant, form.call.name, "", "", ""), lacking))
            continue
        shapes = _grows(model, model.form.startup), _grows(model, model.form.per_byte)
        off = TableEntry(Estimate(model.held_out.median_error) if model.held_out else None)
        for pes in dict.fromkeys((model.ranks[0], model.ranks[-1])):
            start = TableEntry(startup(model, pes))
            each = TableEntry(byte_s(model, pes) if model.form.per_byte else None)
            labels = (form.variant, form.call.name, *shapes, str(pes))
            rows.append(TableRow(labels, (start, each, off)))
    return StudyTable(
        3,
        "Closed forms T(m, p) = t0(p) + D(p) m",
        ("Library", "Operation", "t0 ~", "D ~", "PE's"),
        columns,
        tuple(rows),
        (
            "Start-up t0: of the shortest messages' piece. A byte, D: of the longest's. Off by: "
            "the median at sizes and numbers of PEs that were left out of the fit.",
            "The paper's own forms aren't in its abstract.",
        ),
    )


def _grows(model: Model, scaling: Scaling | None) -> str:
    """How a part of the form grows with the PEs; of one number of them nobody knows."""
    return str(scaling) if scaling and len(model.ranks) > 1 else ""


def _aggregated(results: Results) -> StudyTable:
    ours = []
    for form in (form for form in closed_forms(results) if form.call == TOTAL_EXCHANGE):
        for limit in form.limits:
            pes = str(limit.ranks)
            figures = map(_alltoall, RATES.values()) if pes == PAPERS_NODES else ()
            rate = TableEntry(limit.bytes_per_s).put_beside(form.variant, *figures)
            half = TableEntry(limit.half_bytes)
            ours.append(TableRow((HERE, form.variant, pes), (rate, half)))
        if not form.limits:
            pes = ", ".join(map(str, form.model.ranks)) if form.model else ""
            lacking = (TableEntry(None, why=form.no_limit),) * 2
            ours.append(TableRow((HERE, form.variant, pes), lacking))
    papers = (
        TableRow(
            (system, PAPERS, PAPERS_NODES),
            (*published(figure_of(_alltoall(name)).si), UNPRINTED),
        )
        for system, name in RATES.items()
    )
    return StudyTable(
        4,
        "Aggregated bandwidth of the total exchange",
        ("System", "Library", "PE's"),
        (Column("R_inf", Unit.GIGABYTES_PER_SECOND), Column("half of it from", Unit.BYTES)),
        (*ours, *papers),
        (
            "R_inf: what all PEs deliver together in the limit of long messages, m p (p - 1) over "
            "D m. A GB is 10^9 bytes; which one the paper means it doesn't say.",
        ),
    )


def _alltoall(name: str) -> str:
    """The id of the figure of the system that ids call `name`."""
    return f"collectives.total-exchange.{name}.{PAPERS_NODES}"


# -- a program -------------------------------------------------------------------------------------


def _program(results: Results) -> StudyTable:
    rows = []
    for form in (form for form in closed_forms(results) if form.call == TOTAL_EXCHANGE):
        try:
            predicted = program_on(form).rows
        except UnmeasuredError as lack:
            lacking = (TableEntry(None, why=str(lack)),) * 4
            rows.append(TableRow((form.variant, "", ""), lacking))
            continue
        for row in predicted:
            labels = (form.variant, str(row.ranks), "goes beyond" if row.extrapolated else "fits")
            times = (Estimate(row.compute_s), row.communicate_s, row.seconds, row.speed_up)
            rows.append(TableRow(labels, tuple(map(TableEntry, times))))
    columns = (
        Column("Computes", Unit.MILLISECONDS),
        Column("Communicates", Unit.MILLISECONDS),
        Column("Takes", Unit.MILLISECONDS),
        Column("Speed-up", Unit.FACTOR),
    )
    return StudyTable(
        5,
        "Computation divided, communication added",
        ("Library", "PE's", "the form"),
        columns,
        tuple(rows),
        (
            f"Computed: {WORK_S:g} s of computation divided among the PEs, and {STEPS:,} total "
            f"exchanges in which {EXCHANGED_BYTES // 1024} KiB are turned over, each PE sending "
            "each other one its share.",
        ),
    )


# -- figures ---------------------------------------------------------------------------------------


def figures(results: Results) -> tuple[StudyFigure, ...]:
    """The total exchange: R_inf against PEs, and its time against the size."""
    return (
        StudyFigure(
            "1-aggregated",
            "The total exchange's aggregated bandwidth against PEs",
            "aggregated bandwidth",
            Unit.GIGABYTES_PER_SECOND,
            tuple(_rate_curves(results)),
            logarithmic=True,
            against_pes=True,
        ),
        StudyFigure(
            "2-total-exchange",
            "The total exchange against message size, on the most PEs with a core each",
            "time",
            Unit.MICROSECONDS,
            tuple(_time_curves(results)),
            logarithmic=True,
        ),
    )


def _rate_curves(results: Results) -> Iterator[StudyCurve]:
    """The libraries' that have a point, then the paper's points."""
    for variant in variants(results):
        points = tuple(
            StudyPoint(aggregate.ranks, aggregate.bytes_per_s)
            for form in closed_forms(results)
            if (form.call, form.variant) == (TOTAL_EXCHANGE, variant)
            for aggregate in form.limits
        )
        if points:
            yield StudyCurve(variant, variant, "here", points)
    for system, name in RATES.items():
        point = StudyPoint(PAPERS_PES, Estimate(figure_of(_alltoall(name)).si))
        yield StudyCurve(f"{system} (the paper)", system, "the paper", (point,), published=True)


def _time_curves(results: Results) -> Iterator[StudyCurve]:
    try:
        pes = widest(results)
    except UnmeasuredError:
        return
    for variant in variants(results):
        at = {size: place(variant, TOTAL_EXCHANGE, pes, size) for size in sizes(results)}
        points = tuple(
            StudyPoint(size, estimate(results.times[where]))
            for size, where in at.items()
            if where in results.times
        )
        if points:
            yield StudyCurve(variant, variant, "here", points)
