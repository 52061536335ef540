/** MPI_Dist_graph_create and MPI_Dist_graph_create_adjacent whose ranks move. */
#ifndef LEADLINE_PRELOAD_GRAPH_H
#define LEADLINE_PRELOAD_GRAPH_H

#include "core.h"

/* As core.h says. */

bool graph_create(const struct graph_call *call, void *newcomm, int *status);

bool adjacent_create(const struct adjacent_call *call, void *newcomm, int *status);

#endif
