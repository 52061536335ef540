"""Algorithms that are forced: whether they are named right, or left undecided, and never wrong.

SimGrid's smpirun carries collectives out by the algorithm it is told (--cfg=smpi/bcast:flattree),
on 2 to 64 ranks of several machines; `import` reads the times. Each is asked for all numbers of
ranks, powers of two alone, and few; as stated values, and as campaigns with this machine's noise.
Goal: of 100 names given at most 5 are wrong. Where no algorithm that is known costs as much as the
forced one, "undecided" alone is right. Ranks of real libraries share this machine's two cores, and
their algorithms are then undecided always.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np
from harness.smpi_collectives import Machine, Simulator

from leadline.models.closed_form import fit
from leadline.models.model import NotFitted
from leadline.models.observations import Observations
from leadline.models.recognition import recognise
from validation.models.noise import Pool
from validation.models.ranks import SIZES, with_noise
from validation.rates import Row

RANKS = (2, 3, 4, 6, 8, 12, 16, 32, 64)
EVEN = tuple(p for p in RANKS if p % 2 == 0)
POWERS = tuple(p for p in RANKS if p & (p - 1) == 0)
FEWEST_RANKS = 3
"""Numbers of them that a surface is fitted to."""
CHOSEN = {"all": RANKS, "powers of two": POWERS, "few": EVEN[:4]}
KINDS = tuple(f"{chosen}, {how}" for chosen in CHOSEN for how in ("stated", "measured"))
MACHINES = {
    "cluster, bare": Machine(1e-6, 12.5e9),
    "Ethernet, bare": Machine(25e-6, 125e6),
    "cluster": Machine(1e-6, 12.5e9, bare=False),
    "Ethernet": Machine(25e-6, 125e6, bare=False),
}
MOST_WRONG = 0.05
UNKNOWN = ""
"""What costs as much as no algorithm that is known."""


@dataclass(frozen=True, slots=True)
class Forced:
    """An algorithm of smpirun."""

    pattern: str
    algorithm: str
    name: str
    """What it is; UNKNOWN: none that is known."""
    ranks: tuple[int, ...] = RANKS
    """On others it ends with an error."""


FORCED = (
    Forced("bcast", "binomial_tree", "binomial"),
    Forced("bcast", "flattree", "linear"),
    Forced("bcast", "scatter_LR_allgather", "scatter + ring"),
    Forced("bcast", "scatter_rdb_allgather", "scatter + recursive doubling"),
    Forced("gather", "ompi_binomial", "binomial"),
    Forced("gather", "ompi_basic_linear", "linear"),
    Forced("scatter", "ompi_binomial", "binomial"),
    Forced("scatter", "ompi_basic_linear", "linear"),
    Forced("allgather", "bruck", "Bruck"),
    Forced("allgather", "rdb", "recursive doubling"),
    Forced("allgather", "ring", "ring"),
    Forced("allgather", "ompi_neighborexchange", "neighbor exchange", EVEN),
    Forced("allgather", "2dmesh", UNKNOWN, EVEN),
    Forced("alltoall", "bruck", "Bruck"),
    Forced("alltoall", "ring", "pairwise or linear"),
    Forced("alltoall", "pair", "pairwise or linear", POWERS),
    Forced("alltoall", "2dmesh", UNKNOWN, EVEN),
    Forced("reduce", "binomial", "binomial"),
    Forced("reduce", "flat_tree", "linear"),
    Forced("reduce", "rab", "Rabenseifner"),
    Forced("reduce", "ompi_binary", "binary"),
    Forced("allreduce", "rdb", "recursive doubling"),
    Forced("allreduce", "rab_rdb", "Rabenseifner"),
    Forced("allreduce", "lr", "ring"),
    Forced("allreduce", "redbcast", "reduce + broadcast"),
)


@dataclass(frozen=True, slots=True)
class Named:
    """How the pieces of one campaign were named."""

    forced: Forced
    right: int
    undecided: int
    wrong: tuple[str, ...]

    @classmethod
    def of(cls, forced: Forced, observations: Observations) -> Named:
        """Those of a campaign in which it was forced; where no form fits, none is named."""
        model = fit(observations)
        if isinstance(model, NotFitted):
            return cls(forced, 0, 1, ())
        names = [one.name for one in recognise(observations, model, None)]
        given = [name for name in names if name is not None]
        wrong = tuple(name for name in given if name != forced.name)
        return cls(forced, len(given) - len(wrong), len(names) - len(given), wrong)


def at_ranks(observations: Observations, ranks: Sequence[int]) -> Observations:
    """Those on some numbers of ranks alone."""
    rows = [row for row, one in enumerate(observations.ranks) if one in ranks]
    kept = tuple(observations.ranks[row] for row in rows)
    return replace(observations, ranks=kept, seconds=observations.seconds[rows])


def measure(pool: Pool) -> dict[str, object]:
    """A row for each algorithm, and for each choice of ranks; reached: hardly a name is wrong."""
    found = list(_all_named(pool))
    names = [one.right + len(one.wrong) for _, one in found]
    wrong = sum(len(one.wrong) for _, one in found)
    row = Row("wrong", wrong / max(1, sum(names)), (0.0, MOST_WRONG), max(1, sum(names)))
    return {
        "rows": [_row(f"{one.pattern} {one.algorithm}", _of(found, one)) for one in FORCED],
        "by ranks": [_row(chosen, [n for c, n in found if c == chosen]) for chosen in KINDS],
        "all": _row("all", [one for _, one in found]),
        "wrong": row.share,
        "bounds": row.bounds,
        "limit": MOST_WRONG,
        "reached": row.reached,
    }


def _all_named(pool: Pool) -> Iterator[tuple[str, Named]]:
    """Each with one of KINDS."""
    rng = np.random.default_rng(0)
    for forced, stated in _simulated():
        for chosen, ranks in CHOSEN.items():
            here = at_ranks(stated, ranks)
            noise = pool[rng.integers(len(pool))]
            if len(here.ranks) >= FEWEST_RANKS:
                yield f"{chosen}, stated", Named.of(forced, here)
                yield f"{chosen}, measured", Named.of(forced, with_noise(here, noise, rng))


def _simulated() -> Iterator[tuple[Forced, Observations]]:
    with tempfile.TemporaryDirectory(prefix="leadline-smpi-") as scratch:
        simulator = Simulator(Path(scratch), RANKS)
        for forced, machine in product(FORCED, MACHINES.values()):
            pair = forced.pattern, forced.algorithm
            yield forced, simulator.collective(*pair, machine, SIZES, forced.ranks)


def _of(found: Sequence[tuple[str, Named]], forced: Forced) -> list[Named]:
    return [one for _, one in found if one.forced == forced]


def _row(what: str, named: Sequence[Named]) -> dict[str, object]:
    wrong = Counter(name for one in named for name in one.wrong)
    return {
        "of": what,
        "right": sum(one.right for one in named),
        "undecided": sum(one.undecided for one in named),
        "wrong": dict(wrong),
    }
