/**
 * A library that reorders wrongly in the way that the environment's FAULT names: linked with
 * neighbours.c, or with surroundings.c where it isn't ranks that are wrong; either must notice.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool plants(const char *fault)
{
    const char *planted = getenv("FAULT");
    return planted && !strcmp(planted, fault);
}

static void swap(int *values)
{
    const int first = values[0];
    values[0] = values[1];
    values[1] = first;
}

/** A communicator in which each rank is the next. */
static MPI_Comm rotated(MPI_Comm comm)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Comm_split(comm, 0, (rank + 1) % size, &comm);
    return comm;
}

/** A message in a communicator of three, where the program waits for any. */
static void leave_stray(MPI_Comm comm)
{
    int rank, size = 0;
    if (comm != MPI_COMM_NULL)
        MPI_Comm_size(comm, &size);
    if (size != 3)
        return;
    MPI_Comm_rank(comm, &rank);
    MPI_Send(&rank, 1, MPI_INT, rank, 0, comm);
}

int MPI_Cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                    MPI_Comm *newcomm)
{
    const int open[2] = {0, 0};
    if (plants("errors") && dims[0] == 4)
        return MPI_SUCCESS;
    const int status = PMPI_Cart_create(plants("moves") && !reorder ? rotated(comm) : comm, ndims,
                                        dims, plants("periods") ? open : periods, reorder, newcomm);
    if (plants("stray"))
        leave_stray(comm);
    if (plants("handler") && status == MPI_SUCCESS && *newcomm != MPI_COMM_NULL)
        MPI_Comm_set_errhandler(*newcomm, MPI_ERRORS_RETURN);
    return status;
}

int MPI_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank)
{
    const int status = PMPI_Cart_map(comm, ndims, dims, periods, newrank);
    if (plants("ranks") && *newrank == 1)
        *newrank = 3;
    return status;
}

int MPI_Dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[],
                          const int destinations[], const int weights[], MPI_Info info, int reorder,
                          MPI_Comm *newcomm)
{
    const int other = n > 0 && *sources ? 0 : 1;
    return PMPI_Dist_graph_create(comm, n, plants("sources") ? &other : sources, degrees,
                                  destinations, weights, info, reorder, newcomm);
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[],
                                   const int source_weights[], int outdegree,
                                   const int destinations[], const int destination_weights[],
                                   MPI_Info info, int reorder, MPI_Comm *newcomm)
{
    if (plants("order"))
        swap((int *)destinations);
    if (plants("weights") && source_weights != MPI_UNWEIGHTED)
        swap((int *)source_weights);
    return PMPI_Dist_graph_create_adjacent(plants("left behind") ? rotated(comm) : comm, indegree,
                                           sources, source_weights, outdegree, destinations,
                                           destination_weights, info, reorder, newcomm);
}

int MPI_Neighbor_alltoallv(const void *sent, const int counts[], const int at[], MPI_Datatype type,
                           void *got, const int got_counts[], const int got_at[],
                           MPI_Datatype got_type, MPI_Comm comm)
{
    const int status =
        PMPI_Neighbor_alltoallv(sent, counts, at, type, got, got_counts, got_at, got_type, comm);
    if (plants("delivery"))
        swap((int *)got);
    return status;
}
