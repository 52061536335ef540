/**
 * The C functions that the program calls instead of its library's. No header of a library is
 * known here, so that handles of any library pass unharmed.
 */
#include "interposed/entries.h"

#include <stddef.h>

#include "interposed/library.h"

static _Thread_local int depth; /**< a library's Fortran calls its C, which must not map again */

const struct core *entry_begin(intptr_t comm, int reorder)
{
    return depth++ == 0 && reorder ? library_core(comm) : NULL;
}

void entry_end(void)
{
    depth--;
}

bool entry_is_within(void)
{
    return depth > 0;
}

int MPI_Cart_create(intptr_t comm, int ndims, const int *dims, const int *periods, int reorder,
                    void *newcomm)
{
    const struct cartesian_call call = {comm, ndims, dims, periods};
    const struct core *core = entry_begin(comm, reorder);
    int status = 0;
    if (!core || !core->cart_create(&call, newcomm, &status)) {
        cart_create *next = (cart_create *)library_next("MPI_Cart_create");
        status = next(comm, ndims, dims, periods, reorder, newcomm);
    }
    entry_end();
    return status;
}

int MPI_Cart_map(intptr_t comm, int ndims, const int *dims, const int *periods, int *newrank)
{
    const struct cartesian_call call = {comm, ndims, dims, periods};
    const struct core *core = entry_begin(comm, 1);
    int status = 0;
    if (!core || !core->cart_map(&call, newrank, &status)) {
        cart_map *next = (cart_map *)library_next("MPI_Cart_map");
        status = next(comm, ndims, dims, periods, newrank);
    }
    entry_end();
    return status;
}

int MPI_Dist_graph_create(intptr_t comm, int n, const int *sources, const int *degrees,
                          const int *destinations, const int *weights, intptr_t info, int reorder,
                          void *newcomm)
{
    const struct graph_call call = {comm, n, sources, degrees, destinations, weights, info};
    const struct core *core = entry_begin(comm, reorder);
    int status = 0;
    if (!core || !core->graph_create(&call, newcomm, &status)) {
        graph_create *next = (graph_create *)library_next("MPI_Dist_graph_create");
        status = next(comm, n, sources, degrees, destinations, weights, info, reorder, newcomm);
    }
    entry_end();
    return status;
}

int MPI_Dist_graph_create_adjacent(intptr_t comm, int indegree, const int *sources,
                                   const int *sourceweights, int outdegree, const int *destinations,
                                   const int *destweights, intptr_t info, int reorder,
                                   void *newcomm)
{
    const struct adjacent_call call = {comm,      indegree,     sources,     sourceweights,
                                       outdegree, destinations, destweights, info};
    const struct core *core = entry_begin(comm, reorder);
    int status = 0;
    if (!core || !core->graph_create_adjacent(&call, newcomm, &status)) {
        graph_create_adjacent *next =
            (graph_create_adjacent *)library_next("MPI_Dist_graph_create_adjacent");
        status = next(comm, indegree, sources, sourceweights, outdegree, destinations, destweights,
                      info, reorder, newcomm);
    }
    entry_end();
    return status;
}
