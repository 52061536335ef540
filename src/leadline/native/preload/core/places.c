#include "core/places.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/crew.h"

enum { MOST_CORES = 64 * CPU_SETSIZE /**< the system refuses a set without room for all it has */ };

/** The lowest rank of `comm` on this rank's node, to `node`. */
static int find_node(MPI_Comm comm, int32_t *node)
{
    MPI_Comm sharing;
    int rank;
    int status = PMPI_Comm_rank(comm, &rank);
    if (status == MPI_SUCCESS)
        status = PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &sharing);
    if (status != MPI_SUCCESS)
        return status;
    status = PMPI_Bcast(&rank, 1, MPI_INT, 0, sharing);
    PMPI_Comm_free(&sharing);
    *node = rank;
    return status;
}

static int32_t first_core(void)
{
    cpu_set_t allowed[MOST_CORES / CPU_SETSIZE];
    if (sched_getaffinity(0, sizeof allowed, allowed) != 0)
        return -1;
    for (int32_t core = 0; core < MOST_CORES; core++)
        if (CPU_ISSET_S((size_t)core, sizeof allowed, allowed))
            return core;
    return -1;
}

static void name_host(char *host)
{
    const char *slurm = getenv("SLURMD_NODENAME");
    if (slurm && *slurm)
        snprintf(host, PLACE_HOST_BYTES, "%s", slurm);
    else
        gethostname(host, PLACE_HOST_BYTES - 1);
}

int places_gather(MPI_Comm comm, struct place *places)
{
    struct place mine = {.core = first_core()};
    const int size = sizeof mine;
    struct crew *crew = crew_of(comm);
    name_host(mine.host);
    const int status = crew->node < 0 ? find_node(comm, &crew->node) : MPI_SUCCESS;
    if (status != MPI_SUCCESS)
        return status;
    mine.node = crew->node;
    return PMPI_Gather(&mine, size, MPI_BYTE, places, size, MPI_BYTE, 0, comm);
}
