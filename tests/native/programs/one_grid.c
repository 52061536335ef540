/**
 * An MPI program that makes one Cartesian communicator, as long on its two open axes as its
 * arguments say, and prints "cart RANK OLD_RANK NODE ROW COLUMN" for each member: a node is the
 * least world rank that shares its memory.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 4 };

int main(int argc, char **argv)
{
    int old_rank, node, rank, size, at[2];
    MPI_Comm sharing, comm;
    MPI_Init(&argc, &argv);
    const int dims[2] = {atoi(argv[1]), atoi(argv[2])}, periods[2] = {0, 0};
    MPI_Comm_rank(MPI_COMM_WORLD, &old_rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &sharing);
    MPI_Allreduce(&old_rank, &node, 1, MPI_INT, MPI_MIN, sharing);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Cart_coords(comm, rank, 2, at);
    const int mine[ITEMS] = {old_rank, node, at[0], at[1]};
    int *all = malloc(sizeof mine * (size_t)size);
    MPI_Gather(mine, ITEMS, MPI_INT, all, ITEMS, MPI_INT, 0, comm);
    for (int *of = all; rank == 0 && of < all + ITEMS * size; of += ITEMS)
        printf("cart %d %d %d %d %d\n", (int)(of - all) / ITEMS, of[0], of[1], of[2], of[3]);
    free(all);
    MPI_Finalize();
    return 0;
}
