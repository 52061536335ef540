/** Beginning and end of a wrapped call. */
#ifndef LEADLINE_PRELOAD_ENTRIES_H
#define LEADLINE_PRELOAD_ENTRIES_H

#include "core.h"

/** Marks what the program is to call instead of its library's. */
#define INTERPOSED __attribute__((visibility("default")))

/**
 * Begins a wrapped call with this `reorder`: what maps, or NULL where the call is only to be passed
 * on: `reorder` is 0, or the call comes from within another wrapped one. Each is ended by
 * entry_end, in this thread.
 */
const struct core *entry_begin(intptr_t comm, int reorder);

/** Ends it. */
void entry_end(void);

/** Whether this thread has begun a wrapped call, and not ended it. */
bool entry_is_within(void);

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

#endif
