/** The least that sets of ranks cut, by whatever is known of the pattern. */
#ifndef LEADLINE_MAPPING_CUTS_H
#define LEADLINE_MAPPING_CUTS_H

#include "score/graph_cuts.h"
#include "score/grid_cuts.h"

struct cuts {
    bool by_grid, by_graph; /**< neither: nothing is known */
    struct grid_cuts grid;
    struct graph_cuts graph;
    int64_t asked;  /**< how many ranks were asked for last */
    double leaving; /**< and what leaves them */
};

/**
 * `weighted` false: everything sent counts 1. A graph needs edges; a grid doesn't, but is looked at
 * more closely where it has them and few ranks. Returns MAP_OK or MAP_NO_MEMORY.
 */
int cuts_make(const struct map_problem *problem, bool weighted, struct cuts *cuts);
void cuts_free(struct cuts *cuts);

/**
 * The least weight of edges between any `count` ranks and the others. Takes its time where `count`
 * isn't what it was before.
 */
double least_leaving(struct cuts *cuts, int64_t count);

/** The least weight of edges between groups of ranks as large as `sizes` ([groups]) says. */
double least_between(struct cuts *cuts, const int64_t *sizes, int64_t groups);

#endif
