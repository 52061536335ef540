/**
 * The C functions that the program calls instead of its library's. No header of a library is
 * known here, so that handles of any library pass unharmed.
 */
#include <stddef.h>

#include "core.h"
#include "interposed/library.h"

/** Marks what the program is to call instead of its library's. */
#define INTERPOSED __attribute__((visibility("default")))

/* With handles as wide as a pointer, whatever the library's are. */
typedef int cart_create(intptr_t comm, int ndims, const int *dims, const int *periods, int reorder,
                        void *newcomm);
typedef int cart_map(intptr_t comm, int ndims, const int *dims, const int *periods, int *newrank);
typedef int graph_create(intptr_t comm, int n, const int *sources, const int *degrees,
                         const int *destinations, const int *weights, intptr_t info, int reorder,
                         void *newcomm);
typedef int graph_create_adjacent(intptr_t comm, int indegree, const int *sources,
                                  const int *sourceweights, int outdegree, const int *destinations,
                                  const int *destweights, intptr_t info, int reorder,
                                  void *newcomm);

INTERPOSED cart_create MPI_Cart_create;
INTERPOSED cart_map MPI_Cart_map;
INTERPOSED graph_create MPI_Dist_graph_create;
INTERPOSED graph_create_adjacent MPI_Dist_graph_create_adjacent;

static _Thread_local int depth; /**< a library's Fortran calls its C, which must not map again */

/**
 * Begins a wrapped call with this `reorder`: what maps, or NULL where the call is only to be passed
 * on: `reorder` is 0, or the call comes from within another wrapped one. Each is ended by
 * entry_end, in this thread.
 */
static const struct core *entry_begin(intptr_t comm, int reorder)
{
    return depth++ == 0 && reorder ? library_core(comm) : NULL;
}

/** Ends it. */
static void entry_end(void)
{
    depth--;
}

/** Whether this thread has begun a wrapped call, and not ended it. */
static bool entry_is_within(void)
{
    return depth > 0;
}

/* -- by their names ---------------------------------------------------------------------------- */

int MPI_Cart_create(intptr_t comm, int ndims, const int *dims, const int *periods, int reorder,
                    void *newcomm)
{
    const function own = library_next("PMPI_Cart_create");
    const struct cartesian_call call = {comm, ndims, dims, periods, own};
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
    const struct cartesian_call call = {comm, ndims, dims, periods, NULL};
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
    const function own = library_next("PMPI_Dist_graph_create");
    const struct graph_call call = {comm, n, sources, degrees, destinations, weights, info, own};
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
    const function own = library_next("PMPI_Dist_graph_create_adjacent");
    const struct adjacent_call call = {
        comm, indegree, sources, sourceweights, outdegree, destinations, destweights, info, own};
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

/* -- by their profiling names ------------------------------------------------------------------ */

/*
 * The same functions by the names that a library's Fortran, and tools that measure its calls, reach
 * them by: PMPI_ instead of MPI_. All interfaces of Fortran come down to either name, their
 * handles and constants made C's by the library itself; so nothing of Fortran is known here.
 *
 * Within a wrapped call, these only pass on what the library itself calls.
 */

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
