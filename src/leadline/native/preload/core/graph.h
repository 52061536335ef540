/** MPI_Dist_graph_create whose ranks move. */
#ifndef LEADLINE_PRELOAD_GRAPH_H
#define LEADLINE_PRELOAD_GRAPH_H

#include <mpi.h>

#include "core.h"
#include "core/edges.h"
#include "core/seats.h"

/** As core.h says. */
bool graph_create(const struct graph_call *call, void *newcomm, int *status);

/**
 * The seat of this process in a graph, for `function`, of which it knows `count` edges, or -1 where
 * its arguments are wrong. Returns false as seats_find, or where some rank's arguments are wrong.
 */
bool graph_seat(const char *function, MPI_Comm comm, int64_t count, const struct edge *edges,
                struct seat *seat);

#endif
