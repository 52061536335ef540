/** What sets of a grid's ranks hold and cut. */
#ifndef LEADLINE_MAPPING_GRID_CUTS_H
#define LEADLINE_MAPPING_GRID_CUTS_H

#include "problem/problem.h"

/** The axes along which ranks exchange anything. */
struct grid_cuts {
    int64_t ranks;
    int axes;
    int64_t length[MAP_MOST_DIMS];
    bool ring[MAP_MOST_DIMS];
    double weight[MAP_MOST_DIMS]; /**< of an edge, both directions together */
    double total;                 /**< weight of all edges */
};

enum { MOST_AXES_CUT = 8 };

/** Whether anything is known of this grid: it has axes, not too many, and no diagonals. */
bool grid_is_cut(const struct grid *grid);

/** `weighted` false: every direction that weighs anything counts 1. */
struct grid_cuts grid_cuts_of(const struct map_problem *problem, bool weighted);

/** The most weight of edges that `count` ranks have among themselves. */
double grid_held(const struct grid_cuts *cuts, int64_t count);

/** The least weight of edges between any `count` ranks and the others. */
double grid_leaving(const struct grid_cuts *cuts, int64_t count);

#endif
