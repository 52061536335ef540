"""Numbers of ranks held out: collectives on 2 to 64 ranks of simulated machines.

SimGrid's smpirun is the outside source, `import` reads it; libraries' own choices of algorithms
(its `default`, `mpich`, `ompi`), on machines whose messages take as long as SimGrid's calibrated
model says. Beside it the tool's own simulator, on machines that come along. Each number of ranks
but the least and the most is left out in turn. Goal: median error at most 10 % at all sizes of it,
of either source. Where no form fits the others, as they behave too unlike, nothing is predicted,
and it is counted.

Simulated values have no blocks, so that nothing has an interval. For intervals they become the
truth of campaigns with this machine's noise (`models_noise`): the medians of a new campaign lie
within theirs, at the number of ranks that was left out, as often as these say or more.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np
from harness.smpi_collectives import Machine, Simulator

from leadline.compare.analysis import Analysis
from leadline.models.closed_form import fit
from leadline.models.model import NotFitted
from leadline.models.observations import Observations, observations_of
from leadline.models.prediction import predict
from leadline.record.run import Origin
from leadline.statistics.intervals import Floats
from leadline.store import load
from validation.models.noise import Noise, Pool
from validation.models.synthetic import Bools, share_of
from validation.rates import COVERED, Goal

RANKS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
SIZES = tuple(1 << i for i in range(3, 21))
MACHINES = {
    "cluster": Machine(1e-6, 12.5e9, bare=False),
    "Ethernet": Machine(25e-6, 125e6, bare=False),
}
PATTERNS = ("bcast", "gather", "scatter", "allgather", "alltoall", "reduce", "allreduce")
LIBRARIES = ("default", "mpich", "ompi")
CHOICES = {"alltoall": ("bruck", "ring", "basic_linear")}
"""In place of LIBRARIES, all of which end where ranks aren't a power of two."""
OWN_MACHINES = ("cray-t3e-900", "ibm-sp2", "infiniband-fat-tree")
LIMIT = 0.10
AT_LEAST: Goal = (COVERED[0], 1.0)
BLOCKS = 12


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What was predicted at one number of ranks by a model that never saw it."""

    ranks: int
    form: str
    errors: Floats
    """Relative, by size."""
    covered: Bools
    """Medians of a new campaign within their intervals, by size."""


def without(observations: Observations, row: int) -> Observations:
    """All but one number of ranks."""
    return replace(
        observations,
        ranks=tuple(np.delete(observations.ranks, row).tolist()),
        seconds=np.delete(observations.seconds, row, axis=0),
    )


def with_noise(stated: Observations, noise: Noise, rng: np.random.Generator) -> Observations:
    """A campaign whose medians truly are the stated values."""
    logs = noise.campaign((len(stated.ranks), BLOCKS), stated.sizes_bytes, rng)
    return replace(stated, origin=Origin.MEASURED, seconds=stated.seconds[:, :, :1] * np.exp(logs))


def left_out(stated: Observations, noise: Noise, rng: np.random.Generator) -> Iterator[LeftOut]:
    """Each number of ranks between the least and the most, where the others have a form."""
    measured, again = (with_noise(stated, noise, rng) for _ in range(2))
    new = np.median(again.seconds, axis=2)
    sizes = np.array(stated.sizes_bytes, dtype=np.float64)
    for row in range(1, len(stated.ranks) - 1):
        p = np.array(stated.ranks[row])
        plain, sure = (fit(without(one, row)) for one in (stated, measured))
        if isinstance(plain, NotFitted) or isinstance(sure, NotFitted):
            continue
        known = stated.seconds[row, :, 0]
        bounds = predict(sure, p, sizes)
        yield LeftOut(
            stated.ranks[row],
            plain.form.name,
            np.abs(predict(plain, p, sizes).seconds / known - 1),
            (bounds.low <= new[row]) & (new[row] <= bounds.high),
        )


def measure(pool: Pool) -> dict[str, object]:
    """A row for each collective, library and machine; the median error and coverage of all."""
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory(prefix="leadline-smpi-") as scratch:
        sources = {
            "smpirun": _simulated(Simulator(Path(scratch), RANKS)),
            "leadline simulate": _by_flow(Path(scratch)),
        }
        found = {name: _held_out(source, pool, rng) for name, source in sources.items()}
    return {
        "rows": [row for rows, _ in found.values() for row in rows],
        **{name: figures for name, (_, figures) in found.items()},
        "limit": LIMIT,
        "reached": all(figures["reached"] for _, figures in found.values()),
    }


Source = Iterator[tuple[Observations, dict[str, object]]]
"""What was simulated, and of which machine, pattern and library."""


def _held_out(
    source: Source, pool: Pool, rng: np.random.Generator
) -> tuple[list[dict[str, object]], dict[str, object]]:
    """A row for each of a source, and the figures of all."""
    rows: list[dict[str, object]] = []
    found: list[LeftOut] = []
    refused = 0
    for stated, names in source:
        some = list(left_out(stated, pool[rng.integers(len(pool))], rng))
        refused += len(stated.ranks) - 2 - len(some)
        found += some
        rows.append(names | (_row(some) if some else {"form": None}))
    errors = np.concatenate([one.errors for one in found])
    error = float(np.median(errors))
    coverage = share_of("new medians", [one.covered for one in found], AT_LEAST)
    return rows, {
        "median_error": error,
        "p90_error": float(np.percentile(errors, 90)),
        "left out": len(found),
        "no form for": refused,
        "covered": coverage.share if coverage else None,
        "reached": error <= LIMIT and coverage is not None and coverage.reached,
    }


def _row(some: Sequence[LeftOut]) -> dict[str, object]:
    errors = np.concatenate([one.errors for one in some])
    return {
        "form": some[-1].form,
        "median_error": float(np.median(errors)),
        "p90_error": float(np.percentile(errors, 90)),
        "covered": float(np.mean([one.covered for one in some])),
    }


def _by_flow(scratch: Path) -> Source:
    """The same collectives on machines that come along, as `leadline simulate` says."""
    for machine in OWN_MACHINES:
        run = scratch / machine
        subprocess.run(
            [
                sys.executable, "-m", "leadline", "simulate", "--machine", machine,
                "--ranks", ",".join(map(str, RANKS)), "--patterns", ",".join(PATTERNS),
                "--sizes", ",".join(map(str, SIZES)), "--out", run,
            ],
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        for found in observations_of(Analysis(load(run))):
            names: dict[str, object] = {
                "machine": machine,
                "pattern": found.pattern,
                "library": "leadline simulate",
            }
            yield found, names


def _simulated(simulator: Simulator) -> Source:
    for (name, machine), pattern in product(MACHINES.items(), PATTERNS):
        for library in CHOICES.get(pattern, LIBRARIES):
            found = simulator.collective(pattern, library, machine, SIZES)
            yield found, {"machine": name, "pattern": pattern, "library": library}
