/* Spawns so many ranks as the argument says, and makes a grid of them and those that were there. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, most = 0, periods[1] = {1};
    char *words[] = {"spawned", NULL};
    MPI_Comm parents, others, all, grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parents);
    others = parents;
    if (parents == MPI_COMM_NULL)
        MPI_Comm_spawn(argv[0], words, atoi(argv[1]), MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others,
                       MPI_ERRCODES_IGNORE);
    MPI_Intercomm_merge(others, parents != MPI_COMM_NULL, &all);
    MPI_Comm_size(all, &size);
    MPI_Cart_create(all, 1, &size, periods, 1, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Allreduce(&rank, &most, 1, MPI_INT, MPI_MAX, grid);
    if (rank == 0)
        printf("ranks %d\n", most + 1);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&others);
    return MPI_Finalize();
}
