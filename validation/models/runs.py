"""The campaigns that models are held to: ping-pong and five collectives, four libraries, 2 ranks.

Kept below bench/results as run directories, so that what was measured once isn't again.
"""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from bench.kept import RESULTS
from bench.live import Quiet, local_backend, mpi_backends, variant_of

from leadline.compare.analysis import Analysis
from leadline.measure.conduct import conduct
from leadline.measure.preparation import prepare
from leadline.measure.spec import Request, Variant
from leadline.models.observations import Observations, observations_of
from leadline.store import load

PATTERNS = ("pingpong", "bcast", "allreduce", "allgather", "gather", "alltoall")
SIZES = (0, *(size << i for i in range(20) for size in (4, 6)), 4 << 20)
"""42, two an octave from 4 B to 4 MiB."""
BUDGET_S = 400.0
APART_S = 3600.0


def kept_run(name: str, budget_s: float = BUDGET_S) -> Path:
    """The campaign called `name`, conducted if it isn't there."""
    directory = RESULTS / "models" / name
    if not directory.exists():
        request = Request(patterns=PATTERNS, sizes=SIZES, budget_s=budget_s)
        conduct(prepare(request, libraries()), directory, Quiet())
    return directory


def libraries() -> list[Variant]:
    """Every MPI kind, and raw shared memory with two copies a message, as these have."""
    found = [variant_of(backend, kind) for kind, backend in mpi_backends().items()]
    shm = variant_of(local_backend("shm"), "shm")
    return [*found, replace(shm, environment={**shm.environment, "LEADLINE_SINGLE_COPY": "none"})]


def wait_after(first: Path, seconds: float) -> None:
    """Waits until so many have passed since the campaign in `first` began."""
    began = load(first).provenance.started
    passed_s = time.time() - datetime.fromisoformat(str(began)).timestamp()
    time.sleep(max(0.0, seconds - passed_s))


def core_latency_ns(directory: Path | str) -> float | None:
    """What a cache line took between the cores in the state that a run's times are of.

    None: nobody knows.
    """
    return Analysis(load(directory)).visits.states.counted.core_latency_ns


def curves(directory: Path | str) -> tuple[Observations, ...]:
    """What models are fitted to, of a run."""
    return observations_of(Analysis(load(directory)))
