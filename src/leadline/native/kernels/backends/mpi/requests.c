/** Operations under way: MPI's own requests. */
#include "requests.h"

MPI_Request mpi_requests[TP_MOST_REQUESTS];

void tp_wait(int slot)
{
    MPI_Wait(&mpi_requests[slot], MPI_STATUS_IGNORE);
}

bool tp_test(int slot)
{
    int complete;
    MPI_Test(&mpi_requests[slot], &complete, MPI_STATUS_IGNORE);
    return complete;
}
