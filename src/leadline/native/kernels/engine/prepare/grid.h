/** The grid that a pattern's ranks lie on. */
#ifndef LEADLINE_PREPARE_GRID_H
#define LEADLINE_PREPARE_GRID_H

#include "engine/params.h"

/**
 * Sets cell->dims of a pattern with axes: as they were chosen; else of 2 x half the ranks where
 * these come in pairs; else of as many axes as the pattern has, as MPI_Dims_create balances them:
 * of the least sum of lengths the least longest ones first. Returns what stands against it, in
 * words, as where no rank has a neighbour; NULL: nothing.
 */
const char *grid_arrange(const struct params *params, struct cell *cell);

#endif
