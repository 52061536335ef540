/**
 * An unmodified MPI program: the exchange of a halo on an open or periodic grid, as applications
 * write it, and nothing that knows of mappings.
 *
 *   halo_mpi DIMS PERIODIC BYTES EXCHANGES WARMUP      e.g. halo_mpi 4x4 0 65536 20 2
 *
 * Rank 0 prints the seconds that the exchanges took.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIMS = 3 };

static void exchange(MPI_Comm grid, int ndims, char *out, char *in, int bytes)
{
    MPI_Request requests[4 * MOST_DIMS];
    for (int axis = 0; axis < ndims; axis++) {
        int down, up;
        MPI_Cart_shift(grid, axis, 1, &down, &up);
        char *from = in + 2L * axis * bytes;
        MPI_Irecv(from, bytes, MPI_BYTE, down, 0, grid, &requests[4 * axis]);
        MPI_Irecv(from + bytes, bytes, MPI_BYTE, up, 1, grid, &requests[4 * axis + 1]);
        MPI_Isend(out, bytes, MPI_BYTE, up, 0, grid, &requests[4 * axis + 2]);
        MPI_Isend(out, bytes, MPI_BYTE, down, 1, grid, &requests[4 * axis + 3]);
    }
    MPI_Waitall(4 * ndims, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int dims[MOST_DIMS], periodic[MOST_DIMS], ndims = 0, rank;
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    if (argc != 6)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (char *word = strtok(argv[1], "x"); word && ndims < MOST_DIMS; word = strtok(NULL, "x")) {
        dims[ndims] = atoi(word);
        periodic[ndims++] = atoi(argv[2]);
    }
    const int bytes = atoi(argv[3]), exchanges = atoi(argv[4]), warmup = atoi(argv[5]);
    char *out = calloc((size_t)bytes, 1), *in = calloc((size_t)bytes, 2 * MOST_DIMS);
    MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periodic, 1, &grid);
    MPI_Comm_rank(grid, &rank);
    double begin = 0;
    for (int i = -warmup; i < exchanges; i++) {
        if (i == 0) {
            MPI_Barrier(grid);
            begin = MPI_Wtime();
        }
        exchange(grid, ndims, out, in, bytes);
    }
    MPI_Barrier(grid);
    if (rank == 0)
        printf("%.6f\n", MPI_Wtime() - begin);
    free(out);
    free(in);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
