"""The run of the widest suite, as a campaign of 20 minutes records it, from a seed in seconds.

python -m bench.widest DIRECTORY

Its cells, libraries, numbers of batches, flags and gaps are those of `leadline run --suite all` on
two cores; only the times are made up: a latency, a bandwidth and a library's share of both, noise
from block to block and from batch to batch, some of it a tail.
"""

from __future__ import annotations

import sys
import zlib
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from leadline.compare.operations import strips_of
from leadline.measure.spec import DEFAULT_SIZES
from leadline.patterns.suites import BLOCKING, NEIGHBOURS, NON_BLOCKING, ONE_SIDED, SUITES, VECTORS
from leadline.record.batches import unknown_conditions
from leadline.record.run import (
    Buffers,
    Cadence,
    Cell,
    Configuration,
    Failure,
    Run,
    WhoseTime,
)
from leadline.record.slices import BatchColumns, Batches, BatchFlag, Int32
from leadline.record.warnings import RunWarning
from leadline.store.directory import tabulate

BLOCKS, VISITS, RANKS = 8, 3, 2
SLICE_NS, BATCH_NS, DEADLINE_NS = 2_840_000, 60_000, 2_500
"""What a slice takes, a streaming batch, and at least from one common deadline to the next."""
FEWEST, MOST = 4, 1028
"""Batches of a slice."""
COLLECTIVE = frozenset(BLOCKING + VECTORS + NEIGHBOURS + NON_BLOCKING)
SIZELESS = ("barrier", "ibarrier", "fetch_add", "compare_swap")
THREADED = {"pingpong_multiple": 1, "pingpong_threads": 2}
WINDOWS = ("stream", "message_rate", "put_window", "get_window")
REDUCTIONS = ("allreduce", "reduce", "reduce_scatter", "reduce_scatterv", "scan", "exscan",
              "iallreduce", "pingpong_strided", "pingpong_strided_packed")  # fmt: skip
DATATYPES = ("pingpong_strided", "pingpong_struct")
UNMATCHED = ("pingpong_anysource", "unexpected")
SENDS = ("pingpong_sync", "pingpong_nonblocking", "pingpong_buffered", "pingpong_persistent",
         "stream", "message_rate")  # fmt: skip

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.floating]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Library:
    """What is measured, and how fast it is made to be."""

    variant: str
    version: str
    transport: str
    latency_ns: float
    ns_per_byte: float
    lacks: tuple[str, ...] = ()
    """Patterns, without their options, that make no sense over it."""
    is_mpi: bool = True


NO_MPI = (*DATATYPES, *THREADED, *{name.partition(":")[0] for name in NON_BLOCKING})
LIBRARIES = (
    Library("impi", "2021.18.1", "shm", 330, 0.115),
    Library("openmpi", "5.0.11", "ob1 sm", 410, 0.160),
    Library("mpich", "5.0.2", "posix", 350, 0.150),
    Library("openmpi@4.1.4", "4.1.4", "ob1 vader", 430, 0.158),
    Library("shmem", "4.1.4", "ucx sysv", 520, 0.130, (*NO_MPI, *SENDS, *UNMATCHED), False),
    Library("pvm", "3.4.6", "pvmd", 61_000, 2.1, (*NO_MPI, *SENDS, *ONE_SIDED), False),
    Library("shm", "1", "shm", 180, 0.095, NO_MPI, False),
)
METADATA = {
    "leadline": "0.1.0",
    "started": "2026-05-04T08:15:00+0000",
    "options": {"suite": "all", "ranks": "2", "buffers": "echo", "budget": "1200s", "seed": "0"},
    "machine": {
        "host": "node17", "kernel": "Linux 6.1.0", "architecture": "x86_64", "cpu": "AMD EPYC",
        "cores": 2, "allowed_cpus": [0, 1], "pinning": True, "clock_source": "tsc",
        "clock_read_at_most_ns": 41.3, "governor": None, "load_1min": 0.4,
        "memory_total_bytes": 25276510208, "last_level_cache_bytes": 33554432,
    },
    "plan": {"blocks": BLOCKS, "slice_s": 0.003, "together": True,
             "launches": {"2": 1, "2 of 1 thread": 1, "2 of 2 threads": 1}},
}  # fmt: skip
WARNINGS = (
    RunWarning(
        "absent",
        f"{', '.join(SENDS)} make no sense over shmem, pvm",
        "nothing to do: other backends, if any, are measured",
    ),
    RunWarning(
        "size_dropped",
        "pingpong_struct: 104 B is not a multiple of 16 B",
        "give --sizes that are, e.g. 96",
    ),
    RunWarning(
        "oversubscribed",
        "2 ranks of 2 threads share 2 cores",
        "shown, never in a verdict; measure on a machine with a core for each of them",
    ),
)
FAILURE = Failure(4, 300, 5, "hang", "rank 1 waits in tp_reduce for 20 s; the launch was ended")


# -- what is measured ------------------------------------------------------------------------------


def cells() -> list[Cell]:
    """Every pattern of the suite at the sizes that it takes."""
    return [
        _cell(label, size_bytes) for label in SUITES["all"].patterns for size_bytes in _sizes(label)
    ]


def _sizes(label: str) -> list[int]:
    name = label.partition(":")[0]
    if name in SIZELESS:
        return [0]
    granularity = 16 if "struct" in name else 8 if name in REDUCTIONS else 1
    whole = [size for size in DEFAULT_SIZES if size % granularity == 0]
    takes_nothing = label not in COLLECTIVE and granularity == 1
    takes_nothing &= name not in ONE_SIDED or name == "put_flag"
    return whole if takes_nothing else [size for size in whole if size]


def _cell(label: str, size_bytes: int) -> Cell:
    name = label.partition(":")[0]
    isolated = label in COLLECTIVE
    by_slowest = isolated or name in ("message_rate", "fetch_add", "compare_swap")
    there_and_back = name.startswith(("pingpong", "unexpected", "put_flag"))
    return Cell(
        label,
        size_bytes,
        Buffers.ECHO,
        Cadence.ISOLATED if isolated else Cadence.STREAMING,
        64 if name in WINDOWS else 2 if there_and_back else 1,
        WhoseTime.SLOWEST if by_slowest else WhoseTime.ROOT,
    )


def configurations() -> list[Configuration]:
    """Each library, then the MPI libraries again with threads of their own."""
    names = [label.partition(":")[0] for label in SUITES["all"].patterns]
    plain = [
        Configuration(
            one.variant, one.variant, one.version, RANKS, (0, 1), transport=one.transport,
            algorithms=dict.fromkeys(names, "native" if one.is_mpi else "binomial"),
        )
        for one in LIBRARIES
    ]  # fmt: skip
    return plain + [
        replace(
            configuration,
            threads=threads,
            oversubscribed=threads == 2,
        )
        for threads in THREADED.values()
        for one, configuration in zip(LIBRARIES, plain, strict=True)
        if one.is_mpi
    ]


def _pairs(known: list[Configuration], over: list[Cell]) -> tuple[Ints, Ints]:
    """Configuration and cell of all that is measured."""
    libraries = {one.variant: one for one in LIBRARIES}
    found = [
        (c, k)
        for k, cell in enumerate(over)
        for c, configuration in enumerate(known)
        if (name := cell.pattern.partition(":")[0]) not in libraries[configuration.variant].lacks
        and configuration.threads == THREADED.get(name, 0)
    ]
    configuration, cell_index = np.array(found, np.int64).T
    return configuration, cell_index


# -- how long it takes -----------------------------------------------------------------------------


def _typical_ns(known: list[Configuration], over: list[Cell], pairs: tuple[Ints, Ints]) -> Floats:
    """The time of one operation of each pair: a library is better at some patterns, and sizes."""
    libraries = {one.variant: one for one in LIBRARIES}
    found = []
    for c, k in zip(*pairs, strict=True):
        cell, one = over[k], libraries[known[c].variant]
        rng = np.random.default_rng(zlib.crc32(f"{one.variant} {cell.pattern}".encode()))
        latency, bandwidth = rng.lognormal(0, (0.12, 0.1))
        cost = zlib.crc32(cell.pattern.partition(":")[0].encode()) % 7 / 3 + 1
        operation = one.latency_ns * latency + one.ns_per_byte * bandwidth * cell.size_bytes
        if cell.pattern.endswith(":overlapped"):
            operation *= 1.4
        found.append(cost * operation)
    return np.array(found)


@dataclass(frozen=True, slots=True)
class Visits:
    """One slice a row, in the order in which a campaign visits them."""

    pair: Ints
    block: Ints
    visit: Ints


def _visits(rng: np.random.Generator, cell: Ints) -> Visits:
    """Cells in another order at each visit, a cell's libraries one after the other."""
    parts = []
    for block, visit in np.ndindex(BLOCKS, VISITS):
        order = rng.permutation(cell.max() + 1)[cell]
        pair = np.argsort(order, kind="stable")
        parts.append(np.stack([pair, np.full_like(pair, block), np.full_like(pair, visit)]))
    return Visits(*np.concatenate(parts, axis=1))


def batches(known: list[Configuration], over: list[Cell], rng: np.random.Generator) -> Batches:
    """All of them; the failed launch's cell ends a block early."""
    pairs = _pairs(known, over)
    visits = _visits(rng, pairs[1])
    configuration, cell = pairs[0][visits.pair], pairs[1][visits.pair]
    failed = (configuration == FAILURE.configuration) & (cell == FAILURE.cell)
    kept = ~(failed & (visits.block >= FAILURE.block))
    visits = Visits(*(column[kept] for column in (visits.pair, visits.block, visits.visit)))
    configuration, cell = configuration[kept], cell[kept]

    isolated = np.array([one.cadence is Cadence.ISOLATED for one in over])[cell]
    by_root = np.array([one.whose_time is WhoseTime.ROOT for one in over])[cell]
    messages = np.array([one.messages_per_repetition for one in over])[cell]
    operation_ns = (_typical_ns(known, over, pairs)[visits.pair] * messages).astype(np.float64)
    operation_ns *= _moods(rng, configuration, cell, visits.block)
    repetitions = np.where(isolated, 1, np.maximum(1, BATCH_NS // operation_ns)).astype(np.int64)
    batch_ns = operation_ns * repetitions
    step_ns = np.where(isolated, 1.5 * batch_ns + DEADLINE_NS, batch_ns)
    number = np.clip(SLICE_NS / step_ns, FEWEST, MOST).astype(np.int64)
    sizes = number * np.where(by_root, 1, RANKS)

    def repeated(values: Ints) -> Int32:
        return np.repeat(values.astype(np.int32), sizes)

    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    rank, batch = np.divmod(within, np.repeat(number, sizes))
    elapsed = np.repeat(batch_ns, sizes) * _noise(rng, within.size)
    begun = np.cumsum(number * step_ns + 3e6)
    start = (np.repeat(begun, sizes) + batch * np.repeat(step_ns, sizes)).astype(np.int64)
    return BatchColumns(
        configuration=repeated(configuration),
        cell=repeated(cell),
        block=repeated(visits.block),
        visit=repeated(visits.visit),
        attempt=repeated(np.zeros_like(visits.visit)),
        launch=repeated(np.zeros_like(visits.visit)),
        batch=batch.astype(np.int32),
        rank=rank.astype(np.int32),
        start_ns=start,
        end_ns=start + elapsed.astype(np.int64),
        repetitions=repeated(repetitions),
        flags=_flags(rng, batch, np.repeat(isolated, sizes), elapsed),
    )


def _moods(rng: np.random.Generator, configuration: Ints, cell: Ints, block: Ints) -> Floats:
    """3 % from block to block that all share, 1 % that is a configuration's own at a cell."""
    shared = rng.normal(0, 0.03, BLOCKS)
    own = rng.normal(0, 0.01, (configuration.max() + 1, cell.max() + 1, BLOCKS))
    return np.exp(shared[block] + own[configuration, cell, block])


def _noise(rng: np.random.Generator, number: int) -> Floats:
    """4 % from batch to batch; one in a hundred takes up to thrice as long."""
    noise: Floats = np.exp(0.04 * rng.standard_normal(number, dtype=np.float32))
    late = rng.integers(0, number, number // 100)
    noise[late] *= rng.uniform(1, 3, late.size)
    return noise


def _flags(rng: np.random.Generator, batch: Ints, isolated: Bools, elapsed: Floats) -> Int32:
    """The first are warm-up; of isolated ones some are late, and short ones clock-bound."""
    late = isolated & (rng.random(batch.size, np.float32) < 0.07)
    flags = BatchFlag.WARM_UP * (batch < np.where(isolated, 6, 2)).astype(np.int32)
    flags |= BatchFlag.LATE * late.astype(np.int32)
    flags |= BatchFlag.CLOCK_BOUND * (isolated & (elapsed < 8_000)).astype(np.int32)
    return flags


def write(directory: Path) -> Run:
    """Puts the finished run into `directory`: what a journal of it would be finished as."""
    directory.mkdir(parents=True, exist_ok=True)
    known, over = configurations(), cells()
    recorded = batches(known, over, np.random.default_rng(1))
    strips = strips_of(recorded)
    assert strips is not None
    run = Run(
        str(directory),
        True,
        METADATA,
        tuple(known),
        tuple(over),
        recorded,
        (FAILURE,),
        WARNINGS,
        strips=strips,
        conditions=unknown_conditions(strips.rank.size),
    )
    tabulate(directory, run, 0)
    return run


if __name__ == "__main__":
    print(f"{write(Path(sys.argv[1])).batches.rank.size:,} batches")
