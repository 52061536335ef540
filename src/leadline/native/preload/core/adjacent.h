/** MPI_Dist_graph_create_adjacent whose ranks move. */
#ifndef LEADLINE_PRELOAD_ADJACENT_H
#define LEADLINE_PRELOAD_ADJACENT_H

#include "core.h"

/** As core.h says. */
bool adjacent_create(const struct adjacent_call *call, void *newcomm, int *status);

#endif
