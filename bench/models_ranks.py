"""Numbers of ranks held out: collectives on 2 to 64 ranks of simulated machines.

SimGrid's smpirun is the outside source, `import` reads it; libraries' own choices of algorithms
(its `default`, `mpich`, `ompi`), on machines whose messages take as long as SimGrid's calibrated
model says. Each number of ranks but the least and the most is left out in turn. Goal: median error
at most 10 % at all sizes of it. Where no form fits the others, as they behave too unlike, nothing
is predicted, and it is counted.

Simulated values have no blocks, so that nothing has an interval. For intervals they become the
truth of campaigns with this machine's noise (`models_noise`): the medians of a new campaign lie
within theirs, at the number of ranks that was left out, as often as these say or more.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np

from bench.models_noise import Noise, Pool
from bench.models_smpi import Machine, Simulator
from bench.models_synthetic import Bools, share_of
from bench.rates import COVERED, Goal
from leadline.models.closed_form import fit
from leadline.models.model import NotFitted
from leadline.models.observations import Observations
from leadline.models.prediction import predict
from leadline.record.run import Origin
from leadline.statistics.intervals import Floats

RANKS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
SIZES = tuple(1 << i for i in range(3, 21))
MACHINES = {
    "cluster": Machine(1e-6, 12.5e9, bare=False),
    "Ethernet": Machine(25e-6, 125e6, bare=False),
}
PATTERNS = ("bcast", "gather", "scatter", "allgather", "total_exchange", "reduce", "allreduce")
LIBRARIES = ("default", "mpich", "ompi")
CHOICES = {"total_exchange": ("bruck", "ring", "basic_linear")}
"""In place of LIBRARIES, all of which end where ranks aren't a power of two."""
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
    rows: list[dict[str, object]] = []
    found: list[LeftOut] = []
    refused = 0
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory(prefix="leadline-smpi-") as scratch:
        simulator = Simulator(Path(scratch), RANKS)
        for stated, names in _simulated(simulator):
            some = list(left_out(stated, pool[rng.integers(len(pool))], rng))
            refused += len(stated.ranks) - 2 - len(some)
            found += some
            if not some:
                rows.append(names | {"form": None})
                continue
            errors = np.concatenate([one.errors for one in some])
            rows.append(names | {
                "form": some[-1].form,
                "median_error": float(np.median(errors)),
                "p90_error": float(np.percentile(errors, 90)),
                "covered": float(np.mean([one.covered for one in some])),
            })  # fmt: skip
    errors = np.concatenate([one.errors for one in found])
    error = float(np.median(errors))
    coverage = share_of("new medians", [one.covered for one in found], AT_LEAST)
    return {
        "rows": rows,
        "median_error": error,
        "p90_error": float(np.percentile(errors, 90)),
        "limit": LIMIT,
        "left out": len(found),
        "no form for": refused,
        "covered": coverage.share if coverage else None,
        "reached": error <= LIMIT and coverage is not None and coverage.reached,
    }


def _simulated(simulator: Simulator) -> Iterator[tuple[Observations, dict[str, object]]]:
    for (name, machine), pattern in product(MACHINES.items(), PATTERNS):
        for library in CHOICES.get(pattern, LIBRARIES):
            found = simulator.collective(pattern, library, machine, SIZES)
            yield found, {"machine": name, "pattern": pattern, "library": library}
