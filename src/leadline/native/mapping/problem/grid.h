/** The grid of a pattern. */
#ifndef LEADLINE_MAPPING_GRID_H
#define LEADLINE_MAPPING_GRID_H

#include <stdbool.h>

#include "mapping.h"

/** The axes of a grid, as given. */
struct grid {
    int ndims; /**< 0: the pattern is no grid */
    int32_t dims[MAP_MOST_DIMS];
    bool periodic[MAP_MOST_DIMS];
    double weights[2 * MAP_MOST_DIMS];
    bool diagonals;
};

/** Copies the axes of `pattern`; `ranks` becomes the product of its lengths. Returns a status. */
int grid_make(const struct map_pattern *pattern, struct grid *grid, int64_t *ranks);

/** Coordinates of the rank after the one at `at`; after the last comes the first. */
void next_cell(const struct grid *grid, int32_t *at);

/** The weight that crosses each edge along `axis`, both directions; 0 where there is none. */
double weight_along(const struct grid *grid, int axis);

#endif
