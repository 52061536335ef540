"""Collectives: which algorithms there are for each, and the patterns that call them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from leadline.errors import UsageError, unknown_name
from leadline.simulate.programs import (
    allgathers,
    allreduces,
    barriers,
    broadcasts,
    exchanges,
    reduce_scatters,
    reduces,
    rooted_blocks,
    scans,
)
from leadline.simulate.programs.calls import CallStep
from leadline.simulate.programs.collective import ELEMENT_BYTES, Collective, Procedure
from leadline.simulate.programs.repetition import Program, Repetition
from leadline.topology.networks import Int64

ALGORITHMS: Mapping[str, Mapping[str, Procedure]] = {
    "barrier": {
        "dissemination": barriers.dissemination,
        "recursive doubling": barriers.recursive_doubling,
        "tree": barriers.tree,
        "linear": barriers.linear,
    },
    "bcast": {
        "binomial": broadcasts.binomial,
        "4-nomial": broadcasts.four_nomial,
        "binary": broadcasts.binary,
        "linear": broadcasts.linear,
        "pipeline": broadcasts.pipeline,
        "scatter + recursive doubling": broadcasts.scatter_and_doubling,
        "scatter + ring": broadcasts.scatter_and_ring,
    },
    "gather": {
        "linear": rooted_blocks.linear_gather,
        "binomial": rooted_blocks.binomial_gather,
    },
    "scatter": {
        "linear": rooted_blocks.linear_scatter,
        "binomial": rooted_blocks.binomial_scatter,
    },
    "allgather": {
        "ring": allgathers.ring,
        "recursive doubling": allgathers.recursive_doubling,
        "Bruck": allgathers.bruck,
        "neighbor exchange": allgathers.neighbor_exchange,
    },
    "total_exchange": {
        "pairwise": exchanges.pairwise,
        "linear": exchanges.linear,
        "Bruck": exchanges.bruck,
    },
    "allreduce": {
        "recursive doubling": allreduces.recursive_doubling,
        "Rabenseifner": allreduces.rabenseifner,
        "ring": allreduces.ring,
        "reduce + broadcast": allreduces.reduce_and_broadcast,
    },
    "reduce": {
        "binomial": reduces.binomial,
        "4-nomial": reduces.four_nomial,
        "binary": reduces.binary,
        "linear": reduces.linear,
        "pipeline": reduces.pipeline,
        "Rabenseifner": reduces.rabenseifner,
    },
    "reduce_scatter": {
        "pairwise": reduce_scatters.pairwise,
        "ring": reduce_scatters.ring,
        "recursive halving": reduce_scatters.recursive_halving,
    },
    "scan": {"recursive doubling": scans.recursive_doubling, "linear": scans.linear},
    "exscan": {
        "recursive doubling": scans.exclusive_recursive_doubling,
        "linear": scans.exclusive_linear,
    },
}
"""By collective; the first of each is what the kernel's fallback does."""


@dataclass(frozen=True, slots=True)
class Called:
    """What a pattern calls."""

    collective: str
    """Of ALGORITHMS."""
    name: str
    """In a log."""
    tag: int
    algorithm: str | None = None
    """That it is done by, whatever was chosen for the collective; None: by what was."""


CALLED: Mapping[str, Called] = {
    "barrier": Called("barrier", "barrier", 32760),
    "barrier_dissemination": Called("barrier", "barrier_dissemination", 32760, "dissemination"),
    "ibarrier": Called("barrier", "ibarrier", 32760),
    "bcast": Called("bcast", "bcast", 32761),
    "ibcast": Called("bcast", "ibcast", 32761),
    "gather": Called("gather", "gather", 32758),
    "gatherv": Called("gather", "gatherv", 32746),
    "scatter": Called("scatter", "scatter", 32757),
    "scatterv": Called("scatter", "scatterv", 32745),
    "allgather": Called("allgather", "allgather", 32756),
    "iallgather": Called("allgather", "iallgather", 32756),
    "allgatherv": Called("allgather", "allgatherv", 32744),
    "total_exchange": Called("total_exchange", "alltoall", 32755),
    "itotal_exchange": Called("total_exchange", "ialltoall", 32755),
    "total_exchangev": Called("total_exchange", "alltoallv", 32743),
    "allreduce": Called("allreduce", "allreduce", 32762),
    "iallreduce": Called("allreduce", "iallreduce", 32762),
    "reduce": Called("reduce", "reduce", 32759),
    "reduce_scatter": Called("reduce_scatter", "reduce_scatter", 32754),
    "reduce_scatterv": Called("reduce_scatter", "reduce_scatterv", 32742),
    "scan": Called("scan", "scan", 32753),
    "exscan": Called("exscan", "exscan", 32749),
}
"""By pattern."""


_COLLECTIVES = {called.name: called.collective for called in CALLED.values()}


def operation_of(called: Called, algorithm: str) -> str:
    """What a log says of its calls, e.g. "ibcast: binomial"."""
    return f"{called.name}: {algorithm}"


def collective_of(operation: str) -> str | None:
    """The collective of an operation in a log, e.g. "bcast"; None: it is none."""
    return _COLLECTIVES.get(operation.partition(":")[0])


def calling(pattern: str) -> Program:
    """The collective that `pattern` calls."""
    return partial(collective_steps, CALLED[pattern])


def collective_steps(called: Called, of: Repetition) -> Iterator[CallStep]:
    """The steps of one call by the algorithm that was chosen for it.

    UsageError: there is no such algorithm, or it can't be with so many ranks; or ranks are to
    compute beside it.
    """
    if "overlap" in of.options:
        raise UsageError(
            f"pattern {of.pattern}:{of.options['overlap']}: computation beside a collective isn't "
            f"simulated; give {of.pattern} alone"
        )
    told = Collective(of.ranks, of.root, _shares(of), called.tag)
    return called_steps(called, of.algorithms, told)


def called_steps(
    called: Called, algorithms: Mapping[str, str], told: Collective
) -> Iterator[CallStep]:
    """The steps of what `told` says, by the algorithm that was chosen for it.

    UsageError: there is no such algorithm, or it can't be with so many ranks.
    """
    known = ALGORITHMS[called.collective]
    name = called.algorithm or algorithms.get(called.collective, next(iter(known)))
    if name not in known:
        raise unknown_name(f"algorithm of {called.collective}", name, known)
    for step in known[name](told):
        yield replace(step, operation=operation_of(called, name))


def _shares(of: Repetition) -> Int64:
    """Bytes of each rank's block: all the same, or 1 : 2 : ... : ranks of what all have."""
    if not of.chose("counts", "skewed"):
        return np.full(of.ranks, of.size_bytes, dtype=np.int64)
    unit = 1 if of.size_bytes % ELEMENT_BYTES else ELEMENT_BYTES
    ends = np.arange(of.ranks + 1) * np.arange(1, of.ranks + 2)
    return np.diff(of.size_bytes * ends // (of.ranks + 1) // unit * unit)
