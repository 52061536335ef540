/** The edges of a Cartesian grid. */
#ifndef LEADLINE_MAPPING_STENCIL_H
#define LEADLINE_MAPPING_STENCIL_H

#include "problem/edges.h"
#include "problem/grid.h"

/** Makes the edges of `grid`, which has `ranks` ranks. Returns MAP_OK or what is wrong. */
int edges_of_grid(const struct grid *grid, int32_t ranks, struct edges *edges);

#endif
