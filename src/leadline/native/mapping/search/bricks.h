/** Bricks: equal boxes that fill the grid, each as large as a node. */
#ifndef LEADLINE_MAPPING_BRICKS_H
#define LEADLINE_MAPPING_BRICKS_H

#include "search/contest.h"

enum { MOST_BRICKS = 4 };

/** Shapes by the weight they cut, the best first. */
struct bricks {
    int count;
    int32_t size[MOST_BRICKS][MAP_MOST_DIMS];
    double cut[MOST_BRICKS];
};

/** The best shapes of `cores` ranks; none where the grid isn't filled by any. */
struct bricks find_bricks(const struct grid *grid, int32_t cores);

/** All ranks brick by brick, to `order` ([ranks]); bricks and the ranks in them row by row. */
void list_bricks(const struct map_problem *problem, const int32_t *size, int32_t *order);

#endif
