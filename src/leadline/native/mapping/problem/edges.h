/** Who exchanges with whom: the edges of a Cartesian grid, and of any graph. */
#ifndef LEADLINE_MAPPING_EDGES_H
#define LEADLINE_MAPPING_EDGES_H

#include <stdint.h>

#include "mapping.h"
#include "problem/grid.h"

/** Each unordered pair that exchanges anything stands in the rows of both its ranks. */
struct edges {
    int64_t *starts;     /**< [ranks + 1] */
    int32_t *neighbours; /**< [starts[ranks]] */
    double *out;         /**< sent from the row's rank to the neighbour; NULL: 1 everywhere */
    double *both;        /**< sent in both directions together; NULL: 2 everywhere */
};

/** Makes the edges of `grid`, which has `ranks` ranks. Returns MAP_OK or what is wrong. */
int edges_of_grid(const struct grid *grid, int32_t ranks, struct edges *edges);

/** Makes the edges of `pattern`, a graph. Returns MAP_OK or what is wrong. */
int edges_of_graph(const struct map_pattern *pattern, struct edges *edges);

#endif
