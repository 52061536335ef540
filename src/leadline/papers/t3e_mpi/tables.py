"""The paper's numbers, which are in its text, as tables, and its five figures, ours first.

Its figures' axes are linear; these are logarithmic, since the T3E's values are beside those of
machines ten times as fast, and its 128 PEs beside few. PEs that share cores are in the tables
alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from leadline.papers.estimates import Quantity, estimate
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
from leadline.papers.t3e_mpi import KEY, LIBRARIES, ZIB
from leadline.papers.t3e_mpi.stages import (
    BCAST,
    COLLECTIVE_BYTES,
    ISEND,
    MEGABYTE,
    MESSAGES,
    MODES,
    QUICK_SIZES,
    REDUCE,
    STANDING_FOR,
    MessageMode,
    bandwidth,
    bandwidths,
    counted,
    intercept_of,
    lacking,
    latency,
    looped,
    looped_pes,
    peak,
    printed,
    received,
    single,
    stands_for,
    variants,
)
from leadline.papers.units import Unit
from leadline.statistics.estimate import Estimate

HERE = "here"
PAPERS_PES = "128"
UNPRINTED = TableEntry(None)


def libraries(results: Results) -> list[LibraryColumn]:
    """All that were measured, and whom the paper compares and nobody stands for."""
    return [
        *map(LibraryColumn, variants(results)),
        *(LibraryColumn(name, why) for name, why in lacking(results)),
    ]


def tables(results: Results) -> tuple[StudyTable, ...]:
    """Messages in three modes, their bandwidth by size, broadcasts, reductions."""
    return _modes(results), _by_size(results), _broadcasts(results), _reductions(results)


# -- messages --------------------------------------------------------------------------------------


SAID = {
    mode: ("latency.least" if mode is ISEND else "latency", "intercept", "bandwidth")
    for mode in MODES
}
"""The last words of figures' ids; of MPI_Isend's latencies the paper has a least and a most."""


def _modes(results: Results) -> StudyTable:
    columns = (
        Column("Latency", Unit.MICROSECONDS),
        Column("Intercept", Unit.MICROSECONDS),
        Column("Bandwidth", Unit.MEGABYTES_PER_SECOND),
        Column("at", Unit.BYTES),
    )
    ours = (_mode(results, library, mode) for mode in MODES for library in libraries(results))
    papers = (
        TableRow(
            (ZIB, LIBRARIES[library], mode.name),
            (
                *published(*(printed(mode.id, library, what) for what in SAID[mode])),
                UNPRINTED,
            ),
        )
        for mode in MODES
        for library in LIBRARIES
    )
    least, most = (
        [1e6 * printed(ISEND.id, library, "latency", end) for library in LIBRARIES]
        for end in ("least", "most")
    )
    return StudyTable(
        1,
        "Messages between two PEs, in three modes (s5.1)",
        ("System", "Library", "Call"),
        columns,
        (*ours, *papers),
        (
            "Latency: half the round trip of an empty message. Intercept: the constant of the line "
            "through 1 to 2 MB. Bandwidth: the highest of any size that has an interval; a MB is "
            "10^6 bytes.",
            f"The paper's empty MPI_Isend took {least[0]:g} to {most[0]:g} us over MPICH and "
            f"{least[1]:g} to {most[1]:g} over Cray MPI; the least is shown.",
        ),
    )


def _mode(results: Results, library: LibraryColumn, mode: MessageMode) -> TableRow:
    best = 0

    def rate(variant: str) -> Quantity:
        nonlocal best
        best, quantity = peak(results, variant, mode)
        return quantity

    latency_s = library.entry(lambda variant: latency(results, variant, mode))
    intercept_s = library.entry(lambda variant: intercept_of(results, variant, mode))
    highest = library.entry(rate)
    at = replace(highest, estimate=Estimate(best) if best else None)
    measured = (latency_s, intercept_s, highest)
    figures = (f"{mode.id}.{{}}.{what}" for what in SAID[mode])
    entries = _beside(results, library, measured, figures)
    return TableRow((HERE, library.name, mode.name), (*entries, at))


def _beside(
    results: Results,
    library: LibraryColumn,
    entries: Iterable[TableEntry],
    figures: Iterable[str],
) -> Iterator[TableEntry]:
    """Each beside the figure whose id has the paper's library in its gap, "{}", if it has one."""
    papers_library = stands_for(results, library.name)
    for entry, figure in zip(entries, figures, strict=False):
        ids = (f"{KEY}.{figure.format(papers_library)}",) if papers_library else ()
        yield entry.put_beside(library.name, *ids)


def _by_size(results: Results) -> StudyTable:
    run = results.runs.get(MESSAGES)
    sizes = sorted({cell.size_bytes for cell in run.cells}) if run else QUICK_SIZES
    columns = libraries(results)
    rows = (
        TableRow(
            (mode.name, f"{size:,}"),
            tuple(
                column.entry(partial(bandwidth, results, mode=mode, size_bytes=size))
                for column in columns
            ),
        )
        for mode in MODES
        for size in sizes
        if size
    )
    return StudyTable(
        2,
        "Bandwidth by size (figures 1 to 3)",
        ("Call", "Size (B)"),
        tuple(Column(column.name, Unit.MEGABYTES_PER_SECOND) for column in columns),
        tuple(rows),
        ("The paper's figures are drawings; what its text says of them is in table 1.",),
    )


# -- broadcasts and reductions ---------------------------------------------------------------------


def _broadcasts(results: Results) -> StudyTable:
    columns = (
        Column("Looped", Unit.MICROSECONDS),
        Column("Alone", Unit.MICROSECONDS),
        Column("A receiver", Unit.MEBIBYTES_PER_SECOND),
        Column("Accumulated", Unit.MEBIBYTES_PER_SECOND),
    )
    papers = (
        TableRow(
            (ZIB, LIBRARIES[library], PAPERS_PES),
            (
                *_papers_time(BCAST, library),
                *published(
                    *(printed(BCAST, library, PAPERS_PES, s) for s in ("bandwidth", "accumulated"))
                ),
            ),
        )
        for library in LIBRARIES
    )
    return StudyTable(
        3,
        f"MPI_Bcast of {COLLECTIVE_BYTES:,} B (figure 4)",
        ("System", "Library", "PE's"),
        columns,
        (*_collective(results, BCAST), *papers),
        (
            "Looped: a call on the slowest PE; the paper's is the last end minus the root's "
            "start, over the calls. Alone: one at a time, the last end minus the common start.",
            "Accumulated, as in the paper: what all receivers get together, from the time in a "
            "loop; its MByte is 2^20 bytes here.",
        ),
    )


def _reductions(results: Results) -> StudyTable:
    papers = (
        TableRow((ZIB, LIBRARIES[library], PAPERS_PES), _papers_time(REDUCE, library))
        for library in LIBRARIES
    )
    return StudyTable(
        4,
        f"MPI_Reduce of {COLLECTIVE_BYTES // 8} numbers, sums (figure 5)",
        ("System", "Library", "PE's"),
        (Column("Looped", Unit.MICROSECONDS), Column("Alone", Unit.MICROSECONDS)),
        (*_collective(results, REDUCE), *papers),
        (),
    )


def _papers_time(pattern: str, library: str) -> tuple[TableEntry, ...]:
    return (*published(printed(pattern, library, PAPERS_PES, "time")), UNPRINTED)


def _collective(results: Results, pattern: str) -> Iterator[TableRow]:
    for library in libraries(results):
        for pes in [0] if library.lack else looped_pes(results) or [0]:
            times = [
                library.entry(partial(time, results, pattern=pattern, pes=pes))
                for time in (looped, single)
            ]
            if pattern == BCAST:
                times += [
                    library.entry(partial(_received, results, receivers, pes))
                    for receivers in (1, pes - 1)
                ]
            if str(pes) == PAPERS_PES:  # of calls one at a time it measured nothing
                looped_s, single_s, *rates = times
                columns = ("time", "bandwidth", "accumulated")
                figures = (f"{pattern}.{{}}.{PAPERS_PES}.{what}" for what in columns)
                first, *others = _beside(results, library, (looped_s, *rates), figures)
                times = [first, single_s, *others]
            yield TableRow((HERE, library.name, str(pes or "")), tuple(times))


def _received(results: Results, receivers: int, pes: int, variant: str) -> Quantity:
    return received(looped(results, variant, BCAST, pes), receivers)


# -- figures ---------------------------------------------------------------------------------------


VariantPoints = Callable[[str], Iterable[StudyPoint]]
"""The points of a variant."""


def figures(results: Results) -> tuple[StudyFigure, ...]:
    """Figures 1 to 5."""
    modes = (
        StudyFigure(
            f"{mode.figure}-{mode.id}",
            f"{mode.name}'s bandwidth against message size",
            "bandwidth",
            Unit.MEGABYTES_PER_SECOND,
            (
                *_curves(results, partial(_points_by_size, results, mode)),
                *_printed(results, MEGABYTE, f"{mode.id}.{{}}.bandwidth"),
            ),
            logarithmic=True,
        )
        for mode in MODES
    )
    collectives = (
        StudyFigure(
            f"{number}-{pattern}",
            f"{name}'s time in a loop against PEs",
            "time",
            Unit.MICROSECONDS,
            (
                *_curves(results, partial(_by_pes, results, pattern)),
                *_printed(results, int(PAPERS_PES), f"{pattern}.{{}}.{PAPERS_PES}.time"),
            ),
            logarithmic=True,
            against_pes=True,
        )
        for number, name, pattern in ((4, "MPI_Bcast", BCAST), (5, "MPI_Reduce", REDUCE))
    )
    return (*modes, *collectives)


def _curves(results: Results, points: VariantPoints) -> Iterator[StudyCurve]:
    """Curves of the libraries that have a point."""
    for variant in variants(results):
        of_variant = tuple(points(variant))
        if of_variant:
            yield StudyCurve(variant, variant, "here", of_variant)


def _points_by_size(results: Results, mode: MessageMode, variant: str) -> Iterator[StudyPoint]:
    try:
        by_size = bandwidths(results, variant, mode)
    except UnmeasuredError:
        return
    for size, rate in by_size.items():
        if not rate.crowded:
            yield StudyPoint(size, estimate(rate))


def _by_pes(results: Results, pattern: str, variant: str) -> Iterator[StudyPoint]:
    for pes in looped_pes(results):
        try:
            yield StudyPoint(pes, estimate(counted(results, variant, pattern, pes)))
        except UnmeasuredError:
            continue


def _printed(results: Results, at: int, figure: str) -> Iterator[StudyCurve]:
    """A point of each of the paper's libraries, in the colour of who stands for it here.

    `figure`: the words of its id, with a gap, "{}", for the library.
    """
    for library, variant_of in STANDING_FOR.items():
        try:
            colour = variant_of(results)
        except UnmeasuredError:
            colour = library
        point = StudyPoint(at, Estimate(printed(figure.format(library))))
        name = f"{LIBRARIES[library]}, T3E (the paper)"
        yield StudyCurve(name, colour, "the paper", (point,), published=True)
