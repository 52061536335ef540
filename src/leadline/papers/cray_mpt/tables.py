"""The paper's four tables, this machine's figures first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from leadline.papers.cray_mpt import printed as cray_mpt
from leadline.papers.cray_mpt.stages import (
    BARRIER,
    FETCH_AND_INCREMENT,
    LATENCY,
    LIBRARY_REDUCTIONS,
    LIBRARY_SUM,
    LOADED,
    LOG2_SUM,
    MASTER_REDUCTIONS,
    PINGPONG,
    PUT_FLAG,
    QUEUEING,
    TASKS,
    VECTORS,
    WORD_BYTES,
)
from leadline.papers.estimates import Quantity, bandwidth
from leadline.papers.layout import Column, StudyTable, TableEntry, TableRow, measured, published
from leadline.papers.results import Measurand, Results, UnmeasuredError
from leadline.papers.units import Unit
from leadline.statistics.estimate import Estimate

KINDS = ("pvm", "shmem", "mpich", "openmpi", "impi", "mpi", "shm")
"""In the paper's order, what it didn't have behind."""
THE_PAPERS = PAPERS_PVM, PAPERS_SHMEM = "pvm", "shmem"
HERE = "here"
CONSTRUCTIONS = ((FETCH_AND_INCREMENT, "fetch-and-increment"), (QUEUEING, "queueing"))
"""The two barriers that the paper holds against each other, over raw shared memory."""


@dataclass(frozen=True, slots=True)
class Library:
    """Lines of a table: a variant, or what the machine lacks."""

    kind: str
    label: str
    variant: str | None
    lack: str = ""
    """Why there is no variant."""

    def can(self, results: Results, stage: str, pattern: str) -> bool:
        """Whether it has the operation; what the machine lacks is shown with its reductions."""
        if self.variant is None:
            return pattern in LIBRARY_REDUCTIONS
        return not results.absent(stage, self.variant, pattern)

    def sends(self, results: Results, pattern: str) -> bool:
        """Whether messages go by `pattern`: in the library's own way, or by puts as well."""
        own = message_pattern(self.kind)
        return pattern == own or (own == PINGPONG and self.can(results, LATENCY, pattern))

    def entry(self, quantity: Callable[[str], Quantity]) -> TableEntry:
        """What `quantity` finds for the variant, or why there is nothing."""
        if self.variant is None:
            return TableEntry(None, why=self.lack)
        return measured(partial(quantity, self.variant))


def message_pattern(kind: str) -> str:
    """How a message goes from one PE to another and back in the library `kind`."""
    return PUT_FLAG if kind == "shmem" else PINGPONG


def libraries(results: Results, stage: str) -> list[Library]:
    """Every variant of a stage, and the libraries that the machine lacks."""
    all_libraries: list[Library] = []
    for kind in KINDS:
        variants = results.variants(kind, stage)
        all_libraries += [Library(kind, variant, variant) for variant in variants]
        if not variants and (kind in THE_PAPERS or kind in results.missing):
            all_libraries.append(Library(kind, kind, None, results.lack(kind)))
    return all_libraries


def tables(results: Results) -> tuple[StudyTable, ...]:
    """Tables 1 to 4."""
    return _transfers(results), _barriers(results), _reductions(results), _vector_sums(results)


# -- table 1 ---------------------------------------------------------------------------------------


def _transfers(results: Results) -> StudyTable:
    ours = [
        _transfer(results, library, pattern)
        for library in libraries(results, LATENCY)
        for pattern in (PINGPONG, PUT_FLAG)
        if library.sends(results, pattern)
    ]
    papers = (
        TableRow(
            (system, name),
            published(*cray_mpt.values(system, "table1", library, of=("latency", "bandwidth"))),
        )
        for system in cray_mpt.SYSTEMS
        for library, name in ((PAPERS_PVM, "PVM"), (PAPERS_SHMEM, "SHMEM"))
    )
    return StudyTable(
        1,
        "Latency and bandwidth rates",
        ("System", "Library"),
        (Column("Latency", Unit.MICROSECONDS), Column("Bandwidth", Unit.MEGABYTES_PER_SECOND)),
        (*ours, *papers),
        (
            "Latency: half the round trip of an empty message, nothing but the messages inside; "
            "the paper's held a couple of barriers.",
            "Puts, SHMEM's messages: each with a flag that the receiver waits for.",
            "Bandwidth: one over the slope of time against size at the largest sizes.",
        ),
    )


def _transfer(results: Results, library: Library, pattern: str) -> TableRow:
    label = library.label
    if pattern != message_pattern(library.kind):
        label = f"{label}, puts"
    latency = library.entry(lambda v: results.time(Measurand(LATENCY, v, 2, pattern)))
    rate = library.entry(lambda v: asymptotic_bandwidth(results, v, pattern))
    if library.kind in THE_PAPERS and pattern == message_pattern(library.kind):
        latency, rate = (
            entry.put_beside(label, *cray_mpt.ids("table1", library.kind, what))
            for entry, what in ((latency, "latency"), (rate, "bandwidth"))
        )
    return TableRow((HERE, label), (latency, rate))


def asymptotic_bandwidth(results: Results, variant: str, pattern: str) -> Quantity:
    """Asymptotic bandwidth of a variant, bytes/s; UnmeasuredError where its curve shows none."""
    curve = results.curve(LATENCY, variant, pattern)
    if not curve:
        raise UnmeasuredError(results.why(Measurand(LATENCY, variant, 2, pattern)))
    quantity = bandwidth(curve)
    if quantity is None:
        raise UnmeasuredError(f"{variant}: the curve shows no asymptote; see docs/numbers.md")
    return quantity


# -- table 2 ---------------------------------------------------------------------------------------


def _barriers(results: Results) -> StudyTable:
    own = ((TASKS, library, BARRIER) for library in libraries(results, TASKS))
    compared = (
        (stage, Library("shm", f"{variant}, {name}{load}", variant), pattern)
        for stage, load in ((TASKS, ""), (LOADED, ", loaded"))
        for variant in results.variants("shm", stage)
        for pattern, name in CONSTRUCTIONS
    )
    ours = (row for barrier in (*own, *compared) for row in _barrier(results, *barrier))
    papers = (
        TableRow(
            (system, "SHMEM", str(pes)),
            published(*cray_mpt.values(system, "table2", pes, of=("time", "rate"))),
        )
        for system in cray_mpt.SYSTEMS
        for pes in cray_mpt.PES
    )
    columns = (
        Column("Barrier time", Unit.MICROSECONDS),
        Column("Barrier rate", Unit.MEGABARRIERS_PER_SECOND),
    )
    return StudyTable(
        2,
        "Barrier rates",
        ("System", "Library", "No. PE's"),
        columns,
        (*ours, *papers),
        (
            "Rate: one over the time, and as sure as that.",
            "Loaded: a process of the tool spins on each core.",
        ),
    )


def _barrier(results: Results, stage: str, library: Library, pattern: str) -> Iterator[TableRow]:
    def time(pes: int, variant: str) -> Quantity:
        return results.time(Measurand(stage, variant, pes, pattern))

    for pes in _lines(results, stage, library):
        entry = rate = library.entry(partial(time, pes))
        if entry.estimate:  # how sure it is, the time says
            rate = replace(entry, estimate=Estimate(1 / entry.estimate.value))
        entries = _beside(library, (entry, rate), "table2", pes, ("time", "rate"))
        yield TableRow((HERE, library.label, _number(pes)), entries)


def _beside(
    library: Library,
    entries: Sequence[TableEntry],
    table: str,
    pes: int,
    what: Sequence[str],
) -> tuple[TableEntry, ...]:
    """SHMEM's beside the paper's, which has no other's, where it has them on so many PEs.

    `what`: the last words of their ids; "": there is none.
    """
    if library.kind != PAPERS_SHMEM or pes not in cray_mpt.PES:
        return tuple(entries)
    return tuple(
        entry.put_beside(library.label, *cray_mpt.ids(table, pes, *words.split()))
        for entry, words in zip(entries, what, strict=True)
    )


def _lines(results: Results, stage: str, library: Library) -> list[int]:
    """The numbers of PEs that a library gets a line for; a missing one gets one line, 0."""
    return results.pes(stage) if library.variant else [0]


def _number(pes: int) -> str:
    return str(pes) if pes else ""


# -- table 3 ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Method:
    """A way to reduce a word."""

    name: str
    patterns: tuple[str, ...]
    """Sum, maximum, logical and."""
    size_bytes: int
    """Size of their cells."""


METHODS = (
    Method("all-put, all-get", MASTER_REDUCTIONS, 0),
    Method("its own", LIBRARY_REDUCTIONS, WORD_BYTES),
)


def _reductions(results: Results) -> StudyTable:
    ours = (
        row
        for library in libraries(results, TASKS)
        for method in METHODS
        if library.can(results, TASKS, method.patterns[0])
        for row in _reduction(results, library, method)
    )
    papers = (
        TableRow(
            (system, "SHMEM", "all-put, all-get", str(pes)),
            published(*cray_mpt.values(system, "table3", pes, of=("gsum", "gmax", "gland"))),
        )
        for system in cray_mpt.SYSTEMS
        for pes in cray_mpt.PES
    )
    return StudyTable(
        3,
        "Global communications rates",
        ("System", "Library", "Method", "PE's"),
        tuple(Column(name, Unit.MILLISECONDS) for name in ("GSUM", "GMAX", "GLAND")),
        (*ours, *papers),
        (),
    )


def _reduction(results: Results, library: Library, method: Method) -> Iterator[TableRow]:
    def time(pes: int, pattern: str, variant: str) -> Quantity:
        return results.time(Measurand(TASKS, variant, pes, pattern, method.size_bytes))

    for pes in _lines(results, TASKS, library):
        entries = tuple(library.entry(partial(time, pes, pattern)) for pattern in method.patterns)
        if method.patterns == MASTER_REDUCTIONS:
            entries = _beside(library, entries, "table3", pes, ("gsum", "gmax", "gland"))
        yield TableRow((HERE, library.label, method.name, _number(pes)), entries)


# -- table 4 ---------------------------------------------------------------------------------------


VECTOR_SUMS = (("log2", LOG2_SUM), ("its own", LIBRARY_SUM))


def _vector_sums(results: Results) -> StudyTable:
    def time(pes: int, pattern: str, variant: str) -> Quantity:
        return results.time(Measurand(VECTORS, variant, pes, pattern, cray_mpt.VECTOR_BYTES))

    sums = [
        (library, *way)
        for library in libraries(results, VECTORS)
        for way in VECTOR_SUMS
        if library.can(results, VECTORS, way[1])
    ]
    systems = (*cray_mpt.SYSTEMS, *(f"{library.label}\n{method}" for library, method, _ in sums))
    rows = (
        TableRow(
            (str(pes),),
            (
                *published(*(cray_mpt.value(s, "table4", pes) for s in cray_mpt.SYSTEMS)),
                *(
                    _vector_sum(library, pattern, pes, partial(time, pes))
                    for library, _, pattern in sums
                ),
            ),
        )
        for pes in cray_mpt.PES
    )
    return StudyTable(
        4,
        "Global vector sum",
        ("PE's",),
        tuple(Column(system, Unit.MILLISECONDS) for system in systems),
        tuple(rows),
        (),
    )


def _vector_sum(
    library: Library, pattern: str, pes: int, time: Callable[[str, str], Quantity]
) -> TableEntry:
    entry = library.entry(partial(time, pattern))
    if pattern != LOG2_SUM:
        return entry
    (beside,) = _beside(library, (entry,), "table4", pes, ("",))
    return beside
