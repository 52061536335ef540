"""Seeded campaigns whose truth is known, so that tests need no MPI."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from leadline.record.batches import batches_of, conditions_of, strips_of
from leadline.record.provenance import LinkFacts
from leadline.record.run import (
    Buffers,
    Cadence,
    Cell,
    ClockFit,
    Configuration,
    Failure,
    GridPlacement,
    Host,
    Run,
    WhoseTime,
)
from leadline.record.slices import BatchFlag, Slice
from leadline.record.warnings import RunWarning
from leadline.store import Journal

METADATA: Mapping[str, Any] = {
    "machine": {"kernel": "6.1.0", "cores": 2, "governor": None, "load": [0.5, 0.25]},
    "command": ["leadline", "run", "--suite", "quick"],
}
BASE_NS = {"shm": 300.0, "mpich": 1050.0, "openmpi": 410.0, "impi": 800.0}
NS_PER_BYTE = {"shm": 0.08, "mpich": 0.16, "openmpi": 0.16, "impi": 0.10}


def configuration(variant: str, ranks: int = 2) -> Configuration:
    versions = {"shm": "", "mpich": "5.0.2", "openmpi": "5.0.11", "impi": "2021.17"}
    return Configuration(
        variant=variant,
        backend=variant,
        version=versions[variant],
        ranks=ranks,
        binding=tuple(range(ranks)),
        environment={"FI_PROVIDER": "shm"} if variant == "impi" else {},
        algorithms={"pingpong": "native", "barrier": "dissemination"},
        transport="shared memory",
    )


def pingpong(size_bytes: int) -> Cell:
    return Cell("pingpong", size_bytes, Buffers.ECHO, Cadence.STREAMING, 2, WhoseTime.ROOT)


BARRIER = Cell("barrier", 0, Buffers.ECHO, Cadence.ISOLATED, 1, WhoseTime.SLOWEST)


def one_slice(where: tuple[int, int, int, int], elapsed: Sequence[Sequence[int]]) -> Slice:
    """The slice (configuration, cell, block, visit) whose batches follow each other at 30 ns."""
    elapsed_ns = np.array(elapsed, dtype=np.int64)
    step = elapsed_ns.max(axis=0) + 30
    start_ns = 10**9 * (1 + where[2]) + np.cumsum(step) - step + np.zeros_like(elapsed_ns)
    flags = np.zeros(elapsed_ns.shape, dtype=np.int32)
    flags[:, :1] = BatchFlag.WARM_UP
    ranks = np.arange(len(elapsed_ns), dtype=np.int32)
    return Slice(*where, 20, ranks, start_ns, start_ns + elapsed_ns, flags)


@dataclass(frozen=True)
class Campaign:
    """What to simulate."""

    variants: Sequence[str]
    cells: Sequence[Cell]
    blocks: int = 8
    batches: int = 20
    ranks: int = 2
    repetitions: int = 20
    slowdown: Mapping[str, float] = field(default_factory=dict)
    """By variant; 1.05 makes it 5 % slower."""
    unmeasured: Sequence[tuple[str, Cell]] = ()
    hosts: Sequence[Host] = ()
    clock_fits: Sequence[ClockFit] = ()
    placements: Mapping[str, tuple[GridPlacement, ...]] = field(default_factory=dict)
    """By variant."""
    link: LinkFacts | None = None
    """Between its hosts, were they emulated ones."""
    study: str | None = None
    """The study that it is a stage of."""

    @property
    def metadata(self) -> Mapping[str, Any]:
        known = dict(METADATA)
        if self.link:
            known["options"] = {"hosts": {"link": asdict(self.link)}}
        if self.study:
            known["study"] = {"name": self.study, "missing": {}}
        return known

    @property
    def configurations(self) -> tuple[Configuration, ...]:
        crowded = self.ranks > 2
        return tuple(
            replace(
                configuration(variant, self.ranks),
                oversubscribed=crowded,
                placement=self.placements.get(variant, ()),
            )
            for variant in self.variants
        )

    def slices(self) -> Iterator[Slice]:
        """1 % noise within blocks, 3 % from block to block, shared by all, and 0.5 % that isn't."""
        rng = random.Random(7)  # its sequence is the same in all versions of Python
        for block in range(self.blocks):
            common = rng.gauss(0, 0.03)
            for k, cell in enumerate(self.cells):
                for c, variant in enumerate(self.variants):
                    level = common + rng.gauss(0, 0.005)
                    elapsed = self._elapsed(rng, level, variant, cell)
                    if (variant, cell) not in self.unmeasured:
                        taken = one_slice((c, k, block, 0), elapsed)
                        yield replace(taken, repetitions=self.repetitions)

    def _elapsed(
        self, rng: random.Random, level: float, variant: str, cell: Cell
    ) -> list[list[int]]:
        message_ns = BASE_NS[variant] + NS_PER_BYTE[variant] * cell.size_bytes
        messages = self.repetitions * cell.messages_per_repetition
        batch_ns = messages * message_ns * self.slowdown.get(variant, 1.0)
        return [
            [round(batch_ns * math.exp(rng.gauss(level, 0.01))) for _ in range(self.batches)]
            for _ in range(self.ranks)
        ]

    def run(self) -> Run:
        """The campaign in memory."""
        slices = list(self.slices())
        return Run(
            "run",
            True,
            self.metadata,
            self.configurations,
            tuple(self.cells),
            batches_of(slices),
            strips=strips_of(slices),
            conditions=conditions_of(slices),
            hosts=tuple(self.hosts),
            clock_fits=tuple(self.clock_fits),
        )

    def write(
        self, directory: Path, failures: Sequence[Failure] = (), warnings: Sequence[RunWarning] = ()
    ) -> Run:
        """Journals the campaign in `directory`; returns what should be read back."""
        with Journal.create(directory, self.metadata) as journal:
            journal.add_cells(self.cells)
            for one in self.configurations:
                journal.add_configuration(one)
            for host in self.hosts:
                journal.add_host(host)
            for fit in self.clock_fits:
                journal.add_clock_fit(fit)
            for slice_ in self.slices():
                journal.add_slice(slice_)
            for failure in failures:
                journal.add_failure(failure)
            for warning in warnings:
                journal.add_warning(warning)
            journal.close(True)
        return replace(
            self.run(),
            path=str(directory),
            failures=tuple(failures),
            warnings=tuple(warnings),
            id=journal.id,
        )
