"""How smpirun is called for a program on a described machine, and with which algorithms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from leadline.errors import UsageError
from leadline.patterns.programs.collectives import ALGORITHMS
from leadline.record.warnings import SimulatorLack
from leadline.simulate.machine import MachineModel, Profile
from leadline.simulate.routes import fabric_of
from leadline.simulate.smpi.platform import smpi_costs, write_platform
from leadline.simulate.smpi.simgrid import plug_in, simgrid_version, smpirun
from leadline.topology.allocation import Allocation, first_slots
from leadline.topology.networks import Int64

MODEL = (
    "network/model:CM02", "network/crosstraffic:0", "network/weight-S:0", "network/TCP-gamma:1e15",
    "network/loopback-lat:0", "surf/precision:1e-12", "maxmin/precision:1e-9",
    "smpi/simulate-computation:0", "smpi/wtime:0", "smpi/init:0", "smpi/test:1e-6",
    "smpi/iprobe:1e-6",
)  # fmt: skip
"""Links are shared max-min fair, and no call costs more than the machine file says."""
_SPLIT = (" ", "\t", "\n", "*", "?", "[")
"""Characters at which smpirun, a shell script, splits or expands words."""


OPTIONS = {"alltoall": "alltoall"}
"""SimGrid's names of collectives, where they differ."""
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
    "alltoall": {"pairwise": "pair", "linear": "basic_linear", "Bruck": "bruck"},
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


@dataclass(frozen=True, slots=True)
class SmpiLaunch:
    """A call of smpirun, but for the program and its words."""

    ranks: int
    options: tuple[str, ...]
    """For the platform, and so that no call of MPI costs more than that."""
    environment: Mapping[str, str]
    """On top of this process's own."""
    simgrid: str
    """SimGrid's version."""
    left_out: tuple[str, ...]
    """What the machine file says and SimGrid can't simulate."""

    @property
    def words(self) -> tuple[str, ...]:
        """The program smpirun and all its options."""
        return (smpirun(), "-np", str(self.ranks), *self.options)


def smpi_launch(
    machine: MachineModel,
    profile: Profile,
    ranks: int,
    directory: Path,
    *,
    pool: Allocation | None = None,
    slots: Int64 | None = None,
    privatize: bool = True,
) -> SmpiLaunch:
    """What runs a program that smpicc compiled, on `ranks` ranks of `machine`.

    Args:
        machine: As its file describes it.
        profile: Whose costs messages have.
        ranks: Number of ranks.
        directory: Exists; the platform's files are written to it and must outlive the run.
        pool: Slots whose first ones ranks get, in order; None: those that the machine gives them.
        slots: Shape (ranks,): the slot of each rank among these; None: rank r has slot r.
        privatize: Whether every rank gets global variables of its own.

    Raises:
        UsageError: Too many ranks, the machine splits messages, which SimGrid doesn't, or smpirun
            splits the directory's name.
        MachineError: SimGrid or a C++ compiler is missing, or SimGrid's version isn't tested.
    """
    if any(one in str(directory) for one in _SPLIT):
        raise UsageError(
            f"smpirun would split or expand '{directory}'; set TMPDIR to a folder without blanks, "
            "*, ? and ["
        )
    if machine.ties == "split":
        raise UsageError(
            f'{machine.name} splits messages (ties = "split"), SimGrid sends each one way; take '
            'a copy of the file with ties = "one way"'
        )
    allocation = machine.allocate(ranks) if pool is None else first_slots(pool, ranks)
    costs = smpi_costs(machine, profile)
    platform = plug_in()
    own = np.arange(ranks, dtype=np.int64) if slots is None else slots
    write_platform(directory, fabric_of(machine, allocation), own, costs, machine.compute)
    hosts = directory / "hosts"
    hosts.write_text("".join(f"rank{rank}\n" for rank in range(ranks)))
    chosen = [
        "-platform", str(platform), "-hostfile", str(hosts),
        *([] if privatize else ["-no-privatize"]),
        f"--cfg=smpi/send-is-detached-thresh:{costs.detached_below_bytes}",
        *(f"--cfg={option}" for option in (*MODEL, *options(profile))),
        "--log=root.thres:critical",
    ]  # fmt: skip
    around = {"LEADLINE_PLATFORM": str(directory)}
    lacks = tuple(left_out(profile))
    return SmpiLaunch(ranks, tuple(chosen), around, simgrid_version(), lacks)


# -- collectives -----------------------------------------------------------------------------------


def algorithms(profile: Profile) -> dict[str, str]:
    """The algorithm of `profile`, else of the kernel's fallback, by collective.

    Without those that SimGrid hasn't got.
    """
    fallbacks = {collective: next(iter(ALGORITHMS[collective])) for collective in SIMGRID_NAMES}
    wanted = {one: profile.collectives.get(one, fallback) for one, fallback in fallbacks.items()}
    return {one: name for one, name in wanted.items() if name in SIMGRID_NAMES[one]}


def options(profile: Profile) -> Iterator[str]:
    """Options of SimGrid that choose these algorithms."""
    for collective, algorithm in algorithms(profile).items():
        name = SIMGRID_NAMES[collective][algorithm]
        yield f"smpi/{OPTIONS.get(collective, collective)}:{name}"


def left_out(profile: Profile) -> Iterator[str]:
    """What `profile` says of collectives and SimGrid can't simulate."""
    if profile.barrier is not None:
        yield SimulatorLack.BARRIER()
    for collective, algorithm in profile.collectives.items():
        if algorithm not in SIMGRID_NAMES.get(collective, {}):
            yield SimulatorLack.ALGORITHM(collective=collective, algorithm=algorithm)
    for collective in profile.collective_pieces:
        yield SimulatorLack.PIECES(collective=collective)
