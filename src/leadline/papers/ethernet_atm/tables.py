"""What the paper drew, as tables and as its four figures: each with its small sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from leadline.papers.estimates import Quantity, estimate
from leadline.papers.ethernet_atm import KEY
from leadline.papers.ethernet_atm import printed as ethernet_atm
from leadline.papers.ethernet_atm.printed import LARGEST_BYTES, SMALL_BYTES
from leadline.papers.ethernet_atm.stages import (
    EMULATED,
    MESSAGE_BYTES,
    QUICK_SIZES,
    BySize,
    EmulatedNetwork,
    bandwidth,
    lacking,
    leads,
    link_of,
    payload_bytes_per_s,
    peak,
    place,
    round_trip,
    sizes,
    variants,
)
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
from leadline.papers.results import Results, UnmeasuredError, kind_of
from leadline.papers.units import Unit
from leadline.statistics.estimate import Estimate

HERE, THERE = "here", "the paper"
UNPRINTED = TableEntry(None)


def libraries(results: Results) -> list[LibraryColumn]:
    """All that were measured, and those that the study lacks."""
    return [
        *map(LibraryColumn, variants(results)),
        *(LibraryColumn(name, why) for name, why in lacking(results)),
    ]


def tables(results: Results) -> tuple[StudyTable, ...]:
    """Bandwidths as in figures 1 and 2, round trips as in 3 and 4, then what the text has."""
    bandwidths = _by_size(
        results,
        1,
        "Bandwidth (figures 1 and 2)",
        Unit.MEGABITS_PER_SECOND,
        bandwidth,
        1,
        "Bandwidth: twice the message over its round trip, as the paper has it.",
    )
    round_trips = _by_size(
        results,
        2,
        "Round trip (figures 3 and 4)",
        Unit.MILLISECONDS,
        round_trip,
        0,
        "pvm goes by its daemons, as the paper's did, pvm-direct past them.",
    )
    return bandwidths, round_trips, _peaks(results), _crossovers(results)


def _by_size(
    results: Results,
    number: int,
    title: str,
    unit: Unit,
    quantity: BySize,
    least_bytes: int,
    note: str,
) -> StudyTable:
    columns = libraries(results)
    rows = (
        TableRow(
            (network.name, str(size)),
            tuple(
                column.entry(_of_variant(quantity, results, network, size)) for column in columns
            ),
        )
        for network in EMULATED
        for size in sizes(results, network) or QUICK_SIZES[-1:]
        if size >= least_bytes
    )
    return StudyTable(
        number,
        title,
        ("Network", "Size (B)"),
        tuple(Column(column.name, unit) for column in columns),
        tuple(rows),
        (note,),
    )


def _of_variant(
    quantity: BySize, results: Results, network: EmulatedNetwork, size: int
) -> Callable[[str], Quantity]:
    return lambda variant: quantity(results, network, variant, size)


# -- peaks -----------------------------------------------------------------------------------------


def _peaks(results: Results) -> StudyTable:
    columns = (
        Column("Peak", Unit.MEGABITS_PER_SECOND),
        Column("of rated", Unit.PERCENT),
        Column("of TCP's\nmost", Unit.PERCENT),
        Column("at", Unit.BYTES),
    )
    ours = (
        _peak(results, network, library) for network in EMULATED for library in libraries(results)
    )
    peaks = (
        TableRow(
            (THERE, peak.network, peak.library),
            (
                *published(peak.bandwidth_bytes_per_s, peak.of_rated),
                UNPRINTED,
                published(peak.size_bytes)[0] if peak.size_bytes else UNPRINTED,
            ),
        )
        for peak in ethernet_atm.PEAKS
    )
    transfers = (
        TableRow(
            (THERE, ethernet_atm.ATM, transfer.program),
            (*published(transfer.bandwidth_bytes_per_s, transfer.of_rated), UNPRINTED, UNPRINTED),
        )
        for transfer in ethernet_atm.TRANSFERS
    )
    return StudyTable(
        3,
        f"Peaks up to {ethernet_atm.LARGEST_BYTES:,} B",
        ("System", "Network", "Library"),
        columns,
        (*ours, *peaks, *transfers),
        (
            "Rated: 10 and 155 Mbit/s. TCP's most: what its full segments carry over the emulated "
            f"links, {_most(0)} and {_most(1)} Mbit/s.",
            'The paper\'s peaks are "nearly" 8, "about" 19 and "only" 6 Mbps.',
        ),
    )


def _most(number: int) -> str:
    return f"{8e-6 * payload_bytes_per_s(link_of(EMULATED[number].name)):.4g}"


PRINTED_PEAKS = {
    (ethernet_atm.ETHERNET, "mpich"): "peak.ethernet.mpich",
    (ethernet_atm.ATM, "mpich"): "peak.atm.mpich",
    (ethernet_atm.ETHERNET, "pvm"): "peak.pvm",
    (ethernet_atm.ATM, "pvm"): "peak.pvm",
}
"""By network and kind of library: words of the figure's id."""


def _peak(results: Results, network: EmulatedNetwork, library: LibraryColumn) -> TableRow:
    best = 0

    def highest(variant: str) -> Quantity:
        nonlocal best
        best, quantity = peak(results, network, variant)
        return quantity

    entry = library.entry(highest)
    whole_rated = ethernet_atm.RATED_BYTES_PER_S[network.name]
    wholes = whole_rated, payload_bytes_per_s(link_of(network.name))
    rated, most = (
        replace(entry, estimate=entry.estimate.scaled(1 / whole) if entry.estimate else None)
        for whole in wholes
    )
    at = replace(entry, estimate=Estimate(best) if best else None)
    of = network.name, kind_of(library.name)
    of_peak = (f"{KEY}.{PRINTED_PEAKS[of]}",) if of in PRINTED_PEAKS else ()
    of_share = (f"{KEY}.share-of-atm",) if of == (ethernet_atm.ATM, "mpich") else ()
    over = f"{library.name}, {network.name}"
    entry, rated = entry.put_beside(over, *of_peak), rated.put_beside(over, *of_share)
    return TableRow((HERE, network.name, library.name), (entry, rated, most, at))


# -- crossovers ------------------------------------------------------------------------------------


def _crossovers(results: Results) -> StudyTable:
    sizes_shown = (MESSAGE_BYTES, ethernet_atm.CROSSOVER_BYTES, ethernet_atm.LARGEST_BYTES)
    columns = (
        Column("ATM ahead\nfrom", Unit.BYTES),
        *(Column(f"its lead\nat {size:,} B", Unit.FACTOR) for size in sizes_shown),
    )
    ours = (
        TableRow((HERE, library.name), _leads(results, library, sizes_shown))
        for library in libraries(results)
    )
    at = published(ethernet_atm.CROSSOVER_BYTES)[0]
    even = published(1)[0]
    row = TableRow((THERE, "MPICH"), (at, UNPRINTED, even, UNPRINTED))
    return StudyTable(
        4,
        "Where ATM overtakes Ethernet",
        ("System", "Library"),
        columns,
        (*ours, row),
        ("Lead: ATM's bandwidth over Ethernet's, of two runs; below 1 Ethernet leads.",),
    )


def _leads(
    results: Results, library: LibraryColumn, sizes_shown: tuple[int, ...]
) -> tuple[TableEntry, ...]:
    if library.lack:
        return (TableEntry(None, why=library.lack),) * (1 + len(sizes_shown))
    try:
        leading = leads(results, library.name)
    except UnmeasuredError as lack:
        return (TableEntry(None, why=str(lack)),) * (1 + len(sizes_shown))
    if leading.point is not None:
        point = TableEntry(leading.point, crowded=leading.crowded)
    else:
        not_decided = "not decided; give leadline study a larger --budget"
        why = f"{leading.ahead} is ahead {leading.where}" if leading.ahead else not_decided
        point = TableEntry(None, why=f"{leading.variant}: {why}")
    of_sizes = (
        TableEntry(
            leading.ratios.get(size),
            crowded=leading.crowded,
            why=None
            if size in leading.ratios
            else f"{size:,} B aren't among the sizes of both networks",
        )
        for size in sizes_shown
    )
    return (point, *of_sizes)


# -- figures ---------------------------------------------------------------------------------------


RAW = "tcp"


def figures(results: Results) -> tuple[StudyFigure, ...]:
    """Figures 1 to 4: in the first the peaks whose sizes the paper says, among the curves."""
    peaks = [
        StudyCurve(
            f"{peak.library}, {peak.network} (the paper)",
            peak.library.lower(),
            peak.network,
            (StudyPoint(peak.size_bytes, Estimate(peak.bandwidth_bytes_per_s)),),
            published=True,
        )
        for peak in ethernet_atm.PEAKS
        if peak.size_bytes
    ]
    rates = "bandwidth", "Bandwidth", Unit.MEGABITS_PER_SECOND
    times = "round trip", "Round trip", Unit.MILLISECONDS
    return tuple(
        StudyFigure(
            f"{number}-{what.replace(' ', '-')}{'-small' * small}",
            f"{title} against message size{', small messages' * small}",
            what,
            unit,
            (*_curves(results, quantity, among), *printed),
        )
        for number, (what, title, unit), quantity, among, small, printed in (
            (1, rates, bandwidth, range(1, LARGEST_BYTES + 1), False, peaks),
            (2, rates, bandwidth, range(1, SMALL_BYTES + 1), True, []),
            (3, times, round_trip, range(LARGEST_BYTES + 1), False, []),
            (4, times, round_trip, range(SMALL_BYTES + 1), True, []),
        )
    )


def _curves(results: Results, quantity: BySize, among: range) -> Iterator[StudyCurve]:
    """Curves that have a point among these sizes."""
    for network in EMULATED:
        for variant in variants(results):
            points = tuple(
                StudyPoint(size, estimate(value), value.crowded)
                for size in sizes(results, network)
                if size in among and place(results, network, variant, size) in results.times
                for value in (quantity(results, network, variant, size),)
            )
            if points:
                name = f"{variant}, {network.name}"
                yield StudyCurve(name, variant, network.name, points, raw=variant == RAW)
