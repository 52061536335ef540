/** What sets of points cost that fill lines or don't: the isoperimetric problem of a box. */
#ifndef LEADLINE_MAPPING_LAYERS_H
#define LEADLINE_MAPPING_LAYERS_H

#include <stdbool.h>

#include "mapping.h"

/** A box of points, and the cost along each axis of a line that a set meets. */
struct box_costs {
    int axes;
    int64_t length[MAP_MOST_DIMS];
    double cost[MAP_MOST_DIMS];
    bool is_free[MAP_MOST_DIMS]; /**< lines that are filled cost nothing */
};

/** No set of `count` points of the box costs less; 0, too, where that takes too long to find. */
double least_by_layers(const struct box_costs *box, int64_t count);

#endif
