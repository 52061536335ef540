#include "core/meeting.h"

#include <sched.h>

#include "saying.h"

static const double LONG_S = 10;

bool meet(MPI_Comm comm, const char *call, const char *remedy)
{
    MPI_Request all_there;
    int met = 0, warned = 0;
    if (PMPI_Ibarrier(comm, &all_there) != MPI_SUCCESS)
        return false;
    const double begin = PMPI_Wtime();
    while (PMPI_Test(&all_there, &met, MPI_STATUS_IGNORE) == MPI_SUCCESS && !met) {
        if (!warned && PMPI_Wtime() - begin > LONG_S) {
            warn("%s has waited %.0f s for the other ranks of its communicator: %s", call, LONG_S,
                 remedy);
            warned = 1;
        }
        sched_yield();
    }
    return met;
}
