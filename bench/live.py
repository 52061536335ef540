"""Campaigns for benchmarks: real libraries, alive side by side, in a directory of their own."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from leadline.backends.backend import Backend
from leadline.backends.discovery import find_backends
from leadline.compare.analysis import Analysis
from leadline.compare.verdict import Paired, logarithms
from leadline.kernels.build import Additions, build_kernel, describe
from leadline.measure.campaign import Unwatched
from leadline.measure.conduct import conduct
from leadline.measure.preparation import prepare
from leadline.measure.spec import Request, Variant
from leadline.record.batches import columns_of
from leadline.record.run import Cadence, Cell, Failure, Run
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats

MPI_KINDS = ("mpich", "openmpi", "impi")


class Quiet(Unwatched):
    """An observer that lets nothing but failures through."""

    def failed(self, failure: Failure) -> None:
        """Ends the benchmark: a figure without one of its cells would mislead."""
        raise RuntimeError(failure.message)


def children() -> list[Path]:
    """Of this process, in /proc."""
    lists = Path("/proc/self/task").glob("*/children")
    return [Path(f"/proc/{pid}") for one in lists for pid in one.read_text().split()]


def peak_kib(process: Path) -> int:
    """The most memory that it has had."""
    return int((process / "status").read_text().partition("VmHWM:")[2].split()[0])


def mpi_backends() -> dict[str, Backend]:
    """The first usable backend of each MPI kind, by kind."""
    found: dict[str, Backend] = {}
    for backend in find_backends():
        if backend.usable and backend.kind in MPI_KINDS:
            found.setdefault(backend.kind, backend)
    return found


def local_backend(kind: str) -> Backend:
    """The backend `kind`: pvm, shm, tcp or null."""
    return next(backend for backend in find_backends() if backend.kind == kind)


def variant_of(backend: Backend, name: str, additions: Additions | None = None) -> Variant:
    """A variant called `name`, its kernel built."""
    kernel = build_kernel(backend, additions)
    return Variant(name, backend, str(kernel), describe(kernel), dict(backend.environment))


@dataclass(frozen=True, slots=True)
class Medians:
    """Medians in seconds by name: shape (cells, blocks, visits) for each variant."""

    run: Run
    """What they were taken from."""
    by_variant: dict[str, Floats]
    weights: dict[str, Floats]
    """What each visit counts for."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells, which are their rows."""
        return self.run.cells

    def ratio(
        self, candidate: str, baseline: str, row: int, baseline_row: int | None = None
    ) -> Estimate:
        """The paired ratio of times with its 95 % interval: of one cell, or of two."""
        other = row if baseline_row is None else baseline_row
        pair = self.paired((candidate, [row]), (baseline, [other]))
        return pair.estimate(np.arange(1)).exp()

    def paired(
        self, candidate: tuple[str, Sequence[int]], baseline: tuple[str, Sequence[int]]
    ) -> Paired:
        """The logarithms of two variants' times in cells, visit by visit."""
        sides = (baseline, candidate)
        before, after = (logarithms(self.by_variant[name][[*rows]]) for name, rows in sides)
        weights = np.stack([self.weights[name][[*rows]] for name, rows in sides])
        return Paired(before, after, weights)


def upper(ratio: Estimate) -> float:
    """Its upper bound; infinite without an interval."""
    return math.inf if ratio.high is None else ratio.high


def medians_of(run: Run) -> Medians:
    """The medians of `run`."""
    visits = Analysis(run).visits
    names = [one.variant for one in run.configurations]
    return Medians(
        run,
        dict(zip(names, visits.seconds, strict=True)),
        dict(zip(names, visits.weights, strict=True)),
    )


def measure(
    variants: Sequence[Variant],
    patterns: Sequence[str],
    sizes: Sequence[int],
    *,
    budget_s: float,
    blocks: int,
    seed: int = 0,
    cadence: Cadence | None = None,
) -> Medians:
    """Runs a campaign of `blocks` blocks in about `budget_s` seconds with two ranks.

    `cadence` None: each pattern's own.
    """
    request = Request(
        patterns=tuple(patterns),
        sizes=tuple(sizes),
        cadence=cadence,
        budget_s=budget_s,
        blocks=blocks,
        seed=seed,
    )
    return carried_out(request, variants)


def carried_out(request: Request, variants: Sequence[Variant]) -> Medians:
    """The medians of a campaign as `request` says."""
    with tempfile.TemporaryDirectory(prefix="leadline-bench-") as scratch:
        run = conduct(prepare(request, variants), Path(scratch) / "run", Quiet())
        return medians_of(replace(run, batches=columns_of(run.batches)))
