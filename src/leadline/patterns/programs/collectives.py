"""Collectives: which algorithms there are for each, and the patterns that call them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from leadline.errors import UsageError, unknown_name
from leadline.patterns.programs import data_movement, reductions
from leadline.patterns.programs.calls import CallStep, Program, Repetition
from leadline.patterns.programs.collective import ELEMENT_BYTES, Collective, Procedure

ALGORITHMS: Mapping[str, Mapping[str, Procedure]] = {
    "barrier": {
        "dissemination": reductions.barrier_dissemination,
        "recursive doubling": reductions.barrier_recursive_doubling,
        "tree": reductions.barrier_tree,
        "linear": reductions.barrier_linear,
    },
    "bcast": {
        "binomial": data_movement.bcast_binomial,
        "4-nomial": data_movement.bcast_four_nomial,
        "binary": data_movement.bcast_binary,
        "linear": data_movement.scatter_linear,
        "pipeline": data_movement.bcast_pipeline,
        "scatter + recursive doubling": data_movement.bcast_scatter_and_doubling,
        "scatter + ring": data_movement.bcast_scatter_and_ring,
    },
    "gather": {
        "linear": data_movement.gather_linear,
        "binomial": data_movement.gather_binomial,
    },
    "scatter": {
        "linear": data_movement.scatter_linear,
        "binomial": data_movement.scatter_binomial,
    },
    "allgather": {
        "ring": data_movement.allgather_ring,
        "recursive doubling": data_movement.allgather_recursive_doubling,
        "Bruck": data_movement.allgather_bruck,
        "neighbor exchange": data_movement.allgather_neighbor_exchange,
    },
    "alltoall": {
        "pairwise": data_movement.alltoall_pairwise,
        "linear": data_movement.alltoall_linear,
        "Bruck": data_movement.alltoall_bruck,
    },
    "allreduce": {
        "recursive doubling": reductions.allreduce_recursive_doubling,
        "Rabenseifner": reductions.allreduce_rabenseifner,
        "ring": reductions.allreduce_ring,
        "reduce + broadcast": reductions.allreduce_reduce_and_broadcast,
    },
    "reduce": {
        "binomial": reductions.reduce_binomial,
        "4-nomial": reductions.reduce_four_nomial,
        "binary": reductions.reduce_binary,
        "linear": reductions.reduce_linear,
        "pipeline": reductions.reduce_pipeline,
        "Rabenseifner": reductions.reduce_rabenseifner,
    },
    "reduce_scatter": {
        "pairwise": reductions.reduce_scatter_pairwise,
        "ring": reductions.reduce_scatter_ring,
        "recursive halving": reductions.reduce_scatter_recursive_halving,
    },
    "scan": {
        "recursive doubling": reductions.scan_recursive_doubling,
        "linear": reductions.scan_linear,
    },
    "exscan": {
        "recursive doubling": reductions.exscan_recursive_doubling,
        "linear": reductions.exscan_linear,
    },
}
"""Algorithms by collective; the first of each is what the kernel's fallback does."""


@dataclass(frozen=True, slots=True)
class Called:
    """The collective that a pattern calls."""

    collective: str
    """A key of ALGORITHMS."""
    name: str
    """Its name in a log."""
    tag: int
    algorithm: str | None = None
    """The algorithm that always carries it out; None: the one that was chosen."""


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
    "alltoall": Called("alltoall", "alltoall", 32755),
    "ialltoall": Called("alltoall", "ialltoall", 32755),
    "alltoallv": Called("alltoall", "alltoallv", 32743),
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
    """The name of its calls in a log, e.g. "ibcast: binomial"."""
    return f"{called.name}: {algorithm}"


def collective_of(operation: str) -> str | None:
    """The collective of an operation in a log, e.g. "bcast"; None: it is none."""
    return _COLLECTIVES.get(operation.partition(":")[0])


def calling(pattern: str) -> Program:
    """The collective that `pattern` calls."""
    return partial(collective_steps, CALLED[pattern])


def collective_steps(called: Called, repetition: Repetition) -> Iterator[CallStep]:
    """The steps of one call by the algorithm that was chosen for it.

    The ranks' blocks are all the same, or 1 : 2 : ... : ranks of what all have.

    UsageError: there is no such algorithm, or it can't be with so many ranks; or ranks are to
    compute beside it.
    """
    if "overlap" in repetition.options:
        raise UsageError(
            f"pattern {repetition.pattern}:{repetition.options['overlap']}: computation beside a "
            f"collective isn't simulated; give {repetition.pattern} alone"
        )
    ranks, size_bytes = repetition.ranks, repetition.size_bytes
    if repetition.chose("counts", "skewed"):
        unit = 1 if size_bytes % ELEMENT_BYTES else ELEMENT_BYTES
        ends = np.arange(ranks + 1) * np.arange(1, ranks + 2)
        blocks = np.diff(size_bytes * ends // (ranks + 1) // unit * unit)
    else:
        blocks = np.full(ranks, size_bytes, dtype=np.int64)
    op = Collective(ranks, repetition.root, blocks, called.tag)
    return called_steps(called, repetition.algorithms, op)


def called_steps(
    called: Called, algorithms: Mapping[str, str], op: Collective
) -> Iterator[CallStep]:
    """The steps of `op` by the algorithm that was chosen for it.

    UsageError: there is no such algorithm, or it can't be with so many ranks.
    """
    known = ALGORITHMS[called.collective]
    name = called.algorithm or algorithms.get(called.collective, next(iter(known)))
    if name not in known:
        raise unknown_name(f"algorithm of {called.collective}", name, known)
    for step in known[name](op):
        yield replace(step, operation=operation_of(called, name))
