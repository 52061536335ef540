/**
 * The same functions by the names that a library's Fortran, and tools that measure its calls, reach
 * them by: PMPI_ instead of MPI_. All interfaces of Fortran come down to either name, their
 * handles and constants made C's by the library itself; so nothing of Fortran is known here.
 *
 * Within a wrapped call, these only pass on what this object itself, or the library, calls.
 */
#include "interposed/entries.h"
#include "interposed/library.h"

INTERPOSED cart_create PMPI_Cart_create;
INTERPOSED cart_map PMPI_Cart_map;
INTERPOSED graph_create PMPI_Dist_graph_create;
INTERPOSED graph_create_adjacent PMPI_Dist_graph_create_adjacent;

/** `wrapped`, or within a wrapped call the library's own `name`. */
static function chosen(function wrapped, const char *name)
{
    return entry_is_within() ? library_next(name) : wrapped;
}

int PMPI_Cart_create(intptr_t comm, int ndims, const int *dims, const int *periods, int reorder,
                     void *newcomm)
{
    const function wrapped = (function)MPI_Cart_create;
    cart_create *next = (cart_create *)chosen(wrapped, "PMPI_Cart_create");
    return next(comm, ndims, dims, periods, reorder, newcomm);
}

int PMPI_Cart_map(intptr_t comm, int ndims, const int *dims, const int *periods, int *newrank)
{
    cart_map *next = (cart_map *)chosen((function)MPI_Cart_map, "PMPI_Cart_map");
    return next(comm, ndims, dims, periods, newrank);
}

int PMPI_Dist_graph_create(intptr_t comm, int n, const int *sources, const int *degrees,
                           const int *destinations, const int *weights, intptr_t info, int reorder,
                           void *newcomm)
{
    const function wrapped = (function)MPI_Dist_graph_create;
    graph_create *next = (graph_create *)chosen(wrapped, "PMPI_Dist_graph_create");
    return next(comm, n, sources, degrees, destinations, weights, info, reorder, newcomm);
}

int PMPI_Dist_graph_create_adjacent(intptr_t comm, int indegree, const int *sources,
                                    const int *sourceweights, int outdegree,
                                    const int *destinations, const int *destweights, intptr_t info,
                                    int reorder, void *newcomm)
{
    const function wrapped = (function)MPI_Dist_graph_create_adjacent;
    graph_create_adjacent *next =
        (graph_create_adjacent *)chosen(wrapped, "PMPI_Dist_graph_create_adjacent");
    return next(comm, indegree, sources, sourceweights, outdegree, destinations, destweights, info,
                reorder, newcomm);
}
