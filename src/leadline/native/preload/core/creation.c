#include "core/creation.h"

#include "core/reach.h"

static bool in_new_order(const struct creation *creation, MPI_Comm *made, int *status)
{
    struct seat seat;
    if (!creation->seat(creation->call, creation->comm, &seat))
        return false;
    *status = seats_create(creation->comm, &seat, creation->make, creation->call, made);
    return true;
}

/** Replaces what the library made by what has ranks in their new order, if there is one. */
static int replace(const struct creation *creation, MPI_Comm of, MPI_Comm *made)
{
    struct seat seat;
    MPI_Comm better;
    if (!creation->seat(creation->call, of, &seat) || !seat.moves)
        return MPI_SUCCESS;
    const int status = seats_create(of, &seat, creation->make, creation->call, &better);
    if (status != MPI_SUCCESS)
        return status;
    PMPI_Comm_free(made);
    *made = better;
    return MPI_SUCCESS;
}

/** Whether the library's `made` has as many processes as what it was made of. */
static bool is_whole(MPI_Comm comm, MPI_Comm made)
{
    int size = 0, among = -1;
    PMPI_Comm_size(comm, &among);
    PMPI_Comm_size(made, &size);
    return size == among;
}

/** The first creation of some: what is found out is kept if all of the communicator know it. */
static int beside_others(const struct creation *creation, struct crew *crew, MPI_Comm *made)
{
    reach_announce();
    const int status = creation->plainly(creation->call, made);
    if (status != MPI_SUCCESS || *made == MPI_COMM_NULL)
        return status;
    const bool whole = is_whole(creation->comm, *made);
    const enum reach reach = reach_ask(*made);
    if (whole)
        crew->reach = reach;
    return reach == REACH_ALL ? replace(creation, whole ? creation->comm : *made, made) : status;
}

bool creation_run(const struct creation *creation, void *newcomm, int *status)
{
    struct crew *crew = crew_of(creation->comm);
    if (crew->reach == REACH_SOME)
        return false;
    if (crew->reach == REACH_ALL)
        return in_new_order(creation, newcomm, status);
    *status = beside_others(creation, crew, newcomm);
    return true;
}
