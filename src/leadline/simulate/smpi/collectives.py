"""Algorithms of collectives as SimGrid calls them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from leadline.simulate.machine import Profile
from leadline.simulate.programs.collectives import ALGORITHMS

OPTIONS = {"total_exchange": "alltoall"}
"""What SimGrid calls a collective that it calls otherwise."""
SIMGRID_NAMES: Mapping[str, Mapping[str, str]] = {
    "barrier": {
        "dissemination": "ompi_bruck",
        "recursive doubling": "ompi_recursivedoubling",
        "tree": "ompi_tree",
        "linear": "ompi_basic_linear",
    },
    "bcast": {
        "binomial": "binomial_tree",
        "linear": "flattree",
        "scatter + recursive doubling": "scatter_rdb_allgather",
        "scatter + ring": "scatter_LR_allgather",
    },
    "gather": {"linear": "ompi_basic_linear", "binomial": "ompi_binomial"},
    "scatter": {"linear": "ompi_basic_linear", "binomial": "ompi_binomial"},
    "allgather": {
        "ring": "ring",
        "recursive doubling": "rdb",
        "Bruck": "bruck",
        "neighbor exchange": "ompi_neighborexchange",
    },
    "total_exchange": {"pairwise": "pair", "linear": "basic_linear", "Bruck": "bruck"},
    "allreduce": {
        "recursive doubling": "rdb",
        "Rabenseifner": "rab",
        "ring": "lr",
        "reduce + broadcast": "redbcast",
    },
    "reduce": {
        "binomial": "binomial",
        "linear": "flat_tree",
        "Rabenseifner": "scatter_gather",
    },
    "reduce_scatter": {
        "pairwise": "mpich_pair",
        "ring": "ompi_ring",
        "recursive halving": "ompi_basic_recursivehalving",
    },
}
"""Collective -> algorithm -> SimGrid's name, of those that SimGrid has.

Its binomial scatter sends small blocks first, its linear ones all at once.
"""


def algorithms(profile: Profile) -> dict[str, str]:
    """By collective that of `profile`, or else of the kernel's fallback, where SimGrid has it."""
    fallbacks = {collective: next(iter(ALGORITHMS[collective])) for collective in SIMGRID_NAMES}
    wanted = {one: profile.collectives.get(one, fallback) for one, fallback in fallbacks.items()}
    return {one: name for one, name in wanted.items() if name in SIMGRID_NAMES[one]}


def options(profile: Profile) -> Iterator[str]:
    """What chooses these algorithms."""
    for collective, algorithm in algorithms(profile).items():
        name = SIMGRID_NAMES[collective][algorithm]
        yield f"smpi/{OPTIONS.get(collective, collective)}:{name}"


def left_out(profile: Profile) -> Iterator[str]:
    """What `profile` says of collectives and SimGrid hasn't got."""
    if profile.barrier is not None:
        yield "the hardware's barrier: here it is made of messages"
    for collective, algorithm in profile.collectives.items():
        if algorithm not in SIMGRID_NAMES.get(collective, {}):
            yield f"{collective} by {algorithm}: here it is done as SimGrid does by itself"
    for collective in profile.collective_pieces:
        yield f"what messages of {collective} cost: here they cost what others do"
