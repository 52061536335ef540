/**
 * Calls MPI_Cart_map as a call that each process makes by itself: on rank 0, and with "late" on the
 * others a second later, which is a minute by the clock that MPI's callers see here. Runs on 9
 * ranks; rank 0 prints what it is to be.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS_A_SECOND = 60 };

double PMPI_Wtime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return SECONDS_A_SECOND * ((double)now.tv_sec + 1e-9 * (double)now.tv_nsec);
}

int main(int argc, char **argv)
{
    const int dims[2] = {3, 3}, open[2] = {0, 0};
    const int late = argc > 1 && !strcmp(argv[1], "late");
    int rank, new_rank = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0 && late)
        sleep(1);
    if (rank == 0 || late)
        MPI_Cart_map(MPI_COMM_WORLD, 2, dims, open, &new_rank);
    if (rank == 0)
        printf("rank 0 is to be %d\n", new_rank);
    MPI_Finalize();
    return 0;
}
