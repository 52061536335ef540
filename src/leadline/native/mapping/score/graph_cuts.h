/** What sets of any graph's ranks cut. */
#ifndef LEADLINE_MAPPING_GRAPH_CUTS_H
#define LEADLINE_MAPPING_GRAPH_CUTS_H

#include "problem/problem.h"
#include "score/congestion.h"
#include "score/connection.h"

enum { MOST_IN_SETS = 16 /**< ranks, of which every set is looked at */ };

struct graph_cuts {
    int64_t ranks;
    bool few;                       /**< every set of ranks was looked at */
    double exact[MOST_IN_SETS + 1]; /**< then: the least that leaves so many ranks */
    struct connection connection;
    bool spread; /**< congestion was looked at */
    struct congestion congestion;
    double step; /**< every cut is a multiple of this; 0: not known */
};

/** Looks at the graph. Returns MAP_OK or MAP_NO_MEMORY; then, too, it is to be freed. */
int graph_cuts_make(const struct map_problem *problem, bool weighted, struct graph_cuts *cuts);
void graph_cuts_free(struct graph_cuts *cuts);

/** The least weight of edges between any `count` ranks and the others. */
double graph_leaving(const struct graph_cuts *cuts, int64_t count);

/** The least weight of edges between `groups` groups of ranks: as of a tree that joins them. */
double graph_joining(const struct graph_cuts *cuts, int64_t groups);

#endif
