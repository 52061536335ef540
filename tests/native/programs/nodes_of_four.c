/**
 * Preloaded, has four world ranks in a row share memory and no more, though all are on one host:
 * nodes for programs and libraries that ask MPI about them, without the cost of a network.
 */
#include <mpi.h>

enum { ON_EACH = 4 };

int PMPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    int rank;
    (void)info;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int color = type == MPI_UNDEFINED ? MPI_UNDEFINED : rank / ON_EACH;
    return PMPI_Comm_split(comm, color, key, newcomm);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    return PMPI_Comm_split_type(comm, type, key, info, newcomm);
}
