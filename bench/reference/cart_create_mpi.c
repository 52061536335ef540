/**
 * What it costs to make a Cartesian communicator: cart_create_mpi TIMES. Rank 0 prints the seconds
 * that each took, from a barrier to the last rank's end.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int times = argc > 1 ? atoi(argv[1]) : 1;
    int size, rank, dims[3] = {0, 0, 0};
    const int periodic[3] = {0, 0, 0};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Dims_create(size, 3, dims);
    for (int i = 0; i < times; i++) {
        MPI_Comm grid;
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periodic, 1, &grid);
        MPI_Barrier(grid);
        const double seconds = MPI_Wtime() - begin;
        if (rank == 0)
            printf("%.9f\n", seconds);
        MPI_Comm_free(&grid);
    }
    MPI_Finalize();
    return 0;
}
