/** Coordinates in the grid of the pattern, its boxes, and bricks: boxes as large as a node. */
#ifndef LEADLINE_MAPPING_CELLS_H
#define LEADLINE_MAPPING_CELLS_H

#include "search/contest.h"

/* -- boxes ------------------------------------------------------------------------------------- */

/** A part of the grid with faces along its axes. */
struct box {
    int32_t low[MAP_MOST_DIMS], size[MAP_MOST_DIMS];
};

/** The whole grid. */
struct box box_of(const struct grid *grid);
int64_t box_volume(const struct grid *grid, const struct box *box);

/** The axis across which a cut of `box` costs least for each rank on one side. */
int box_cheapest_axis(const struct grid *grid, const struct box *box);

/** `box` cut: ranks below `place`, counted from its low end, and the others. */
void box_cut(const struct box *box, int axis, int32_t place, struct box parts[2]);

/** Appends the ranks of `box`, row by row, to `order` at `*count`. */
void box_list(const struct grid *grid, const struct box *box, int32_t *order, int32_t *count);

/** Coordinates of all ranks, to `cells` ([ranks][axes]). */
void list_cells(const struct map_problem *problem, int32_t *cells);

/** Offers the ranks of `order` in turn for the slots node by node, near nodes after each other. */
void offer_on_nodes(struct contest *contest, const int32_t *order);

/* -- bricks ------------------------------------------------------------------------------------ */

/* Equal boxes that fill the grid, each as large as a node. */

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
