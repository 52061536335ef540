/**
 * The first three ranks make a ring of a session's before there is a world; then all make a grid of
 * 3x3 in it, and the sum of their ranks is printed. Runs on 9 ranks.
 */
#include <mpi.h>
#include <stdio.h>

enum { FIRST = 3 };

static const int dims[2] = {3, 3}, open[2] = {0, 0};

static void ring_of_session(MPI_Group group)
{
    MPI_Comm comm, ring;
    MPI_Comm_create_from_group(group, "ring", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Cart_create(comm, 1, dims, open, 1, &ring);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    const int first[FIRST] = {0, 1, 2};
    int rank, sum;
    MPI_Session session;
    MPI_Group all, few;
    MPI_Comm grid;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Group_incl(all, FIRST, first, &few);
    MPI_Group_rank(few, &rank);
    if (rank != MPI_UNDEFINED)
        ring_of_session(few);
    MPI_Group_free(&few);
    MPI_Group_free(&all);
    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, open, 1, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, grid);
    if (rank == 0)
        printf("ranks %d\n", sum);
    MPI_Finalize();
    MPI_Session_finalize(&session);
    return 0;
}
