"""A mapping in files that place each rank where it belongs: launchers', and this tool's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from leadline.topology.allocation import Allocation

COLUMNS = ("rank", "slot", "host", "core", "vertex")
"""Of placement_rows."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Where each rank goes."""

    allocation: Allocation
    permutation: Sequence[int]
    """Slot of each rank."""

    @property
    def hosts(self) -> list[str]:
        """Host of each rank."""
        nodes = self.allocation.nodes.tolist()
        return [self.allocation.hosts[nodes[slot]] for slot in self.permutation]


def openmpi_rankfile(placement: Placement) -> str:
    """A line a rank with its host and the logical number of its core."""
    cores = placement.allocation.cores.tolist()
    lines = [
        f"rank {rank}={host} slot={cores[slot]}"
        for rank, (host, slot) in enumerate(
            zip(placement.hosts, placement.permutation, strict=True)
        )
    ]
    return "\n".join(["# mpiexec --map-by rankfile:file=THIS-FILE", *lines])


def mpich_hostfile(placement: Placement) -> str:
    """Hosts in the order of ranks, ranks that follow each other on one host in one line."""
    runs = [(host, len(list(ranks))) for host, ranks in groupby(placement.hosts)]
    lines = ["# mpiexec -f THIS-FILE (Intel MPI: -machinefile THIS-FILE)"]
    if len(runs) > len({host for host, _ in runs}):
        lines.append("# Ranks of a host in several lines share no memory: prefer mpich-rankmap.")
    return "\n".join([*lines, *(f"{host}:{count}" for host, count in runs)])


def mpich_rankmap(placement: Placement) -> str:
    """Hosts and their slots in the order of the allocation, and each rank's host by number.

    The numbers count these hosts, so both are one file: as a hostfile Hydra passes over the map.
    """
    nodes = placement.allocation.nodes.tolist()
    slots = Counter(nodes)
    numbers = {node: number for number, node in enumerate(slots)}
    ranks = ",".join(str(numbers[nodes[slot]]) for slot in placement.permutation)
    start = "# mpiexec -f THIS-FILE -rankmap \"$(sed -n 's/^# rankmap //p' THIS-FILE)\""
    hosts = (f"{placement.allocation.hosts[node]}:{count}" for node, count in slots.items())
    return "\n".join([start, f"# rankmap {ranks}", *hosts])


def cray_rank_order(placement: Placement) -> str:
    """Cray MPICH's MPICH_RANK_ORDER: the ranks in the order of slots, a line a node."""
    ranks = [0] * len(placement.permutation)
    for rank, slot in enumerate(placement.permutation):
        ranks[slot] = rank
    nodes = placement.allocation.nodes.tolist()
    rows = groupby(range(len(ranks)), key=lambda slot: nodes[slot])
    lines = [",".join(str(ranks[slot]) for slot in slots) for _, slots in rows]
    return "\n".join(["# MPICH_RANK_REORDER_METHOD=3, this file being ./MPICH_RANK_ORDER", *lines])


def slurm_arbitrary(placement: Placement) -> str:
    """A line a rank with its host, for SLURM_HOSTFILE and srun --distribution=arbitrary."""
    return "\n".join(placement.hosts)


def slots_of_ranks(placement: Placement) -> str:
    """A line a rank with its slot, as `leadline run --variant NAME=BACKEND,map:FILE` reads it."""
    lines = [f"{rank} {slot}" for rank, slot in enumerate(placement.permutation)]
    return "\n".join(["# leadline run --variant NAME=BACKEND,map:THIS-FILE", *lines])


def placement_rows(placement: Placement) -> list[tuple[int, int, str, int, int]]:
    """For each rank COLUMNS: the slot, and that slot's host, core and network vertex."""
    cores = placement.allocation.cores.tolist()
    vertices = placement.allocation.vertices.tolist()
    return [
        (rank, slot, host, cores[slot], vertices[slot])
        for rank, (slot, host) in enumerate(
            zip(placement.permutation, placement.hosts, strict=True)
        )
    ]


EMITTERS: Mapping[str, Callable[[Placement], str]] = {
    "openmpi-rankfile": openmpi_rankfile,
    "mpich-hostfile": mpich_hostfile,
    "mpich-rankmap": mpich_rankmap,
    "cray-rank-order": cray_rank_order,
    "slurm-arbitrary": slurm_arbitrary,
    "slots": slots_of_ranks,
}
