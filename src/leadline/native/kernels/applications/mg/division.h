/** How a grid is divided among ranks: halved along z, y, x, z, ... until each has its box. */
#ifndef LEADLINE_MG_DIVISION_H
#define LEADLINE_MG_DIVISION_H

#include <stdbool.h>

#include "applications/mg/box.h"

enum { MOST_RANKS = 64 };

struct division {
    int ranks[AXES]; /* along each axis; powers of two, none larger than the next */
    int rank;
};

/** Of `ranks` ranks, a power of two. */
struct division division_of(int rank, int ranks);

/** The level of the grid that has one point for each rank along the axis with the most. */
int division_level(const struct division *division);

/** Whether `ranks` ranks can divide a grid of 2^levels points an axis: a power of two up to
    MOST_RANKS, and two points at least for each rank along every axis. */
bool division_fits(int ranks, int levels);

/** Where `rank` is along `axis`. */
int division_place(const struct division *division, int rank, int axis);

/** The rank `steps` up along `axis` from this one, around the ends. */
int division_neighbour(const struct division *division, int axis, int steps);

/** The box of each rank on grid `level`, at least division_level. */
struct box division_box(const struct division *division, int level);

#endif
