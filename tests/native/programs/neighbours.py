"""What neighbours.c does with a Cartesian communicator, by mpi4py; prints the same lines."""

from __future__ import annotations

import numpy as np
from mpi4py import MPI

WORLD = MPI.COMM_WORLD


def node_of_world_rank() -> int:
    """The least world rank that shares this one's memory."""
    sharing = WORLD.Split_type(MPI.COMM_TYPE_SHARED)
    return int(sharing.allreduce(WORLD.Get_rank(), MPI.MIN))


def check_deliveries(grid: MPI.Cartcomm, sources: list[int]) -> None:
    """Each neighbour sends its rank."""
    got = np.full(len(sources), MPI.PROC_NULL, dtype="i")
    grid.Neighbor_allgather(np.array([grid.Get_rank()], dtype="i"), got)
    assert got.tolist() == sources, f"rank {grid.Get_rank()} got {got} from {sources}"


def main() -> None:
    """Sixteen ranks as 4 x 4."""
    grid = WORLD.Create_cart((4, 4), periods=(False, False), reorder=True)
    sources = [rank for axis in range(2) for rank in grid.Shift(axis, 1)]
    check_deliveries(grid, sources)
    mine = (grid.Get_rank(), WORLD.Get_rank(), node_of_world_rank(), *grid.coords)
    for words in grid.gather(mine) or ():
        print("cart", *words)


main()
