"""Random slices of many ranks, whose times, flags and disturbances are each rank's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from harness.blocks import configuration
from leadline.cli.outcome import computed
from leadline.compare.analysis import Analysis
from leadline.compare.pairs import compare_runs, compare_within
from leadline.measure.slices import kept_of
from leadline.record.batches import batches_of, conditions_of, strips_of
from leadline.record.quantities import UNKNOWN
from leadline.record.run import Buffers, Cadence, Cell, Run, WhoseTime
from leadline.record.slices import BatchFlag, Disturbance, LinkUse, Slice, WarmUp
from leadline.report.formats.json_text import document_text
from leadline.report.programs.compared import compared_content
from leadline.report.programs.measured import measured_content
from leadline.report.text.comparison import Compared

RANKS, THRESHOLD = 19, 0.02
FLAGS = [0] * 60 + [int(flag) for flag in BatchFlag]
CELLS = (
    Cell("barrier", 0, Buffers.ECHO, Cadence.ISOLATED, 1, WhoseTime.SLOWEST),
    Cell("allreduce", 8, Buffers.ECHO, Cadence.STREAMING, 1, WhoseTime.SLOWEST),
    Cell("message_rate", 8, Buffers.ECHO, Cadence.STREAMING, 64, WhoseTime.SLOWEST),
    Cell("pingpong", 8, Buffers.ECHO, Cadence.STREAMING, 2, WhoseTime.ROOT),
)
LEVEL_NS = {"mpich": 40_000, "openmpi": 47_000}


def drawn(seed: int, blocks: int = 6, visits: int = 3) -> list[Slice]:
    """Those of a campaign of two libraries on RANKS ranks; every rank's batches."""
    rng = np.random.default_rng(seed)
    return [
        one
        for block, visit, cell in np.ndindex(blocks, visits, len(CELLS))
        for number, level_ns in enumerate(LEVEL_NS.values())
        for one in _attempts(rng, (number, cell, block, visit), level_ns)
    ]


def _attempts(
    rng: np.random.Generator, where: tuple[int, int, int, int], level_ns: float
) -> Iterator[Slice]:
    """One slice or two of a visit; sometimes few or none of its ranks recorded."""
    recorded = 1 if CELLS[where[1]].whose_time is WhoseTime.ROOT else int(rng.choice([RANKS, 17]))
    for attempt in range(int(rng.choice([1, 1, 1, 2]))):
        yield replace(_slice(rng, where, level_ns, recorded), attempt=attempt)


def _slice(
    rng: np.random.Generator, where: tuple[int, int, int, int], level_ns: float, recorded: int
) -> Slice:
    shape = recorded, int(rng.integers(5, 25))
    elapsed = level_ns * rng.lognormal(0, 0.02, (1, shape[1])) * rng.lognormal(0, 0.01, shape)
    start = 10**12 + np.arange(shape[1]) * 10**5 + rng.integers(0, 3000, shape)
    ranks = np.arange(RANKS, dtype=np.int32)
    return Slice(
        *where,
        repetitions=int(rng.integers(1, 4)),
        ranks=ranks[:recorded],
        others=ranks[recorded:],
        start_ns=start,
        end_ns=start + elapsed.astype(np.int64),
        flags=rng.choice(FLAGS, shape, p=_rarely(shape[0])).astype(np.int32),
        launch=where[2],
        disturbance=_disturbance(rng),
        link=LinkUse("node01 eth0 tx", int(rng.integers(1, 10**6)), 10**6, 1.25e9),
        warm_up=WarmUp(10**6, 300, bool(rng.random() < 0.8)) if where[3] == 0 else None,
    )


def _rarely(ranks: int) -> list[float]:
    """Odds of FLAGS with which a batch of so many ranks has one in about a quarter of all cases."""
    flagged = 0.25 / ranks / len(BatchFlag)
    unflagged = (1 - flagged * len(BatchFlag)) / (len(FLAGS) - len(BatchFlag))
    return [unflagged] * (len(FLAGS) - len(BatchFlag)) + [flagged] * len(BatchFlag)


def _disturbance(rng: np.random.Generator) -> Disturbance:
    """Of RANKS ranks; of some nothing is known, and now and then the cores are far apart."""
    far = 4 if rng.random() < 0.2 else 1
    delay = np.where(rng.random(RANKS) < 0.02, rng.integers(0, 10**6, RANKS), 100)
    return Disturbance(
        window_ns=np.full(RANKS, 4_000_000),
        run_delay_ns=np.where(rng.random(RANKS) < 0.05, UNKNOWN, delay),
        involuntary_switches=rng.integers(0, 3, RANKS),
        minor_faults=rng.integers(0, 3, RANKS),
        core_latency_ns=np.where(
            np.arange(RANKS) == RANKS - 1, UNKNOWN, far * rng.integers(80, 120)
        ),
    )


def kept(slices: Sequence[Slice]) -> list[Slice]:
    """What a campaign keeps of `slices`, unless it is to keep all ranks'."""
    return [kept_of(one, CELLS[one.cell].whose_time, all_ranks=False) for one in slices]


def run_of(slices: Sequence[Slice]) -> Run:
    """The run that has these."""
    algorithms = {cell.pattern: "native" for cell in CELLS}
    return Run(
        "run",
        True,
        {},
        tuple(configuration(name, ranks=RANKS, algorithms=algorithms) for name in LEVEL_NS),
        CELLS,
        batches_of(slices),
        strips=strips_of(slices),
        conditions=conditions_of(slices),
    )


def said(run: Run, other: Run) -> list[str]:
    """Everything that is said of `run`, by itself and beside another."""
    analysis = Analysis(run)
    baseline = run.configurations[0].variant
    within = compare_within(analysis, baseline, threshold=THRESHOLD)
    beside = compare_runs(Analysis(other), analysis, THRESHOLD)
    return [
        document_text(measured_content(computed(analysis, THRESHOLD, tails=True))),
        document_text(compared_content(Compared((run,), within, THRESHOLD))),
        document_text(compared_content(Compared((other, run), beside, THRESHOLD))),
        str(analysis.distributions),
        str(analysis.means_s.tolist()),
        str(analysis.samples.seconds.tolist()),
        str(analysis.samples.flags.tolist()),
    ]
