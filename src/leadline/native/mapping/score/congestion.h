/**
 * Cuts by congestion. If every two ranks at most R edges apart send each other 1, along all
 * shortest ways alike, and no edge of weight w carries more than K w, then a set is left by edges
 * of weight 1/K times what its ranks send out of it at least (Leighton and Rao 1999, whose R has no
 * limit; with R = 1 it is the sum of degrees).
 */
#ifndef LEADLINE_MAPPING_CONGESTION_H
#define LEADLINE_MAPPING_CONGESTION_H

#include "problem/problem.h"

enum { RADII = 12 };

struct congestion {
    int64_t *near[RADII]; /**< [ranks + 1] how many ranks the c ranks with the fewest have near */
    double most[RADII];   /**< carried by an edge for each of its weight */
};

/** Whether finding it is worth the time. */
bool congestion_is_cheap(const struct map_problem *problem);

/** Sends along all ways. Returns MAP_OK or MAP_NO_MEMORY. */
int congestion_make(const struct map_problem *problem, bool weighted,
                    struct congestion *congestion);
void congestion_free(struct congestion *congestion);

/** The least weight of edges between any `count` ranks and the others. */
double congestion_leaving(const struct congestion *congestion, int64_t count);

#endif
