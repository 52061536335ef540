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
    Leads,
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
        *(LibraryColumn(*one) for one in lacking(results)),
    ]


def tables(results: Results) -> tuple[StudyTable, ...]:
    """Bandwidths as in figures 1 and 2, round trips as in 3 and 4, then what the text has."""
    return _bandwidths(results), _round_trips(results), _peaks(results), _crossovers(results)


def _bandwidths(results: Results) -> StudyTable:
    note = "Bandwidth: twice the message over its round trip, as the paper has it."
    return _by_size(
        results, 1, "Bandwidth (figures 1 and 2)", Unit.MEGABITS_PER_SECOND, bandwidth, 1, note
    )


def _round_trips(results: Results) -> StudyTable:
    note = "pvm goes by its daemons, as the paper's did, pvm-direct past them."
    return _by_size(
        results, 2, "Round trip (figures 3 and 4)", Unit.MILLISECONDS, round_trip, 0, note
    )


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
    here = (
        _peak(results, network, library) for network in EMULATED for library in libraries(results)
    )
    return StudyTable(
        3,
        f"Peaks up to {ethernet_atm.LARGEST_BYTES:,} B",
        ("System", "Network", "Library"),
        columns,
        (*here, *_papers_peaks(), *_papers_transfers()),
        (
            "Rated: 10 and 155 Mbit/s. TCP's most: what its full segments carry over the emulated "
            f"links, {_most(0)} and {_most(1)} Mbit/s.",
            'The paper\'s peaks are "nearly" 8, "about" 19 and "only" 6 Mbps.',
        ),
    )


def _most(number: int) -> str:
    return f"{8e-6 * payload_bytes_per_s(link_of(EMULATED[number].name)):.4g}"


def _peak(results: Results, network: EmulatedNetwork, library: LibraryColumn) -> TableRow:
    best = 0

    def highest(variant: str) -> Quantity:
        nonlocal best
        best, found = peak(results, network, variant)
        return found

    entry = library.entry(highest)
    whole_rated = ethernet_atm.RATED_BYTES_PER_S[network.name]
    shares = tuple(
        _share(entry, whole) for whole in (whole_rated, payload_bytes_per_s(link_of(network.name)))
    )
    at = replace(entry, estimate=Estimate(best) if best else None)
    of_peak, of_share = _printed(network, library)
    over = f"{library.name}, {network.name}"
    entry = entry.put_beside(over, *of_peak)
    rated, most = shares
    shares = (rated.put_beside(over, *of_share), most)
    return TableRow((HERE, network.name, library.name), (entry, *shares, at))


def _printed(network: EmulatedNetwork, library: LibraryColumn) -> tuple[tuple[str, ...], ...]:
    """Ids of the paper's figures of a peak, and of its share of the rated."""
    key = KEY
    if kind_of(library.name) == "pvm":
        return (f"{key}.peak.pvm",), ()
    if kind_of(library.name) != "mpich":
        return (), ()
    of_share = (f"{key}.share-of-atm",) if network.name == ethernet_atm.ATM else ()
    return (f"{key}.peak.{network.name.lower()}.mpich",), of_share


def _share(entry: TableEntry, whole: float) -> TableEntry:
    found = entry.estimate
    return replace(entry, estimate=found.scaled(1 / whole) if found else None)


def _papers_peaks() -> Iterator[TableRow]:
    for row in ethernet_atm.PEAKS:
        at = published(row.size_bytes)[0] if row.size_bytes else UNPRINTED
        entries = (*published(row.bandwidth_bytes_per_s, row.of_rated), UNPRINTED, at)
        yield TableRow((THERE, row.network, row.library), entries)


def _papers_transfers() -> Iterator[TableRow]:
    for row in ethernet_atm.TRANSFERS:
        entries = (*published(row.bandwidth_bytes_per_s, row.of_rated), UNPRINTED, UNPRINTED)
        yield TableRow((THERE, ethernet_atm.ATM, row.program), entries)


# -- crossovers ------------------------------------------------------------------------------------


def _crossovers(results: Results) -> StudyTable:
    sizes_shown = (MESSAGE_BYTES, ethernet_atm.CROSSOVER_BYTES, ethernet_atm.LARGEST_BYTES)
    columns = (
        Column("ATM ahead\nfrom", Unit.BYTES),
        *(Column(f"its lead\nat {size:,} B", Unit.FACTOR) for size in sizes_shown),
    )
    here = (
        TableRow((HERE, library.name), _leads(results, library, sizes_shown))
        for library in libraries(results)
    )
    at = published(ethernet_atm.CROSSOVER_BYTES)[0]
    even = published(1)[0]
    there = TableRow((THERE, "MPICH"), (at, UNPRINTED, even, UNPRINTED))
    return StudyTable(
        4,
        "Where ATM overtakes Ethernet",
        ("System", "Library"),
        columns,
        (*here, there),
        ("Lead: ATM's bandwidth over Ethernet's, of two runs; below 1 Ethernet leads.",),
    )


def _leads(
    results: Results, library: LibraryColumn, sizes_shown: tuple[int, ...]
) -> tuple[TableEntry, ...]:
    if library.lack:
        return (TableEntry(None, why=library.lack),) * (1 + len(sizes_shown))
    try:
        found = leads(results, library.name)
    except UnmeasuredError as lack:
        return (TableEntry(None, why=str(lack)),) * (1 + len(sizes_shown))
    return (_point(found), *(_lead(found, size) for size in sizes_shown))


def _lead(found: Leads, size: int) -> TableEntry:
    estimate = found.ratios.get(size)
    why = None if estimate else f"{size:,} B aren't among the sizes of both networks"
    return TableEntry(estimate, crowded=found.crowded, why=why)


def _point(found: Leads) -> TableEntry:
    if found.point is not None:
        return TableEntry(found.point, crowded=found.crowded)
    if found.ahead:
        return TableEntry(None, why=f"{found.variant}: {found.ahead} is ahead {found.where}")
    return TableEntry(
        None, why=f"{found.variant}: not decided; give leadline study a larger --budget"
    )


# -- figures ---------------------------------------------------------------------------------------


RAW = "tcp"


def figures(results: Results) -> tuple[StudyFigure, ...]:
    """Figures 1 to 4."""
    return tuple(
        _figure(results, number, quantity, small)
        for number, (quantity, small) in enumerate(
            ((bandwidth, False), (bandwidth, True), (round_trip, False), (round_trip, True)), 1
        )
    )


def _figure(results: Results, number: int, quantity: BySize, small: bool) -> StudyFigure:
    of_rates = quantity is bandwidth
    what = "bandwidth" if of_rates else "round trip"
    name = what.replace(" ", "-")
    most = SMALL_BYTES if small else LARGEST_BYTES
    curves = tuple(_curves(results, quantity, range(int(of_rates), most + 1)))
    printed = tuple(_printed_peaks()) if of_rates and not small else ()
    return StudyFigure(
        f"{number}-{name}-small" if small else f"{number}-{name}",
        f"{what.capitalize()} against message size" + (", small messages" if small else ""),
        what,
        Unit.MEGABITS_PER_SECOND if of_rates else Unit.MILLISECONDS,
        (*curves, *printed),
    )


def _curves(results: Results, quantity: BySize, among: range) -> Iterator[StudyCurve]:
    """Curves that have a point among these sizes."""
    for network in EMULATED:
        for variant in variants(results):
            points = tuple(
                _drawn_point(size, quantity(results, network, variant, size))
                for size in sizes(results, network)
                if size in among and place(results, network, variant, size) in results.times
            )
            if points:
                name = f"{variant}, {network.name}"
                yield StudyCurve(name, variant, network.name, points, raw=variant == RAW)


def _drawn_point(size_bytes: int, found: Quantity) -> StudyPoint:
    return StudyPoint(size_bytes, estimate(found), found.crowded)


def _printed_peaks() -> Iterator[StudyCurve]:
    """The peaks whose sizes the paper says, among the libraries' curves."""
    for row in ethernet_atm.PEAKS:
        if row.size_bytes:
            point = StudyPoint(row.size_bytes, Estimate(row.bandwidth_bytes_per_s))
            name = f"{row.library}, {row.network} (the paper)"
            yield StudyCurve(name, row.library.lower(), row.network, (point,), published=True)
